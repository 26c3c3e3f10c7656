import { describe, expect, test } from 'vitest'

import { kinds } from '../../../src/alerts/index.ts'
import { apply } from '../../../src/engine/memory/apply.ts'
import { isWrite } from '../../../src/engine/memory/effect.ts'
import type { Moment } from '../../../src/engine/monitors/turn.ts'
import { unchanged } from '../../../src/engine/observe/unchanged-wallet.ts'
import { walletTurn } from '../../../src/engine/observe/wallet-turn.ts'
import type { Market } from '../../../src/venue/market.ts'
import type { Position } from '../../../src/venue/position.ts'
import type { WalletReading } from '../../../src/venue/reading.ts'
import type { PositionsAnswer } from '../../../src/venue/venue.ts'
import { type Desk, desk } from '../../support/engine.ts'
import { aDraft, ALICE, aMarket, aPosition, aRule, exact } from '../../support/fixtures.ts'
import { startEngine } from '../../support/running.ts'
import { createDice, SEED } from '../../support/seed.ts'

// A wallet with all rules that a watch of it makes. The long in ETH is liquidated at 2000, the short in BTC at 120,000.

const armed = kinds
  .filter(({ on, armedByWatch }) => on !== 'account' && armedByWatch !== null)
  .map(({ name, armedByWatch }, place) =>
    aRule({ id: place + 1, kind: name, params: armedByWatch, wallet: ALICE, armedByWatch: true }),
  )
const eth = aPosition()
const btc = aPosition({
  marketId: '200',
  size: exact('-1'),
  entryPrice: exact('100000'),
  liquidationPrice: exact('120000'),
})
const at = (price: number, over: Partial<Market> = {}) => aMarket({ price: exact(String(price)), ...over })
const btcAt = (price: number) => at(price, { id: '200', symbol: 'BTC' })

function watched(positions: Position[] = [eth, btc], rules = armed): Desk {
  const world = desk({ rules })
  world.prices(at(4_000), btcAt(60_000))
  world.reads(positions)
  return world
}

function moment({ look }: Desk): Moment {
  const { now, mono, marketStaleMs } = look()
  return { now, mono: mono + 1, marketStaleMs }
}

/** An answer that comes now. */
function answer({ look }: Desk, positions: Position[], over: Partial<PositionsAnswer> = {}): WalletReading {
  const { now, mono } = look()
  const value = { positions, accounts: [], unusable: [], failedParts: [], totalCount: null, ...over }
  return {
    wallet: ALICE,
    value,
    orders: null,
    closeRecords: null,
    unsolicited: true,
    at: now,
    mono: mono + 1,
  }
}

function isUnmoved(world: Desk, positions: Position[], over: Partial<PositionsAnswer> = {}): boolean {
  return unchanged(world.memory, kinds, answer(world, positions, over), moment(world)) !== null
}

