import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

// Every message of docs/alerts.md on a phone: its lines at 36 columns, buttons not counted.

const COLUMNS = 36
/** The most lines by the tag of the first item. */
const BUDGET: Record<string, number> = { CRITICAL: 9, WARNING: 9, INFO: 4, RESOLVED: 4 }

const DANGER = /to liquidation|from liquidation|margin ratio|margin used up/

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

/** How many lines of a phone a line takes: it breaks between words. */
function wrapped(line: string): number {
  let lines = 1
  let used = 0
  for (const word of line.split(' ')) {
    const wide = [...word].length
    if (used > 0 && used + 1 + wide > COLUMNS) {
      lines += 1
      used = wide
    } else used += (used > 0 ? 1 : 0) + wide
  }
  return lines
}

test('no alert of docs/alerts.md is longer on a phone than a tired reader takes in', () => {
  const dangers = messages.flatMap(itemsOf).filter(({ lines: [title = ''] }) => DANGER.test(title))
  const counted = dangers.map(({ tag, lines }) => {
    const most = BUDGET[tag] ?? 9
    return { many: lines.reduce((sum, line) => sum + wrapped(line), 0), most, title: lines[0] ?? '' }
  })
  expect(counted.length).toBeGreaterThan(20)
  const table = counted.map(({ many, most, title }) => `${many} of ${most}: ${title}`)
  console.log(table.join('\n'))
  expect(table.filter((_row, at) => (counted[at]?.many ?? 0) > (counted[at]?.most ?? 0))).toEqual([])
})

test('a critical alert has at most four buttons', () => {
  for (const message of messages) {
    const [alone, ...others] = itemsOf(message)
    if (alone?.tag !== 'CRITICAL' || others.length > 0) continue
    expect(message.match(/\[[^\]]+: \/[^\]]+\]/g)?.length ?? 0, message).toBeLessThanOrEqual(4)
  }
})
