import { expect, test } from 'vitest'

import { KINDS } from '../../src/venues/sim/faults.ts'
import { startBot, UNHURRIED } from '../support/bot.ts'
import { SUGGESTED, startSim } from '../support/sim.ts'

// What the venue can do to the bot, on each endpoint that it asks. `FAULTS=table` prints what people heard of each.

const ASKED = [
  ['/markets', null],
  ['/positions', null],
  ['/orders', '/orders demo'],
  ['/post-trade-details', '/preview demo ETH +1'],
] as const

test.each(KINDS.flatMap((kind) => ASKED.map(([path, line]) => [kind, path, line] as const)))(
  'the fault “%s” on %s is said and leaves the bot alive, and when it is over everything is as before',
  async (kind, path, line) => {
    await using sim = await startSim({ SIM_SCENARIO: 'calm', SIM_SPEED: '0', SIM_CONTROL: '1' })
    const crowded = ['delay', 'hang', 'drip'].includes(kind)
    await using bot = await startBot({ sim, crowded, settings: { ...UNHURRIED, marketPollMs: 15_000 } })
    await bot.says(`/watch ${SUGGESTED} demo`)
    await bot.pass(20_000)
    bot.hears()
    const before = line && (await bot.says(line))

    await sim.send('POST', '/_sim/fault', { path, kind, times: 10_000, delayMs: 30_000 })
    const asked = line === null ? null : bot.says(line)
    // With a single wallet the bot has patience for a few minutes.
    await bot.pass(path === '/positions' ? 360_000 : 120_000)
    const during = [...(asked ? [await asked] : []), ...bot.hears()]
    expect(await bot.says('/help')).toContain('/positions')
    // An answer of before says nothing wrong, and of a preview there is no part that could be missing.
    const isReported = kind !== 'stale' && !(kind === 'partial' && path === '/post-trade-details')
    expect(during.some((text) => text.includes('[BLIND]'))).toBe(isReported)

    await sim.send('DELETE', '/_sim/fault')
    await bot.pass(120_000)
    const after = bot.hears()
    const positions = await bot.says('/positions')
    expect(positions).toMatch(/positions? read (just now|\d\.\d s ago)|read just now/)
    expect(positions).toContain('ETH long')
    if (line) expect(firstLine(await bot.says(line))).toBe(firstLine(before ?? ''))
    const row = `| ${kind} | ${path} | ${firstLine(during[0] ?? '–')} | ${firstLine(after[0] ?? '–')} |`
    if (process.env['FAULTS'] === 'table') process.stdout.write(`${row}\n`)
  },
)

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}
