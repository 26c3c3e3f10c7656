import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import type { Kind } from '../../src/alert/alert.ts'
import { eventKind, levelKind } from '../../src/alert/define-kind.ts'
import { kinds as real } from '../../src/alerts/index.ts'
import { argument } from '../../src/chat/argument.ts'
import { alertCommand } from '../../src/commands/alerts/alert.ts'
import { understood } from '../../src/dialog/parse/forms.ts'
import { misread } from '../../src/dialog/parse/replies.ts'
import { tokens } from '../../src/dialog/parse/phrases.ts'
import { item, type Message, plainLines, words } from '../../src/message/message.ts'
import { isOther } from '../../src/message/question.ts'
import { NOON } from '../support/clock.ts'
import { ALICE, aWatch, exact } from '../support/fixtures.ts'
import { vocabulary } from './world.ts'

const WAYS = ['above', 'below'] as const
const said = {
  severity: 'info' as const,
  identity: 'each' as const,
  describe: () => '',
  typed: () => '',
}
const never = { judge: () => 'unknown' as const, tell: () => item('info', 'told') }

/** Kinds like those that people ask for, whatever there is by itself. */
const price = levelKind({
  name: 'price',
  cues: WAYS,
  summary: 'the price is beyond a level',
  example: 'price ETH below 2400',
  on: 'market',
  needs: ['market'],
  params: z.object({ way: argument.choice(WAYS, 'above or below'), level: argument.price() }),
  ...said,
  ...never,
})
const rate = levelKind({
  name: 'carry-rate',
  aliases: ['carry'],
  summary: 'the rate is beyond a line',
  example: 'carry above 50%/y',
  on: 'market',
  params: z.object({ way: argument.choice(WAYS, 'above or below'), line: argument.percent('year') }),
  ...said,
  ...never,
})
const turn = levelKind({
  name: 'rate-turn',
  aliases: ['turn'],
  summary: 'the rate turns',
  example: 'turn ETH',
  on: 'market',
  params: z.object({ band: argument.percent('day').default(0.00005) }),
  ...said,
  ...never,
})
const profit = levelKind({
  name: 'profit',
  summary: 'a position has made or lost so much',
  example: 'profit -5k',
  on: 'position',
  params: z.object({ sum: argument.size() }),
  ...said,
  ...never,
})
const seen = (name: string) =>
  eventKind({
    name,
    summary: 'something is seen',
    example: name,
    on: 'market',
    params: z.object({}),
    severity: 'info',
    detect: () => ({ state: 1, occurrences: [] }),
    tell: () => item('info', 'told'),
  })
const known = new Set(['liquidation-distance', 'margin-ratio', 'position-closed'])
const old = real.filter(({ name }) => known.has(name))
const kinds: readonly Kind[] = [...old, turn, price, rate, profit, seen('coin-seen'), seen('coin-lost')]

function understand(line: string, over = {}, among = kinds) {
  return understood(alertCommand(among), tokens(line), vocabulary(over))
}
/** The form and its arguments, or the whole answer. */
function reads(line: string, over = {}): unknown {
  const found = understand(line, over)
  return found.is === 'form' && found.parsed.ok ? [found.form.name, found.parsed.args] : answer(line, over)
}
function answered(line: string, over = {}, among = kinds): Message {
  const found = understand(line, over, among)
  if (found.is === 'unclear') return found.answer
  if (found.parsed.ok) throw new Error(`“${line}” was understood as ${found.form.name}`)
  return misread(found.parsed, found.form, found.start, vocabulary(over))
}
const answer = (line: string, over = {}) =>
  plainLines(answered(line, over), { now: NOON, zone: 'UTC' }).join('\n')
const buttons = (line: string, over = {}) =>
  answered(line, over).buttons.flatMap((button) =>
    button.line === '/cancel' || isOther(button) ? [] : [button.line],
  )

const below = (level: string, more = {}) => [
  'price',
  { market: '100', way: 'below', level: exact(level), ...more },
]
const above = (level: string) => ['price', { market: '200', way: 'above', level: exact(level) }]

describe('a price needs no name', () => {
  test.each([
    ['ETH below 2400', below('2400')],
    ['below 2400 eth', below('2400')],
    ['price ETH below 2400', below('2400')],
    ['ETH price < $2,400', below('2400')],
    ['ETH<2400', below('2400')],
    ['ETH <= 2.4k', below('2400')],
    ['ETH under 2400', below('2400')],
    ['if ETH is less than 2400 USD', below('2400')],
    ['when ETH drops below 2400', below('2400')],
    ['ETH below 2400 for 5m', below('2400', { for: 300_000 })],
    ['ETH for 2 hours below 2400', below('2400', { for: 7_200_000 })],
    ['ETH below 2400 in main', below('2400', { wallet: ALICE })],
    ['BTC above 5m', above('5000000')],
    ['BTC > 100000', above('100000')],
    ['BTC≥100k', above('100000')],
  ])('%s', (line, meant) => expect(reads(line)).toEqual(meant))
})

