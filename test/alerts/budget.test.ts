import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { wrapped } from '../support/phone-lines.ts'

// Every message of docs/alerts.md on a phone: its lines at 36 columns, buttons not counted.

/** The most lines by the tag of the first item. */
const BUDGET: Record<string, number> = { CRITICAL: 9, WARNING: 9, BLIND: 9, INFO: 4, RESOLVED: 4 }

const page = readFileSync(fileURLToPath(new URL('../../docs/alerts.md', import.meta.url)), 'utf8')
const messages = [...page.matchAll(/```text\n([^]*?)\n```/g)].map(([, text = '']) => text)

/** The items of a message: a tag begins one. */
function itemsOf(message: string): { tag: string; lines: string[] }[] {
  const items: { tag: string; lines: string[] }[] = []
  let isOpen = false
  for (const line of message.split('\n')) {
    const tag = /^(?:\(possible repeat\) )?\[([A-Z]+)\] /.exec(line)?.[1]
    if (tag !== undefined) isOpen = true
    if (tag !== undefined)
      items.push({ tag, lines: [line.replace(/\[[A-Z]+\]/, '🚨').replace(/ \(A\d+\)$/, '')] })
    else if (!line.startsWith('  ')) isOpen = false
    else if (isOpen && !/^\s*\[.*\]$/.test(line)) items.at(-1)?.lines.push(line.trim())
  }
  return items
}

/** Kinds of quiet messages that may be longer, with the reason. A line more than this is still a fault. */
const LONGER: readonly [title: RegExp, most: number, why: string][] = [
  [/margin alert ended/, 5, 'why it ended, and how each of its positions did'],
  [/PnL now/, 5, 'the line that cleared, and the one that is still passed'],
  [/its (break-even|entry): /, 5, 'a price and its break-even, with the age of an old price'],
  [/funding costs/, 6, 'three figures of money, and the age of an old position'],
  [/funding flipped: your/, 5, 'the rate, and each position that pays'],
  [/funding: .* a year/, 6, 'the rate, who pays, and each position'],
  [/funding will probably flip/, 9, 'a forecast says on what it rests'],
  [/is your backup now/, 5, 'an agreement between people'],
  [/hands critical alerts to you/, 8, 'a duty for a night, with its rules'],
  [/I can see .* again/, 5, 'for how long, and where each position stands now'],
  [/ shrank by /, 5, 'the money that it made, and the liquidation price of the rest'],
]

function mostOf(tag: string, title: string): number {
  return LONGER.find(([is]) => is.test(title))?.[1] ?? BUDGET[tag] ?? 9
}

test('no message of docs/alerts.md is longer on a phone than a tired reader takes in', () => {
  const counted = messages.flatMap(itemsOf).map(({ tag, lines }) => {
    const many = lines.reduce((sum, line) => sum + wrapped(line), 0)
    const title = lines[0] ?? ''
    return { tag, many, most: mostOf(tag, title), row: `${many}: ${title}` }
  })
  expect(counted.length).toBeGreaterThan(100)
  const longest = Object.keys(BUDGET).map((tag) => {
    const all = counted.filter((one) => one.tag === tag).toSorted((a, b) => b.many - a.many)
    return `${tag}, at most ${BUDGET[tag]}\n${all
      .slice(0, 5)
      .map(({ row }) => `  ${row}`)
      .join('\n')}`
  })
  console.log(longest.join('\n'))
  expect(counted.filter(({ many, most }) => many > most).map(({ tag, row }) => `${tag} ${row}`)).toEqual([])
})

test('each message that may be longer is there, and needs its lines', () => {
  const all = messages.flatMap(itemsOf)
  for (const longer of LONGER) {
    const [is, most, why] = longer
    const over = all
      .filter(({ lines: [title = ''] }) => LONGER.find(([first]) => first.test(title)) === longer)
      .map(({ tag, lines }) => ({ tag, many: lines.reduce((sum, line) => sum + wrapped(line), 0) }))
      .filter(({ tag, many }) => many > (BUDGET[tag] ?? 9))
    expect(Math.max(0, ...over.map(({ many }) => many)), `${is.source}: ${why}`).toBe(most)
  }
})

test('a critical alert has at most four buttons', () => {
  for (const message of messages) {
    const [alone, ...others] = itemsOf(message)
    if (alone?.tag !== 'CRITICAL' || others.length > 0) continue
    expect(message.match(/\[[^\]]+: \/[^\]]+\]/g)?.length ?? 0, message).toBeLessThanOrEqual(4)
  }
})
