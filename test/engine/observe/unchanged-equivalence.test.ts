import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { kinds } from '../../../src/alerts/index.ts'
import { decideChange } from '../../../src/engine/changes/changes.ts'
import { chunks } from '../../../src/engine/chunks.ts'
import { judgeAll } from '../../../src/engine/evaluate/judge.ts'
import { apply, createMemory } from '../../../src/engine/memory/apply.ts'
import { type Effect, isWrite } from '../../../src/engine/memory/effect.ts'
import type { Drawers } from '../../../src/engine/memory/memory.ts'
import { monitorsOfRules } from '../../../src/engine/monitors/monitors.ts'
import type { Moment, Outcome } from '../../../src/engine/monitors/turn.ts'
import { marketsTurn } from '../../../src/engine/observe/markets-turn.ts'
import { unchanged } from '../../../src/engine/observe/unchanged-wallet.ts'
import { walletTurn } from '../../../src/engine/observe/wallet-turn.ts'
import type { Change } from '../../../src/store/change.ts'
import type { Position } from '../../../src/venue/position.ts'
import type { WalletReading } from '../../../src/venue/reading.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import { NOON } from '../../support/clock.ts'
import { lookAt } from '../../support/engine.ts'
import {
  aChat,
  aDraft,
  ALICE,
  aMarket,
  aPerson,
  aPosition,
  aRule,
  aWatch,
  BOB,
  exact,
  remembered,
} from '../../support/fixtures.ts'
import { startEngine } from '../../support/running.ts'
import { budget } from '../../support/seed.ts'

const WALLETS = [ALICE, BOB]
const MARKETS = ['100', '200']
const STALE_MS = 12_000
const armed = kinds.filter(({ on, armedByWatch }) => on !== 'account' && armedByWatch !== null)

