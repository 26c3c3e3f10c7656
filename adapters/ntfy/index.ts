import type { OpenNotifier } from '../../src/chat/notifier.ts'
import { schema } from './config.ts'
import { createNtfy } from './ntfy.ts'

/** Topics of ntfy, on the operator's server or on another one. */
export default (async ({ env, clock, egress, linkFor, isOperators }) => {
  const { NTFY_URL: server, NTFY_TOKEN: token = null, NTFY_CALL: call = null } = schema.parse(env)
  return createNtfy({ server, token, call, clock, egress, linkFor, isOperators })
}) satisfies OpenNotifier
