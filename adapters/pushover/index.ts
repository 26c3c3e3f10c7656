import type { OpenNotifier } from '../../src/chat/notifier.ts'
import { schema } from './config.ts'
import { createPushover } from './pushover.ts'

const API = 'https://api.pushover.net'

/** Phones that have Pushover. */
export default (async ({ env, clock, emit, random, egress }) =>
  createPushover({
    api: API,
    token: schema.parse(env).PUSHOVER_TOKEN,
    ...{ clock, emit, random, egress },
  })) satisfies OpenNotifier
