import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { kinds } from '../../src/alerts/index.ts'
import type { Reason } from '../../src/message/reason.ts'
import { closing } from '../support/alerts-page/closing.ts'
import { CHAPTERS, played } from '../support/alerts-page/page.ts'
import { goes, trading } from '../support/alerts-page/scene.ts'
import { storyTables } from '../support/alerts-page/stories.ts'

const PATH = fileURLToPath(new URL('../../docs/alerts.md', import.meta.url))

const HEAD = `# Every alert as it reads

Every message that an alert can send, word for word, in the order in which a trader meets them. [Messages](messages.md) says
what each means and what to do.

The messages are shown as plain text, with buttons as \`[label: the line that it says]\`. Telegram and Discord show them better.
`

const FOOT = `
## How to change this page

The real bot on a stage writes this page: \`UPDATE_DOCS=1 npx vitest run test/alerts/docs.test.ts\`. The test fails while the page
is not current. Its chapters are in \`test/support/alerts-page/\`.
`

/** All that anything is said for. */
const SAID: Record<Exclude<Reason, 'unconfirmed'>, true> = {
  fired: true,
  worse: true,
  better: true,
  resolved: true,
  reminder: true,
  'gave-up': true,
  'snooze-ended': true,
  acknowledged: true,
  snoozed: true,
  summary: true,
  coalesced: true,
  digest: true,
  occurred: true,
  ended: true,
  outage: true,
  recovered: true,
  notice: true,
  test: true,
}
/** What a lock screen shows of a title. */
const FIRST_LINE = 60
/** No alarm. */
const LONGER = /^Daily digest: no |^(?:✓|💤) /u

/** The page in its parts, by their titles. */
const kept = new Map(
  readFileSync(PATH, 'utf8')
    .split(/^(?=## )/m)
    .map((part) => [/^## (.*)/.exec(part)?.[1] ?? '', part]),
)
const parts = new Map<string, string>([['', `${HEAD}\n`]])
const shown = { reasons: new Set<string>(), kinds: new Set<string>() }

test.each(CHAPTERS)('docs/alerts.md is current: $title', async ({ title, sections }) => {
  const texts: string[] = [`## ${title}\n`]
  for (const section of sections) {
    const { text, messages, reasons, kinds: told } = await played(section)
    texts.push(text)
    for (const reason of reasons) shown.reasons.add(reason)
    for (const kind of told) shown.kinds.add(kind)
    const long = messages.map(firstLine).filter((line) => line.length > FIRST_LINE && !LONGER.test(line))
    expect(long).toEqual([])
  }
  const text = `${texts.join('\n')}\n`
  parts.set(title, text)
  if (!process.env['UPDATE_DOCS']) expect(kept.get(title)).toBe(text)
})

test('docs/alerts.md shows a message of every kind and for every reason', () => {
  expect([...shown.reasons].toSorted()).toEqual(Object.keys(SAID).toSorted())
  expect([...shown.kinds].toSorted()).toEqual(kinds.map(({ name }) => name).toSorted())
})

test('docs/alerts.md names a story for every rule and mistake, and has nothing else', () => {
  const page = `${[...parts.values()].join('')}${storyTables()}${FOOT}`
  if (process.env['UPDATE_DOCS']) writeFileSync(PATH, page)
  expect(readFileSync(PATH, 'utf8')).toBe(page)
})

test('the page’s quotes follow from the position: half of it brings more than a quarter, for twice the fee', async () => {
  await using bot = await trading()
  bot.stage.preview(closing)
  await goes(bot, 94_000)
  const fix = await bot.says('/fix A1')
  const [quarter, half] = [...fix.matchAll(/Close \d+% → ([\d.]+)% away .* fee \$([\d.]+)/g)].map(
    ([, away, fee]) => ({ away: Number(away), fee: Number(fee) }),
  )
  // 1.5 BTC, liquidated at $90,000, is closed at $94,047 for 0.05%.
  expect(quarter).toEqual({ away: 6.5, fee: 17.63 })
  expect(half?.away).toBeGreaterThan(quarter?.away ?? Infinity)
  expect(half?.fee).toBeCloseTo(2 * 17.63, 1)
})

/** Without its mark, which is a picture on a phone, and the name of its alert. */
function firstLine(message: string): string {
  const [line = ''] = message.split('\n')
  return line.replace(/^(\(possible repeat\) )?(\[[A-Z]+\] )?/, '').replace(/ \(A\d+\)$/, '')
}
