import { describe, expect, test } from 'vitest'

import { sentencesOf, words } from './support/comments.ts'
import { readPages, sentencesIn } from './support/pages.ts'
import { filesToAdd } from './support/shown.ts'
import { readSources } from './support/sources.ts'

const MAX_WORDS = 30

/**
 * How many sentences of comments in src, adapters and docs/adding.md still have a fault. A count may fall and never rise: lower the
 * ceiling when it has fallen.
 */
const CEILINGS = {
  'more than 30 words': 0,
  'begins with What': 0,
  'begins with Whatever': 0,
  'begins with Of': 0,
  'begins with That': 0,
  'says of which': 0,
  'says of whom': 0,
  'says of what': 0,
  'says none of': 0,
  'says whoever': 0,
  'says whatever': 0,
}

type Fault = keyof typeof CEILINGS

function faultsOf(sentence: string): Fault[] {
  return (Object.keys(CEILINGS) as Fault[]).filter((fault) => {
    const [, how, phrase = ''] = /^(begins with|says) (.+)$/.exec(fault) ?? []
    if (how === 'says') return new RegExp(`\\b${phrase}\\b`, 'i').test(sentence)
    if (how === 'begins with') return new RegExp(`^\\W*${phrase}\\b`).test(sentence)
    return words(sentence) > MAX_WORDS
  })
}

function faultsIn(text: string): Fault[] {
  return sentencesOf(text).flatMap((sentence) => faultsOf(sentence))
}

describe('no more sentences than before have the fault', () => {
  const all = [...readSources(), ...filesToAdd()].flatMap(([path, text]) =>
    sentencesOf(text).map((sentence) => ({ path, sentence, faults: faultsOf(sentence) })),
  )

  test('counted in all sources', () => {
    expect(all.length).toBeGreaterThan(1_000)
    expect(new Set(all.map(({ path }) => path.split('/')[0]))).toEqual(new Set(['src', 'adapters']))
    expect([...filesToAdd()].length).toBeGreaterThan(0)
  })

  test.each(Object.entries(CEILINGS) as [Fault, number][])('%s: at most %i', (fault, ceiling) => {
    const found = all.filter(({ faults }) => faults.includes(fault))
    const listed = found.map(({ path, sentence }) => `${path}: ${sentence}`).join('\n')
    expect(found.length, `rewrite a sentence; those with this fault are\n${listed}`).toBeLessThanOrEqual(
      ceiling,
    )
  })
})

const LONG = Array.from({ length: 16 }, () => 'word').join(' ')

describe('every sentence of a page can be read once', () => {
  // Tests write these two, and other rules hold for their words.
  const generated = new Set(['docs/alerts.md', 'docs/commands.md'])
  const pages = [...readPages()].filter(([path]) => !generated.has(path))

  test('of every page', () => expect(pages.length).toBeGreaterThan(10))

  test.each(pages)('%s', (_path, page) => {
    const sentences = sentencesIn(page)
    expect(sentences.length).toBeGreaterThan(0)
    expect(sentences.filter((sentence) => words(sentence) > MAX_WORDS)).toEqual([])
    expect(sentences.filter((sentence) => /\b(?:whoever|whatever|of whom)\b/i.test(sentence))).toEqual([])
  })
})

describe('the sentences of a page', () => {
  const long = Array.from({ length: MAX_WORDS + 1 }, () => 'word').join(' ')

  test.each([
    ['a paragraph', `# A\n\n${long}.`],
    ['a point of a list', `* ${long}.`],
    ['a step', `1. ${long}.`],
    ['what follows a table', `| a |\n|---|\n| b |\n\n${long}`],
    ['a link', `[${long}](a.md)`],
  ])('are counted in %s', (_where, page) => {
    expect(sentencesIn(page).filter((sentence) => words(sentence) > MAX_WORDS)).toHaveLength(1)
  })

  test.each([
    ['code', `\`\`\`\n${long}\n\`\`\``],
    ['a table', `| ${long} |`],
    ['a part that a test writes', `<!-- part begins -->\n${long}\n<!-- part ends -->`],
    ['two points of a list', `* ${LONG}\n* ${LONG}`],
    ['a heading and its paragraph', `## ${LONG}\n${LONG}`],
  ])('are not counted in %s', (_where, page) => {
    expect(sentencesIn(page).filter((sentence) => words(sentence) > MAX_WORDS)).toEqual([])
  })
})

describe('a comment is refused', () => {
  test.each<[string, string, Fault[]]>([
    ['that begins with What', '// What a rule is about.', ['begins with What']],
    ['whose second sentence does', '/** A rule. What it is about. */', ['begins with What']],
    ['whose second line does', '/**\n * A rule.\n * What it is about.\n */', ['begins with What']],
    ['behind code', 'const a = 1 // What a is.', ['begins with What']],
    ['behind a string', `const a = 'a' // Of which there are two.`, ['begins with Of', 'says of which']],
    ['that begins with Whatever', '// Whatever fails.', ['begins with Whatever', 'says whatever']],
    ['that begins with Of', '// Of a wallet: its positions.', ['begins with Of']],
    ['that begins with That', '// That is an estimate.', ['begins with That']],
    ['that begins so in quotes', '// “That” is an estimate.', ['begins with That']],
    ['that speaks of whom', '// The people of whom it tells.', ['says of whom']],
    ['that speaks of what', '// A copy of what is kept.', ['says of what']],
    ['that speaks of none', '// It has none of them.', ['says none of']],
    ['that speaks to whoever', '// Tells whoever asks.', ['says whoever']],
    ['that is too long', `// ${LONG} ${LONG}.`, ['more than 30 words']],
    ['that is too long over two lines', `// ${LONG}\n// ${LONG}.`, ['more than 30 words']],
    ['that is too long in a block', `/**\n * ${LONG}\n * ${LONG}.\n */`, ['more than 30 words']],
  ])('%s', (_how, text, faults) => {
    expect(faultsIn(text)).toEqual(faults)
  })
})

describe('nothing is refused of', () => {
  test.each([
    ['a plain comment', '/** Returns the wallets of a person. */'],
    ['a string', `const a = 'What? // What of which?'`],
    ['a template', 'const a = `\n// What of which?\n`'],
    ['an address in a string', `const a = 'https://example.com/ What'`],
    ['a regular expression', 'const a = /^https?:\\/\\/What/'],
    ['what stands inside a sentence', '// Says what a rule is about, and that it is one.'],
    ['two comments that are not one', `// ${LONG}\n\n// ${LONG}`],
    ['two sentences', `// ${LONG}. A ${LONG}`],
    ['two paragraphs', `/**\n * ${LONG}\n *\n * ${LONG}\n */`],
    ['two points of a list', `/**\n * - ${LONG}\n * - ${LONG}\n */`],
    ['code, which is one word', `// Takes \`${LONG} ${LONG}\` as it is.`],
    ['a figure with a point', '// It takes 3.5 s, i.e. What is said is not new.'],
  ])('%s', (_what, text) => {
    expect(faultsIn(text)).toEqual([])
  })
})
