import { describe, expect, test } from 'vitest'

import { type Budget, createBudget } from '../../src/polling/budget/budget.ts'
import { paceOf } from '../../src/polling/budget/pace.ts'
import { createWalletPoller } from '../../src/polling/wallets.ts'
import { type Clock, waited } from '../../src/runtime/clock.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { Order } from '../../src/venue/order.ts'
import type { WalletDemand } from '../../src/venue/reading.ts'
import type { CloseRecord, PositionsAnswer } from '../../src/venue/venue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { handClock } from '../support/clock.ts'
import { anEnding, aPosition } from '../support/fixtures.ts'
import {
  aWallet,
  DOWN,
  holdings,
  LIMITED,
  NEVER,
  openBudget,
  QUEUED,
  type Script,
  scriptedVenue,
} from '../support/polling.ts'

const AGES = { minMs: 2_000, maxMs: 60_000 }

interface Read {
  wallet: Wallet
  ms: number
  orders: Order[] | null
  closeRecords: CloseRecord[] | null
  unsolicited: boolean
  value: PositionsAnswer
}

function startReading(
  wallets: number,
  script: Script = {},
  given: {
    budget?: Budget
    budgetOf?: (clock: Clock) => Budget
    perSecond?: number
    breaks?: () => boolean
    heardSince?: () => number | null
  } = {},
) {
  const clock = handClock()
  const events: Event[] = []
  const emit = (event: Event) => void events.push(event)
  const venue = scriptedVenue(clock, script)
  const budget =
    given.budget ??
    given.budgetOf?.(clock) ??
    createBudget({ clock, emit, pace: { weightPerSecond: given.perSecond ?? 20, burst: null } })
  const began = clock.monotonic()
  const demand: WalletDemand[] = Array.from({ length: wallets }, (_, index) => ({
    wallet: aWallet(index),
    nearDanger: false,
    confirm: false,
    endedSince: null,
    againMono: null,
    rememberedDistance: Infinity,
  }))
  let known = new Map<Wallet, WalletDemand>()
  const touched: Wallet[] = []
  let listed = 0
  const reads: Read[] = []
  const failures: { wallet: Wallet; why: string; ms: number }[] = []
  const poller = createWalletPoller({
    venue: venue.venue,
    budget,
    clock,
    emit,
    ages: AGES,
    changed() {
      if (given.breaks?.()) throw new Error('out of order')
      if (demand.length === known.size && demand.every((one) => known.get(one.wallet) === one))
        return touched.splice(0)
      const wanted = new Map(demand.map((one) => [one.wallet, one]))
      const news = [...wanted.keys(), ...known.keys()].filter((one) => !wanted.has(one) || !known.has(one))
      known = wanted
      return [...news, ...touched.splice(0)]
    },
    demandOf(wallet) {
      listed++
      const one = known.get(wallet)
      return one && demand.includes(one) ? one : null
    },
    pushedMono: () => null,
    heardSince: () => given.heardSince?.() ?? null,
    read: ({ at: _at, mono, ...read }) => void reads.push({ ...read, ms: mono - began }),
    failed: (wallet, why) => void failures.push({ wallet, why, ms: clock.monotonic() - began }),
  })
  poller.start()
  const set = (index: number, over: Partial<WalletDemand>) => {
    Object.assign(demand[index] ?? {}, over)
    touched.push(aWallet(index))
    poller.nudge()
  }
  const asked = (wallet = aWallet(0)) =>
    venue.calls.filter((call) => call.wallet === wallet).map(({ what, mono }) => `${what} ${mono - began}`)
  return { clock, events, venue, poller, reads, failures, demand, set, asked, began, listed: () => listed }
}

