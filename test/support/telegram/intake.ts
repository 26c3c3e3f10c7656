import { badRequest } from './refusal.ts'
import type { Args } from './request.ts'
import type { World } from './world.ts'

const ACTIVE =
  "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"

/** How the bot gets its updates. A webhook can be set and is in the way of polls, but nothing is posted to it. */
export async function getUpdates(world: World, args: Args, gone: AbortSignal): Promise<unknown> {
  if (world.webhook !== '') throw await world.updates.conflict(ACTIVE)
  return await world.updates.poll(args, gone)
}

export function setWebhook(world: World, args: Args): unknown {
  const url = args.text('url')
  if (url === '') return deleteWebhook(world, args)
  if (!url.startsWith('https://')) {
    throw badRequest('bad webhook: An HTTPS URL must be provided for webhook')
  }
  const secret = args.text('secret_token')
  if (secret.length > 256) throw badRequest('secret token is too long')
  if (!/^[\w-]*$/.test(secret)) throw badRequest('secret token contains unallowed characters')
  if (args.flag('drop_pending_updates')) world.updates.clear()
  world.updates.displace('webhook')
  world.updates.allow(args)
  world.webhook = url
  return true
}

export function deleteWebhook(world: World, args: Args): unknown {
  if (args.flag('drop_pending_updates')) world.updates.clear()
  world.webhook = ''
  return true
}

export function getWebhookInfo(world: World): unknown {
  return {
    url: world.webhook,
    has_custom_certificate: false,
    pending_update_count: world.updates.waiting().length,
    allowed_updates: world.updates.allowed(),
  }
}
