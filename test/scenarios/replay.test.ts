import { existsSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { startBot } from '../support/bot.ts'
import { SUGGESTED, csvFile, startSim } from '../support/sim.ts'

/** A crash of BTC in minute bars, whose low of one minute alone liquidates; it may not be copied into the project. */
const RECORDED = new URL(
  '../../../shared/reference/recordings/btcusd_1m_2025-02-03_crash.csv',
  import.meta.url,
).pathname

/** Eight calm minutes, but for the low of the sixth. */
const WICK = [
  'time,open,high,low,close',
  ...[99_900, 99_900, 99_900, 99_900, 99_900, 94_000, 99_900, 99_900].map(
    (low, minute) => `${1_735_689_600 + minute * 60},100000,100100,${low},100000`,
  ),
]

/** How the replay's long ended, as somebody heard it who began to watch a little after the start. */
async function endOf(file: string, speed: number, offsetMs: number): Promise<string> {
  await using sim = await startSim({ SIM_REPLAY: file, SIM_SPEED: String(speed) })
  await sim.clock.advance(offsetMs)
  await using bot = await startBot({ sim })
  await bot.says(`/watch ${SUGGESTED} demo`)
  while (!sim.events.some(({ is }) => is === 'venue-ended')) await bot.pass(1_000)
  await bot.pass(30_000)
  const heard = bot.hears().map((message) => message.split('\n\n')[0] ?? '')
  return heard.find((text) => /was probably liquidated|is gone|was closed/.test(text)) ?? 'nothing'
}

const LOOKS = [60, 600, 2_000].flatMap((speed) => [0, 600, 1_100].map((offsetMs) => [speed, offsetMs]))

describe('a position that a wick of one minute took', () => {
  test.each([60, 120, 240])(
    'is told as probably liquidated, with the price, at %i-fold speed',
    async (speed) => {
      await using file = await csvFile(WICK)
      const end = await endOf(file.path, speed, 0)
      expect(end).toMatch(/BTC long was probably liquidated/)
      expect(end).toContain('the price went to $94,000 since')
    },
  )

  test.runIf(existsSync(RECORDED)).each(LOOKS)(
    'of a recorded crash is told so as well, at %i-fold speed for who comes %i ms late',
    async (speed, offsetMs) => {
      const end = await endOf(RECORDED, speed, offsetMs)
      expect(end).toMatch(/BTC long was probably liquidated/)
      expect(end).toContain('the price went to $91,530 since')
    },
  )
})
