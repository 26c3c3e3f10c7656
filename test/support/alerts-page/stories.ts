import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect } from 'vitest'

import { MISTAKES } from './mistakes.ts'
import { RULES } from './rules.ts'

/** Where each of it is shown to hold; fails for a story that nobody tells. */
export function storyTables(): string {
  return [
    '## Where each rule is shown to hold\n',
    table('rule', RULES),
    '## Mistakes that Perch does not make\n',
    'Each has cost somebody money or sleep with another bot, another alarm, or an earlier Perch.\n',
    table('mistake', MISTAKES),
  ].join('\n')
}

function table(what: string, stories: string): string {
  const rows = stories.trim().split('\n').map(row)
  return [`| ${what} | story | where |`, '|---|---|---|', ...rows, ''].join('\n')
}

function row(line: string): string {
  const [what = '', file = '', story = ''] = line.split(' | ')
  const path = `test/${file}.test.ts`
  const text = readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
  expect(tells(text, story), `${path} tells “${story}”`).toBe(true)
  return `| ${what} | ${story} | \`${path}\` |`
}

/** Whether there is such a test, in such a group if one is named. */
function tells(text: string, story: string): boolean {
  const [title = '', group] = story.split(' > ').toReversed()
  const lines = text.split('\n')
  const at = lines.findIndex((line) => isTitle(line, title))
  const begun = lines.slice(0, at + 1).findLastIndex((line) => /^(describe|test)\b/.test(line))
  const isGroup = (lines[begun] ?? '').startsWith('describe')
  if (at < 0 || group === undefined) return at >= 0 && !isGroup
  return isGroup && lines.slice(begun, at).some((line) => isTitle(line, group))
}

/** A title is the first argument of a call, on the line of it or on one of its own. */
function isTitle(line: string, title: string): boolean {
  return [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => line.includes(`${quoted},`))
}
