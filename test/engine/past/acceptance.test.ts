import { expect, test } from 'vitest'

import { findKind, type LevelKind, type Rule, sameRule } from '../../../src/alert/alert.ts'
import type { SubjectId } from '../../../src/alert/subject-id.ts'
import { kinds } from '../../../src/alerts/index.ts'
import { MARKETS, DEMO_WALLETS } from '../../../src/venues/sim/play/catalogue.ts'
import { aRule, exact } from '../../support/fixtures.ts'
import { pastRun, type Run } from '../../support/past-run.ts'
import { budget, createDice, type Dice, SEED } from '../../support/seed.ts'

const POLL_MS = 300_000
const DAY_MS = 86_400_000
const DAYS = budget(3, 1)
const RULES = 50
/** Fewer than there are rules: many stand beside others of their kind, and are judged as one with them. */
const CHATS = 12

function someOf(dice: Dice, all: readonly number[]): number[] {
  const some = all.filter(() => dice.often(0.5))
  return some.length > 0 ? some : [dice.one(all)]
}

/** Of every kind that is judged by what is recorded. */
function aRandomThreshold(dice: Dice, basePrice: number) {
  const usd = (values: readonly number[]) => values.map((value) => ({ unit: 'usd', value }) as const)
  const way = dice.one(['above', 'below'] as const)
  const loss = dice.often(0.5) ? -1 : 1
  return dice.one([
    { kind: 'liquidation-distance', params: { tiers: someOf(dice, [0.3, 0.2, 0.12, 0.07, 0.04, 0.02]) } },
    { kind: 'margin-ratio', params: { tiers: someOf(dice, [0.3, 0.4, 0.5, 0.6, 0.7, 0.85]) } },
    { kind: 'price', params: { way, level: exact((basePrice * (0.95 + 0.1 * dice.next())).toFixed(4)) } },
    { kind: 'funding-rate', params: { way, line: 0.4 * dice.next() - 0.1 } },
    { kind: 'funding-cost', params: { lines: usd(someOf(dice, [1, 3, 10, 30])) } },
    {
      kind: 'pnl',
      params: {
        lines: usd(someOf(dice, [100, 500, 2_000, 8_000]).map((value) => loss * value)),
        of: undefined,
      },
    },
  ])
}

function aRandomRule(id: number, dice: Dice): Rule {
  const spec = dice.one(MARKETS)
  const { kind, params } = aRandomThreshold(dice, spec.basePrice)
  const { on, identity } = levelNamed(kind)
  const market = { id: spec.id, symbol: spec.symbol }
  return aRule({
    ...{ id, kind, params, identity: identity(params), chatId: 1 + dice.below(CHATS) },
    wallet: on !== 'market' && dice.often(0.4) ? dice.one(DEMO_WALLETS) : null,
    market: on === 'market' || (on === 'position' && dice.often(0.5)) ? market : null,
    // Never at the same moment as a reading: which of the two is first is chance.
    holdMs: dice.often(0.3) ? 0 : dice.below(900) * 1_000 + 500,
  })
}

function levelNamed(name: string): LevelKind<unknown> {
  const kind = findKind(kinds, name)
  if (kind?.is !== 'level') throw new Error(`${name} says nothing of what is so`)
  return kind
}

function covers({ wallet, market }: Rule, subject: SubjectId): boolean {
  const isWallet = !('wallet' in subject) || wallet === null || wallet === subject.wallet
  return isWallet && (!('marketId' in subject) || market === null || market.id === subject.marketId)
}

/** When alerts passed one of a rule's own lines, as they were told. */
function firedBy(rule: Rule, rules: readonly Rule[], { told, moves }: Run): number[] {
  const kind = levelNamed(rule.kind)
  // An alert that gets worse is written again.
  const alerts = new Map(told.flatMap((one) => (one.is === 'alert' ? [[one.alert.id, one.alert]] : [])))
  return [...alerts.values()].flatMap((alert) => {
    const { id, chatId, subject, identity } = alert
    if (chatId !== rule.chatId || alert.kind !== rule.kind || identity !== rule.identity) return []
    if (!covers(rule, subject)) return []
    const behind = rules.filter(
      (other) =>
        other.chatId === chatId &&
        other.kind === kind.name &&
        other.identity === identity &&
        covers(other, subject),
    )
    const params = kind.merge(behind.map((other) => other.params) as [unknown])
    const own = (tier: number) => (tier === 0 ? 0 : kind.tierUnder(params, tier, rule.params))
    return moves
      .filter(({ from, to, ...one }) => one.alert === `A${id}` && own(from) === 0 && own(to) > 0)
      .map(({ at }) => at)
  })
}

test(
  'what would have fired is what did fire, in days of the simulated venue',
  { timeout: 300_000 },
  async () => {
    const dice = createDice(SEED)
    const rules: Rule[] = []
    for (let id = 1; id <= RULES; id++) {
      const rule = aRandomRule(id, dice)
      // The second would have taken the place of the first.
      const isTwice = rules.some((other) => sameRule(kinds, other, rule))
      rules.push(isTwice ? { ...rule, chatId: CHATS + id } : rule)
    }
    const run = await pastRun(kinds, rules, 1 + dice.below(1_000), POLL_MS)
    // Nobody answers for a while, now and then, and a wallet fails longer, or lacks the figures of its account.
    let [darkUntil, failsUntil, failing] = [0, 0, DEMO_WALLETS[0]]
    const end = run.clock.now() + DAYS * DAY_MS
    for (let poll = 0; run.clock.now() < end; poll++) {
      const now = run.clock.now()
      if (dice.often(0.006)) darkUntil = now + dice.below(2_000_000)
      if (dice.often(0.006)) [failsUntil, failing] = [now + dice.below(4_000_000), dice.one(DEMO_WALLETS)]
      if (now >= darkUntil) await run.markets()
      await run.clock.advance(7_000)
      if (poll % 3 === 0 && now >= darkUntil)
        for (const wallet of DEMO_WALLETS)
          if (wallet === failing && now < failsUntil) run.fails(wallet)
          else await run.wallet(wallet, dice.often(0.95))
      await run.clock.advance(POLL_MS - 7_000)
    }
    const byKind = new Map<string, number>()
    let beside = 0
    for (const rule of rules) {
      const fired = firedBy(rule, rules, run).toSorted((a, b) => a - b)
      const would = await run.past.backtest(rule)
      if (would === 'busy') throw new Error('nobody else has asked')
      const words = `seed ${SEED}, rule ${JSON.stringify({ ...rule, params: levelNamed(rule.kind).typed(rule.params) })}`
      byKind.set(rule.kind, (byKind.get(rule.kind) ?? 0) + fired.length)
      if ((would?.beside.length ?? 0) > 0) beside += fired.length
      expect(
        would?.fired.map(({ at }) => at),
        words,
      ).toEqual(fired)
    }
    expect(beside).toBeGreaterThan(0)
    for (const [kind, times] of byKind) expect(times, kind).toBeGreaterThan(0)
  },
)
