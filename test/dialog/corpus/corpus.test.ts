import { describe, expect, test } from 'vitest'

import { inWords } from '../../../src/message/message.ts'
import { STRANGER } from '../../../src/people/person.ts'
import { buttonsOf, lead, type Row, type Setting, words } from './leads.ts'
import { MISTYPED } from './mistyped.ts'
import { ASKED, FIRING, GROUP, NEWCOMER } from './others.ts'
import { TRADER } from './trader.ts'

const NEW = '0x1234567890123456789012345678901234567890'
const none = () => []
const quiet: Setting = { view: { firing: none } }
const newcomer: Setting = { view: { firing: none, watches: none, rules: none } }

/** These lead on by themselves. */
const LEAVES = new Set(['/cancel'])

async function leadsTo([typed, leads]: Row, setting: Setting): Promise<void> {
  const { before: _, ...withoutQuestion } = setting
  const { ran, answer } = await lead(typed, setting)
  expect(words(answer)).not.toMatch(/not known|I do(?:n’t| not) know|is not an?\b|one word too many/)
  if (leads.startsWith('! '))
    expect([ran, words(answer)]).toEqual([null, expect.stringContaining(leads.slice(2))])
  else if (leads.startsWith('? ')) {
    const lines = leads.slice(2).split(' | ')
    expect([ran, buttonsOf(answer).slice(0, lines.length)]).toEqual([null, lines])
  } else {
    expect(ran, words(answer)).not.toBeNull()
    expect(ran).toBe((await lead(leads, withoutQuestion)).ran)
  }
  for (const line of buttonsOf(answer)) {
    const next = await lead(line, withoutQuestion)
    const isUnderstood = next.ran !== null || LEAVES.has(line) || next.answer.question !== undefined
    expect(isUnderstood, `${line}: ${words(next.answer)}`).toBe(true)
  }
}

describe('what people type leads where it must', () => {
  test.each(TRADER)('with two wallets: %s', (...row) => leadsTo(row, quiet))
  test.each(MISTYPED)('mistyped: %s', (...row) => leadsTo(row, quiet))
  test.each(NEWCOMER)('without a wallet: %s', (...row) => leadsTo(row, newcomer))
  test.each(FIRING)('while an alert fires: %s', (...row) => leadsTo(row, {}))
  test.each(GROUP)('in a group: %s', (...row) => leadsTo(row, { group: true }))

  test.each(ASKED)('after %s: %s', (before, ...row) => leadsTo(row, { ...quiet, before }))

  test.each([
    'hi',
    'btc',
    'eth below 2300',
    'positions',
    NEW,
    'vitalik.eth',
    '2300',
    '/postions',
    'stop',
    'gm',
  ])('a stranger reads one sentence, whatever they type: %s', async (line) => {
    const { ran, answer } = await lead(line, { stranger: true })
    expect([ran, words(answer), buttonsOf(answer)]).toEqual([null, inWords(STRANGER), []])
  })

  test('and there are at least three hundred lines, fifty of them mistyped', () => {
    expect([TRADER, MISTYPED, NEWCOMER, FIRING, GROUP].flat().length).toBeGreaterThanOrEqual(300)
    expect(MISTYPED.length).toBeGreaterThanOrEqual(50)
  })
})
