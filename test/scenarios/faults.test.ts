import { afterAll, expect, test } from 'vitest'

import type { Event } from '../../src/runtime/event.ts'
import { KINDS } from '../../src/venues/sim/doors/fault.ts'
import { startBot, UNHURRIED } from '../support/bot.ts'
import { startSim, SUGGESTED } from '../support/sim.ts'

// What the venue can do to the bot, on each endpoint that it asks. `npm run faults` prints it as a table.

/** The endpoint, which requests meet the fault, and for which command it is asked. */
const ASKED = [
  ['GET /markets', { path: '/markets', exactly: true }, null],
  ['GET /markets/{id}', { path: '/markets/' }, '/market ETH'],
  ['GET /positions/v2', { path: '/positions' }, null],
  ['GET /orders/v2', { path: '/orders' }, '/orders demo'],
  ['POST /post-trade-details', { path: '/post-trade-details' }, '/preview demo ETH +1'],
] as const

const OUT = { path: '/markets', exactly: true, kind: 'status', times: 10_000 }

/** By when all is as before, by the clock of the bot. */
const PATIENCE_S = 120

const rows: string[] = []
afterAll(() => {
  if (process.env['FAULTS'] === undefined) return
  const head = ['fault', 'endpoint', 'the person reads', 'the log says', 'when it is over', 'after']
  process.stdout.write(`\n${[row(head), row(head.map(() => '---')), ...rows].join('\n')}\n`)
})

test.each(KINDS.flatMap((kind) => ASKED.map(([name, place, line]) => [kind, name, place, line] as const)))(
  'the fault “%s” on %s is said and leaves the bot alive, and when it is over everything is as before',
  async (kind, name, place, line) => {
    await using sim = await startSim({ SIM_SCENARIO: 'calm', SIM_SPEED: '0', SIM_CONTROL: '1' })
    const crowded = ['delay', 'hang', 'drip'].includes(kind)
    await using bot = await startBot({ sim, crowded, settings: { ...UNHURRIED, marketPollMs: 15_000 } })
    await bot.says(`/watch ${SUGGESTED} demo`)
    await bot.pass(20_000)
    // A single market is asked for only when the list of all has not come for a while.
    if (name === 'GET /markets/{id}') await sim.send('POST', '/_sim/fault', OUT)
    if (name === 'GET /markets/{id}') await bot.pass(60_000)
    bot.hears()
    const before = line && (await bot.says(line))
    // An answer of some seconds ago is shown as live.
    await bot.pass(16_000)

    const since = bot.events.length
    await sim.send('POST', '/_sim/fault', { ...place, kind, times: 10_000, delayMs: 30_000 })
    const asked = line === null ? null : bot.says(line)
    // With a single wallet the bot has patience for a few minutes.
    await bot.pass(place.path === '/positions' ? 360_000 : 120_000)
    const during = [...(asked ? [await asked] : []), ...bot.hears()]
    expect(await bot.says('/help look')).toContain('/positions')
    const logged = bot.events.slice(since)
    const told = during.flatMap((text) => wordsOf(text))[0]
    // An answer of before says nothing wrong.
    expect(told !== undefined).toBe(kind !== 'stale')
    expect(told ?? '').not.toMatch(/\b1 orders\b/)

    await sim.send('DELETE', '/_sim/fault')
    const isBlind = () =>
      bot.events.findLastIndex(({ is }) => is === 'outage') >
      bot.events.findLastIndex(({ is }) => is === 'recovered')
    let seconds = 0
    for (; isBlind() && seconds < PATIENCE_S; seconds++) await bot.pass(1_000)
    expect(isBlind()).toBe(false)
    const after = bot.hears()
    if (line === null && kind !== 'stale') expect(after.join('\n')).toContain('[RESOLVED]')
    await bot.pass(PATIENCE_S * 1_000 - seconds * 1_000)
    const positions = await bot.says('/positions')
    expect(positions).toMatch(/\blive$/)
    expect(positions).toContain('ETH long')
    expect(positions).not.toContain('[BLIND]')
    if (line) {
      const again = await bot.says(line)
      expect(firstLine(again)).toBe(firstLine(before ?? ''))
      expect(wordsOf(again)).toEqual([])
    }
    const well = line === null ? firstLine(after[0] ?? '–') : `${line} is answered in full`
    const recovered = seconds > 0 ? `${seconds} s` : 'at once'
    rows.push(row([kind, `\`${name}\``, told ?? 'nothing', logOf(logged, line !== null), well, recovered]))
  },
)

/** How a message says that something is not seen: its first line and why. */
function wordsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  const blind = lines.findIndex((line) => line.startsWith('[BLIND]') || line.startsWith('Data is '))
  if (blind >= 0) return [lines.slice(blind, blind + 2).join(': ')]
  return lines.filter((line) => line.includes('not shown by the venue')).slice(0, 1)
}

/** What the operator finds first: a warning, or for what only a command asked the end of its request. */
function logOf(events: readonly Event[], byCommand: boolean): string {
  const warnings = byCommand
    ? ['venue-unusable']
    : ['markets-failed', 'owner-failed', 'venue-unusable', 'outage']
  const warning = events.find(({ is }) => warnings.includes(is))
  const first = warning ?? events.find((one) => one.is === 'venue-request' && isFailedQuestion(one))
  if (first === undefined) return '–'
  if (first.is === 'venue-request') return `${first.is} ${first.call}: ${first.outcome}`
  return 'why' in first ? `${first.is}: ${first.why}` : first.is
}

/** Not of the list, which is out where a single market is asked for. */
function isFailedQuestion({ call, outcome }: Event & { is: 'venue-request' }): boolean {
  return call !== 'markets' && outcome !== 'ok'
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