/** What one answer shows other than the one before. */
const shown = fc.record({
  wallet: fc.nat(1),
  /** By position: how far its liquidation price has moved, in millionths of it. */
  drifts: fc.tuple(...[0, 1].map(() => fc.oneof(fc.constant(0), fc.integer({ min: -2_000, max: 2_000 })))),
  change: fc.oneof(
    { weight: 12, arbitrary: fc.constant('nothing' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...(['size', 'dust', 'closed', 'opened', 'far', 'never', 'swapped', 'a part', 'odd'] as const),
      ),
    },
  ),
})
const happening = fc.oneof(
  { weight: 10, arbitrary: fc.record({ shows: shown }) },
  {
    weight: 5,
    arbitrary: fc.record({
      eth: fc.integer({ min: 1_900, max: 5_000 }),
      btc: fc.integer({ min: 50, max: 125 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ fails: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ tier: fc.integer({ min: 1, max: 6 }), wallet: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ removes: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ passes: fc.constantFrom(1_000, 20_000) }) },
)
const rules = fc.array(
  fc.record({
    kind: fc.constantFrom(...armed.keys()),
    of: fc.constantFrom(ALICE, BOB, null),
    eth: fc.boolean(),
  }),
  { maxLength: 6 },
)

type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never
type Shown = Drawn<typeof shown>
type Happening = Drawn<typeof happening>
type Given = Drawn<typeof rules>[number]

function positionsAtFirst(wallet: Wallet): Position[] {
  const btc = { marketId: '200', size: exact('-1'), entryPrice: exact('100000') }
  return [aPosition({ wallet }), aPosition({ wallet, ...btc, liquidationPrice: exact('130000') })]
}

function moved(positions: readonly Position[], { drifts, change }: Shown): Position[] {
  const drifted = positions.map((one, place) => ({
    ...one,
    liquidationPrice:
      one.liquidationPrice &&
      one.liquidationPrice + (one.liquidationPrice / 1_000_000n) * BigInt(drifts[place] ?? 0),
  }))
  const [first, ...others] = drifted
  if (!first) return change === 'opened' ? [aPosition()] : []
  switch (change) {
    case 'size':
      return [{ ...first, size: first.size * 2n }, ...others]
    case 'dust':
      return [{ ...first, size: first.size + 10n ** 15n }, ...others]
    case 'closed':
      return others
    case 'opened':
      return [...drifted, { ...first, accountId: `${drifted.length + 1}` }]
    case 'far':
      return [{ ...first, liquidationPrice: (first.entryPrice ?? 0n) / 3n }, ...others]
    case 'never':
      return [{ ...first, liquidationPrice: null }, ...others]
    case 'swapped':
      return drifted.toReversed()
    case 'nothing':
    case 'a part':
    case 'odd':
      return drifted
  }
}

/** Takes a turn in as the engine does, and returns what it would tell and write. */
function takes(memory: Drawers, turn: Outcome | null): unknown[] {
  const said: unknown[] = []
  if (turn) apply(memory, turn.figures ?? [])
  for (const { observed, decisions } of turn ? chunks(memory, turn, () => 0) : []) {
    const effects = [...observed, ...decisions.flatMap((one) => one.effects)]
    said.push(
      ...effects.filter(isWrite),
      ...decisions.flatMap(({ notices, steps }) => [...notices, ...steps]),
    )
    apply(memory, effects)
  }
  return said
}

/** Takes a change in as the engine does: rules that are new or other than before are judged at once. */
function changes(memory: Drawers, change: Change, moment: Moment): void {
  const { effects, rules: others } = decideChange({ ...lookAt(memory), ...moment }, change)
  takes(memory, { observed: effects, decisions: [] })
  const look = { ...lookAt(memory), ...moment, rulesChanged: true }
  takes(memory, { observed: [], decisions: judgeAll(look, monitorsOfRules(look, others)) })
}

/** Everything in memory, as plain values. `probes`: the figures at which the armed bounds are compared. */
function dumped(memory: Drawers, probes: readonly number[]): unknown {
  const { monitors, wallets, markets, recording, ...drawers } = memory
  const { index, thresholdIndex, monitorsIn, monitorsOf: _, ...states } = monitors
  const slots = [...monitorsIn.groups()].flatMap((chatId) => [...monitorsIn.of(chatId)])
  return {
    ...(plain({ drawers, states }) as object),
    monitors: slots.map(([key, monitor]) => {
      const slot = index.slotOf(monitor)
      return [key, index.rests(slot), thresholdIndex.armed(slot), thresholdIndex.boundsOf(slot)]
    }),
    bounds: MARKETS.map((id) =>
      probes.map((figure) =>
        thresholdIndex.crossed(id, { price: figure, fundingRate: figure }).map(index.keyAt).toSorted(),
      ),
    ),
    views: [...wallets.views.values()].map(({ held, ...view }) => plain({ ...view, held: new Map(held) })),
    orders: plain(wallets.orders),
    symbols: plain(markets.symbols),
    recorded: WALLETS.map((wallet) => recording.open('wallet', wallet).map((bytes) => [...bytes])),
  }
}

function plain(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(([key, one]) => [key, plain(one)])
  if (value instanceof Set) return [...value]
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  if ('groups' in value && 'of' in value) {
    const { groups, of } = value as { groups(): Iterable<unknown>; of(group: unknown): unknown }
    return [...groups()].map((group) => [group, plain(of(group))])
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]))
}

/** The figures at which a turn's bounds lie, and others just beside them. */
function boundsIn(effects: readonly Effect[]): number[] {
  const all = effects.flatMap((effect) =>
    effect.is === 'judged' || effect.is === 'bounds'
      ? [effect.until?.below ?? [], effect.until?.above ?? []].flat()
      : [],
  )
  return [...new Set(all)].flatMap((bound) => [bound * (1 - 1e-9), bound, bound * (1 + 1e-9)])
}

let [calm, drifted] = [0, 0]

