import { expect, test } from 'vitest'

import type { Asked, Backtester, Backtest } from '../../../src/alert/backtest.ts'
import { kinds } from '../../../src/alerts/index.ts'
import { createBacktester } from '../../../src/engine/backtest/backtest.ts'
import { DEMO_WALLETS } from '../../../src/venues/sim/play/catalogue.ts'
import { aRule } from '../../support/fixtures.ts'
import { pastRun } from '../../support/past-run.ts'

const POLL_MS = 300_000
const HOUR_MS = 3_600_000
/** Every position is nearer to its end than that, so that it fires when it is first seen. */
const everything = { kind: 'liquidation-distance', params: { tiers: [0.9] }, wallet: null, holdMs: 0 }
const rule = aRule({ id: 1, chatId: 1, ...everything })

async function lookUp(past: Backtester, asked: Asked): Promise<Backtest | null> {
  const would = await past.backtest(asked)
  if (would === 'busy') throw new Error('nobody else has asked')
  return would
}

/** Some hours; in the last of them the last wallet is read for the first time. */
async function hours(many: number, rules = [rule]) {
  const run = await pastRun(kinds, rules, 7, POLL_MS)
  const begun = run.clock.now()
  const [first, second, third] = DEMO_WALLETS
  for (const end = begun + many * HOUR_MS; run.clock.now() < end; await run.clock.advance(POLL_MS)) {
    await run.markets()
    for (const wallet of [first, second]) if (wallet) await run.wallet(wallet, true)
    if (third && run.clock.now() >= end - HOUR_MS) await run.wallet(third, true)
  }
  return { ...run, begun }
}

test('a wallet that was added later, and one that could not be read, are said beside the number', async () => {
  const run = await hours(3)
  const [first = '0x0', , third = '0x0'] = DEMO_WALLETS
  run.fails(first)
  await run.clock.advance(HOUR_MS)
  await run.markets()
  const would = await lookUp(run.past, rule)
  expect(would?.since).toBe(run.begun)
  expect(would?.later).toEqual([{ wallet: third.slice(0, 6), since: run.begun + 2 * HOUR_MS }])
  expect(would?.gaps.at(-1)?.until).toBe(run.clock.now())
})

test('an hour of a wallet that lies there damaged fires nothing and ends nothing', async () => {
  const run = await hours(5)
  const [first] = DEMO_WALLETS
  const own = { ...rule, wallet: first ?? null }
  const whole = await lookUp(run.past, own)
  const damaged = createBacktester({
    ...{ drawers: run.engine.memory, kinds, clock: run.clock, marketPollMs: POLL_MS },
    recording: {
      blocks: async (...asked) =>
        (await run.store.recording.blocks(...asked)).map((block) =>
          block.of === 'wallet' && block.since === run.begun + 2 * HOUR_MS ? { ...block, data: null } : block,
        ),
    },
  })
  const would = await lookUp(damaged, own)
  expect(whole?.fired.length).toBeGreaterThan(0)
  expect(would?.fired).toEqual(whole?.fired)
  expect(whole?.gaps).toEqual([])
  expect(would?.gaps).toEqual([{ since: run.begun + 2 * HOUR_MS, until: run.begun + 3 * HOUR_MS }])
})

test('a rule beside others counts what passes its own lines, and says which they are', async () => {
  const wide = aRule({ id: 1, chatId: 1, ...everything })
  const run = await hours(2, [wide])
  const narrow = { ...wide, wallet: DEMO_WALLETS[0] ?? null, params: { tiers: [0.001] } }
  expect(await lookUp(run.past, narrow)).toMatchObject({ fired: [], beside: [1] })
  // What would take its place does not stand beside it.
  expect(await lookUp(run.past, { ...narrow, wallet: null })).toMatchObject({ fired: [], beside: [] })
  expect((await lookUp(run.past, wide))?.fired.length).toBeGreaterThan(0)
})

test('whoever asks while very many wait is told so at once, and later hears it', async () => {
  const run = await hours(1)
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  const past = createBacktester({
    ...{ drawers: run.engine.memory, kinds, clock: run.clock, marketPollMs: POLL_MS },
    recording: { blocks: (...asked) => held.then(() => run.store.recording.blocks(...asked)) },
  })
  const waiting = Array.from({ length: 30 }, () => past.backtest(rule))
  expect(await past.backtest(rule)).toBe('busy')
  answer()
  await Promise.all(waiting)
  expect(await past.backtest(rule)).not.toBe('busy')
})