describe('owners', () => {
  test('are read in turn, sooner when near danger', async () => {
    const { clock, asked, set, poller } = startReading(2)
    set(1, { nearDanger: true })
    await clock.advance(50_000)
    expect(asked()).toEqual(['positions 0', 'positions 45000'])
    expect(asked(aWallet(1))).toHaveLength(26)
    await poller.stop()
  })

  test('are read on once what breaks is whole again, and that is told', async () => {
    let broken = true
    const { clock, asked, events, poller } = startReading(1, {}, { breaks: () => broken })
    await clock.advance(3_500)
    broken = false
    await clock.advance(1_000)
    expect(asked()).toEqual(['positions 4000'])
    expect(events.filter(({ is }) => is === 'trouble')).toHaveLength(4)
    await poller.stop()
  })

  test('cost nothing while they wait, however many they are', async () => {
    const { clock, venue, listed, poller } = startReading(5_000, { latencyMs: 20 }, { perSecond: 1_000 })
    // Some at a time take their place: others have their turn in between.
    await clock.advance(8)
    expect(venue.calls).toHaveLength(0)
    await clock.advance(1)
    for (let nudge = 0; nudge < 1_000; nudge++) {
      poller.nudge()
      await clock.advance(1)
    }
    const wallets = new Set(venue.calls.map(({ wallet }) => wallet))
    expect([wallets.size, venue.calls.length]).toEqual([408, 408])
    // Once when it is taken, and once when it takes its place again.
    expect(listed() - 5_000).toBeLessThanOrEqual(2 * 408)
    await poller.stop()
  })

  test('come to no more than eight at once, and each of them once', async () => {
    const { clock, venue, poller } = startReading(100, { latencyMs: 400 }, { perSecond: 1_000 })
    await clock.advance(399)
    expect(venue.open()).toBe(8)
    await clock.advance(10_000)
    expect(venue.mostOpen()).toBe(8)
    expect(new Set(venue.calls.map(({ wallet }) => wallet)).size).toBe(100)
    expect(venue.calls).toHaveLength(100)
    await poller.stop()
  })

  test('never two reads of one at once', async () => {
    const { clock, asked, set, poller } = startReading(1, { latencyMs: 7_000 })
    set(0, { nearDanger: true })
    for (let nudge = 0; nudge < 20; nudge++) {
      poller.nudge()
      await clock.advance(1_000)
    }
    expect(asked()).toEqual(['positions 0', 'positions 7000', 'positions 14000'])
    await poller.stop()
  })

  test('are never older than the hard maximum when there are requests enough', async () => {
    const { clock, reads, demand, poller } = startReading(200, { latencyMs: 300 })
    demand.slice(0, 3).forEach((one) => Object.assign(one, { nearDanger: true }))
    await clock.advance(5 * 60_000)
    for (const { wallet } of demand) {
      const times = [...reads.filter((read) => read.wallet === wallet).map(({ ms }) => ms), 5 * 60_000]
      const gaps = times.slice(1).map((ms, index) => ms - (times[index] ?? 0))
      expect(Math.max(...gaps)).toBeLessThanOrEqual(AGES.maxMs)
    }
    await poller.stop()
  })

  test('that nobody watches any more are forgotten, new ones are read at once', async () => {
    const { clock, venue, demand, poller } = startReading(3)
    await clock.advance(1_000)
    demand.splice(0, 2, {
      ...{ wallet: aWallet(9), nearDanger: false, confirm: false, endedSince: null },
      ...{ againMono: null, rememberedDistance: Infinity },
    })
    poller.nudge()
    await clock.advance(0)
    expect(venue.calls.at(-1)?.wallet).toBe(aWallet(9))
    await clock.advance(100_000)
    expect(new Set(venue.calls.slice(4).map(({ wallet }) => wallet))).toEqual(
      new Set([aWallet(2), aWallet(9)]),
    )
    await poller.stop()
  })

  test('that do not show everything are read as such', async () => {
    const positions = () => ({
      positions: [aPosition()],
      accounts: [],
      unusable: [],
      failedParts: [],
      totalCount: 2,
    })
    const { clock, events, poller, began } = startReading(1, { positions })
    await clock.advance(0)
    const wallet = aWallet(0)
    expect(events).toEqual([{ is: 'wallet-read', wallet, positions: 1, complete: false, mono: began }])
    await poller.stop()
  })
})

