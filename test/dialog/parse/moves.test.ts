import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { argument } from '../../../src/chat/argument.ts'
import type { Form } from '../../../src/chat/declaration.ts'
import { parseArguments, parseOptions } from '../../../src/dialog/parse/arguments.ts'
import { lineOf, tokens } from '../../../src/dialog/parse/phrases.ts'
import { ALICE, aMarket, BOB } from '../../support/fixtures.ts'
import { inEnglish, vocabulary } from '../world.ts'

const shock: Form = {
  name: '',
  aliases: [],
  summary: '',
  examples: [],
  args: z.object({ moves: argument.moves(), wallet: argument.wallet().optional() }),
}
const parse = (line: string, over = {}) => inEnglish(parseArguments(shock, tokens(line), vocabulary(over)))
const [ETH, BTC] = ['100', '200']

describe('what prices are taken to do', () => {
  test.each([
    ['BTC -8% ETH -12%', [BTC, -0.08], [ETH, -0.12]],
    ['btc −8 % eth -12', [BTC, -0.08], [ETH, -0.12]],
    ['BTC -8%, ETH -12%', [BTC, -0.08], [ETH, -0.12]],
    ['BTC -8% and ETH +5%', [BTC, -0.08], [ETH, 0.05]],
    ['BTC-8% ETH:-12% ', [BTC, -0.08], [ETH, -0.12]],
    ['BTC=-8% eth-perp 3.5%', [BTC, -0.08], [ETH, 0.035]],
    ['BTC ETH -10%', [BTC, -0.1], [ETH, -0.1]],
    ['BTC ETH +10 %', [BTC, 0.1], [ETH, 0.1]],
    ['all -10%', [null, -0.1]],
    ['ALL-10%', [null, -0.1]],
    ['-10%', [null, -0.1]],
    ['all -10% BTC -5%', [null, -0.1], [BTC, -0.05]],
    ['"BTC -8%" "all -3%"', [BTC, -0.08], [null, -0.03]],
    ['BTC down 8%', [BTC, -0.08]],
    ['if BTC falls by 8% and ETH drops 12%', [BTC, -0.08], [ETH, -0.12]],
    ['BTC down -8%', [BTC, -0.08]],
    ['BTC up 5%', [BTC, 0.05]],
    ['btc eth crash 10%', [BTC, -0.1], [ETH, -0.1]],
    ['down 10%', [null, -0.1]],
    ['the market drops 10%', [null, -0.1]],
    ['everything crashes 20 %', [null, -0.2]],
    ['BTC to 48839', [BTC, -0.5]],
    ['BTC $48,839', [BTC, -0.5]],
    ['if btc goes to 48.839k and ETH -12%', [BTC, -0.5], [ETH, -0.12]],
    ['BTC at 195356', [BTC, 1]],
  ])('%s', (line, ...moves) =>
    expect(parse(line)).toEqual({
      ok: true,
      args: { moves: moves.map(([market, by]) => ({ market, by })) },
    }),
  )

  test('a wallet may stand anywhere beside them', () => {
    for (const line of ['main BTC -8%', 'BTC -8% main', 'main BTC-8%'])
      expect(parse(line)).toMatchObject({ ok: true, args: { wallet: ALICE, moves: [{ market: BTC }] } })
    for (const line of ['my hedge -8%', '-8% my hedge', 'all my hedge -8%'])
      expect(parse(line)).toMatchObject({ ok: true, args: { wallet: BOB, moves: [{ market: null }] } })
  })

  test('one option holds them all', () => {
    expect(parseOptions(shock, { moves: 'BTC -8% ETH -12%', wallet: 'main' }, vocabulary())).toMatchObject({
      ok: true,
      args: { wallet: ALICE, moves: [{ market: BTC }, { market: ETH }] },
    })
  })

  test('a figure is read in the person’s own style, and said again in one that everybody reads', () => {
    const words = { ...vocabulary(), numbers: '1.234,5' as const }
    expect(parseArguments(shock, tokens('BTC -8,5%'), words)).toMatchObject({
      ok: true,
      args: { moves: [{ market: BTC, by: -0.085 }] },
    })
    const half = parseArguments(shock, tokens('BTC -8,5% mian'), words)
    expect(half).toMatchObject({ ok: false, meant: [['BTC -8.5%', 'main']] })
  })
})

describe('what cannot be understood is never guessed:', () => {
  test.each([
    ['', 'What moves, e.g. BTC -8% or all -10%?'],
    ['BTC', 'How far does BTC move? For example BTC -8%.'],
    ['BTC -8% ETH', 'How far does ETH move? For example ETH -8%.'],
    ['BTC -8% -12%', 'What moves by -12%? Say BTC -12%, or all -12%.'],
    ['ETHH -8%', 'No market called “ETHH”. Did you mean ETH? Then say ETH -8%.'],
    ['BTC -8% ETHH -12%', 'No market called “ETHH”. Did you mean ETH? Then say ETH -12%.'],
    ['WXYZ-8%', 'No market called “WXYZ”. See /markets, or say all -8%.'],
    ['BTC -8% btc -9%', 'The same is named twice: say each market once, such as BTC -8% ETH -12%.'],
    ['BTC -100%', 'A price can move by anything above -100%, up to 1000%, such as -8%.'],
    ['all to 90k', 'Not all prices go to 90k. Say all -10%, or BTC to 90k.'],
    ['WXYZ to 90k', 'No market called “WXYZ”. See /markets.'],
    ['BTC to 9000000', 'A price can move by anything above -100%, up to 1000%, such as -8%.'],
    ['BTC 90000', 'Is 90000 a price? Then say BTC to 90000.'],
    ['BTC 0%', 'A price can move by anything above -100%, up to 1000%, such as -8%.'],
    ['BTC 1001%', 'A price can move by anything above -100%, up to 1000%, such as -8%.'],
  ])('%s', (line, why) => expect(parse(line)).toMatchObject({ ok: false, why }))

  test('a market that several books have', () => {
    const seen = { at: 0, mono: 0 }
    const twice = ['xyz', 'flx'].map((dex) => aMarket({ id: `${dex}:GOLD`, symbol: `${dex}:GOLD`, dex }))
    const listed = () => new Map(twice.map((market) => [market.id, { value: market, ...seen }]))
    const read = parse('GOLD -5% main', { listed })
    if (read.ok) throw new Error('it was guessed')
    expect(read.why).toContain('Which one?')
    // Each of the buttons is a line that is understood.
    for (const words of read.meant) {
      const again = parse(lineOf(words), { listed })
      expect(again).toMatchObject({ ok: true, args: { wallet: ALICE, moves: [{ by: -0.05 }] } })
    }
    expect(read.meant.length).toBe(2)
  })

  test('a venue that was not seen yet', () => {
    expect(parse('BTC -5%', { listed: () => new Map() })).toMatchObject({
      ok: false,
      why: 'I can’t tell yet whether “BTC” is a market: I haven’t seen the venue. Try again shortly.',
    })
  })

  test('whatever is typed', () => {
    const word = fc.constantFrom(
      'BTC',
      'eth',
      'all',
      'main',
      '-8%',
      '5',
      '%',
      'and',
      'to',
      'down',
      '90k',
      'BTC-3%',
      '=',
      '-',
      'x',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 8 })), { maxLength: 8 }), (words) => {
        const read = parse(words.join(' '))
        if (!read.ok) expect(read.why).toMatch(/[.?]$/)
      }),
    )
  })
})
