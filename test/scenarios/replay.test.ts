import { existsSync, readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { startBot } from '../support/bot.ts'
import { csvFile, startSim, SUGGESTED } from '../support/sim.ts'

/** They may not be copied into the project. */
const RECORDINGS = new URL('../../../shared/reference/recordings/', import.meta.url).pathname
/** A crash of BTC in minute bars, whose low of one minute alone liquidates. */
const RECORDED = `${RECORDINGS}btcusd_1m_2025-02-03_crash.csv`
const EIGHT_HOURS = `${RECORDINGS}binance_perp_8h_btc_eth_2023-01_2024-07.csv`

/** The bars of eight hours with the deepest falls, by the time at which they begin in their file, and the price that liquidates. */
const FALLS = [
  ['BTCUSDT', '2023-08-17 17:00:00', '$24,581'],
  ['ETHUSDT', '2023-08-17 17:00:00', '$1,492.66'],
  ['BTCUSDT', '2024-01-03 08:00:00', '$40,333'],
  ['ETHUSDT', '2024-01-03 08:00:00', '$2,067.16'],
  ['BTCUSDT', '2024-03-05 16:00:00', '$59,112'],
  ['ETHUSDT', '2024-03-05 16:00:00', '$3,205.00'],
  ['BTCUSDT', '2024-04-13 17:00:00', '$59,653'],
  ['ETHUSDT', '2024-04-13 17:00:00', '$2,791.61'],
] as const

/** Eight calm minutes, but for the low of the sixth. */
const WICK = [
  'time,open,high,low,close',
  ...[99_900, 99_900, 99_900, 99_900, 99_900, 94_000, 99_900, 99_900].map(
    (low, minute) => `${1_735_689_600 + minute * 60},100000,100100,${low},100000`,
  ),
]

/** How long after its replay the venue may be asked how something ended. */
const LATEST_MS = 30_000

/** How the replay's long ended, as somebody heard it who began to watch a little after the start. */
async function endOf(file: string, speed: number, offsetMs: number): Promise<string> {
  const replay = await startSim({ SIM_REPLAY: file, SIM_SPEED: String(speed) })
  await replay.clock.advance(offsetMs)
  await using bot = await startBot({ sim: replay })
  // Closed before the bot: what is left of the replay waits on the same clock.
  await using sim = replay
  await bot.says(`/watch ${SUGGESTED} demo`)
  for (let afterMs = 0; afterMs < LATEST_MS;) {
    await bot.pass(1_000)
    const titles = bot.hears().map((message) => message.split('\n\n')[0] ?? '')
    const end = titles.find((text) => /was probably liquidated|is gone|was closed/.test(text))
    if (end !== undefined) return end
    if (sim.events.some(({ is }) => is === 'venue-ended')) afterMs += 1_000
  }
  return 'nothing'
}

/** The bar before a fall, the fall, and a day more. */
function around(symbol: string, time: string): string[] {
  const [header = '', ...rows] = readFileSync(EIGHT_HOURS, 'utf8').split('\n')
  const own = rows.filter((row) => row.includes(symbol))
  const fall = own.findIndex((row) => row.startsWith(time))
  return [header, ...own.slice(fall - 1, fall + 4)]
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

describe('a position that a fall of hours took', () => {
  test
    .runIf(existsSync(EIGHT_HOURS))
    .each(
      FALLS.flatMap(([symbol, time, price]) =>
        [600, 3_600, 14_400].map((speed) => ({ symbol, time, price, speed })),
      ),
    )(
    'is told as probably liquidated, with the price: $symbol in the bar of $time, at $speed-fold speed',
    async ({ symbol, time, price, speed }) => {
      await using file = await csvFile(around(symbol, time))
      const end = await endOf(file.path, speed, 0)
      expect(end).toContain(`${symbol.slice(0, 3)} long was probably liquidated`)
      expect(end).toContain(`the price went to ${price} since`)
    },
  )
})