describe('a second look', () => {
  const order = { id: '1' } as Order

  test('comes soon, with the orders; otherwise orders are not asked for', async () => {
    const budget = openBudget()
    const { clock, asked, set, reads, poller } = startReading(1, { orders: () => [order] }, { budget })
    await clock.advance(1_000)
    set(0, { confirm: true })
    await clock.advance(0)
    set(0, { confirm: false })
    await clock.advance(60_000)
    expect(asked()).toEqual(['positions 0', 'orders 1000', 'positions 1000', 'positions 46000'])
    expect(reads.map(({ orders }) => orders)).toEqual([null, [order], null])
    expect(budget.asked).toEqual(['wallet', 'confirm', 'confirm', 'wallet'])
    await poller.stop()
  })

  test('is not put off by whoever asks for the wallet meanwhile, whose answer counts as its turn otherwise', async () => {
    const { clock, asked, set, poller } = startReading(1)
    const reads = () => {
      const mono = clock.monotonic()
      poller.readForSomebody(aWallet(0), { value: holdings(aPosition({ wallet: aWallet(0) })), at: 0, mono })
    }
    await clock.advance(100)
    set(0, { confirm: true })
    for (let times = 0; times < 20; times++) {
      await clock.advance(50)
      reads()
    }
    expect(asked().slice(0, 3)).toEqual(['positions 0', 'orders 250', 'positions 250'])
    set(0, { confirm: false })
    await clock.advance(10_000)
    const before = asked().length
    reads()
    await clock.advance(44_000)
    expect(asked()).toHaveLength(before)
    await clock.advance(2_000)
    expect(asked()).toHaveLength(before + 1)
    await poller.stop()
  })

  test('asks how the position ended since it was last seen, and is told without when that cannot be had', async () => {
    const asked: number[] = []
    const ends: (() => Promise<CloseRecord[]>)[] = [async () => [anEnding()], () => Promise.reject(DOWN)]
    const endings = (_wallet: Wallet, since: number) => {
      asked.push(since)
      return ends.shift()?.() ?? []
    }
    const { clock, set, reads, poller } = startReading(1, { endings })
    await clock.advance(1_000)
    set(0, { confirm: true, endedSince: 7_000 })
    await clock.advance(0)
    expect(reads.at(-1)).toMatchObject({ closeRecords: [anEnding()], unsolicited: false })
    // A second after the first: the engine takes its answer meanwhile.
    await clock.advance(999)
    expect(asked).toHaveLength(1)
    await clock.advance(1)
    set(0, { confirm: false, endedSince: null })
    expect(reads.at(-1)).toMatchObject({ closeRecords: null, orders: [], unsolicited: false })
    await clock.advance(60_000)
    expect(reads.at(-1)).toMatchObject({ closeRecords: null, orders: null, unsolicited: true })
    expect(asked).toEqual([7_000, 7_000])
    await poller.stop()
  })

  test('asks for no orders where the record shows how each missing position ended', async () => {
    const gone = { accountId: '1', marketId: '100', side: 'long' } as const
    const { clock, asked, reads, set, poller } = startReading(1, { endings: () => [anEnding()] })
    await clock.advance(1_000)
    set(0, { confirm: true, endedSince: 7_000, missing: [gone] })
    await clock.advance(0)
    expect(reads.at(-1)).toMatchObject({ closeRecords: [anEnding()], orders: null, unsolicited: false })
    expect(asked().join()).not.toContain('orders')
    set(0, { missing: [gone, { ...gone, marketId: '200' }] })
    await clock.advance(1_000)
    expect(reads.at(-1)).toMatchObject({ closeRecords: [anEnding()], orders: [] })
    set(0, { missing: [{ ...gone, side: 'short' }] })
    await clock.advance(1_000)
    expect(reads.at(-1)).toMatchObject({ closeRecords: [anEnding()], orders: [] })
    await poller.stop()
  })

  test('is told without the orders when they cannot be had', async () => {
    const { clock, set, reads, poller } = startReading(1, { orders: () => Promise.reject(DOWN) })
    set(0, { confirm: true })
    await clock.advance(1_000)
    expect(reads.at(-1)).toMatchObject({ orders: null, value: { totalCount: 1 } })
    await poller.stop()
  })

  test('does not wait for the places that ordinary reads have taken', async () => {
    const { clock, asked, set, poller } = startReading(40, { latencyMs: 5_000 }, { perSecond: 4 })
    await clock.advance(100)
    set(39, { confirm: true })
    await clock.advance(1_000)
    expect(asked(aWallet(39)).map((call) => call.split(' ')[0])).toEqual(['orders', 'positions'])
    await poller.stop()
  })

  test('that fails gives up its orders, too', async () => {
    const script: Script = { positions: () => Promise.reject(DOWN), orders: () => NEVER }
    const { clock, set, venue, failures, poller } = startReading(1, script)
    set(0, { confirm: true })
    await clock.advance(2_500)
    expect(failures.length).toBeGreaterThan(0)
    expect(venue.open()).toBeLessThan(2)
    await poller.stop()
    expect([venue.open(), clock.waiting()]).toEqual([0, 0])
  })
})

