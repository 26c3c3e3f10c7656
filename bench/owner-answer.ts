import type { WalletReading } from '../src/venue/reading.ts'
import { createDice } from '../test/support/seed.ts'
import { type Crowd, MARKETS, walletOf, positionsOf, PRICE } from './support/crowd.ts'
import { at, costOf } from './support/figures.ts'
import { row } from './support/rows.ts'
import { start } from './support/running.ts'

// What one answer about a wallet costs from the engine's queue to what is known of it: folded in, judged by each guard, and its
// bounds armed anew. It must not grow with how many others are watched. `node bench/owner-answer.ts [how many subjects …]`

const GOAL_US = { one: 40, ten: 60 }
const ROUNDS = 15
const ANSWERS = 200
/** A commit for what has moved by much is not what is measured here. */
const MOVES = 0.001

const sizes = process.argv.slice(2).map(Number)
for (const many of sizes.length > 0 ? sizes : [10_000]) {
  for (const positions of [1, 3, 10]) await measure(many, positions)
}
process.exit(0)

async function measure(many: number, positions: number): Promise<void> {
  const crowd: Crowd = {
    ...{ people: Math.round(many / positions), positions, rules: 'one', sides: 'both' },
    away: [{ share: 1, from: 0.201, to: 0.801 }],
  }
  const running = await start(crowd)
  const { engine } = running
  await running.tick(Array.from({ length: MARKETS }, () => PRICE))
  await running.readWallets()
  const { next } = createDice(7)
  const answers = (moves: number) =>
    Array.from({ length: ANSWERS }, () => answerOf(1 + Math.floor(next() * crowd.people), crowd, moves, next))
  const judged = async (all: readonly WalletReading[]) => {
    const { cpuMs } = await costOf(async () => {
      for (const reading of all) {
        engine.wallet({ ...reading, at: Math.round(Date.now()), mono: performance.now() })
        await engine.idle()
      }
    })
    return (cpuMs * 1_000) / all.length
  }
  const rounds = async (moves: number) => {
    const all: number[] = []
    for (let round = 0; round < ROUNDS; round++) all.push(await judged(answers(moves)))
    return all
  }
  await rounds(MOVES)
  // Until the last that is known of everybody is as it will be.
  await running.readWallets()
  const [same, moved] = [await rounds(0), await rounds(MOVES)]
  const best = (all: readonly number[]) => `best round ${at(all, 0).toFixed(0)} µs`
  const goalUs = positions === 1 ? GOAL_US.one : GOAL_US.ten
  const size = `an answer about ${positions} of ${many.toLocaleString('en')} subjects`
  row(`${size}, nothing moved`, at(same, 0.5), 'µs CPU', { atMost: goalUs }, best(same))
  row(`${size}, all moved a little`, at(moved, 0.5), 'µs CPU', { atMost: goalUs }, best(moved))
  await running.stop()
}

function answerOf(person: number, crowd: Crowd, moves: number, random: () => number): WalletReading {
  const positions = positionsOf(person, crowd).map((position) => ({
    ...position,
    liquidationPrice:
      (position.liquidationPrice ?? 0n) + BigInt(Math.round(random() * moves * 1e9)) * 10n ** 9n,
    fundingUsd: BigInt(Math.round(random() * 1e9)),
  }))
  const value = { positions, accounts: [], unusable: [], failedParts: [], totalCount: null }
  return {
    wallet: walletOf(person),
    value,
    orders: null,
    closeRecords: null,
    unsolicited: false,
    at: 0,
    mono: 0,
  }
}
