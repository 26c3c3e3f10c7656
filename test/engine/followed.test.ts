import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { walletOf } from '../../src/alert/monitor.ts'
import { kinds } from '../../src/alerts/index.ts'
import { NEAR_WALLET_OUTAGE_MS } from '../../src/engine/outage/sources.ts'
import { sourceOf } from '../../src/venue/source.ts'
import type { Write } from '../../src/store/store.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
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
} from '../support/fixtures.ts'
import { startEngine } from '../support/running.ts'
import { budget } from '../support/seed.ts'

const [ANN, BEN, CAT] = [1, 2, 3]
/** The chats of Ann, Ben and Cat, then a group of Ann's, and the place where Ann's critical alerts go as well. */
const CHATS = { ann: 1, ben: 2, cat: 3, group: 4, fallback: 5 }
/** Everywhere that a follower of ALICE is told. Ben guards her wallet. */
const OF_FOLLOWERS: ReadonlySet<number> = new Set([CHATS.ann, CHATS.cat, CHATS.group, CHATS.fallback])

/** Nobody guards this one: Ann and Cat follow it. */
const DAVE: Wallet = '0xde709f2102306220921060314715629080e2fb77'

const MARKETS = { ETH: '100', BTC: '200' } as const

type Step =
  | { is: 'price'; eth: number; btc: number }
  | { is: 'holds'; wallet: Wallet; eth: number; btc: number; liquidation: number }
  | { is: 'liquidated'; wallet: Wallet }
  | { is: 'fails'; wallet: Wallet }
  | { is: 'passes'; ms: number }
  | { is: 'tries'; personId: number; kind: string; isNamed: boolean; tier: number }

const wallet = fc.constantFrom<Wallet>(ALICE, BOB, DAVE)
const eth = fc.constantFrom(3_000, 2_500, 2_300, 2_150, 2_050, 2_010, 1_900)
const size = fc.constantFrom(0, 2, 3, -2, 5)
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ is: fc.constant('price'), eth, btc: fc.constantFrom(50_000, 40_000, 60_000) }),
    fc.record({
      is: fc.constant('holds'),
      ...{ wallet, eth: size, btc: fc.constantFrom(0, 1, -1) },
      liquidation: fc.constantFrom(2_000, 1_950, 2_600),
    }),
    fc.record({ is: fc.constant('liquidated'), wallet }),
    fc.record({ is: fc.constant('fails'), wallet }),
    fc.record({
      is: fc.constant('passes'),
      ms: fc.constantFrom(20_000, NEAR_WALLET_OUTAGE_MS + 1_000, 300_000, 1_200_000),
    }),
    fc.record({
      is: fc.constant('tries'),
      ...{ personId: fc.constantFrom(ANN, CAT), isNamed: fc.boolean() },
      kind: fc.constantFrom(
        'liquidation-distance',
        'position-closed',
        'position-opened',
        'liquidation-moved',
      ),
      tier: fc.constantFrom(0.3, 0.1, 0.05),
    }),
  ),
  { minLength: 4, maxLength: 16 },
)

