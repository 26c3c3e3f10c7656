import { describe, expect, test } from 'vitest'

import { type Input, supersedes } from '../../src/engine/queue.ts'
import type { WalletReading } from '../../src/venue/reading.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { ALICE, aMarket, aPosition, BOB, exact } from '../support/fixtures.ts'
import { startEngine } from '../support/running.ts'

const markets = (mono: number): Input => ({
  is: 'markets',
  reading: { value: { markets: [], unusable: [], failedParts: [] }, at: 0, mono },
})
const wallet = (mono: number, wallet: Wallet = ALICE): Input => ({
  is: 'wallet',
  reading: {
    wallet,
    value: { positions: [], accounts: [], unusable: [], failedParts: [], totalCount: null },
    orders: null,
    closeRecords: null,
    unsolicited: false,
    at: 0,
    mono,
  },
})
const dexes = (mono: number, ...named: (string | null)[]): Input => ({
  is: 'markets',
  reading: {
    value: { markets: named.map((dex) => aMarket({ id: `${dex}:X`, dex })), unusable: [], failedParts: [] },
    at: 0,
    mono,
  },
})
const told = (mono: number): Input => ({
  is: 'wallet',
  reading: { ...readingOf(wallet(mono)), unsolicited: true },
})
const second = (mono: number): Input => ({
  is: 'wallet',
  reading: { ...readingOf(wallet(mono)), orders: [] },
})
const readingOf = (input: Input): WalletReading => {
  if (input.is !== 'wallet') throw new Error('it is none of a wallet')
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
    ['a book makes way for a newer list that has it', dexes(2, null, 'xyz'), dexes(1, 'xyz'), true],
    ['but not for one of other books', dexes(2, null), dexes(1, null, 'xyz'), false],
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
  const [at, mono] = [clock.now(), clock.monotonic()]
  const list = (price: string, age: number) => {
    const value = { markets: [aMarket({ price: exact(price) })], unusable: [], failedParts: [] }
    engine.markets({ value, at: at - age, mono: mono - age })
  }
  const holds = (size: string, age: number) => {
    const value = {
      positions: [aPosition({ size: exact(size) })],
      accounts: [],
      unusable: [],
      failedParts: [],
      totalCount: null,
    }
    engine.wallet({
      wallet: ALICE,
      value,
      orders: null,
      closeRecords: null,
      unsolicited: false,
      at: at - age,
      mono: mono - age,
    })
  }
  list('2400', 2_000)
  list('2500', 0)
  list('2300', 1_000)
  holds('2', 2_000)
  holds('3', 0)
  holds('4', 1_000)
  await engine.idle()
  expect(engine.memory.markets.readings.get('100')).toMatchObject({ value: { price: exact('2500') }, mono })
  expect(
    [...(engine.memory.wallets.views.get(ALICE)?.held.values() ?? [])].map(({ position }) => position.size),
  ).toEqual([exact('3')])
})
