import type { OpenNotifier } from '../../src/chat/notifier.ts'
import { schema } from './config.ts'
import { createWebhook } from './webhook.ts'

/** Sends messages to addresses that people name, as signed JSON. */
export default (async ({ env, clock, egress }) =>
  createWebhook({ secret: schema.parse(env).WEBHOOK_SECRET, clock, egress })) satisfies OpenNotifier