/** What was kept while all of this happened, with or without people who follow ALICE's wallet. */
async function played(all: readonly Step[], follows: boolean): Promise<Write[]> {
  const armed = kinds.filter(({ armedByWatch }) => armedByWatch !== null)
  const rulesOf = (personId: number, chatId: number, of: Wallet, first: number) =>
    armed.map((kind, at) =>
      aRule({
        ...{ id: first + at, personId, chatId, kind: kind.name, params: kind.armedByWatch, wallet: of },
        armedByWatch: true,
      }),
    )
  const followed = (id: number, personId: number, chatId: number, of = ALICE) =>
    aRule({ id, personId, chatId, kind: 'followed', params: { least: 0 }, wallet: of, armedByWatch: true })
  // Each has an alert for all wallets, at once for anybody.
  const everything = (id: number, personId: number, chatId: number) =>
    aRule({ id, personId, chatId, params: { tiers: [0.5, 0.2, 0.1, 0.05] } })
  const running = await startEngine({
    persons: [
      aPerson({
        ...{ fallbackChat: CHATS.fallback, escalateFrom: 0 },
        steps: [{ to: { is: 'person', personId: CAT, name: 'cat' }, from: 0 }],
      }),
      aPerson({
        id: BEN,
        operator: false,
        identities: [{ platform: 'telegram', user: 'ben' }],
        defaultChat: BEN,
      }),
      aPerson({
        id: CAT,
        operator: false,
        identities: [{ platform: 'telegram', user: 'cat' }],
        defaultChat: CAT,
      }),
    ],
    chats: [
      aChat(),
      aChat({ id: CHATS.ben, personId: BEN }),
      aChat({ id: CHATS.cat, personId: CAT, quiet: { from: 0, to: 1_439 } }),
      aChat({ id: CHATS.group, private: false, title: 'group' }),
      aChat({ id: CHATS.fallback }),
    ],
    delegations: [
      {
        ...{ personId: ANN, name: 'ann', delegateId: CAT, delegateName: 'cat' },
        ...{ at: 0, handoverUntil: null },
      },
    ],
    watches: [
      aWatch({ personId: BEN, wallet: ALICE, label: 'own' }),
      aWatch({ personId: ANN, wallet: BOB, label: 'main' }),
      aWatch({ personId: BEN, wallet: BOB, label: 'shared' }),
      ...(follows
        ? [ANN, CAT].flatMap((personId) => [
            aWatch({ personId, wallet: ALICE, label: 'whale', as: 'followed' }),
            aWatch({ personId, wallet: DAVE, label: 'other', as: 'followed' }),
          ])
        : []),
    ],
    rules: [
      ...rulesOf(BEN, CHATS.ben, ALICE, 100),
      ...rulesOf(ANN, CHATS.ann, BOB, 200),
      ...rulesOf(BEN, CHATS.ben, BOB, 300),
      everything(11, ANN, CHATS.ann),
      everything(12, BEN, CHATS.ben),
      everything(13, CAT, CHATS.cat),
      ...(follows
        ? [
            ...[followed(21, ANN, CHATS.ann), followed(22, ANN, CHATS.group), followed(23, CAT, CHATS.cat)],
            ...[followed(24, ANN, CHATS.ann, DAVE), followed(25, CAT, CHATS.cat, DAVE)],
          ]
        : []),
    ],
    last: { person: 3, chat: 5, rule: 400, alert: 0, row: 0, session: 0 },
  })
  const { engine, clock } = running
  let prices = { eth: 2_500, btc: 50_000 }
  const priced = () =>
    running.prices(
      aMarket({ id: MARKETS.ETH, symbol: 'ETH', price: exact(String(prices.eth)) }),
      aMarket({ id: MARKETS.BTC, symbol: 'BTC', price: exact(String(prices.btc)) }),
    )
  await priced()
  const position = (of: Wallet, marketId: string, units: number, liquidation: number) =>
    units === 0
      ? []
      : [
          aPosition({
            ...{ wallet: of, marketId, size: exact(String(units)) },
            liquidationPrice: exact(String(marketId === MARKETS.ETH ? liquidation : 30_000)),
          }),
        ]
  for (const step of all) {
    if (step.is === 'price') {
      prices = step
      await priced()
    } else if (step.is === 'holds') {
      const held = [
        ...position(step.wallet, MARKETS.ETH, step.eth, step.liquidation),
        ...position(step.wallet, MARKETS.BTC, step.btc, step.liquidation),
      ]
      // A position that is gone needs a second look.
      for (let look = 0; look < 2; look++) {
        await priced()
        await running.reads(held, { wallet: step.wallet })
      }
    } else if (step.is === 'liquidated') {
      const ended = (['long', 'short'] as const).map((side) => ({
        ...{ accountId: aPosition().accountId, marketId: MARKETS.ETH, side, how: 'liquidated' as const },
        ...{ at: clock.now(), size: exact('2'), price: exact('2000') },
        ...{ realisedPnlUsd: exact('-900'), feesUsd: exact('4') },
      }))
      for (let look = 0; look < 2; look++) {
        await priced()
        await running.reads([], { wallet: step.wallet, closeRecords: ended })
      }
    } else if (step.is === 'fails') {
      engine.failed({ is: 'wallet', wallet: step.wallet }, 'no answer')
      await clock.advance(1_000)
    } else if (step.is === 'passes') await clock.advance(step.ms)
    else {
      const { personId, kind, isNamed, tier } = step
      const params =
        kind === 'liquidation-distance'
          ? { tiers: [tier] }
          : kind === 'liquidation-moved'
            ? { share: 0.1 }
            : {}
      const draft = aDraft({ kind, params, wallet: isNamed && follows ? ALICE : null })
      // Without followers nobody may name her wallet.
      if (isNamed && !follows) {
        await clock.advance(1_000)
        continue
      }
      await running.change({ is: 'rule', personId, chatId: personId === ANN ? CHATS.ann : CHATS.cat, draft })
    }
  }
  await clock.advance(3_600_000)
  return running.kept()
}

