import { expect, test } from 'vitest'

import type { Wallet } from '../../../src/venue/wallet.ts'
import {
  aChat,
  ALICE,
  aMarket,
  aPerson,
  aPosition,
  aRule,
  aWatch,
  BOB,
  exact,
} from '../../support/fixtures.ts'
import { isOf, startEngine } from '../../support/running.ts'

/** Two people, each with their own chat, watch Alice's long and Bob's, which are liquidated at 2000; both were read 10 s ago. */
async function waiting(readNow: (wallet: Wallet) => boolean = () => true) {
  const asked: string[] = []
  const both = [1, 2]
  const running = await startEngine(
    {
      persons: both.map((id) => aPerson({ id })),
      chats: both.map((id) => aChat({ id, personId: id })),
      watches: both.flatMap((personId) => [ALICE, BOB].map((wallet) => aWatch({ personId, wallet }))),
      rules: both.map((id) => aRule({ id, personId: id, chatId: id })),
    },
    {
      readNow(wallet, endedSince) {
        asked.push(
          `${wallet === ALICE ? 'Alice' : 'Bob'}${endedSince === null ? '' : ', something is missing'}`,
        )
        return readNow(wallet)
      },
    },
  )
  const { engine, clock, prices, reads, hears } = running
  const at = (price: string) => prices(aMarket({ price: exact(price) }))
  const holds = (wallet: Wallet, liquidation = '2000') =>
    reads([aPosition({ wallet, liquidationPrice: exact(liquidation) })], { wallet })
  await at('3000')
  await holds(ALICE)
  await holds(BOB)
  for (let second = 0; second < 5; second++) await clock.advance(2_000)
  await at('3000')
  hears()
  const answers = async (wallet: Wallet, liquidation: string | null = '2000') => {
    const position = liquidation !== null && aPosition({ wallet, liquidationPrice: exact(liquidation) })
    const value = {
      positions: position ? [position] : [],
      accounts: [],
      unusable: [],
      failedParts: [],
      totalCount: null,
    }
    engine.wallet({
      wallet,
      value,
      orders: null,
      closeRecords: null,
      unsolicited: false,
      at: clock.now(),
      mono: clock.monotonic(),
    })
    await clock.advance(10)
  }
  return { ...running, at, holds, answers, asked }
}

const says = (chat: number, away: string) =>
  expect.stringMatching(`^${chat}: ETH long: ${away} to liquidation`)
const both = (away: string) => [says(1, away), says(2, away)]

test('one fresh read of a wallet serves every chat that is in danger there', async () => {
  const { at, holds, hears } = await waiting((wallet) => wallet === ALICE)
  await at('2060')
  expect(hears()).toEqual(both('2.9%'))
  await holds(ALICE, '2010')
  expect(hears()).toEqual(both('2.4%'))
})

test('a chat that waits for two wallets is told of both at once, when the last of them has been read', async () => {
  const { at, answers, hears } = await waiting()
  await at('2060')
  await answers(ALICE, '2010')
  expect(hears()).toEqual([])
  await answers(BOB)
  expect(hears()).toEqual([says(1, '2.4%'), says(1, '2.9%'), says(2, '2.4%'), says(2, '2.9%')])
})

test('what waits takes no number from what is told meanwhile', async () => {
  const { at, answers, hears, change } = await waiting()
  for (const personId of [1, 2]) await change({ is: 'unwatch', personId, wallet: BOB })
  await change({ is: 'unwatch', personId: 2, wallet: ALICE })
  const market = { id: '100', symbol: 'ETH' }
  const draft = aRule({ kind: 'price', params: { way: 'below', level: exact('2070') }, market })
  for (const id of [1, 2]) await change({ is: 'rule', personId: id, chatId: id, draft })
  await at('2060')
  expect(hears()).toEqual([expect.stringMatching(/^2: ETH is at .* \(A42\)$/)])
  await answers(ALICE)
  expect(hears()).toEqual([
    expect.stringMatching(/^1: ETH long: 2.9% .* \(A43\)$/),
    expect.stringMatching(/^1: ETH is at .* \(A44\)$/),
  ])
})

test('a read that fails ends the wait for it', async () => {
  const { engine, clock, at, hears } = await waiting((wallet) => wallet === ALICE)
  await at('2060')
  hears()
  engine.failed({ is: 'wallet', wallet: ALICE }, 'HTTP 503')
  await clock.advance(0)
  expect(hears()).toEqual(both('2.9%'))
})

test('what cannot be kept when the wait is over is tried again until it can', async () => {
  const { clock, at, hears, refuses, events } = await waiting()
  refuses((writes) => writes.some(({ is }) => is === 'send'))
  await at('2060')
  await clock.advance(6_000)
  expect(events.filter(({ is }) => is === 'turn-failed').length).toBeLessThan(8)
  refuses(() => false)
  await clock.advance(2_000)
  expect(hears().toSorted()).toEqual([says(1, '2.9%'), says(1, '2.9%'), says(2, '2.9%'), says(2, '2.9%')])
})

test('a chat that cannot be kept holds up no other', async () => {
  const { clock, at, hears, refuses } = await waiting()
  refuses((writes) => writes.some((write) => isOf(1, write)))
  await at('2060')
  await clock.advance(1_000)
  expect(hears()).toEqual([says(2, '2.9%'), says(2, '2.9%')])
})

test('who stops watching while it is confirmed hears nothing of it', async () => {
  const { change, clock, at, hears, engine } = await waiting((wallet) => wallet === ALICE)
  await at('2060')
  hears()
  await change({ is: 'unwatch', personId: 1, wallet: ALICE })
  await clock.advance(2_000)
  expect(hears()).toEqual([says(2, '2.9%')])
  expect(engine.memory.monitors.unconfirmed.size).toBe(0)
})

test('a wallet of which a position is missing is read with its orders', async () => {
  const { reads, prices, clock, asked } = await waiting()
  const btc = aPosition({ marketId: '200' })
  await reads([aPosition(), btc])
  await reads([btc])
  await clock.advance(5_000)
  await prices(aMarket({ id: '200', symbol: 'BTC', price: exact('2060') }))
  // Bob holds the market that this list has lost, and is read for that.
  expect(new Set(asked)).toEqual(new Set(['Bob', 'Alice, something is missing']))
})

test('a position that turns out to be gone is waited for no longer, and nothing of it stays behind', async () => {
  const { engine, clock, at, answers, hears } = await waiting()
  await at('2060')
  await answers(ALICE, null)
  // The venue still shows the positions of somebody else, so the empty answer counts.
  await answers(BOB)
  await answers(ALICE, null)
  expect(engine.memory.monitors.monitorsOf.of(ALICE).size).toBe(0)
  await clock.advance(2_000)
  expect(engine.memory.monitors.monitorsOf.of(ALICE).size).toBe(0)
  expect(hears()).toEqual(both('2.9%'))
})
