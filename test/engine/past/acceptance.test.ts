import { expect, test } from 'vitest'

import { kinds as known } from '../../../src/alerts/index.ts'
import type { Kind, Rule } from '../../../src/alert.ts'
import { MARKETS, OWNERS } from '../../../src/venues/sim/catalogue.ts'
import { aRule } from '../../support/fixtures.ts'
import { below, dear, pastRun } from '../../support/past-run.ts'
import { createDice, SEED } from '../../support/seed.ts'
import type { Dice } from '../../support/seed.ts'

const POLL_MS = 180_000
const DAY_MS = 86_400_000
const RULES = 50
const kinds: readonly Kind[] = [...known, below, dear]

/** One in a chat of its own, so that none is merged with another. */
function aRandomRule(id: number, dice: Dice): Rule {
  const spec = dice.one(MARKETS)
  const market = { id: spec.id, symbol: spec.symbol }
  const owner = dice.often(0.4) ? dice.one(OWNERS) : null
  // Never at the same moment as a reading: which of the two is first is chance.
  const holdMs = dice.often(0.3) ? 0 : dice.below(600) * 1_000 + 500
  const draw = dice.below(10)
  const scope = { owner, market: dice.often(0.7) ? market : null }
  if (draw < 6) {
    const tiers = [0.02, 0.04, 0.07, 0.12, 0.2, 0.3].filter(() => dice.often(0.5)).toReversed()
    const params = { tiers: tiers.length > 0 ? tiers : [0.1] }
    return aRule({ id, chatId: id, kind: 'liquidation-distance', params, holdMs, ...scope })
  }
  if (draw < 9) {
    const params = { line: spec.basePrice * (0.9 + 0.2 * dice.next()) }
    return aRule({
      id,
      chatId: id,
      kind: 'below',
      params,
      identity: JSON.stringify(params),
      holdMs,
      owner: null,
      market,
    })
  }
  const params = { rate: 0.0004 * dice.next() }
  return aRule({
    id,
    chatId: id,
    kind: 'dear',
    params,
    identity: JSON.stringify(params),
    holdMs,
    owner: null,
    market,
  })
}

test(
  'what would have fired is what did fire, in three days of the simulated venue',
  { timeout: 300_000 },
  async () => {
    const dice = createDice(SEED)
    const rules = Array.from({ length: RULES }, (_, index) => aRandomRule(index + 1, dice))
    const run = await pastRun(kinds, rules, 1 + dice.below(1_000), POLL_MS)
    // Nobody answers for a while, now and then, and a wallet fails longer.
    let [darkUntil, failsUntil, failing] = [0, 0, OWNERS[0]]
    const end = run.clock.now() + 3 * DAY_MS
    for (let poll = 0; run.clock.now() < end; poll++) {
      const now = run.clock.now()
      if (dice.often(0.004)) darkUntil = now + dice.below(1_200_000)
      if (dice.often(0.004)) [failsUntil, failing] = [now + dice.below(2_400_000), dice.one(OWNERS)]
      if (now >= darkUntil) await run.markets()
      await run.clock.advance(7_000)
      if (poll % 4 === 0 && now >= darkUntil)
        for (const owner of OWNERS)
          if (owner === failing && now < failsUntil) run.fails(owner)
          else await run.owner(owner)
      await run.clock.advance(POLL_MS - 7_000)
    }
    const chatOf = new Map(
      run.told.flatMap((one) => (one.is === 'alert' ? [[one.alert.id, one.alert.chatId] as const] : [])),
    )
    let most = 0
    for (const rule of rules) {
      const fired = run.told.flatMap((one) =>
        one.is === 'step' && one.step.reason === 'entered' && chatOf.get(one.step.alertId) === rule.chatId
          ? [one.step.at]
          : [],
      )
      const would = await run.past.wouldHave(rule)
      most += fired.length
      const words = `seed ${SEED}, rule ${JSON.stringify(rule)}`
      expect(
        would?.fired.map(({ at }) => at),
        words,
      ).toEqual(fired)
    }
    expect(most).toBeGreaterThan(RULES)
  },
)
