import { readdirSync } from 'node:fs'

import { expect, test } from 'vitest'

import { readSources } from './support/sources.ts'

/** Words that code uses anyway: a platform of such a name is not looked for. */
const COMMON = new Set(['signal', 'line', 'push', 'webhook', 'web', 'assistant'])
const PLATFORMS = readdirSync(new URL('../adapters', import.meta.url)).filter((name) => name !== 'terminal')

/** What adapters say, in each language. */
const WORDS_OF_ADAPTERS = /^src\/words\/\w+\/(?:platforms|page\/browser)\.ts$/
/** The page lets in whom a chat vouches for, and is shown inside their apps. */
const KNOWS_CHATS = /^adapters\/web\//

/** The code with its strings, without its comments. */
function said(text: string): string {
  return text.replace(
    /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g,
    (_all, words?: string) => words ?? '',
  )
}

/** Where a platform's name stands, that has no business there. */
function strayNames(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([path, text]) =>
    PLATFORMS.filter(
      (name) =>
        !path.startsWith(`adapters/${name}/`) && !WORDS_OF_ADAPTERS.test(path) && !KNOWS_CHATS.test(path),
    ).flatMap((name) =>
      said(text)
        .split('\n')
        .filter((line) => !COMMON.has(name) && line.toLowerCase().includes(name))
        .map((line) => `${path} names ${name}: ${line.trim()}`),
    ),
  )
}

test('no platform is named outside of its adapter', () => {
  expect(strayNames(readSources())).toEqual([])
})

test('a name is found in code and in strings, not in comments', () => {
  const name = PLATFORMS.find((one) => !COMMON.has(one)) ?? ''
  const stray = (text: string) => strayNames(new Map([['src/x.ts', text]])).length
  expect(stray(`if (platform === '${name}') {}`)).toBe(1)
  expect(stray(`const ${name}Limit = 1`)).toBe(1)
  expect(stray(`// as ${name} does, see https://${name}.com\n/** ${name} */`)).toBe(0)
  expect(strayNames(new Map([[`adapters/${name}/x.ts`, `'${name}'`]]))).toEqual([])
})
