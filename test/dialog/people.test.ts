import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { kinds } from '../../src/alerts/index.ts'
import { alertCommand } from '../../src/commands/alerts/alert.ts'
import { parseOptions } from '../../src/dialog/parse/arguments.ts'
import { understood } from '../../src/dialog/parse/forms.ts'
import { misread } from '../../src/dialog/parse/replies.ts'
import { tokens } from '../../src/dialog/parse/phrases.ts'
import { type Message, plainLines } from '../../src/message/message.ts'
import { NOON } from '../support/clock.ts'
import { exact } from '../support/fixtures.ts'
import { vocabulary } from './world.ts'

const [ETH, BTC] = ['100', '200']
const HOUR_MS = 3_600_000
const usd = (value: number) => ({ unit: 'usd', value })

function read(line: string) {
  return understood(alertCommand(kinds), tokens(line), vocabulary())
}
function reads(line: string): unknown {
  const found = read(line)
  return found.is === 'form' && found.parsed.ok ? [found.form.name, found.parsed.args] : answer(line)
}
function refused(line: string): Message {
  const found = read(line)
  if (found.is === 'unclear') return found.answer
  if (found.parsed.ok) throw new Error(`“${line}” was understood as ${found.form.name}`)
  return misread(found.parsed, found.form, found.start, vocabulary())
}
const answer = (line: string) => plainLines(refused(line), { now: NOON, zone: 'UTC' }).join('\n')
const buttons = (line: string) => refused(line).buttons.map((button) => button.line)

const price = (way: string, level: string) => ['price', { market: ETH, way, level: exact(level) }]
const pnl = (...lines: number[]) => ['pnl', { market: ETH, lines: lines.map(usd) }]
const move = (way: string, within = HOUR_MS) => ['price-move', { market: ETH, way, share: 0.05, within }]
const rate = ['funding-rate', { market: BTC, way: 'above', line: 0.5 }]

describe('people say what they want as they say it to a person', () => {
  test.each([
    ['tell me when ETH is below 2400', price('below', '2400')],
    ['Tell me if ETH goes under 2,400$', price('below', '2400')],
    ['please let me know when eth drops below 2.4k', price('below', '2400')],
    ['Alert me when the ETH price is above 3000 USD', price('above', '3000')],
    ['warn me as soon as ETH > 3k$', price('above', '3000')],
    ['notify me once ETH rises above 3000', price('above', '3000')],
    ['tell me when btc funding is above 50% a year', rate],
    ['when the funding rate of BTC is above 50% per year'.replace(' of', ''), rate],
    ['loss ETH 5k', pnl(-5_000)],
    ['ETH loss > 5k'.replace('> ', ''), pnl(-5_000)],
    ['ETH loses $5,000', pnl(-5_000)],
    ['loss −5k ETH', pnl(-5_000)],
    ['tell me when ETH loses 5k', pnl(-5_000)],
    ['losing 5k 10k ETH', pnl(-5_000, -10_000)],
    ['profit 5k ETH', pnl(5_000)],
    ['ETH gains 5k', pnl(5_000)],
    ['ETH falls 5% in 1h', move('down')],
    ['ETH drops 5% within 1 hour', move('down')],
    ['ETH crashes 5% in an hour', move('down')],
    ['ETH pumps 5% in 1h', move('up')],
    ['ETH up 5% in 60m', move('up')],
    ['ETH moves 5% 1h', move('either')],
    ['ETH below 2400 $', price('below', '2400')],
    ["ETH below 2'400", price('below', '2400')],
    ['new markets', ['market-listed', {}]],
    ['no stop over 5k', ['no-stop', { above: 5_000, lacks: 'both' }]],
    ['no stop loss over 5k', ['no-stop', { above: 5_000, lacks: 'stop-loss' }]],
  ])('%s', (line, meant) => expect(reads(line)).toEqual(meant))

  test('a loss that is a gain is asked about, not guessed', () => {
    expect(reads('loss ETH +5k')).not.toBeInstanceOf(Array)
    expect(reads('gain ETH -5k')).not.toBeInstanceOf(Array)
  })
})

describe('typed options say the same as the sentence does', () => {
  test.each([
    ['ETH below 2400', 'price', { market: 'ETH', way: 'below', level: '2,400$' }],
    ['ETH below 2400', 'price', { market: 'eth-perp', way: 'below', level: '2.4k' }],
    ['liq 15 8 4', 'liquidation-distance', { tiers: '15 8 4' }],
    ['liq 15 8 4', 'liquidation-distance', { tiers: '15, 8 and 4%' }],
    ['pnl -5k', 'pnl', { lines: '−5k' }],
    ['pnl -5k', 'pnl', { lines: 'loss 5k' }],
    ['funding > 50%/y BTC', 'funding-rate', { market: 'BTC', way: 'above', line: '50% a year' }],
    ['ETH falls 5% in an hour', 'price-move', { market: 'ETH', way: 'down', share: '5%', within: 'an hour' }],
    ['no stop loss over 5k for 10m', 'no-stop', { above: '5k', lacks: 'stop-loss', for: '10 minutes' }],
  ])('%s', (line, name, options) => {
    const form = alertCommand(kinds).forms.find((one) => one.name === name)
    if (!form) throw new Error(name)
    expect([name, parseOptions(form, options, vocabulary())]).toEqual([
      name,
      { ok: true, args: (reads(line) as unknown[])[1] },
    ])
  })
})

