import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Delivery, Priority } from '../../src/message/delivery.ts'
import type { NewRow } from '../../src/store/store.ts'
import { type TryAnswer, startOutbox, UNLIMITED } from '../support/outbox.ts'
import { aRow } from '../support/store.ts'
import { budget } from '../support/seed.ts'

/** How the platform treats an attempt, and whether the message arrived: only the first two say so truly. */
type DeliveryStatus =
  | 'taken'
  | 'busy'
  | 'busy everywhere'
  | 'taken, unheard'
  | 'lost, unheard'
  | 'hangs'
  | 'dies'
  | 'refused'
const FATES: readonly DeliveryStatus[] = [
  'taken',
  'taken',
  'taken',
  'busy',
  'busy everywhere',
  'taken, unheard',
  'lost, unheard',
  'hangs',
  'dies',
  'refused',
]
const ARRIVES: ReadonlySet<DeliveryStatus> = new Set(['taken', 'taken, unheard', 'dies'])

type Step =
  | { is: 'put'; chat: number; urgency: Priority; alert: number }
  | { is: 'wait'; ms: number }
  | { is: 'die' }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      is: fc.constant('put' as const),
      chat: fc.integer({ min: 1, max: 3 }),
      urgency: fc.constantFrom<Priority>(0, 1, 2),
      alert: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ is: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 30_000 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ is: 'die' as const }) },
)

test('whatever happens: nothing is lost, nothing is doubled unmarked, and order holds per alert', async () => {
  const told = { rows: 0, repeats: 0, deaths: 0, parked: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 30 }),
      fc.array(fc.constantFrom(...FATES), { minLength: 30, maxLength: 30 }),
      fc.array(fc.boolean(), { maxLength: 12 }),
      async (steps, fates, deadlyTurns) => {
        const history = await live(steps, fates, deadlyTurns)
        told.rows += history.rows.length
        told.deaths += history.deaths
        told.parked += history.parked.size
        told.repeats += history.arrived.length - new Set(history.arrived.map(({ row }) => row)).size
        check(history)
      },
    ),
    { numRuns: budget(60, 14) },
  )
  // The runs must have been worth it.
  expect(Math.min(...Object.values(told))).toBeGreaterThan(0)
})

interface History {
  rows: NewRow[]
  arrived: TryAnswer[]
  /** Given up after a second refusal, and told elsewhere. */
  parked: Set<number>
  waiting: number
  deaths: number
}

async function live(steps: Step[], fates: DeliveryStatus[], deadlyTurns: boolean[]): Promise<History> {
  const rows: NewRow[] = []
  const arrived: TryAnswer[] = []
  let deaths = 0
  let dead = false
  const die = () => {
    dead = true
    deaths++
    bot.die()
  }
  const bot = await startOutbox({
    platforms: { telegram: { ...UNLIMITED, chat: { burst: 1, perSecond: 1 } } },
    answer(attempt) {
      const fate = fates.shift() ?? 'taken'
      if (ARRIVES.has(fate)) arrived.push(attempt)
      if (fate === 'dies') die()
      return answerOf(fate, attempt)
    },
    around: (outbox) => ({
      async round(turn) {
        const taken = await outbox.round(turn)
        if (taken.length > 0 && deadlyTurns.shift() === true) die()
        return taken
      },
    }),
  })
  const comeBack = async () => {
    while (dead) {
      dead = false
      await bot.revive()
    }
  }
  for (const one of steps) {
    if (one.is === 'die') die()
    if (one.is === 'wait') await bot.clock.advance(one.ms)
    if (one.is === 'put') {
      const { chat, urgency, alert } = one
      rows.push(
        aRow({ id: rows.length + 1, chatId: chat, urgency, alertIds: [alert], queuedAt: bot.clock.now() }),
      )
      await bot.put(...rows.slice(-1))
    }
    await comeBack()
  }
  // All is well from now on.
  fates.length = 0
  deadlyTurns.length = 0
  await bot.clock.advance(30 * 60_000)
  const { waiting } = await bot.store().outbox.backlog()
  const parked = new Set(bot.events.flatMap((event) => (event.is === 'parked' ? [event.row] : [])))
  await bot.dispatcher().stop()
  return { rows, arrived, waiting, parked, deaths }
}

function answerOf(fate: DeliveryStatus, attempt: TryAnswer): Delivery | Promise<Delivery> {
  const busy = { is: 'delayed', retryAfterMs: 2_000, maybeSent: false, why: '429' } as const
  if (fate === 'busy') return { ...busy, scope: 'chat' }
  if (fate === 'busy everywhere') return { ...busy, scope: 'platform', retryAfterMs: null }
  if (fate === 'refused') return { is: 'rejected', why: 'markup' }
  if (fate === 'hangs') return new Promise(() => {})
  if (fate === 'taken, unheard') return Promise.reject(new Error('connection reset'))
  if (fate === 'lost, unheard') return { ...busy, scope: 'chat', retryAfterMs: null, maybeSent: true }
  return { is: 'sent', ref: { address: attempt.to, id: attempt.key } }
}

/** What goes in comes out: the report of a run in one comparison. */
function check({ rows, arrived, waiting, parked }: History): void {
  const copies = Map.groupBy(arrived, ({ row }) => row)
  const lost = rows.filter(({ id }) => !copies.has(id) && !parked.has(id)).length
  const unmarked = [...copies.values()]
    .flatMap((all) => all.slice(1))
    .filter((one) => !one.possibleRepeat).length
  const firsts = [...copies.keys()]
  const overtaken = rows.filter((later) =>
    rows.some(
      (earlier) =>
        earlier.id < later.id &&
        earlier.chatId === later.chatId &&
        earlier.alertIds[0] === later.alertIds[0] &&
        firsts.includes(earlier.id) &&
        firsts.includes(later.id) &&
        firsts.indexOf(earlier.id) > firsts.indexOf(later.id),
    ),
  )
  const report = {
    waiting,
    lost,
    unmarked,
    overtaken: overtaken.map(({ id }) => id),
  }
  expect(report).toEqual({ waiting: 0, lost: 0, unmarked: 0, overtaken: [] })
}
