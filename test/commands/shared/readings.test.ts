import { expect, test } from 'vitest'

import { blindItems, freshnessText, missingOf, seenNotes } from '../../../src/commands/shared/readings.ts'
import { inWords, message, plainLines } from '../../../src/message/message.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const LIMITED = 'the venue limits how often I may ask.'

function read(seconds: number, late: string | null = LIMITED, holes = false) {
  return { is: 'read', at: NOW - seconds * 1_000, late, ...(holes && { holes: true as const }) } as const
}

/** What people read of parts of this age, in the order that they were found missing. */
function said(...parts: { what: string; of: Parameters<typeof missingOf>[1] }[]) {
  const missing = parts.flatMap(({ what, of }) => missingOf(what, of, NOW))
  return plainLines(message(blindItems(missing, NOW)), { now: NOW, zone: 'UTC' })
}

test('data of some seconds is shown without a word, and with its age from ten seconds on', () => {
  expect(said({ what: 'main', of: read(14.9) })).toEqual([])
  const notes = (at: number) => seenNotes(at, NOW - 1, NOW).map((note) => inWords(note))
  expect(notes(NOW - 9_900)).toEqual(['live'])
  expect(notes(NOW - 12_000)).toEqual(['positions 12 s old'])
})

test('older data says its age and the cause once, and is not called BLIND', () => {
  expect(said({ what: 'prices', of: read(20) }, { what: 'main', of: read(40) })).toEqual([
    'Data is 40 s old: the venue limits how often I may ask.',
  ])
  expect(said({ what: 'main', of: read(40, null) })).toEqual([])
})

test('data of a minute, and data that may lack something, is called BLIND', () => {
  expect(said({ what: 'main', of: read(60) })).toEqual([
    '[BLIND] I can’t see everything now',
    `  main: 60 s old: ${LIMITED}`,
  ])
  expect(said({ what: 'main', of: read(1, LIMITED, true) })[0]).toBe('[BLIND] I can’t see everything now')
  expect(said({ what: 'main', of: { is: 'unseen', why: 'no answer' } })).toEqual([
    '[BLIND] I can’t see everything now',
    '  main: no answer',
  ])
})

test('a figure that was read a moment ago is live', () => {
  expect(inWords(freshnessText(read(1), NOW))).toBe('live')
})