describe('a failure', () => {
  test('is told, and tried again less and less often, the first time after a second', async () => {
    const { clock, failures, poller, events } = startReading(1, { positions: () => Promise.reject(DOWN) })
    await clock.advance(120_000)
    expect(failures.map(({ ms }) => ms)).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 63_000, 108_000])
    expect(failures[0]).toMatchObject({ wallet: aWallet(0), why: 'The venue answered 503.' })
    expect(events.filter(({ is }) => is === 'owner-failed')).toHaveLength(8)
    await poller.stop()
  })

  test('is over with the first answer', async () => {
    let fails = 3
    const positions = (wallet: Wallet) =>
      fails-- > 0 ? Promise.reject(DOWN) : holdings(aPosition({ wallet }))
    const { clock, failures, reads, poller } = startReading(1, { positions })
    await clock.advance(60_000)
    expect([failures.length, reads.map(({ ms }) => ms)]).toEqual([3, [7_000, 52_000]])
    await poller.stop()
  })

  test('is no such thing when others went first: it keeps its place, and nothing is told', async () => {
    let turns = 3
    const positions = async (wallet: Wallet) => {
      if (turns-- > 0) throw QUEUED
      return holdings(aPosition({ wallet }))
    }
    const { clock, failures, reads, events, poller } = startReading(1, { positions, latencyMs: 7_000 })
    await clock.advance(30_000)
    expect([failures, events.filter(({ is }) => is === 'owner-failed')]).toEqual([[], []])
    expect(reads.map(({ ms }) => ms)).toEqual([21_000])
    await poller.stop()
  })

  test('of one owner holds up no other, and an answer that never comes frees its place in time', async () => {
    const positions = (wallet: Wallet) => (Number(wallet) < 8 ? NEVER : holdings())
    const { clock, failures, reads, poller } = startReading(12, { positions })
    await clock.advance(8_000)
    expect(failures.map(({ why }) => why)).toEqual(
      Array<string>(8).fill('The venue gave no answer within 8000 ms.'),
    )
    await clock.advance(1_000)
    expect(reads.map(({ wallet }) => Number(wallet))).toEqual([8, 9, 10, 11])
    await poller.stop()
  })
})

describe('the end', () => {
  test('gives up what is under way and what waits, tells nothing, and leaves nothing on the clock', async () => {
    const positions = () => NEVER
    const { clock, venue, reads, failures, poller } = startReading(30, { positions }, { perSecond: 2 })
    await clock.advance(3_000)
    expect(venue.open()).toBeGreaterThan(0)
    await poller.stop()
    expect([venue.open(), clock.waiting(), reads, failures]).toEqual([0, 0, [], []])
    poller.nudge()
    const before = venue.calls.length
    await clock.advance(600_000)
    expect(venue.calls).toHaveLength(before)
  })

  test('also while the venue has asked us to wait', async () => {
    const { clock, poller } = startReading(5, { positions: () => Promise.reject(LIMITED(60_000)) })
    await clock.advance(1_000)
    await poller.stop()
    expect(clock.waiting()).toBe(0)
  })
})