describe('a rate without its time', () => {
  test.each(['carry BTC above 0.01%', 'BTC carry rate over 0.01', 'carry BTC > 0.01%'])(
    'is asked about: %s',
    (typed) => {
      expect(answer(typed)).toContain('0.01% in which time? An hour, 8 hours, a day or a year.')
      expect(buttons(typed).map((line) => line.replace(/^.* /, ''))).toEqual([
        '0.01%/h',
        '0.01%/8h',
        '0.01%/d',
        '0.01%/y',
      ])
      for (const line of buttons(typed)) expect(reads(line.replace('/alert ', ''))).toContain('carry-rate')
    },
  )

  test('is no question where it is zero', () =>
    expect(reads('carry BTC above 0%')).toEqual(['carry-rate', { market: '200', way: 'above', line: 0 }]))
})

describe('a word that asks for less', () => {
  test.each(['stop', 'off', 'delete R7', 'cancel', 'Remove', 'mute', 'stop BTC'])(
    'sets no rule, and leads to taking one away: /alert %s',
    (typed) => {
      expect(answer(typed)).toContain('Which alert should end? I have changed nothing.')
      expect(buttons(typed)).toEqual(['/remove R7', '/mute 8h'])
    },
  )

  test('that is a part of a kind offers that kind as well', () => {
    const kinds = real.filter(({ name }) => name === 'no-stop')
    const { buttons } = answered('stop BTC', {}, kinds)
    expect(buttons.map(({ line }) => line)).toEqual(['/remove R7', '/mute 8h', '/alert no-stop BTC'])
  })
})

describe('a rate may be typed for any time', () => {
  const line = (share: number) => ['carry-rate', { market: '200', way: 'above', line: share }]
  test.each([
    ['carry > 50%/y BTC', line(0.5)],
    ['carry BTC above 50%/y', line(0.5)],
    ['BTC carry rate over 50% a year', line(0.5)],
    ['carry BTC > 50% p.a.', line(0.5)],
    ['carry BTC > 50% apr', line(0.5)],
    ['carry BTC > 50%/yr', line(0.5)],
    ['carry BTC > 50% per annum', line(0.5)],
    ['carry BTC > 0.5%/d', line(1.825)],
    ['carry BTC > 0.01%/8h', line(0.1095)],
    ['carry BTC > 0.01% per hour', line(0.876)],
    ['carry BTC > 0.01% per 8 hours', line(0.1095)],
    ['carry BTC > 0.01% hourly', line(0.876)],
    ['carry BTC > 0.5% daily', line(1.825)],
  ])('%s', (typed, meant) => expect(reads(typed)).toEqual(meant))

  test('and is a daily one where a rule counts by the day', () =>
    expect(reads('turn 1.825%/y ETH')).toEqual([
      'rate-turn',
      { market: '100', band: expect.closeTo(0.00005, 12) },
    ]))

  test('what is paid by the minute is none', () =>
    expect(answer('carry BTC > 1%/m')).toContain('I don’t understand “1%/m” here.'))
})

describe('the name may stand anywhere, in as many words as it has', () => {
  test.each([
    ['liq 15 8 4', ['liquidation-distance', { tiers: [0.15, 0.08, 0.04] }]],
    ['liq 15, 8 and 4', ['liquidation-distance', { tiers: [0.15, 0.08, 0.04] }]],
    ['15 8 4 liq', ['liquidation-distance', { tiers: [0.15, 0.08, 0.04] }]],
    ['ETH liq 10%', ['liquidation-distance', { market: '100', tiers: [0.1] }]],
    ['liquidation distance ETH 10%', ['liquidation-distance', { market: '100', tiers: [0.1] }]],
    [
      'liq for ETH in main at 20 / 10%',
      ['liquidation-distance', { market: '100', wallet: ALICE, tiers: [0.2, 0.1] }],
    ],
    ['liq tiers 10% wallet main', ['liquidation-distance', { wallet: ALICE, tiers: [0.1] }]],
    ['main margin 50%', ['margin-ratio', { wallet: ALICE, tiers: [0.5] }]],
    ['profit -5k', ['profit', { sum: { unit: 'base', amount: exact('-5000'), typed: '-5k' } }]],
    [
      'ETH profit –$5k',
      ['profit', { market: '100', sum: { unit: 'usd', amount: exact('-5000'), typed: '–$5k' } }],
    ],
    ['position closed', ['position-closed', {}]],
    ['coin lost ETH', ['coin-lost', { market: '100' }]],
    ['lost ETH', ['coin-lost', { market: '100' }]],
  ])('%s', (line, meant) => expect(reads(line)).toEqual(meant))

  test('a label that is the name of a kind', () => {
    const watches = () => [aWatch({ label: 'margin' })]
    expect(reads('margin liq 10%', { watches })).toEqual([
      'liquidation-distance',
      { wallet: ALICE, tiers: [0.1] },
    ])
  })

  test('a label that begins like a word between, or has one in it', () => {
    const watches = () => [aWatch({ label: 'island' })]
    expect(reads('ETH is below 2400', { watches })).toEqual(below('2400'))
    const saving = () => [aWatch({ label: 'saved for kids' })]
    expect(reads('liq saved for kids 10%', { watches: saving })).toEqual([
      'liquidation-distance',
      { wallet: ALICE, tiers: [0.1] },
    ])
  })
})

