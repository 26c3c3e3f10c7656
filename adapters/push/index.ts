import type { OpenNotifier } from '../../src/chat/notifier.ts'
import { schema } from './config.ts'
import { createPush } from './push.ts'
import { serverKeys } from './vapid.ts'

/** Notifications in browsers that people have named on the page. */
export default (async ({ env, clock, egress, http, secret }) => {
  const { PUSH_CONTACT: contact = http.url.startsWith('https:') ? http.url : null } = schema.parse(env)
  const keys = serverKeys(await secret('push'))
  const key = JSON.stringify({ key: keys.publicKey })
  // The page gives it to the browser, which takes notifications of this key alone. It is no secret.
  http.mount('/push', ({ method, url }) =>
    new URL(url).pathname.endsWith('/push/key') && (method === 'GET' || method === 'HEAD')
      ? new Response(key, {
          headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
        })
      : new Response(null, { status: 404 }),
  )
  return createPush({ keys, contact, page: http, clock, egress, linkFor: http.linkFor })
}) satisfies OpenNotifier
