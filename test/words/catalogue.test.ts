import { describe, expect, test } from 'vitest'

import { inWords, plainText, spoken, text, words } from '../../src/message/message.ts'
import { usd } from '../../src/message/figure.ts'
import german from '../../src/words/de/index.ts'
import english from '../../src/words/en/index.ts'
import { partsIn } from '../../src/words/parts.ts'
import { type Key, languageOf, LANGUAGES } from '../../src/words/words.ts'
import { readSources } from '../support/sources.ts'

const catalogues: Record<string, Record<string, string>> = { en: english, de: german }
const keys = Object.keys(english) as Key[]
const sources = [...readSources()].filter(([path]) => !path.startsWith('src/words/'))
const all = sources.map(([, source]) => source).join('\n')
const quoted = new Set([...all.matchAll(/(['"])([\w.-]+)(?=\1)/g)].map(([, , word]) => word))
const prefixes = new Set([...all.matchAll(/`([\w.-]+)\.\$\{/g)].map(([, prefix]) => prefix))

/** A key is written out, or is made of a prefix and a choice: `settings.detail.${detail}`. */
function isUsed(key: string): boolean {
  const parts = key.split('.')
  return quoted.has(key) || parts.some((_, at) => prefixes.has(parts.slice(0, at).join('.')))
}

/** The arguments of a sentence: each name once, choices with the words that they choose by. */
function argumentsOf(sentence: string): string[] {
  const found = partsIn(sentence).flatMap((part) => {
    if ('words' in part) return []
    const { argument, forms } = part
    const chosen = forms?.[0]?.includes('=')
      ? forms.map((form) => form.split('=')[0] ?? '').toSorted((a, b) => a.localeCompare(b))
      : null
    return [chosen ? `${argument}: ${chosen.join('|')}` : argument]
  })
  return [...new Set(found)].toSorted()
}

test('every key is said somewhere', () => {
  expect(keys.filter((key) => !isUsed(key))).toEqual([])
})

describe.each(LANGUAGES)('in %s', (language) => {
  const catalogue = catalogues[language] ?? {}

  test('no sentence is written twice: of two files the later one would win', () => {
    const written = [...readSources()]
      .filter(([path]) => path.startsWith(`src/words/${language}/`))
      .flatMap(([, source]) => [...source.matchAll(/^ {2}'([^']+)':/gm)].map(([, key]) => key))
    expect(written.filter((key, at) => written.indexOf(key) !== at)).toEqual([])
  })

  test('every sentence has words, and no other', () => {
    expect(Object.keys(catalogue).toSorted()).toEqual([...keys].toSorted())
    expect(keys.filter((key) => (catalogue[key] ?? '').trim() === '')).toEqual([])
  })

  test('every argument is used, and none that is not given', () => {
    const wrong = keys.filter(
      (key) => argumentsOf(catalogue[key] ?? '').join() !== argumentsOf(english[key]).join(),
    )
    expect(wrong.map((key) => `${key}: ${catalogue[key]} / ${english[key]}`)).toEqual([])
  })

  test('no sentence is above its budget', () => {
    const long = keys.flatMap((key) => {
      const most = budgetOf(key)
      const points = longest(catalogue[key] ?? '')
      return points > most ? [`${key}: ${points} of ${most}: ${catalogue[key]}`] : []
    })
    expect(long.join('\n')).toBe('')
  })
})

/** A figure or a name in a sentence takes about so many columns. */
const ARGUMENT_POINTS = 6

function longest(sentence: string): number {
  return partsIn(sentence).reduce((sum, part) => {
    if ('words' in part) return sum + [...part.words].length
    if (part.forms === null) return sum + ARGUMENT_POINTS
    return sum + Math.max(...part.forms.map((form) => [...(form.split('=')[1] ?? form)].length))
  }, 0)
}

/** By the last word of a key. A phone shows 36 columns a line. */
const BUDGETS: readonly (readonly [RegExp, number])[] = [
  [/^button\.|\.button(\.|$)/, 18],
  [/^menu\.description$/, 512],
  [/^menu\.short-description$/, 120],
  // Telegram cuts an entry at the edge of the phone; Discord takes 100 for what an option does.
  [/^menu\.[\w-]+$/, 32],
  [/^menu\./, 100],
  [/\.title(\.|$)/, 60],
]
/** Four lines of a phone: more is not one sentence. */
const USUAL_BUDGET = 4 * 36

function budgetOf(key: string): number {
  return BUDGETS.find(([which]) => which.test(key))?.[1] ?? USUAL_BUDGET
}

test('a sentence is a text until its reader is known', () => {
  const said = text`${words('time.ago', { age: text`${usd(5)}` })}!`
  expect(plainText(said, { now: 0, zone: 'UTC' })).toBe('$5.00 ago!')
  expect(plainText(said, { now: 0, zone: 'UTC', language: 'de' })).toBe('vor $5.00!')
  expect(inWords(spoken(words('time.just-now'), 'de'))).toBe('gerade eben')
  const [dayBefore, noon] = [Date.UTC(2026, 2, 14, 9), Date.UTC(2026, 2, 15, 12)]
  const reader = { now: noon, zone: 'Europe/Berlin' }
  const at = [{ time: dayBefore, as: 'clock' as const }]
  expect([plainText(at, reader), plainText(at, { ...reader, language: 'de' })]).toEqual([
    ...['14 Mar 10:00', '14. März 10:00'],
  ])
})

test('a sentence of another version loses its words, never its figures', () => {
  const said = [{ phrase: 'not.there.any-more', with: { price: text`${usd(5)}`, name: 'BTC' } }]
  expect(plainText(said, { now: 0, zone: 'UTC' })).toBe('$5.00 BTC')
})

test('the language of a platform is found by its tag', () => {
  expect(['de', 'de-AT', 'de_DE.UTF-8', 'en-GB', 'fr', 'C', '', null].map(languageOf)).toEqual([
    ...['de', 'de', 'de', 'en', null, null, null, null],
  ])
})
