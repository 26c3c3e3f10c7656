import type { OpenNotifier } from '../../src/chat/notifier.ts'
import { schema } from './config.ts'
import { createPush } from './push.ts'
import { serverKeys } from './vapid.ts'

/** Google's and Mozilla's services take it. Apple's asks for an address that exists. */
const NOBODY = 'mailto:perch@localhost'
const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** Notifications in browsers that people have named on the page. */
export default (async ({ env, clock, egress, http, secret }) => {
  const usual = http.url.startsWith('https:') ? http.url : NOBODY
  const { PUSH_CONTACT: contact = usual } = schema.parse(env)
  const keys = serverKeys(await secret('push'))
  const key = JSON.stringify({ key: keys.publicKey })
  // The page gives it to the browser, which takes notifications of this key alone. It is no secret.
  http.mount('/push', ({ method, url }) =>
    new URL(url).pathname === '/push/key' && (method === 'GET' || method === 'HEAD')
      ? new Response(key, { headers: HEADERS })
      : new Response(null, { status: 404 }),
  )
  return createPush({ keys, contact, page: http, clock, egress, linkFor: http.linkFor })
}) satisfies OpenNotifier
