import { describe, expect, test } from 'vitest'

import { commandList } from '../../src/commands/index.ts'
import { parseArguments } from '../../src/dialog/parse/arguments.ts'
import { tokens } from '../../src/dialog/parse/phrases.ts'
import { inWords, plainText } from '../../src/message/message.ts'
import type { Market } from '../../src/venue/market.ts'
import { NOON } from '../support/clock.ts'
import { aMarket } from '../support/fixtures.ts'
import { inEnglish, aDialog, anInbound, commands, vocabulary } from './world.ts'

const from = anInbound()
const inDex = (symbol: string, over: Partial<Market> = {}) => {
  const [dex] = symbol.split(':')
  const own = symbol.includes(':') ? { dex: dex ?? null, accountId: dex ?? null } : { accountId: 'main' }
  return aMarket({ id: symbol, symbol, priceName: 'mark', ...own, ...over })
}
const markets = [
  inDex('BTC'),
  inDex('kPEPE'),
  inDex('xyz:NVDA'),
  inDex('xyz:TSLA'),
  inDex('flx:TSLA'),
  inDex('hyna:BTC'),
  inDex('flx:NVDA', { delisted: true }),
]
const listed = () => new Map(markets.map((value) => [value.id, { value, at: NOON, mono: 0 }]))
const nothing = () => new Map()

/** What `/command …` has read: the market's id, or what it asks. */
function market(line: string, name = 'market') {
  const form = commands.find((command) => command.name === name)?.forms[0]
  if (!form) throw new Error(`no /${name}`)
  const parsed = inEnglish(parseArguments(form, tokens(line), vocabulary({ listed, markets: nothing })))
  return parsed.ok ? (parsed.args as { market: unknown }).market : parsed.why
}

describe('a market in one of several books is named', () => {
  test.each([
    ['by its whole name', 'xyz:NVDA', 'xyz:NVDA'],
    ['in any case', 'XYZ:nvda', 'xyz:NVDA'],
    ['without its book, where one only has it', 'nvda', 'xyz:NVDA'],
    ['as other venues write it', '$NVDA', 'xyz:NVDA'],
    ['and of those, what is delisted is in nobody’s way', 'NVDA-USD', 'xyz:NVDA'],
    ['the venue’s own before all others', 'btc', 'BTC'],
    ['also a delisted one, by its whole name', 'flx:NVDA', 'flx:NVDA'],
    ['with a small letter in front', 'KPEPE', 'kPEPE'],
  ])('%s: %s', (_how, typed, id) => expect(market(typed)).toBe(id))

  test('beside a wallet and a size', () => {
    expect(market('main NVDA -50%', 'preview')).toBe('xyz:NVDA')
    expect(market('NVDA', 'positions')).toEqual(['xyz:NVDA'])
    expect(market('NVDA 2h', 'mute')).toBe('xyz:NVDA')
  })
})

describe('where several books have one of that name', () => {
  test('all of them are said, and offered with the rest of what was said', async () => {
    const { dialog } = aDialog({ view: { listed } })
    const answer = await dialog.line(from, '/preview main TSLA $5k')
    expect(inWords(answer.items[0]?.title ?? '')).toContain('There are 2 called “TSLA”. Which one?')
    expect(answer.buttons.map(({ label }) => label)).toEqual(['xyz:TSLA', 'flx:TSLA'])
    expect(answer.buttons.map(({ line }) => line)).toEqual([
      '/preview main xyz:TSLA $5k',
      '/preview main flx:TSLA $5k',
    ])
  })

  test('a wallet of that name is meant before either', () => {
    const watches = vocabulary()
      .view.watches(1)
      .map((watch) => ({ ...watch, label: 'TSLA' }))
    const form = commands.find(({ name }) => name === 'positions')?.forms[0]
    if (!form) throw new Error('no /positions')
    const parsed = parseArguments(form, ['tsla'], vocabulary({ listed, watches: () => watches }))
    expect(parsed).toMatchObject({ ok: true, args: { wallet: watches[0]?.wallet } })
  })
})

test('a notifier that is not set up here is called that', async () => {
  const { dialog } = aDialog({ commands: commandList([], [], [], ['bell']) })
  const answer = await dialog.line(from, '/settings bell https://bell.example/x')
  expect(inWords(answer.items[0]?.title ?? '')).toContain('bell isn’t set up on this Perch.')
})

describe('what is not in view is not what does not exist', () => {
  test('a book that was not read since the start may have such a market', () => {
    expect(market('vntl:SPACEX')).toBe(
      'I haven’t read anything of “vntl” yet. After a start that takes a few minutes: try again shortly.',
    )
  })

  test('one that was read has none', () => {
    expect(market('xyz:NOPE')).toContain('No market called “xyz:NOPE”.')
  })

  test('of a venue without books, such a word is none of its markets', async () => {
    const { dialog } = aDialog()
    const answer = await dialog.line(from, '/market foo:BAR')
    expect(plainText(answer.items[0]?.title ?? '', { now: NOON, zone: 'UTC' })).toContain(
      'No market called “foo:BAR”.',
    )
  })
})