/** The words that one chat was sent, in order; the number of an alert is nothing that is told. */
function said(writes: readonly Write[], chatId: number): string[] {
  return writes.flatMap((write) => {
    if (write.is !== 'send' || write.row.chatId !== chatId || write.row.note !== null) return []
    const { urgency, silent, reason, message } = write.row
    const words = JSON.stringify(message.items, (_, one: unknown) =>
      typeof one === 'bigint' ? `${one}` : one,
    )
    return [`${urgency} ${silent} ${reason} ${words.replaceAll(/\bA\d+|"alertId":\d+/g, 'A')}`]
  })
}

const isFollowed = (one: Wallet | null) => one === ALICE || one === DAVE

test('no follower is ever warned, reminded or escalated to, and the one who guards hears all the same', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const writes = await played(all, true)
      const ofFollowed = new Set<number>()
      for (const write of writes) {
        if (write.is !== 'alert') continue
        const { id, chatId, severity, kind, subject } = write.alert
        const of = 'wallet' in subject ? subject.wallet : null
        if (!isFollowed(of) || !OF_FOLLOWERS.has(chatId)) continue
        ofFollowed.add(id)
        expect({ kind, severity }).toEqual({ kind: 'followed', severity: 'info' })
      }
      for (const write of writes) {
        if (write.is === 'state') {
          const isTheirs = OF_FOLLOWERS.has(write.row.monitor.chatId)
          expect(isTheirs && isFollowed(walletOf(write.row.monitor))).toBe(false)
        }
        if (write.is === 'source') {
          const source = sourceOf(write.row.source)
          expect(OF_FOLLOWERS.has(write.row.chatId) && 'wallet' in source && isFollowed(source.wallet)).toBe(
            false,
          )
        }
        if (write.is === 'copied')
          expect(write.copy?.alertIds.some((id) => ofFollowed.has(id)) ?? false).toBe(false)
        if (write.is === 'send' && write.row.alertIds.some((id) => ofFollowed.has(id))) {
          const { reason, silent, alertIds } = write.row
          expect(['occurred', 'summary']).toContain(reason)
          if (alertIds.every((id) => ofFollowed.has(id))) expect(silent).toBe(true)
        }
      }
      const alone = await played(all, false)
      expect(said(writes, CHATS.ben)).toEqual(said(alone, CHATS.ben))
    }),
    { numRuns: budget(60, 12) },
  )
}, 120_000)

test('the guard was really warned in such a story, and the follower told of it quietly', async () => {
  const story: Step[] = [
    { is: 'holds', wallet: ALICE, eth: 2, btc: 0, liquidation: 2_000 },
    { is: 'price', eth: 2_050, btc: 50_000 },
    { is: 'passes', ms: 300_000 },
    { is: 'liquidated', wallet: ALICE },
  ]
  const writes = await played(story, true)
  const alerts = writes.flatMap((write) => (write.is === 'alert' ? [write.alert] : []))
  const of = (chatId: number) => alerts.filter((alert) => alert.chatId === chatId)
  expect(of(CHATS.ben).map(({ severity }) => severity)).toContain('critical')
  expect(said(writes, CHATS.ben).some((line) => line.includes(' reminder '))).toBe(true)
  expect(of(CHATS.ann).map(({ kind, severity }) => `${kind} ${severity}`)).toEqual(['followed info'])
  expect(of(CHATS.group).map(({ kind, severity }) => `${kind} ${severity}`)).toEqual(['followed info'])
  expect(of(CHATS.fallback)).toEqual([])
})
