import type { Delivery } from '../../src/message/delivery.ts'
import type { Event } from '../../src/runtime/event.ts'
import { handClock } from '../support/clock.ts'
import { createRecorder, type Place } from '../support/recorder.ts'
import { lacks, type ConversationPlatform, testConversation, type Where } from './adapter.ts'

await testConversation('the recording platform of the scenarios', async (): Promise<ConversationPlatform> => {
  const clock = handClock()
  const events: Event[] = []
  const recorder = createRecorder('recorder', clock, false, (event) => events.push(event))
  recorder.groups.set('traders', { title: 'Traders', mayPost: true, configurers: ['olga'] })
  let group = 'traders'

  const person = (user: string) => ({ platform: 'recorder', user })
  const place = (user: string, where: Where): Place | undefined =>
    where === 'home' ? undefined : { chat: group, mayConfigure: user === 'olga', whisper: true }
  const next = (ending: () => Delivery) => () => recorder.delivers('ann', ending)
  const delayed = {
    is: 'delayed',
    scope: 'chat',
    retryAfterMs: null,
    maybeSent: false,
    why: 'later',
  } as const
  const absence = (chat: () => string) => ({
    begins: () => recorder.blocks(chat()),
    ends: () => recorder.blocks(chat(), false),
    told: true as const,
  })
  return {
    adapter: recorder.adapter,
    clock,
    events,
    secrets: [],
    ann: person('ann'),
    ben: person('ben'),
    group: {
      title: 'Traders',
      admin: person('olga'),
      member: person('fred'),
      whispers: true,
      kicks: absence(() => group),
      moves: {
        begins() {
          recorder.moves(group, 'traders-2')
          group = 'traders-2'
        },
        told: true,
      },
    },
    // A failed line is the adapter's to tell; the scenario that awaits it learns of it as well.
    says: ({ user }, where, line) => void recorder.asks(user, line, place(user, where)).catch(() => {}),
    writes: ({ user }, text) => void recorder.asks(user, text),
    replies: ({ user }, where, text) => void recorder.asks(user, text, place(user, where)),
    follows: ({ user }, word) => void recorder.asks(user, `/start ${word}`),
    taps: ({ user }, where, label) => void recorder.taps(user, label, place(user, where)),
    sees: ({ user }, where) =>
      recorder
        .sees(user, where === 'home' ? user : group)
        .map(({ text, silent, plain }) => ({ text, silent, styled: !plain })),
    removes: () => recorder.removes('ann'),
    editsInPlace: true,
    silence: true,
    idempotent: lacks('a scenario counts how often something was sent'),
    comesAgain: true,
    waits: true,
    faults: {
      limited() {
        next(() => ({ ...delayed, retryAfterMs: 7_000 }))()
        return 7_000
      },
      limitedEverywhere() {
        next(() => ({ ...delayed, scope: 'platform', retryAfterMs: 7_000 }))()
        return 7_000
      },
      serverError: next(() => ({ ...delayed, maybeSent: true })),
      unreachable: next(() => delayed),
      answerLost: lacks('a scripted end sends nothing'),
      hangs: () =>
        recorder.delivers(
          'ann',
          (_send, signal) =>
            new Promise((resolve) => {
              signal.addEventListener('abort', () => resolve({ ...delayed, maybeSent: true }))
            }),
        ),
      rejected: next(() => ({ is: 'rejected', why: 'bad markup' })),
    },
    answerFaults: {
      passing: () => recorder.answersEnd('ann', () => ({ ...delayed, maybeSent: false })),
      limited() {
        recorder.answersEnd('ann', () => ({ ...delayed, retryAfterMs: 7_000 }))
        return 7_000
      },
      rejected: () => recorder.answersEnd('ann', () => ({ is: 'rejected', why: 'bad markup' })),
      gone: () => recorder.answersEnd('ann', () => ({ is: 'gone', why: 'we are locked out' })),
    },
    blocks: absence(() => 'ann'),
    settles: () => clock.advance(0),
    reopen: async () => recorder.adapter,
    leftovers: () => (clock.waiting() > 0 ? [`${clock.waiting()} wake-ups`] : []),
    close: async () => {},
  }
})
