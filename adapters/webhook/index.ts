import type { OpenNotifier } from '../../src/chat/notifier.ts'
import { schema } from './config.ts'
import { createWebhook } from './webhook.ts'

/** Sends messages to addresses that people name, as signed JSON. */
export default (async ({ env, clock, egress, personAt }) =>
  createWebhook({ secret: schema.parse(env).WEBHOOK_SECRET, clock, egress, personAt })) satisfies OpenNotifier
