import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { csv } from '../../../src/lib/text/csv.ts'

test('words stand in quotes, figures and times as they are, and what is not known is empty', () => {
  expect(csv([['wallet', { bare: '-12.5' }, null, { bare: '2026-11-22T12:00:00.000Z' }]])).toBe(
    '"wallet",-12.5,,2026-11-22T12:00:00.000Z\r\n',
  )
})

test('quotes, commas and line ends stay what they are', () =>
  expect(csv([['my "big", one\nand more', '']])).toBe('"my ""big"", one\nand more",""\r\n'))

test.each(['=1+1', '+1', '-2', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\u200B=1', '＝1', '\uFEFF@x'])(
  'no words are a formula: %j',
  (words) => expect(csv([[words]])).toBe(`"'${words}"\r\n`),
)

test('what is no figure is words, whoever says that it is one', () =>
  expect(csv([[{ bare: '=HYPERLINK("x")' }, { bare: '1,2' }]])).toBe(`"'=HYPERLINK(""x"")","1,2"\r\n`))

test('whatever words there are, they are read back as they were, but for the mark before a formula', () =>
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 })), (rows) => {
      const back = readBack(csv(rows))
      expect(back.map((row) => row.map(unmarked))).toEqual(rows.map((row) => row.map(unmarked)))
    }),
  ))

function unmarked(words: string): string {
  return words.toWellFormed().replace(/^'+/, '')
}

/** By the rules of RFC 4180, and nothing else. */
function readBack(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length;) {
    const [all = '', words = ''] = /^"((?:[^"]|"")*)"/.exec(text.slice(at)) ?? []
    row.push(words.replaceAll('""', '"'))
    at += all.length
    const end = text.slice(at, at + 2) === '\r\n'
    at += end ? 2 : 1
    if (!end) continue
    rows.push(row)
    row = []
  }
  return rows
}

test.each(['fine;=1+1', 'fine\t=1+1', 'fine;\t@SUM(A1)', ';=1'])(
  'no formula stands behind a mark that other sheets take for the end of a cell: %j',
  (words) => expect(csv([[words]])).not.toMatch(/[;\t]\s*[=@]/),
)
