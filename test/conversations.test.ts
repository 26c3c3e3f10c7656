import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { wrapped } from './support/phone-lines.ts'

// Every answer in the conversations of the pages on a phone: its lines at 36 columns. Buttons, empty lines and the
// line of the simulation are not counted.

/**
 * The most lines by the kind of an answer. A list has a head, six entries of two lines, and a foot. An answer that
 * shows one thing has the lines of an alert. A refusal has those of an answer that sets something.
 */
const BUDGET = { critical: 9, happened: 4, sets: 4, one: 9, list: 14, help: 12 }
type Kind = keyof typeof BUDGET

/** Kinds of answers by their command. Commands that are not named here set something. */
const KINDS: Partial<Record<string, Kind>> = {
  help: 'help',
  alerts: 'list',
  balances: 'list',
  export: 'list',
  funding: 'list',
  history: 'list',
  markets: 'list',
  orders: 'list',
  positions: 'list',
  preset: 'list',
  settings: 'list',
  wallets: 'list',
  agree: 'one',
  card: 'one',
  chart: 'one',
  escalate: 'one',
  fix: 'one',
  market: 'one',
  menu: 'one',
  pnl: 'one',
  drill: 'one',
  preview: 'one',
  shock: 'one',
  start: 'one',
  status: 'one',
  try: 'one',
  why: 'one',
}

/** Answers that may be longer, by their text, with the reason. A line more than this is still a fault. */
const LONGER: readonly [text: RegExp, most: number, why: string][] = [
  [
    /^✓ Watching /,
    11,
    'every kind of alert with its thresholds, and the two positions nearest to liquidation',
  ],
  [/^✓ I’ll alert you when /, 9, 'the rule as it was understood, and the alerts of each wallet with it'],
  [/^✓ Following /, 5, 'its position, and the question from which size on'],
  [/ is bound: /, 9, 'an example to set an alert there, and that wallets stay private'],
  [/^Delete everything of yours\?/, 6, 'a question before a loss names everything that is lost'],
  [/^Invitation for one person/, 5, 'a code on a line of its own, and where it is said'],
  [/^Send me this from your other app/, 5, 'a code on a line of its own, and a warning to keep it secret'],
  [/^✓ Daily digest at /, 5, 'when and where it comes next, and its contents'],
  [
    /^CRITICAL: [^]*\n✓ /,
    10,
    'Discord has a word where Telegram has a sign, and who acknowledged has two lines',
  ],
  [/^INFO: .* funding flipped: your /, 5, 'the rate, and each position that pays'],
  [/^\d+ active alerts?, /, 19, 'the alerts that are on come first, and a rule names its own'],
  [/\nIf you close now /, 16, 'all ways out of one position, each with its result'],
  [/ would be liquidated\n/, 16, 'two assumed moves, the account that they liquidate, and its positions'],
  [/^[A-Z]+: (?:buy|sell) /, 11, 'all figures of one order, before and after'],
  [/ fired: /, 11, 'all times and figures of one alert'],
  [/^Who gets critical alerts /, 11, 'each step, and two warnings that there is no backup'],
  [/\nTotal \$/, 15, 'below the positions, their accounts and the sum of all that is there'],
  [/, as JSON\n/, 23, 'a file as text, to be copied'],
]

interface Answer {
  page: string
  asked: string
  lines: string[]
}

/** The answers of a page: one begins below a person's line, or below a line that names Perch. */
function answersOf(page: string): Answer[] {
  const text = readFileSync(fileURLToPath(new URL(`../docs/${page}`, import.meta.url)), 'utf8')
  const answers: Answer[] = []
  for (const [, , block = ''] of text.matchAll(/^(`{3,4})(?:text)?\n([^]*?)\n\1$/gm)) {
    let asked = ''
    let answer: Answer | undefined
    for (const line of block.split('\n')) {
      const said = /^(?:> |(?!Perch)[A-Za-z]+: (?=[/[]))(.*)$/.exec(line)?.[1]
      if (said !== undefined) asked = said
      if (said !== undefined || /^Perch(?: \(.*\))?:$/.test(line)) {
        answer = { page, asked, lines: [] }
        answers.push(answer)
      } else answer?.lines.push(line.replace(/^┃/, '').trim())
    }
  }
  return answers
    .map((one) => ({ ...one, lines: one.lines.filter((line) => !/^$|^\[.*\]$|^SIMULATED: /.test(line)) }))
    .filter(({ lines }) => lines.length > 0)
}

function kindOf({ asked, lines: [first = ''] }: Answer): Kind {
  if (/🚨|CRITICAL: |WARNING: /u.test(first)) return 'critical'
  if (/^(?:✅|🔔|INFO: )/u.test(first)) return 'happened'
  if (/^(?:✓|Removed R|This Perch is private|I only show that)/u.test(first)) return 'sets'
  return KINDS[/^\/([a-z]+)/.exec(asked)?.[1] ?? ''] ?? 'sets'
}

const counted = ['telegram.md', 'discord.md', 'hyperliquid.md', 'commands.md']
  .flatMap(answersOf)
  .map((answer) => {
    const [first = ''] = answer.lines
    const longer = LONGER.find(([is]) => is.test(answer.lines.join('\n')))
    const kind = kindOf(answer)
    const many = answer.lines.reduce((sum, line) => sum + wrapped(line), 0)
    const row = `${many}: ${answer.page}, ${answer.asked || 'unasked'}: ${first}`
    return { ...answer, kind, longer, many, row }
  })

test('no answer in the conversations is longer on a phone than a tired reader takes in', () => {
  for (const page of ['telegram.md', 'discord.md', 'hyperliquid.md', 'commands.md'])
    expect(counted.filter((one) => one.page === page).length, page).toBeGreaterThan(6)
  for (const [kind, most] of Object.entries(BUDGET)) {
    const all = counted.filter((one) => one.kind === kind).toSorted((a, b) => b.many - a.many)
    expect(all.length, kind).toBeGreaterThan(0)
    console.log([`${kind}, at most ${most}`, ...all.slice(0, 5).map(({ row }) => `  ${row}`)].join('\n'))
  }
  const over = counted.filter(({ kind, longer, many }) => many > (longer?.[1] ?? BUDGET[kind]))
  expect(over.map(({ kind, row }) => `${kind} ${row}`)).toEqual([])
})

test('each answer that may be longer is there, and needs its lines', () => {
  for (const longer of LONGER) {
    const [is, most, why] = longer
    const over = counted.filter((one) => one.longer === longer && one.many > BUDGET[one.kind])
    expect(Math.max(0, ...over.map(({ many }) => many)), `${is.source}: ${why}`).toBe(most)
  }
})