describe('an answer that shows a wallet as it was', () => {
  test('is known to be of now, and leads to nothing else', () => {
    const world = watched()
    const reading = answer(world, [{ ...eth, fundingUsd: exact('12.5') }, btc])
    const effects = unchanged(world.memory, kinds, reading, moment(world)) ?? []
    expect(effects.filter(isWrite)).toEqual([])
    apply(world.memory, effects)
    const { mono, completeMono, at: readAt, held } = world.memory.wallets.views.get(ALICE) ?? {}
    expect({ mono, completeMono, readAt }).toEqual({
      mono: reading.mono,
      completeMono: reading.mono,
      readAt: reading.at,
    })
    const [first] = held?.values() ?? []
    expect(first).toMatchObject({
      seenMono: reading.mono,
      seenAt: reading.at,
      price: 4_000,
      position: { fundingUsd: exact('12.5') },
    })
    expect(world.memory.sources.lastSuccess.get(`owner/${ALICE}`)).toEqual({
      at: reading.at,
      mono: reading.mono,
    })
  })

  test.each<[string, Position[], Partial<PositionsAnswer>]>([
    ['a size', [{ ...eth, size: exact('3') }, btc], {}],
    ['a liquidation price that matters', [{ ...eth, liquidationPrice: exact('3600') }, btc], {}],
    ['one that a start has to know', [{ ...eth, liquidationPrice: exact('2200') }, btc], {}],
    ['no liquidation price any more', [{ ...eth, liquidationPrice: null }, btc], {}],
    ['an entry', [{ ...eth, entryPrice: exact('2501') }, btc], {}],
    ['its leverage', [{ ...eth, leverage: 5 }, btc], {}],
    ['one more', [eth, btc, aPosition({ accountId: '2' })], {}],
    ['one less', [eth], {}],
    ['none', [], {}],
    ['an account that could not be read', [eth, btc], { failedParts: [{ part: '1', why: 'busy' }] }],
    ['something that cannot be used', [eth, btc], { unusable: [{ what: 'one', why: 'odd', part: null }] }],
    ['more than was sent', [eth, btc], { totalCount: 3 }],
  ])('is judged when it shows %s', (_what, positions, over) => {
    expect(isUnmoved(watched(), [eth, btc])).toBe(true)
    expect(isUnmoved(watched(), positions, over)).toBe(false)
  })

  test('is judged while something stands, and not when it is over', () => {
    const world = watched()
    world.prices(at(2_200), btcAt(60_000))
    expect(isUnmoved(world, [eth, btc])).toBe(false)
    world.prices(at(4_000), btcAt(60_000))
    expect(isUnmoved(world, [eth, btc])).toBe(true)
  })

  test('is judged when a rule covers it of which nothing is known, and when something is left of one that is gone', () => {
    const world = watched([eth, btc], [])
    world.reads([eth, btc])
    expect(isUnmoved(world, [eth, btc])).toBe(true)
    const rule = aRule()
    apply(world.memory, [{ is: 'rule', rule }])
    expect(isUnmoved(world, [eth, btc])).toBe(false)
    world.reads([eth, btc])
    expect(isUnmoved(world, [eth, btc])).toBe(true)
    apply(world.memory, [{ is: 'rule-gone', ruleId: rule.id }])
    expect(isUnmoved(world, [eth, btc])).toBe(false)
  })

  test('is judged when its market is delisted, cannot be told, or is on another scale', () => {
    for (const market of [at(4_000, { delisted: true }), at(4_000_000_000)]) {
      const world = watched()
      world.prices(market, btcAt(60_000))
      expect(isUnmoved(world, [eth, btc])).toBe(false)
    }
    const unpriced = desk({ rules: armed })
    unpriced.reads([eth, btc])
    expect(isUnmoved(unpriced, [eth, btc])).toBe(false)
  })

  test('is judged while a change of its size is too small to be told at the present price', () => {
    const world = watched([eth, btc])
    const dust = { ...eth, size: exact('2.01') }
    expect(world.reads([dust, btc])).toEqual([])
    expect(isUnmoved(world, [dust, btc])).toBe(false)
    world.prices(at(6_000), btcAt(60_000))
    expect(world.reads([dust, btc])).toHaveLength(1)
    expect(isUnmoved(world, [dust, btc])).toBe(true)
  })
})

test('whatever is called unmoved would say and keep nothing if it were judged', () => {
  const { below, often } = createDice(SEED)
  let [calm, drifted] = [0, 0]
  for (let history = 0; history < 30; history++) {
    const world = watched()
    let positions = [eth, btc]
    for (let step = 0; step < 40; step++) {
      if (often(0.5))
        world.prices(
          at(often(0.2) ? 1_900 + below(900) : 3_000 + below(2_000)),
          btcAt(50_000 + below(50_000)),
        )
      if (often(0.1))
        positions = positions.map((one) => ({
          ...one,
          size: one.size + BigInt(below(2)) * 10n ** (often(0.2) ? 16n : 18n),
        }))
      if (often(0.1))
        positions = positions.map((one) => ({
          ...one,
          liquidationPrice: (one.liquidationPrice ?? 0n) + BigInt(below(1_000)) * 10n ** 15n,
        }))
      if (often(0.05)) positions = often(0.5) ? [eth] : [eth, btc]
      if (often(0.05))
        world.changes({
          ...{ is: 'rule', personId: 1, chatId: 1 },
          draft: aDraft({ params: { tiers: [0.1 + below(5) / 10] } }),
        })
      const reading = answer(world, positions)
      const effects = unchanged(world.memory, kinds, reading, moment(world))
      if (effects) {
        calm++
        const turn = walletTurn(world.memory, kinds, reading, moment(world))
        const decisions = turn?.decisions ?? []
        expect(decisions.flatMap(({ notices: said, steps }) => [...said, ...steps])).toEqual([])
        const led = [...(turn?.observed ?? []), ...decisions.flatMap((one) => one.effects)]
        expect(led.filter(isWrite)).toEqual([])
        const bounds = effects.filter(({ is }) => is === 'bounds')
        if (bounds.length > 0) drifted++
        expect(turn?.observed).toEqual(expect.arrayContaining(bounds))
        apply(world.memory, effects)
      }
      world.reads(positions)
    }
  }
  expect(calm).toBeGreaterThan(100)
  expect(drifted).toBeGreaterThan(10)
})

test('what could not be kept is told with the next answer, though nothing has moved since', async () => {
  const running = await startEngine({ rules: armed })
  const moved = { ...eth, liquidationPrice: exact('3600') }
  await running.prices(at(4_000))
  await running.reads([eth])
  await running.reads([eth])
  expect(running.hears()).toEqual([])
  running.refuses((writes) => writes.some(({ is }) => is === 'state' || is === 'send'))
  await running.reads([moved])
  running.refuses(() => false)
  await running.reads([moved])
  expect(running.hears()).toEqual([expect.stringMatching(/^1: ETH long: 10/)])
})
