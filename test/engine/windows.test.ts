import { describe, expect, test } from 'vitest'

import type { Rule } from '../../src/alert/alert.ts'
import { kinds } from '../../src/alerts/index.ts'
import { alertOf } from '../../src/message/annotation.ts'
import { message, plainLines } from '../../src/message/message.ts'
import { aMarket, anAccount, anOrder, aPosition, aRule, exact } from '../support/fixtures.ts'
import { set } from '../support/kinds.ts'
import { type Running, startEngine } from '../support/running.ts'
import { budget, createDice, SEED } from '../support/seed.ts'

const MINUTE_MS = 60_000
const PERIODS = { marketPollMs: MINUTE_MS, walletPollMinMs: MINUTE_MS, walletPollMaxMs: MINUTE_MS }
const STEPS = 150
/** No whole number of readings: what a start needs to look at a wallet is no reading more or less. */
const HOLD_MS = 2.5 * MINUTE_MS

/** A rule of each kind, by its example, and one more with a shorter window. Those that hold do so for minutes. */
const RULES: Rule[] = kinds.map((kind, index) => {
  const { params } = set(kind, kind.example.replace(/\bBTC\b/, 'ETH'))
  const rule = { id: index + 1, kind: kind.name, params, identity: kind.identity(params) }
  const holdMs = kind.is === 'level' ? HOLD_MS : 0
  const market = kind.needs.includes('market') ? { id: '100', symbol: 'ETH' } : null
  return aRule({ ...rule, holdMs, market })
})

interface Step {
  price: number
  rate: number
  orders: string[]
  /** For how long the bot is stopped after it, or sees nothing. */
  stopMs: number
}

/** Moves small and large; a rate that goes to zero and beyond; orders that come, stay and go. */
function steps(seed: number): Step[] {
  const dice = createDice(seed)
  let [price, rate, orders] = [2_500, 0.004, [] as string[]]
  return Array.from({ length: STEPS }, (_, step) => {
    price = Math.max(price * (1 + (dice.next() - 0.5) * (dice.often(0.1) ? 0.12 : 0.01)), 2_010)
    rate -= 0.0001
    orders = orders.filter(() => !dice.often(0.1))
    if (dice.often(0.1)) orders = [...orders, `o${step}`]
    const stopMs = dice.often(0.06) ? dice.below(dice.often(0.5) ? 60 * MINUTE_MS : 5_000) : 0
    return { price, rate, orders, stopMs }
  })
}

async function sees(running: Running, { price, rate, orders }: Step): Promise<void> {
  const fundingVelocityPerDay = exact('-0.144')
  const market = { price: exact(price.toFixed(4)), fundingRatePerDay: exact(rate.toFixed(8)) }
  await running.prices(aMarket({ ...market, fundingVelocityPerDay }))
  const marginRatio = Math.min(Math.max((2_700 - price) / 700, 0), 0.99)
  await running.reads([aPosition({ margin: 'cross' })], { accounts: [anAccount({ marginRatio })] })
  await running.lists(orders.map((id) => anOrder({ id })))
  await running.clock.advance(MINUTE_MS - 3_000)
}

/** What was promised about alerts since the last look: each item without its number. */
function news(running: Running): string[][] {
  return running.kept().flatMap((write) => {
    const items = write.is === 'send' ? write.row.message.items : []
    return items
      .filter((one) => alertOf(one) !== null && !one.again)
      .map((one) =>
        plainLines(message([one]), { now: 0, zone: 'UTC' }).map((line) => line.replace(/ \(A\d+\)$/, '')),
      )
  })
}

/**
 * What is said of alerts at each step, and the steps as they were. While something holds, a stop is short: whoever goes on
 * counts two missing readings before it knows of a hole, and whoever is stopped counts none.
 */
async function history(all: readonly Step[], restarts: boolean) {
  const running = await startEngine({ rules: RULES }, { periods: PERIODS })
  const said: string[] = []
  const lived: Step[] = []
  for (const [place, step] of all.entries()) {
    await sees(running, step)
    said.push(...news(running).map(([title = '']) => `${place}: ${title}`))
    const holds = running.engine.memory.monitors.pending.size > 0
    const stopMs = holds ? Math.min(step.stopMs, 5_000) : step.stopMs
    lived.push({ ...step, stopMs })
    if (stopMs > 0 && restarts) await running.restart(stopMs)
    else await running.clock.advance(stopMs)
  }
  return { said: said.toSorted(), lived }
}

describe('windows outlive restarts', () => {
  const seeds = Array.from({ length: budget(40, 3) }, (_, more) => SEED + more)

  test.each(seeds)('no stop changes what any kind says (seed %d)', async (seed) => {
    const calm = await history(steps(seed), false)
    const restarted = await history(calm.lived, true)
    expect(restarted.said).toEqual(calm.said)
    expect(calm.said.length).toBeGreaterThan(20)
  })

  const far: Step = { price: 2_500, rate: 0.004, orders: [], stopMs: 0 }
  test.each<[string, Step[], Step]>([
    ['ETH fell 8%', [far, far], { ...far, price: 2_300 }],
    ['ETH buy order stuck', [{ ...far, orders: ['o1'] }], { ...far, orders: ['o1'] }],
    [
      'ETH funding will probably flip in about 20 min',
      Array.from({ length: 15 }, (_, minute) => ({ ...far, rate: 0.0045 - minute * 0.0001 })),
      { ...far, rate: 0.0018 },
    ],
  ])('what a stop has hidden is told as that: %s', async (title, before, after) => {
    const running = await startEngine({ rules: RULES }, { periods: PERIODS })
    for (const step of before) await sees(running, step)
    running.kept()
    await running.restart(12 * MINUTE_MS)
    for (const step of [after, after]) await sees(running, step)
    const told = news(running).find(([first = '']) => first.includes(title))
    expect(told?.join('\n')).toContain('while I was away, ')
  })
})
