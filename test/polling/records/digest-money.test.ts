import { expect, test } from 'vitest'

import type { DigestAhead } from '../../../src/people/digest.ts'
import { createDigestMoney } from '../../../src/polling/records/digest-money.ts'
import type { LedgerAnswer, LedgerAsked } from '../../../src/venue/record/ledger.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import { handClock, NOON } from '../../support/clock.ts'
import { ALICE, BOB, exact } from '../../support/fixtures.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function aDigest(over: Partial<DigestAhead> = {}): DigestAhead {
  const dueAt = over.dueAt ?? NOON + 30 * MINUTE
  return { chatId: 1, which: 'daily', wallets: [ALICE], since: dueAt - DAY, dueAt, zone: 'UTC', ...over }
}

function earned(at: number, usd: string): LedgerAnswer['entries'][number] {
  return {
    ...{ is: 'fill', id: String(at), at, accountId: '1', marketId: '1', orderId: null, how: 'traded' },
    ...{ size: exact('-1'), price: exact('1'), before: exact('1'), realisedUsd: exact(usd), feeUsd: 0n },
  }
}

/** A reader before these digests. `answer` stands in for the venue, which needs so long for one wallet. */
function aReader(
  digests: readonly DigestAhead[],
  over: {
    answer?: (wallet: Wallet, asked: LedgerAsked) => LedgerAnswer | null
    tookMs?: number
    pauseMs?: number
  } = {},
) {
  const clock = handClock(NOON)
  const asked: { wallet: Wallet; at: number; asked: LedgerAsked }[] = []
  const all = [...digests]
  const reader = createDigestMoney({
    ...{
      clock,
      emit() {},
      waits: () => 0,
      pauseMs: () => over.pauseMs ?? 0,
      hasDigests: () => all.length > 0,
    },
    read(wallet, about) {
      asked.push({ wallet, at: clock.now(), asked: about })
      const usual = { entries: [], wholeFrom: about.since, unusable: [] }
      const value = over.answer ? over.answer(wallet, about) : usual
      return new Promise((resolve, reject) => {
        clock.wakeAt(clock.monotonic() + (over.tookMs ?? 100), () =>
          value ? resolve(value) : reject(new Error('The venue did not answer.')),
        )
      })
    },
    ahead: (until) => all.filter(({ dueAt }) => dueAt <= until).toSorted((a, b) => a.dueAt - b.dueAt),
    next: (chatId, which) => all.find((one) => one.chatId === chatId && one.which === which) ?? null,
  })
  reader.start()
  return { clock, asked, reader, digests: all }
}

test('the money is read within ten minutes before it is due', async () => {
  const { clock, asked, reader } = aReader([aDigest()], {
    answer: (_wallet, { since }) => ({
      ...{ entries: [earned(NOON - HOUR, '7'), earned(NOON - 13 * HOUR, '-2')] },
      ...{ wholeFrom: since, unusable: [] },
    }),
  })
  await clock.advance(19 * MINUTE)
  expect(asked).toEqual([])
  expect(reader.moneyOf(1, 'daily')).toEqual({ is: 'unread' })
  await clock.advance(10 * MINUTE)
  expect(asked).toHaveLength(1)
  const read = reader.moneyOf(1, 'daily')
  expect(read).toMatchObject({ is: 'read', money: { sums: { realisedUsd: exact('5') }, wholeFrom: null } })
  // By day: the loss was yesterday.
  expect(read.is === 'read' && read.money.days.map(({ profitUsd }) => profitUsd)).toEqual([
    exact('-2'),
    exact('7'),
  ])
  await reader.stop()
})

test('a wallet that does not answer is tried again every minute, and counted as missing until then', async () => {
  let isUp = false
  const { clock, reader } = aReader([aDigest({ wallets: [ALICE, BOB] })], {
    answer: (wallet, { since }) =>
      wallet === BOB && !isUp ? null : { entries: [], wholeFrom: since, unusable: [] },
  })
  await clock.advance(22 * MINUTE)
  expect(reader.moneyOf(1, 'daily')).toMatchObject({ money: { wallets: { read: 1, all: 2 } } })
  isUp = true
  await clock.advance(2 * MINUTE)
  expect(reader.moneyOf(1, 'daily')).toMatchObject({ money: { wallets: { read: 2, all: 2 } } })
  await reader.stop()
})

test('the money is read again right before it is due, and says until when', async () => {
  const { clock, asked, reader } = aReader([aDigest()])
  await clock.advance(29 * MINUTE + 59_000)
  expect(asked).toHaveLength(2)
  const read = reader.moneyOf(1, 'daily')
  const until = read.is === 'read' ? read.money.until : 0
  expect(until).toBe(asked[1]?.at)
  expect(NOON + 30 * MINUTE - until).toBeLessThan(MINUTE)
  // Not again: the digest is due, and takes what is there.
  await clock.advance(5 * MINUTE)
  expect(asked).toHaveLength(2)
  await reader.stop()
})

