import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'

import type { OpenConversation } from '../../src/chat/conversation.ts'
import { schema } from './config.ts'
import { createTelegram } from './telegram.ts'

/**
 * Node gives each address of a host 250 ms. With broken IPv6 or a slow route, api.telegram.org then fails with an error
 * without text (nodejs/node#52075).
 */
const FAMILY_ATTEMPT_MS = 2_000

/** Telegram, as the environment says. */
export default (async ({ env, clock, emit, random, mayAct }) => {
  setDefaultAutoSelectFamilyAttemptTimeout(FAMILY_ATTEMPT_MS)
  const {
    TELEGRAM_BOT_TOKEN: token,
    TELEGRAM_API_ROOT: root,
    TELEGRAM_TEST_ENVIRONMENT: testing,
  } = schema.parse(env)
  return createTelegram({ root, token, testing, clock, emit, random, ...(mayAct && { mayAct }) })
}) satisfies OpenConversation
