import { createNtfy } from '../../../adapters/ntfy/ntfy.ts'
import type { Identity } from '../../../src/message/address.ts'
import { lacks, type NotifierPlatform, testNotifier } from '../../contracts/adapter.ts'
import { handClock } from '../../support/clock.ts'
import { error, startNtfy } from '../../support/places/ntfy.ts'
import { notifierWorld } from '../places.ts'

const TOKEN = 'tk_abcdefghijklmnopqrstuvwxyz012'
const topics: Record<string, string> = { ann: 'ann-s3cret-topic', ben: 'ben-0ther-topic' }

await testNotifier('ntfy', async (): Promise<NotifierPlatform> => {
  const clock = handClock()
  const ntfy = await startNtfy(clock, TOKEN)
  const open = () =>
    createNtfy({
      server: ntfy.origin,
      token: TOKEN,
      call: null,
      clock,
      egress: ntfy.egress,
      linkFor: null,
      isOperators: () => true,
    })
  const topicOf = ({ user }: Identity) => topics[user] ?? ''
  const refuses = (http: number, code: number, headers: Record<string, string> = {}) =>
    ntfy.fault({ is: 'reply', reply: error(http, code, 'ann-s3cret-topic is what I was asked', headers) })
  return {
    ...notifierWorld(ntfy, clock),
    adapter: open(),
    secrets: [TOKEN, 's3cret-topic'],
    named: (who) => ({ platform: 'ntfy', chat: `${ntfy.origin}/${topicOf(who)}`, thread: null }),
    sees: (who) =>
      ntfy.published(topicOf(who)).map(({ title, message, priority }) => ({
        text: `${title}\n${message}`,
        silent: priority < 3,
        styled: false,
      })),
    silence: true,
    idempotent: lacks('ntfy knows no key of a message'),
    faults: {
      limited() {
        refuses(429, 42_901, { 'retry-after': '7' })
        return 7_000
      },
      limitedEverywhere: lacks('ntfy limits whoever asks, and does not say for which topics'),
      serverError: () => refuses(500, 50_001),
      unreachable: () => ntfy.fault({ is: 'nobody' }),
      answerLost: () => ntfy.fault({ is: 'taken-then-reset' }),
      hangs: () => ntfy.fault({ is: 'hang' }),
      rejected: () => refuses(400, 40_017),
    },
    blocks: {
      begins: () => ntfy.protects(topics['ann'] ?? '', 'nobody'),
      ends: () => ntfy.protects(topics['ann'] ?? '', null),
    },
    reopen: async () => open(),
  }
})
