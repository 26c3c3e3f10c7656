import { createWebhook } from '../../../adapters/webhook/webhook.ts'
import type { Identity } from '../../../src/message/address.ts'
import { lacks, type NotifierPlatform, testNotifier } from '../../contracts/adapter.ts'
import { handClock } from '../../support/clock.ts'
import { startWebhook } from '../../support/places/webhook.ts'
import { notifierWorld } from '../places.ts'

const SECRET = 'hmac-secret-of-the-operator'
const paths: Record<string, string> = { ann: '/ann/s3cret-path', ben: '/ben/0ther-path' }

await testNotifier('a webhook', async (): Promise<NotifierPlatform> => {
  const clock = handClock()
  const receiver = await startWebhook(clock, SECRET)
  const open = () => createWebhook({ secret: SECRET, clock, egress: receiver.egress, personAt: () => 1 })
  const pathOf = ({ user }: Identity) => paths[user] ?? ''
  const refuses = (status: number) => () =>
    receiver.fault({ is: 'reply', reply: { status, body: 's3cret-path is what I was asked' } })
  return {
    ...notifierWorld(receiver, clock),
    adapter: open(),
    secrets: [SECRET, 's3cret-path'],
    named: (who) => ({ platform: 'webhook', chat: `${receiver.origin}${pathOf(who)}`, thread: null }),
    sees: (who) => receiver.told(pathOf(who)).map(({ text, silent }) => ({ text, silent, styled: false })),
    silence: true,
    idempotent: true,
    faults: {
      limited() {
        receiver.fault({ is: 'reply', reply: { status: 429, headers: { 'retry-after': '7' } } })
        return 7_000
      },
      limitedEverywhere: lacks('each webhook is somebody else’s'),
      serverError: refuses(503),
      unreachable: () => receiver.fault({ is: 'nobody' }),
      answerLost: () => receiver.fault({ is: 'taken-then-reset' }),
      hangs: () => receiver.fault({ is: 'hang' }),
      rejected: refuses(400),
    },
    blocks: {
      begins: () => receiver.goes(paths['ann'] ?? '', true),
      ends: () => receiver.goes(paths['ann'] ?? '', false),
    },
    reopen: async () => open(),
  }
})