test('a read of several requests is as old as the first of them', async () => {
  const bot = startReading(1)
  const { positions } = bot.venue.venue
  // A second question waits for its turn, and for its answer.
  bot.venue.venue.positions = async (wallet, asking) => {
    const answer = await positions(wallet, asking)
    await waited(bot.clock, 3_000, new AbortController().signal)
    await positions(wallet, asking)
    return answer
  }
  await bot.clock.advance(50_000)
  expect(bot.reads.map(({ ms }) => ms)).toEqual([0, 45_000])
  await bot.poller.stop()
})

test('those that failed are read at once when the venue is back, the others in their turn', async () => {
  let down = true
  const positions = (wallet: Wallet) =>
    down && wallet === aWallet(0) ? Promise.reject(DOWN) : holdings(aPosition({ wallet }))
  const { clock, asked, poller } = startReading(2, { positions })
  await clock.advance(200_000)
  down = false
  const [before, others] = [asked().length, asked(aWallet(1)).length]
  poller.readFailed()
  await clock.advance(1)
  expect(asked()).toHaveLength(before + 1)
  expect(asked(aWallet(1))).toHaveLength(others)
  await poller.stop()
})

test('when very many are back at once, others have their turn between some of them', async () => {
  const script = { positions: () => Promise.reject(DOWN) }
  const { clock, listed, poller } = startReading(2_000, script, { perSecond: 1_000 })
  await clock.advance(5_000)
  const before = listed()
  poller.readFailed()
  expect(listed() - before).toBe(500)
  await clock.advance(3)
  expect(listed() - before).toBeGreaterThanOrEqual(2_000)
  await poller.stop()
})

describe('a read that is wanted now', () => {
  test('is made at once, and no second one of that owner beside it', async () => {
    const { clock, asked, reads, poller } = startReading(1, { latencyMs: 300 })
    await clock.advance(20_000)
    expect([poller.readNow(aWallet(0), null), poller.readNow(aWallet(0), null)]).toEqual([true, true])
    await clock.advance(1_000)
    expect(asked()).toEqual(['positions 0', 'positions 20000'])
    expect(reads.at(-1)).toMatchObject({ wallet: aWallet(0), orders: null, ms: 20_000 })
    await poller.stop()
  })

  test('is the one that is under way, if there is one', async () => {
    const { clock, asked, poller } = startReading(1, { latencyMs: 300 })
    await clock.advance(100)
    expect(poller.readNow(aWallet(0), null)).toBe(true)
    await clock.advance(1_000)
    expect(asked()).toEqual(['positions 0'])
    await poller.stop()
  })

  test('brings the orders along where a position is missing', async () => {
    const { clock, asked, poller } = startReading(1)
    await clock.advance(20_000)
    poller.readNow(aWallet(0), 7_000)
    await clock.advance(1_000)
    expect(asked().toSorted()).toEqual(['orders 20000', 'positions 0', 'positions 20000'])
    await poller.stop()
  })

  test('takes what is free and no more: of five thousand five are read, and nobody queues', async () => {
    const { clock, venue, poller } = startReading(40)
    await clock.advance(20_000)
    const before = venue.calls.length
    const begun = Array.from({ length: 5_000 }, (_, index) => poller.readNow(aWallet(index), null))
    expect(begun.filter(Boolean)).toHaveLength(5)
    await clock.advance(1_000)
    expect(venue.calls).toHaveLength(before + 5)
    await poller.stop()
  })

  test('is one of eight at the most, however much is free and however slow the venue is', async () => {
    const { clock, poller } = startReading(40, { positions: () => NEVER }, { budget: openBudget() })
    const begun = Array.from({ length: 40 }, (_, index) => poller.readNow(aWallet(100 + index), null))
    expect(begun.filter(Boolean)).toHaveLength(8)
    await clock.advance(0)
    await poller.stop()
  })

  test('is not made by a bot that stops', async () => {
    const { poller } = startReading(1)
    await poller.stop()
    expect(poller.readNow(aWallet(0), null)).toBe(false)
  })
})

