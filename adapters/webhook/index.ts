import type { OpenNotifier } from '../../src/chat/notifier.ts'
import { schema } from './config.ts'
import { createWebhook } from './webhook.ts'

/** Addresses that people name, told in JSON and signed. */
export default (async ({ env, clock, egress }) =>
  createWebhook({ secret: schema.parse(env).WEBHOOK_SECRET, clock, egress })) satisfies OpenNotifier
