import { createPushover } from '../../../adapters/pushover/pushover.ts'
import type { Identity } from '../../../src/message/address.ts'
import type { Event } from '../../../src/runtime/event.ts'
import { lacks, type NotifierPlatform, testNotifier } from '../../contracts/adapter.ts'
import { handClock } from '../../support/clock.ts'
import { startPushover } from '../../support/places/pushover.ts'
import { notifierWorld } from '../places.ts'

const TOKEN = 'azGDORePK8gMaC0QOYAMyEEuzJnyUi'
const ANN = 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG'
const BEN = 'gznej3rKEVAvPUxu9vvNnqpmZpokzF'

await testNotifier('Pushover', async (): Promise<NotifierPlatform> => {
  const clock = handClock()
  const events: Event[] = []
  const pushover = await startPushover(clock, TOKEN, [ANN, BEN])
  const emit = (event: Event) => void events.push(event)
  const open = () =>
    createPushover({
      ...{ api: pushover.origin, token: TOKEN, clock, emit, random: () => 0.5 },
      egress: pushover.egress,
    })
  const keyOf = ({ user }: Identity) => (user === 'ann' ? ANN : BEN)
  const refuses = (status: number, body: object, headers: Record<string, string> = {}) =>
    pushover.fault({ is: 'reply', reply: { status, headers, body: JSON.stringify(body) } })
  return {
    ...notifierWorld(pushover, clock),
    adapter: open(),
    events,
    secrets: [TOKEN, ANN],
    named: (who) => ({ platform: 'pushover', chat: keyOf(who), thread: null }),
    sees: (who) =>
      pushover.pushed(keyOf(who)).map(({ title, message, priority }) => ({
        text: `${title}\n${message}`,
        silent: priority < 0,
        styled: false,
      })),
    silence: true,
    idempotent: lacks('Pushover knows no key of a message'),
    faults: {
      limited: lacks('Pushover limits the application, not who is told'),
      limitedEverywhere() {
        refuses(429, { errors: ['application is over its quota'], status: 0 }, { 'retry-after': '7' })
        return 7_000
      },
      serverError: () => refuses(500, { errors: ['internal error'], status: 0 }),
      unreachable: () => pushover.fault({ is: 'nobody' }),
      answerLost: () => pushover.fault({ is: 'taken-then-reset' }),
      hangs: () => pushover.fault({ is: 'hang' }),
      rejected: () => refuses(400, { message: 'is bad', errors: [`${TOKEN} said ${ANN}`], status: 0 }),
    },
    blocks: {
      begins: () => pushover.closes(ANN, true),
      ends: () => pushover.closes(ANN, false),
    },
    reopen: async () => open(),
  }
})