test('what options mean is offered as whole lines', () => {
  const form = alertCommand(kinds).forms.find(({ name }) => name === 'price')
  if (!form) throw new Error('no price')
  const lines = (options: Record<string, string>) => {
    const parsed = parseOptions(form, options, vocabulary())
    return parsed.ok ? [] : parsed.meant.map((words) => words.join(' '))
  }
  expect(lines({ market: 'ETH', way: 'below', level: '2400 2300' })).toEqual([
    'ETH below 2400',
    'ETH below 2300',
  ])
  expect(lines({ market: 'ETHH', way: 'below', level: '2400' })).toEqual(['ETH below 2400'])
})

describe('several rules in one line are offered one by one, and none of them is set', () => {
  test.each([
    ['ETH below 2400, 2300', ['/alert price ETH below 2400', '/alert price ETH below 2300']],
    ['ETH BTC below 2400', ['/alert price ETH below 2400', '/alert price BTC below 2400']],
    ['ETH above 3000 below 2400', ['/alert price ETH above 3000', '/alert price ETH below 2400']],
    ['ETH above 3000 or below 2400', ['/alert price ETH above 3000', '/alert price ETH below 2400']],
    ['ETH below 2400 BTC below 90k', ['/alert price ETH below 2400', '/alert price BTC below 90k']],
    ['liq ETH BTC 10%', ['/alert liquidation-distance ETH 10%', '/alert liquidation-distance BTC 10%']],
    ['funding-rate ETH > 50%/y BTC', ['/alert funding-rate ETH > 50%/y', '/alert funding-rate BTC > 50%/y']],
  ])('%s', (line, lines) => {
    expect(buttons(line)).toEqual(lines)
    expect(answer(line)).toContain('One at a time')
    for (const one of lines) expect(reads(one.replace('/alert ', ''))).toBeInstanceOf(Array)
    // Whoever taps one of them finds the other still there.
    expect(refused(line).buttons.every(({ replace }) => !replace)).toBe(true)
  })
})

describe('what is refused says what is wrong with which word, and how it would be right', () => {
  test.each([
    ['ETH below 2400 for FOO', 'I don’t understand “FOO” here.'],
    ['FOO below 2400', 'No market called “FOO”.'],
    ['liq FOO 10%', 'No market called “FOO”.'],
    ['ETH below 2.400', 'Do you mean 2.4 or 2,400?'],
    ['ETH below 2400€', 'Prices are in US dollars.'],
    ['hello', 'I don’t understand “hello”'],
    ['', 'What should I alert you about?'],
  ])('%s', (line, why) => expect(answer(line)).toContain(why))

  test('what alerts can be about, as buttons, and a line that works', () => {
    const said = answer('banana')
    expect(said).toContain('Or type it: /alert pnl ETH -5k')
    const likely = ['/alert price', '/alert liquidation-distance', '/alert pnl']
    expect(buttons('banana')).toEqual(expect.arrayContaining([...likely, '/alert about more']))
    expect(said.split('[')[0]?.length).toBeLessThan(200)
  })

  test('a market alone is asked about with the price first', () =>
    expect(buttons('ETH 2400').slice(0, 2)).toEqual([
      '/alert price ETH 2400 above',
      '/alert price ETH 2400 below',
    ]))
})

test('whatever is typed is answered, and what is said apart again is understood, or asked for what it lacks', () => {
  const word = fc.constantFrom(
    ...[
      'ETH',
      'BTC',
      'main',
      'my hedge',
      'tell me when',
      'above',
      'below',
      '<',
      'or',
      'the',
      'for',
      'loss',
      'gain',
    ],
    ...[
      '2400',
      '2.400',
      '5%',
      '-5k',
      '+5k',
      '1h',
      'an hour',
      '$',
      'liq',
      'pnl',
      'price',
      'falls',
      'stop',
      'FOO',
    ],
  )
  const leadsOn = (line: string) => {
    const next = read(line.replace('/alert ', ''))
    return next.is === 'form' && (next.parsed.ok || next.parsed.missing !== null)
  }
  fc.assert(
    fc.property(fc.array(word, { maxLength: 7 }), (words) => {
      const line = words.join(' ')
      const found = read(line)
      if (found.is === 'form' && found.parsed.ok) return
      const [title = ''] = plainLines(refused(line), { now: NOON, zone: 'UTC' })
      expect(title.length, line).toBeGreaterThan(10)
      if (!title.startsWith('One at a time')) return
      for (const one of buttons(line)) expect([one, leadsOn(one)], line).toEqual([one, true])
    }),
    { numRuns: 200 },
  )
})
