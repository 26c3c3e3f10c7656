import { describe, expect, test } from 'vitest'

import { argument, argumentMeta } from '../../src/chat/argument.ts'
import { parseArguments } from '../../src/dialog/parse/arguments.ts'
import { tokens } from '../../src/dialog/parse/phrases.ts'
import { match } from '../../src/dialog/parse/vocabulary.ts'
import { plainLines } from '../../src/message/message.ts'
import { NOON } from '../support/clock.ts'
import { answerWith, hedged, VENUES, viewOfTwo } from '../support/two-venues.ts'
import { aDialog, anInbound, commands, inEnglish, vocabulary } from './world.ts'

const ofTwo = (names: readonly string[] = VENUES) => vocabulary(viewOfTwo(), names)

/** What `/command …` has read: the market's id, or what it asks. */
function market(line: string, name = 'market') {
  const form = commands.find((command) => command.name === name)?.forms[0]
  if (!form) throw new Error(`no /${name}`)
  const parsed = inEnglish(parseArguments(form, tokens(line), ofTwo()))
  return parsed.ok ? (parsed.args as { market: unknown }).market : parsed.why
}

/** What ALICE reads, who holds a hedge over both venues. */
async function says(line: string): Promise<string> {
  const { dialog } = aDialog({ venues: VENUES, view: viewOfTwo(), answers: () => answerWith(hedged) })
  return plainLines(await dialog.line(anInbound(), line), { now: NOON, zone: 'UTC' }).join('\n')
}

describe('a market of one of several venues is named', () => {
  test.each([
    ['as the first venue writes it', 'ETH', 'ETH'],
    ['with the name of its venue', 'lighter:ETH', 'lighter/0'],
    ['in any case', 'Lighter:eth', 'lighter/0'],
    ['in another notation', 'lighter:eth-perp', 'lighter/0'],
    ['with the name of the first venue', 'hyperliquid:eth', 'ETH'],
    ['with it and in another notation', 'hyperliquid:ETHUSDT', 'ETH'],
    ['with it and with its dex', 'hyperliquid:xyz:NVDA', 'xyz:NVDA'],
    ['without its venue, where one only lists it', 'arb', 'lighter/3'],
    ['without its venue, by the first that lists it in any dex', 'NVDA', 'xyz:NVDA'],
    ['as others write it', '$ARB', 'lighter/3'],
    ['what is delisted hides nothing elsewhere', 'OLD', 'lighter/4'],
    ['and is found by its whole name', 'hyperliquid:OLD', 'OLD'],
  ])('%s: %s', (_how, typed, id) => expect(market(typed)).toBe(id))

  test.each([
    ['lighter:ETHH', 'No market called “lighter:ETHH”. Did you mean lighter:ETH?'],
    ['ligther:ETH', 'No market called “ligther:ETH”. Did you mean lighter:ETH?'],
    ['hyperliquid:BTCC', 'No market called “hyperliquid:BTCC”. Did you mean BTC?'],
    ['lighter:ethereum', 'No market called “lighter:ethereum”. Did you mean lighter:ETH?'],
    ['hyperliquid:bitcoin', 'No market called “hyperliquid:bitcoin”. Did you mean BTC?'],
    ['arbitrum', 'No market called “arbitrum”. Did you mean lighter:ARB?'],
  ])('%s is answered with the nearest', (typed, why) => expect(market(typed)).toBe(why))

  test('no market of a venue that was not read is called unknown', () => {
    const only = new Map([...viewOfTwo().listed()].filter(([id]) => !id.startsWith('lighter/')))
    const form = commands.find(({ name }) => name === 'market')?.forms[0]
    const words = vocabulary({ ...viewOfTwo(), listed: () => only }, VENUES)
    expect(form && inEnglish(parseArguments(form, ['lighter:ETH'], words))).toMatchObject({
      ok: false,
      why: expect.stringContaining('I haven’t read anything of “lighter” yet'),
    })
  })
})

describe('a coin is meant everywhere unless its venue is named', () => {
  const meta = argumentMeta(argument.coin()) ?? { argument: 'text', asks: '', words: [] }
  const coin = (typed: string) => match(meta, typed, ofTwo())
  test.each([
    ['ETH', ['ETH', 'lighter/0']],
    ['NVDA', ['xyz:NVDA', 'lighter/2']],
    ['Sol', ['Sol']],
    ['ARB', ['lighter/3']],
    ['lighter:ETH', ['lighter/0']],
    ['hyperliquid:ETH', ['ETH']],
    ['xyz:NVDA', ['xyz:NVDA']],
  ])('%s', (typed, ids) => expect(coin(typed)).toMatchObject({ value: ids }))

  test.each([
    ['ETH -10%', { market: 'ETH', also: ['lighter/0'] }],
    ['lighter:ETH -10%', { market: 'lighter/0' }],
    ['hyperliquid:ETH -10%', { market: 'ETH' }],
    ['lighter:eth-10%', { market: 'lighter/0' }],
  ])('/shock %s', (line, move) => {
    const form = commands.find(({ name }) => name === 'shock')?.forms[0]
    expect(form && parseArguments(form, tokens(line), ofTwo())).toEqual({
      ok: true,
      args: { moves: [{ ...move, by: -0.1 }] },
    })
  })

  test('with one venue it is the market alone', () => {
    const alone = vocabulary(viewOfTwo(), [])
    expect(match(meta, 'ETH', alone)).toEqual({ is: 'value', value: ['ETH'] })
  })
})

describe('the answer says which venue was meant', () => {
  test.each([
    ['/market ETH', 'ETH on hyperliquid; also lighter:ETH'],
    ['/chart eth', 'ETH on hyperliquid; also lighter:ETH'],
    ['/funding ETH', 'ETH on hyperliquid; also lighter:ETH'],
    ['/market NVDA', 'xyz:NVDA on hyperliquid; also lighter:NVDA'],
    ['/mute ETH 2h', 'ETH on hyperliquid; also lighter:ETH'],
    ['/preview main Sol -50%', 'Sol'],
    ['/preview main NVDA -50%', 'xyz:NVDA on hyperliquid; also lighter:NVDA'],
  ])('%s', async (line, said) => expect(await says(line)).toContain(said))

  test.each(['/market lighter:ETH', '/market Sol', '/market ARB', '/funding lighter:eth'])(
    '%s leaves nothing open',
    async (line) => expect(await says(line)).not.toContain('also'),
  )
})

describe('/markets of several venues', () => {
  test('shows the first, by its name, and leads to the others', async () => {
    const text = await says('/markets')
    expect(text).toContain('3 markets of hyperliquid by volume in 24 h')
    expect(text).toContain('[lighter: /markets volume lighter]')
    expect(text).not.toContain('ARB')
  })

  test.each(['/markets lighter', '/markets Lighter'])('%s shows that one', async (line) => {
    const text = await says(line)
    expect(text).toContain('5 markets of lighter by volume in 24 h')
    expect(text).toMatch(/^ARB /m)
    expect(text).toContain('[hyperliquid: /markets volume]')
  })

  test.each(['/markets hyperliquid', '/markets main'])('%s shows the first', async (line) =>
    expect(await says(line)).toContain('3 markets of hyperliquid'),
  )
})
