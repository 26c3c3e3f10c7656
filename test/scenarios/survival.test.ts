import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { ALICE } from '../support/bot.ts'
import { eventually } from '../support/patience.ts'
import { type Program, runProgram } from '../support/program.ts'
import { createDice, SEED } from '../support/seed.ts'
import { openStage } from '../support/stage.ts'

const KILLS = 5
const LIQUIDATION = 90

/** Where the price falls to, and what is told of it; below the liquidation price the position is gone. */
const FALL: [price: number, line: RegExp][] = [
  [99, /\[WARNING\] BTC long: 9\.1%/g],
  [94, /\[CRITICAL\] BTC long: 4\.3%/g],
  [92, /\[CRITICAL\] BTC long: 2\.2%/g],
  [89, /was probably liquidated/g],
]

// A real process is killed wherever it happens to be; the price falls when the last line is told, however long that takes.
test('killed at random moments of a fall, it tells every line, and none twice unless it says so', async () => {
  console.log(`SEED=${SEED}`)
  const dice = createDice(SEED)
  const folder = await mkdtemp(join(tmpdir(), 'perch-survival-'))
  await using stage = await openStage()
  stage.market('BTC', { price: 130 })
  stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: LIQUIDATION }])
  const start = () =>
    runProgram('src/main.ts', {
      VENUE_URL: stage.url,
      DATABASE_URL: join(folder, 'perch.sqlite'),
      MARKET_POLL_MS: '100',
      OWNER_POLL_MIN_MS: '100',
      OWNER_POLL_MAX_MS: '1000',
    })
  const outputs: string[] = []
  let program: Program = start()
  const told = () => [...outputs, program.output()].join('\n')
  const count = (pattern: RegExp) => told().match(pattern)?.length ?? 0
  /** So many readings after now, and up to a tenth of a second. */
  const aRandomMoment = async () => {
    const reads = () => stage.asked.filter((path) => path === '/markets').length
    const enough = reads() + dice.below(5)
    await eventually(() => reads() >= enough)
    await sleep(dice.below(100))
  }
  program.type(`/watch ${ALICE} demo`)
  program.type('/alert liq BTC 10% for 1s')
  await program.prints('You’ll get an alert when')

  const killsAt = Array.from({ length: KILLS }, () => dice.below(FALL.length))
  for (const [at, [price, line]] of FALL.entries()) {
    stage.market('BTC', { price })
    if (price < LIQUIDATION) stage.positions(ALICE, [])
    for (const _kill of killsAt.filter((one) => one === at)) {
      await aRandomMoment()
      await program.kill('SIGKILL')
      outputs.push(program.output())
      program = start()
    }
    await eventually(() => count(line) > 0)
  }
  // What is urgent goes before an answer.
  program.type('/wallets')
  await program.prints('1 wallet')
  await program.kill('SIGTERM')

  const repeats = count(/\(possible repeat\)/g)
  const counts = FALL.map(([, line]) => count(line))
  expect(counts.reduce((sum, times) => sum + times, 0) - FALL.length, told()).toBeLessThanOrEqual(repeats)
  expect(repeats, told()).toBeLessThanOrEqual(KILLS)
  await rm(folder, { recursive: true })
})