test('money of all wallets stays where the last read before the digest fails for one of them', async () => {
  let isUp = true
  const { clock, reader } = aReader([aDigest({ wallets: [ALICE, BOB] })], {
    answer: (wallet, { since }) =>
      wallet === BOB && !isUp ? null : { entries: [], wholeFrom: since, unusable: [] },
  })
  await clock.advance(22 * MINUTE)
  isUp = false
  await clock.advance(8 * MINUTE)
  const read = reader.moneyOf(1, 'daily')
  expect(read).toMatchObject({ money: { wallets: { read: 2, all: 2 } } })
  expect(read.is === 'read' && read.money.until).toBeLessThan(NOON + 22 * MINUTE)
  await reader.stop()
})

test('money of another time is never told: it was set anew, or the last one was told', async () => {
  const { clock, reader, digests } = aReader([aDigest()])
  await clock.advance(25 * MINUTE)
  expect(reader.moneyOf(1, 'daily').is).toBe('read')
  digests[0] = aDigest({ since: NOON + 20 * MINUTE })
  expect(reader.moneyOf(1, 'daily').is).toBe('unread')
  await reader.stop()
})

test('where very many are due at once, the first are read an hour before, and one at a time', async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => aDigest({ chatId: at + 1, dueAt: NOON + 2 * HOUR }))
  const { clock, asked, reader } = aReader(many, { tookMs: 6_000 })
  await clock.advance(2 * HOUR)
  expect(asked[0]?.at).toBeGreaterThanOrEqual(NOON + HOUR)
  expect(asked[0]?.at).toBeLessThan(NOON + HOUR + 2 * MINUTE)
  // An hour has room for so many of them. The others say that it was not read, and nobody's digest waits.
  const read = many.filter(({ chatId }) => reader.moneyOf(chatId, 'daily').is === 'read')
  expect(read.length).toBeGreaterThan(500)
  expect(read.length).toBeLessThan(620)
  const gaps = asked.slice(1).map(({ at }, place) => at - (asked[place]?.at ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(6_000)
  const stopped = reader.stop()
  await clock.advance(7_000)
  await stopped
})

test('a digest that is set meanwhile is read before those that are due later', async () => {
  const many = Array.from({ length: 200 }, (_, at) => aDigest({ chatId: at + 1, dueAt: NOON + 20 * MINUTE }))
  const { clock, asked, reader, digests } = aReader(many, { tookMs: 6_000 })
  await clock.advance(5 * MINUTE)
  digests.push(aDigest({ chatId: 999, wallets: [BOB], dueAt: NOON + 8 * MINUTE }))
  await clock.advance(2 * MINUTE)
  expect(reader.moneyOf(999, 'daily').is).toBe('read')
  expect(asked.some(({ wallet }) => wallet === BOB)).toBe(true)
  const stopped = reader.stop()
  await clock.advance(7_000)
  await stopped
})

test('nothing is read for nobody, and nothing wakes where no digest is set', async () => {
  const { clock, asked, reader } = aReader([aDigest({ wallets: [] })])
  await clock.advance(HOUR)
  expect(asked).toEqual([])
  await reader.stop()
  const none = aReader([])
  expect(none.clock.waiting()).toBe(0)
  none.digests.push(aDigest())
  none.reader.nudge()
  await none.clock.advance(25 * MINUTE)
  expect(none.asked).toHaveLength(1)
  await none.reader.stop()
})

test('a venue without a record hides it, which is not the same as unread', () => {
  const clock = handClock(NOON)
  const reader = createDigestMoney({
    ...{ clock, emit() {}, read: null, waits: () => 0, pauseMs: () => 0, hasDigests: () => true },
    ...{ ahead: () => [], next: () => null },
  })
  reader.start()
  expect(reader.moneyOf(1, 'daily')).toEqual({ is: 'hidden' })
  expect(clock.waiting()).toBe(0)
})

test('each wallet leaves room for others before the next one, and a stop waits for none of it', async () => {
  const { clock, asked, reader } = aReader([aDigest({ wallets: [ALICE, BOB, ALICE] })], { pauseMs: 60_000 })
  await clock.advance(23 * MINUTE)
  const gaps = asked.slice(1).map(({ at }, place) => at - (asked[place]?.at ?? 0))
  expect(gaps).toHaveLength(2)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60_000)
  await reader.stop()
  const cut = aReader([aDigest({ wallets: [ALICE, BOB] })], { pauseMs: 60_000 })
  await cut.clock.advance(20 * MINUTE + 10_000)
  await cut.reader.stop()
  expect(cut.clock.waiting()).toBe(0)
})