describe('while every trade is heard', () => {
  /** As one address of Hyperliquid has it. */
  const LIMITS = { allowed: { weight: 1_200, perMs: 60_000 } }

  /** A minute of the turns of very many wallets, which were all read before. */
  async function busy(heard: boolean) {
    const pace = paceOf(LIMITS, Infinity)
    const reading = startReading(
      1_500,
      { latencyMs: 1 },
      {
        budgetOf: (clock) => createBudget({ clock, emit() {}, pace, leavesRoom: () => heard }),
        heardSince: () => (heard ? 0 : null),
      },
    )
    // Everybody is read for the first time as fast as may be.
    await reading.clock.advance(180_000)
    const before = reading.venue.calls.length
    await reading.clock.advance(60_000)
    return { ...reading, aMinute: reading.venue.calls.length - before }
  }

  test('regular turns leave two fifths of the limit to wallets that trade', async () => {
    const heard = await busy(true)
    expect(heard.aMinute).toBeGreaterThan(600)
    expect(heard.aMinute).toBeLessThanOrEqual(720)
    await heard.poller.stop()
    const unheard = await busy(false)
    expect(unheard.aMinute).toBeGreaterThan(1_000)
    await unheard.poller.stop()
  })

  test('a wallet that trades is read at once, however many wait for their turn', async () => {
    const { clock, poller, asked, began, reads } = await busy(true)
    const calm = reads.findLast(({ ms }) => clock.monotonic() - began - ms > 30_000)?.wallet ?? aWallet(0)
    poller.traded(calm)
    await clock.advance(1)
    expect(asked(calm).at(-1)).toBe(`positions ${clock.monotonic() - began - 1}`)
    await poller.stop()
  })

  test('a wallet that trades before its first read is read before the others, ahead of all requests for them', async () => {
    const budget = openBudget()
    const { clock, poller, asked } = startReading(40, { latencyMs: 1_000 }, { budget, heardSince: () => 0 })
    await clock.advance(100)
    const before = budget.asked.length
    poller.traded(aWallet(39))
    await clock.advance(1_000)
    expect(asked(aWallet(39))).toEqual(['positions 1000'])
    expect(budget.asked.slice(before).filter((priority) => priority === 'confirm')).toHaveLength(1)
    await poller.stop()
  })

  test('a turn comes every two seconds, however much is spent on others', async () => {
    const none = { ...openBudget(), calmFrom: () => Infinity }
    const { clock, poller, reads } = startReading(5, {}, { budget: none, heardSince: () => 0 })
    await clock.advance(52_000)
    expect(reads.map(({ ms }) => ms)).toEqual([0, 0, 0, 0, 0, 45_000, 47_000, 49_000, 51_000])
    await poller.stop()
  })

  test('turns of many minutes are nobody’s business', async () => {
    const none = { ...openBudget(), calmFrom: () => Infinity }
    const { clock, poller, events } = startReading(200, {}, { budget: none, heardSince: () => 0 })
    await clock.advance(1_200_000)
    expect(poller.turns()).toMatchObject({ wishedMs: 600_000 })
    expect(poller.turns().everyMs).toBeGreaterThan(300_000)
    expect(events.filter(({ is }) => is === 'slow')).toEqual([])
    await poller.stop()
  })

  test('after a time in which none was, all are read again, before those that were read since', async () => {
    let since: number | null = 0
    const { clock, poller, reads, began } = startReading(
      3,
      {},
      { budget: openBudget(), heardSince: () => since },
    )
    await clock.advance(20_000)
    since = clock.monotonic()
    poller.heardAgain()
    await clock.advance(30_000)
    expect(reads.map(({ ms }) => ms)).toEqual([0, 0, 0, 20_000, 20_000, 20_000])
    expect(since - began).toBe(20_000)
    await clock.advance(15_000)
    expect(reads).toHaveLength(9)
    await poller.stop()
  })
})
