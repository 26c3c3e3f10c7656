import { afterAll, beforeAll, expect, test } from 'vitest'

import { signedUsd } from '../../../src/message/figure.ts'
import { inWords, plainLines, text } from '../../../src/message/message.ts'
import type { Asking } from '../../../src/venue/venue.ts'
import { createClient } from '../../../src/venues/hyperliquid/client.ts'
import { aDialog, anInbound } from '../../dialog/world.ts'
import { handClock } from '../../support/clock.ts'
import { ALICE, aWatch } from '../../support/fixtures.ts'
import { bookedIn, type Life, liveMonth } from '../../support/hyperliquid/life.ts'
import { startHyperliquid } from '../../support/hyperliquid/server.ts'
import { budget, createDice, SEED } from '../../support/seed.ts'

const HALF_A_CENT = 0.005
const DAY_MS = 86_400_000
const WINDOWS = budget(12, 6)

const asking: Asking = {
  ...{ patience: 'person', limitMs: 60_000, signal: new AbortController().signal },
  spend: (request) => request(() => {}),
}

const clock = handClock()
let life: Life
let says: (line: string) => Promise<{ lines: string[]; file: string }>
let end = async () => {}

/** A random month at the stand-in of Hyperliquid, and the real command over the real client. */
beforeAll(async () => {
  const standIn = await startHyperliquid({ clock, blockMs: 600_000 })
  standIn.allow(Infinity)
  const client = createClient({ url: standIn.url, clock, emit: () => {}, random: () => 0.5 })
  end = async () => {
    await client.close()
    await standIn.stop()
  }
  life = await liveMonth(standIn, clock, ALICE, { seed: SEED })
  const { dialog } = aDialog({
    clock,
    view: { watches: () => [aWatch({ label: 'main', since: 0 })] },
    records: {
      async ledger(wallet, asked) {
        if (!client.venue.ledger) throw new Error('it has a ledger')
        const at = { at: clock.now(), mono: clock.monotonic() }
        const value = await client.venue.ledger(wallet, asked, asking)
        return { is: 'read', reading: { value, ...at }, late: null }
      },
    },
  })
  says = async (line) => {
    const now = clock.now()
    const answer = await dialog.line(anInbound({ writtenAt: now, seenUntil: now }), line)
    return { lines: plainLines(answer, { now, zone: 'UTC' }), file: answer?.file?.text ?? '' }
  }
}, 120_000)
afterAll(() => end())

/** The sum of a column, by its name. */
function sumOf(file: string, column: string): number {
  const [head = '', ...rows] = file.trim().split(/\r?\n/)
  const place = head.split(',').findIndex((name) => name.replaceAll('"', '') === column)
  expect(place).toBeGreaterThan(0)
  return rows.reduce((sum, row) => sum + Number(row.split(',')[place] || 0), 0)
}

test('of a random month, /pnl and its file say what an oracle has booked, from any day on', async () => {
  const dice = createDice(SEED)
  // Deposits came, and are no part of it.
  expect(bookedIn(life, 0, clock.now()).moved).not.toBe(0)
  for (let n = 0; n < WINDOWS; n++) {
    const since = Math.floor((clock.now() - dice.below(29 * DAY_MS)) / DAY_MS) * DAY_MS
    const day = new Date(since).toISOString().slice(0, 10)
    const { realised, fee, funding } = bookedIn(life, since, clock.now())
    const profit = realised - fee + funding
    const { file } = await says(`/pnl csv since ${day}`)
    expect(Math.abs(sumOf(file, 'profit_usd') - profit), day).toBeLessThan(HALF_A_CENT)
    expect(Math.abs(sumOf(file, 'realised_usd') - realised), day).toBeLessThan(HALF_A_CENT)
    expect(Math.abs(sumOf(file, 'fee_usd') - fee), day).toBeLessThan(HALF_A_CENT)
    expect(Math.abs(sumOf(file, 'funding_usd') - funding), day).toBeLessThan(HALF_A_CENT)
    const [title = ''] = (await says(`/pnl since ${day}`)).lines
    expect(title, day).toContain(`: ${inWords(text`${signedUsd(profit)}`)} · main`)
  }
})
