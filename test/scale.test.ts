import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { PACE } from '../adapters/discord/send/limits.ts'
import { DISCORD_PER_SECOND, TELEGRAM_PER_SECOND } from '../bench/scale/limits.ts'
import { type Assumptions, scaleOf, usual } from '../bench/scale/model.ts'
import { choicesOf, SIZES, tableOf } from '../bench/scale/table.ts'
import { lastSentS } from '../bench/scale/wave.ts'

const PAGE = new URL('../docs/scale.md', import.meta.url)

const scale = (given: Partial<Assumptions>) => scaleOf({ ...usual(), ...given })

/** The page with what stands between the marks of this name. */
function filled(page: string, name: string, table: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`]
  const [before, rest] = page.split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`docs/scale.md has no ${start}`)
  return `${before}${start}\n${table}\n\n${end}${after}`
}

test('docs/scale.md shows what npm run simulate:scale finds', () => {
  const page = readFileSync(PAGE, 'utf8')
  const tables = filled(page, 'table', tableOf(usual(), SIZES))
  const written = filled(tables, 'choices', choicesOf(usual(), SIZES))
  if (process.env['UPDATE_DOCS']) writeFileSync(PAGE, written)
  expect(readFileSync(PAGE, 'utf8')).toBe(written)
})

test.each(['node', 'node='])('says what to write instead of `npm run simulate:scale -- %s`', (word) => {
  const run = fileURLToPath(new URL('../bench/scale/run.ts', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, [run, word], { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stdout).toContain('node has no value. Write one behind it: node=1.')
  expect(stdout).not.toContain('NaN')
})

describe('the calculation', () => {
  test('finds the six and a half hours that Telegram takes for 700,000 people', () => {
    const hours = scale({ people: 1_000_000 }).alone().telegramS / 3_600
    expect(hours).toBeGreaterThan(6.4)
    expect(hours).toBeLessThan(7)
  })

  test('names the address of the venue first, and the token once a node answers', () => {
    expect(scale({ people: 10_000 }).walls[0]?.name).toBe('Hyperliquid address')
    expect(scale({ people: 10_000, node: 1 }).walls[0]?.name).toBe('Telegram token')
    expect(scale({ people: 10_000, node: 1, paid: 1 }).walls[0]?.name).toBe('Discord application')
  })

  test('needs one cell for few people, and two machines for its standby', () => {
    expect(scale({ people: 100 })).toMatchObject({ cells: 1, peopleACell: 100, machines: 2, tokens: 1 })
    expect(scale({ people: 100, standby: 0 })).toMatchObject({ machines: 1 })
  })

  test('keeps the goal in every cell, with whichever people and shares', () => {
    const share = fc.double({ min: 0.05, max: 1, noNaN: true })
    const given = fc.record({
      people: fc.integer({ min: 1, max: 200_000 }),
      wallets: fc.double({ min: 0.5, max: 20, noNaN: true }),
      'share-telegram': share,
      'share-critical': share,
      node: fc.constantFrom(0, 1),
    })
    fc.assert(
      fc.property(given, (one) => {
        const { inCell, cells, peopleACell } = scale(one)
        expect(cells * peopleACell).toBeGreaterThanOrEqual(one.people)
        // The wave itself may end late, and people are whole.
        const { telegramS, discordS } = inCell()
        expect(Math.max(telegramS, discordS)).toBeLessThanOrEqual(60 + 10 + 1)
      }),
      { numRuns: 50 },
    )
  })

  test('gives the same figures for the same seed, and others for another', () => {
    const wave = { chats: 500, each: 1, perSecond: 1_000, waveS: 10 }
    expect(lastSentS({ ...wave, seed: 1 })).toBe(lastSentS({ ...wave, seed: 1 }))
    expect(lastSentS({ ...wave, seed: 1 })).not.toBe(lastSentS({ ...wave, seed: 2 }))
    expect(lastSentS({ ...wave, chats: 0, seed: 1 })).toBe(0)
  })

  test('gives one chat no more than a message a second', () => {
    const wave = { chats: 1, each: 60, perSecond: 1_000, waveS: 10, seed: 1 }
    expect(lastSentS(wave)).toBeGreaterThanOrEqual(59)
    expect(lastSentS({ ...wave, chats: 60, each: 1 })).toBeLessThan(11)
  })

  test('uses the pace that Perch really has', () => {
    expect(PACE.platform.perSecond).toBe(DISCORD_PER_SECOND)
    const telegram = readFileSync(new URL('../adapters/telegram/telegram.ts', import.meta.url), 'utf8')
    expect(telegram).toContain(`platform: { burst: 2, perSecond: ${TELEGRAM_PER_SECOND} }`)
  })
})
