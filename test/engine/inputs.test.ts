import { describe, expect, test } from 'vitest'

import { type Input, supersedes } from '../../src/engine/queue.ts'
import type { OwnerReading } from '../../src/venue/reading.ts'
import type { Owner } from '../../src/venue/wallet.ts'
import { ALICE, aMarket, aPosition, BOB, exact } from '../support/fixtures.ts'
import { startEngine } from '../support/running.ts'

const markets = (tick: number): Input => ({
  is: 'markets',
  reading: { value: { markets: [], unusable: [], unread: [] }, at: 0, tick },
})
const wallet = (tick: number, owner: Owner = ALICE): Input => ({
  is: 'owner',
  reading: {
    owner,
    value: { positions: [], accounts: [], unusable: [], unread: [], totalCount: null },
    orders: null,
    endings: null,
    inPassing: false,
    at: 0,
    tick,
  },
})
const books = (tick: number, ...named: (string | null)[]): Input => ({
  is: 'markets',
  reading: {
    value: { markets: named.map((book) => aMarket({ id: `${book}:X`, book })), unusable: [], unread: [] },
    at: 0,
    tick,
  },
})
const told = (tick: number): Input => ({
  is: 'owner',
  reading: { ...readingOf(wallet(tick)), inPassing: true },
})
const second = (tick: number): Input => ({ is: 'owner', reading: { ...readingOf(wallet(tick)), orders: [] } })
const readingOf = (input: Input): OwnerReading => {
  if (input.is !== 'owner') throw new Error('it is none of a wallet')
  return input.reading
}
const change: Input = {
  is: 'change',
  change: { is: 'test', chatId: 1 },
  input: null,
  resolve() {},
  reject() {},
}
const deadlines: Input = { is: 'deadlines' }

describe('of what waits', () => {
  test.each([
    ['a list of markets makes way for a newer one', markets(2), markets(1), true],
    ['but not for an older one', markets(1), markets(2), false],
    ['a book makes way for a newer list that has it', books(2, null, 'xyz'), books(1, 'xyz'), true],
    ['but not for one of other books', books(2, null), books(1, null, 'xyz'), false],
    ['a wallet’s reading makes way for a newer one of it', wallet(2), wallet(1), true],
    ['also for what the venue tells by itself', told(2), wallet(1), true],
    ['but not where it is the second look at what is missing', told(2), second(1), false],
    ['not for an older one', wallet(1), wallet(2), false],
    ['nor for one of another wallet', wallet(2, BOB), wallet(1), false],
    ['markets and wallets are two things', markets(2), wallet(1), false],
    ['deadlines are looked at once', deadlines, deadlines, true],
    ['what somebody asked for never makes way', change, change, false],
    ['for anything', markets(2), change, false],
  ])('%s', (_what, newer, waiting, gone) => expect(supersedes(newer, waiting)).toBe(gone))
})

test('readings that come together and in the wrong order leave the newest', async () => {
  const { engine, clock } = await startEngine()
  await clock.advance(10_000)
  const [at, tick] = [clock.now(), clock.tick()]
  const list = (price: string, age: number) => {
    const value = { markets: [aMarket({ price: exact(price) })], unusable: [], unread: [] }
    engine.markets({ value, at: at - age, tick: tick - age })
  }
  const holds = (size: string, age: number) => {
    const value = {
      positions: [aPosition({ size: exact(size) })],
      accounts: [],
      unusable: [],
      unread: [],
      totalCount: null,
    }
    engine.owner({
      owner: ALICE,
      value,
      orders: null,
      endings: null,
      inPassing: false,
      at: at - age,
      tick: tick - age,
    })
  }
  list('2400', 2_000)
  list('2500', 0)
  list('2300', 1_000)
  holds('2', 2_000)
  holds('3', 0)
  holds('4', 1_000)
  await engine.idle()
  expect(engine.memory.markets.get('100')).toMatchObject({ value: { price: exact('2500') }, tick })
  expect(
    [...(engine.memory.owners.get(ALICE)?.held.values() ?? [])].map(({ position }) => position.size),
  ).toEqual([exact('3')])
})