describe('nothing is guessed: what could be several things is asked', () => {
  test('with the whole sentences to tap', () => {
    expect(answer('ETH 10%')).toContain('Which one do you mean?')
    expect(buttons('ETH 10%')).toEqual(['/alert liquidation-distance ETH 10%', '/alert profit ETH 10%'])
    for (const line of buttons('ETH 10%')) expect(reads(line.replace('/alert ', ''))).toBeInstanceOf(Array)
  })

  test.each([
    ['BTC 100k', ['/alert price BTC 100k above', '/alert price BTC 100k below', '/alert profit BTC 100k']],
    ['coin ETH', ['/alert coin-seen ETH', '/alert coin-lost ETH']],
    ['price ETH 2400', ['/alert price ETH 2400 below', '/alert price ETH 2400 above']],
    ['ETH belwo 2400', ['/alert ETH below 2400']],
    ['ETHH below 2400', ['/alert price ETH below 2400']],
    ['carry BTC abov 50%/y', []],
    [
      'below 2400',
      ['/alert price below 2400 ETH', '/alert price below 2400 Sol', '/alert price below 2400 BTC'],
    ],
    ['lik BTC 5%', ['/alert liq BTC 5%']],
    ['BTC lik 5%', ['/alert BTC liq 5%']],
    ['ETH below', []],
  ])('%s', (line, lines) => {
    if (lines.length > 0) expect(buttons(line)).toEqual(lines)
  })

  test('a sum in one’s own style is offered as it is read by everybody', () => {
    const found = understood(alertCommand(kinds), tokens('BTC 1.234,5'), {
      ...vocabulary(),
      numbers: '1.234,5',
    })
    const lines = found.is === 'unclear' ? found.answer.buttons.map(({ line }) => line) : []
    expect(lines).toContain('/alert price BTC 1234.5 above')
  })

  test.each([
    ['liq ETH below 10%', '/alert liquidation-distance ETH 10%'],
    ['profit < -5k', '/alert profit -5k'],
    ['price of ETH below 2400', '/alert price ETH below 2400'],
    ['me if ETH < 2400', '/alert price ETH < 2400'],
  ])('%s has one word that fits nothing: without it, it is asked about', (line, meant) => {
    expect(answer(line)).toContain(`Did you mean ${meant}?`)
    expect(buttons(line)).toEqual([meant])
    expect(reads(meant.replace('/alert ', ''))).toBeInstanceOf(Array)
  })

  test('but no word is left out that may be what a rule is narrowed to', () => {
    const markets = ['ETH', 'Sol', 'BTC']
    for (const line of ['liq DOGEX 10%', 'liq dogex 10%'])
      expect(buttons(line)).toEqual(markets.map((market) => `/alert liquidation-distance 10% ${market}`))
  })

  test('two words for a way make no rule', () =>
    expect(answer('ETH above 2400 below 2200')).toContain('One at a time: “above” or “below”?'))

  test('a threshold too many makes none either', () =>
    expect(answer('ETH below 2400 2200')).toContain('One at a time: “2400” or “2200”?'))

  test('what says nothing is answered with what there is, and an example', () => {
    expect(answer('ETH banana')).toContain('I don’t understand “banana”')
    expect(answer('ETH banana')).toContain('Or type it: /alert price ETH below 2400')
  })

  test('a word between is passed over only in small letters: in capitals it may be a market that is not listed', () => {
    expect(answer('liq AT 10%')).toContain('No market called “AT”.')
    expect(answer('liq AND 10%')).toContain('No market called “AND”.')
  })

  test('a line that is too long for a rule is read once, as it stands', () => {
    const names = 'liq position order '.repeat(100)
    expect(answer(`below ${names}`)).toContain('I don’t understand “below”')
    expect(answer(`liq ${names}`)).toContain('I don’t understand “liq” here.')
  })

  test('what the venue does not show is said, wherever its name stands, and no other kind takes its words', () => {
    const shown = kinds.filter(({ name }) => name !== 'margin-ratio')
    const hidden = kinds.filter(({ name }) => name === 'margin-ratio')
    for (const line of ['margin main 50%', 'main margin 50%', 'main Margin-Ratio']) {
      const found = understood(alertCommand(shown, hidden), tokens(line), vocabulary())
      expect(found).toMatchObject({
        is: 'unclear',
        answer: { items: [{ title: words('alert.no-accounts') }] },
      })
    }
  })

  test('what one knows by name is never taken for another one', () => {
    const twin = levelKind({
      ...said,
      ...never,
      name: 'liq-moved',
      summary: 's',
      example: 'e',
      on: 'position',
      params: z.object({}),
    })
    const found = understand('liq ETH', {}, [...old, twin])
    expect(found).toMatchObject({ form: { name: 'liquidation-distance' }, parsed: { ok: false } })
  })
})
