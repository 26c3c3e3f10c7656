import { createPush } from '../../../adapters/push/push.ts'
import { subscriptionIn, addressOf } from '../../../adapters/push/subscription.ts'
import { serverKeys } from '../../../adapters/push/vapid.ts'
import type { Identity } from '../../../src/message/address.ts'
import { lacks, type NotifierPlatform, testNotifier } from '../../contracts/adapter.ts'
import { handClock } from '../../support/clock.ts'
import { startPushService } from '../../support/places/push-service.ts'
import { notifierWorld } from '../places.ts'

const KEYS = serverKeys(Buffer.alloc(32, 7))
const browsers: Record<string, string> = { ann: 'anns-s3cret-browser', ben: 'bens-0ther-browser' }

await testNotifier('a browser', async (): Promise<NotifierPlatform> => {
  const clock = handClock()
  const service = await startPushService(clock)
  const page = { url: 'https://perch.example.com', isPublic: true }
  const open = () =>
    createPush({
      ...{
        keys: KEYS,
        contact: 'mailto:op@example.com',
        page,
        clock,
        egress: service.egress,
        linkFor: () => `${page.url}/b/x`,
      },
    })
  const browserOf = ({ user }: Identity) => browsers[user] ?? ''
  const subscribed = Object.values(browsers).map((name) => service.subscribe(name, KEYS.publicKey))
  const refuses = (status: number, headers: Record<string, string> = {}) =>
    service.fault({
      is: 'reply',
      reply: { status, headers, body: 'anns-s3cret-browser is what I was asked' },
    })
  return {
    ...notifierWorld(service, clock),
    adapter: open(),
    secrets: ['s3cret-browser', ...subscribed.flatMap(({ keys }) => [keys.p256dh, keys.auth])],
    named(who) {
      const found = subscriptionIn(JSON.stringify(service.subscribe(browserOf(who), KEYS.publicKey)))
      return { platform: 'push', chat: found ? addressOf(found.subscription) : '', thread: null }
    },
    sees: (who) =>
      service
        .shows(browserOf(who))
        .map(({ title, body, silent }) => ({ text: `${title}\n${body}`, silent, styled: false })),
    silence: true,
    idempotent: true,
    faults: {
      limited() {
        refuses(429, { 'retry-after': '7' })
        return 7_000
      },
      limitedEverywhere: lacks('a push service limits whoever asks, and does not say for which browsers'),
      serverError: () => refuses(503),
      unreachable: () => service.fault({ is: 'nobody' }),
      answerLost: () => service.fault({ is: 'taken-then-reset' }),
      hangs: () => service.fault({ is: 'hang' }),
      rejected: () => refuses(413),
    },
    blocks: {
      begins: () => service.gone(browsers['ann'] ?? '', true),
      ends: () => service.gone(browsers['ann'] ?? '', false),
    },
    reopen: async () => open(),
  }
})