/** Leads two memories through the same; only in the first is a wallet that is as it was passed over. */
function twins(given: readonly Given[], all: readonly Happening[]): void {
  const start = () =>
    createMemory(
      remembered({
        persons: [aPerson()],
        chats: [aChat()],
        watches: WALLETS.map((wallet) => aWatch({ wallet })),
        rules: given.flatMap(({ kind: number, of, eth }, place) => {
          const kind = armed[number]
          const params = kind?.armedByWatch
          const market = eth ? { id: '100', symbol: 'ETH' } : null
          return kind
            ? aRule({
                id: place + 1,
                kind: kind.name,
                params,
                identity: kind.identity(params),
                wallet: of,
                market,
              })
            : []
        }),
      }),
    )
  const [short, whole] = [start(), start()]
  const holds = new Map(WALLETS.map((wallet) => [wallet, positionsAtFirst(wallet)]))
  let mono = 1_000
  const moment = (): Moment => ({ now: NOON + mono, mono, marketStaleMs: STALE_MS })
  const both = (take: (memory: Drawers) => void) => [short, whole].forEach(take)
  let [last, pricesMono] = [[0, 0] as [eth: number, btc: number], 0]
  const prices = (eth: number, btc: number) => {
    last = [eth, btc]
    pricesMono = mono
    const markets = [
      aMarket({ price: exact(`${eth}`) }),
      aMarket({ id: '200', symbol: 'BTC', price: exact(`${btc * 1_000}`) }),
    ]
    const reading = { value: { markets, unusable: [], failedParts: [] }, at: NOON + mono, mono }
    both((memory) =>
      takes(
        memory,
        marketsTurn(memory, kinds, reading, moment(), () => false),
      ),
    )
  }
  const answers = (one: Shown) => {
    const wallet = WALLETS[one.wallet] ?? ALICE
    const positions = moved(holds.get(wallet) ?? [], one).map((position) => ({ ...position, wallet }))
    holds.set(wallet, positions)
    const unread = one.change === 'a part' ? [{ part: '1', why: 'busy' }] : []
    const odd = one.change === 'odd' ? [{ what: 'one', why: 'odd', part: null }] : []
    const reading: WalletReading = {
      ...{ wallet, orders: null, closeRecords: null, unsolicited: true, at: NOON + mono, mono },
      value: { positions, accounts: [], unusable: odd, failedParts: unread, totalCount: null },
    }
    const effects = unchanged(short, kinds, reading, moment())
    const turn = walletTurn(whole, kinds, reading, moment())
    if (effects === null) return both((memory) => takes(memory, walletTurn(memory, kinds, reading, moment())))
    calm++
    if (effects.some(({ is }) => is === 'bounds')) drifted++
    const led = [
      ...(turn?.observed ?? []),
      ...(turn?.decisions ?? []).flatMap((decision) => decision.effects),
    ]
    expect(effects.filter(isWrite)).toEqual([])
    apply(short, effects)
    expect(takes(whole, turn)).toEqual([])
    // A whole turn waits without bounds for figures that are too old. The next ones lead both to the same.
    if (mono - pricesMono > STALE_MS) {
      mono += 1_000
      prices(...last)
    }
    const probes = boundsIn([...led, ...effects])
    expect(dumped(short, probes)).toEqual(dumped(whole, probes))
  }
  prices(4_000, 60)
  for (const one of all) {
    mono += 1_000
    if ('shows' in one) answers(one.shows)
    else if ('eth' in one) prices(one.eth, one.btc)
    else if ('passes' in one) mono += one.passes
    else if ('fails' in one) {
      const source = `owner/${WALLETS[one.fails]}`
      both((memory) => apply(memory, [{ is: 'trouble', source, why: 'no answer', mono }]))
    } else if ('tier' in one) {
      const draft = aDraft({ params: { tiers: [one.tier / 10] }, wallet: WALLETS[one.wallet] ?? null })
      both((memory) => changes(memory, { is: 'rule', personId: 1, chatId: 1, draft }, moment()))
    } else both((memory) => changes(memory, { is: 'remove', personId: 1, ruleId: one.removes }, moment()))
  }
}

test('a wallet that is passed over leaves memory, rows and bounds as its whole turn would', () => {
  fc.assert(
    fc.property(rules, fc.array(happening, { minLength: 5, maxLength: 60, size: 'max' }), (given, all) =>
      twins(given, all),
    ),
    { numRuns: budget(300, 20) },
  )
  expect(calm).toBeGreaterThan(50)
  expect(drifted).toBeGreaterThan(10)
})

test('a rule that is changed while prices are too old is judged by its new lines when they come', async () => {
  const running = await startEngine({ rules: [aRule({ params: { tiers: [0.1] } })] })
  const { clock, prices, reads, change, hears } = running
  await prices(aMarket({ price: exact('4000') }))
  await reads([aPosition()])
  await clock.advance(13_000)
  const draft = aDraft({ params: { tiers: [0.5, 0.1] } })
  await change({ is: 'rule', personId: 1, chatId: 1, draft })
  await reads([aPosition()])
  hears()
  await prices(aMarket({ price: exact('3500') }))
  await reads([aPosition()])
  expect(hears()).toContainEqual(expect.stringMatching(/^1: ETH long: 42.9% to liquidation/))
})
