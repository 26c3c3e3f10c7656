import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { ALL } from '../../bench/support/benchmarks.ts'

const performance = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8')

/** The names that a reader would type: of commands, and in the last column of tables that head it so. */
function namesIn(text: string): string[] {
  const typed = [...text.matchAll(/npm run bench -- ([a-z-]+)/g)].map(([, name = '']) => name)
  let isTable = false
  for (const line of text.split('\n')) {
    if (!line.startsWith('|')) isTable = false
    else if (line.includes('`npm run bench -- …`')) isTable = true
    else if (isTable)
      for (const [, name = ''] of (line.split('|').at(-2) ?? '').matchAll(/`([a-z-]+)[^`]*`/g))
        typed.push(name)
  }
  return typed
}

test('every benchmark that docs/performance.md names is there', () => {
  const names = namesIn(performance)
  expect(names).toEqual(expect.arrayContaining(['crossings', 'tick', 'owner-read', 'prometheus']))
  expect(names.filter((name) => !['all', 'compare'].includes(name) && !(name in ALL))).toEqual([])
})
