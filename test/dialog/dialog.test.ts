import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Speaker } from '../../src/dialog/access.ts'
import { fieldsOf } from '../../src/dialog/parse/fields.ts'
import { type Message, plainLines } from '../../src/message/message.ts'
import { isOther } from '../../src/message/question.ts'
import { NOON } from '../support/clock.ts'
import { ALICE, BOB } from '../support/fixtures.ts'
import { tableWidth, within } from './bounds.ts'
import { aDialog, anInbound, commands, home } from './world.ts'
import { budget } from '../support/seed.ts'

const from = anInbound()
const text = (message: Message) => plainLines(message, { now: NOON, zone: 'UTC' }).join('\n')
const says = async (line: string) => text(await aDialog().dialog.line(from, line))
const buttons = async (line: string) =>
  (await aDialog().dialog.line(from, line)).buttons.map(({ line }) => line)

describe('what people say is understood as they say it', () => {
  test.each([
    ['/market btc', 'BTC $97,678'],
    ['market BTC', 'BTC $97,678'],
    ['/MARKET  btc', 'BTC $97,678'],
    ['/market $btc', 'BTC $97,678'],
    ['/market BTC-USD', 'BTC $97,678'],
    ['/market sol/usdt', 'Sol $171.30'],
    ['/p main', 'ETH long'],
    ['/positions MAI', 'ETH long'],
    ['/positions 0x5290', 'ETH long'],
    ['/positions 0x5290…9EE7', 'ETH long'],
    [`/positions ${ALICE.toLowerCase()}`, 'ETH long'],
    ['/positions my hedge', 'No open position: my hedge'],
    ['/positions “my hedge”', 'No open position: my hedge'],
    ['/positions eth main', 'ETH long'],
    ['/markets 1 funding', 'by funding'],
    ['/markets fund', 'by funding'],
    ['/orders pending my hedge', 'pending'],
    ['/help /alert', 'liquidation-distance: Alert when'],
    ['/invite 1h30m', 'Invitation for one person, until 13:3'],
    ['/invite "2 days"', 'Invitation for one person, until 17 Jan'],
    ['/alert liq 10% 5% eth', 'You already have this alert'],
    ['/unwatch main yes', 'Stopped watching main'],
  ])('%s', async (line, words) => expect(await says(line)).toContain(words))
})

describe('what was not understood is answered with the nearest that would be', () => {
  test.each([
    ['/mutee 2h', 'Did you mean /mute 2h?', ['/mute 2h']],
    ['/xyzzy', 'I didn’t understand “/xyzzy”', ['/positions', '/alert', '/menu']],
    ['/market ETHH', 'No market called “ETHH”. Did you mean ETH?', ['/market ETH']],
    ['/preview mian ETH -2', 'Did you mean main?', ['/preview main ETH -2']],
    ['/preview "my hedgr" ETH -2', 'Did you mean my hedge?', ['/preview "my hedge" ETH -2']],
    ['/orders pendign', 'Did you mean pending?', ['/orders pending']],
    ['/alert lik BTC 5%', 'Did you mean /alert liq BTC 5%?', ['/alert liq BTC 5%']],
    ['/market BTC 5', 'I don’t understand “5” here.', ['/market BTC full', '/cancel']],
    ['/history foo', 'I don’t understand “foo” here.', ['/history closed', '/history csv', '/cancel']],
    ['/fix FOO', 'No market called “FOO”.', ['/fix ETH', '/fix Sol', '/fix BTC', '/fix ?', '/cancel']],
    ['/remove all', 'I remove one rule at a time.', []],
    ['/remove pnl', 'You have no rule on pnl', []],
    ['/remove banana', 'I don’t understand “banana” here.', ['/remove R7', '/cancel']],
    ['/why R7', 'R7 is a rule; alerts are numbered like A41', []],
    ['/remove A41', 'A41 is an alert; rules are numbered like R7', []],
    ['/positions 0x1234', 'You don’t watch 0x1234', []],
    ['/preview main ETH 0', 'A size of zero is no order', []],
    ['/alert liq 200%', 'A distance is between 0.1% and 90%', []],
    [
      '/invite 400d',
      'I don’t understand “400d” here.',
      ['/invite 1h', '/invite 4h', '/invite 1d', '/invite 7d', '/invite ?', '/cancel'],
    ],
    ['/invite 40d', 'An invitation lasts 30 days at most', []],
    [`/watch ${ALICE.slice(0, -1)}`, 'this one has 39', []],
  ])('%s', async (line, words, lines) => {
    expect(await says(line)).toContain(words)
    expect(await buttons(line)).toEqual(lines)
  })

  test('before the venue was seen, a symbol is neither right nor wrong', async () => {
    const { dialog } = aDialog({ view: { listed: () => new Map(), marketsAt: () => null } })
    expect(text(await dialog.line(from, '/market BTC'))).toContain('I haven’t seen the venue')
  })
})

test('a market that was not seen since a start is called by its symbol', async () => {
  const blind = [{ source: { is: 'market', marketId: '300' }, since: NOON, why: 'no answer' }] as const
  const mutes = [{ chatId: 1, of: { is: 'market', marketId: '300' }, until: NOON + 60_000 }] as const
  const view = {
    markets: () => new Map(),
    blind: () => ({ own: [...blind], others: 0 }),
    mutes: () => [...mutes],
  }
  for (const line of ['/positions', '/status', '/quiet']) {
    const said = text(await aDialog({ view }).dialog.line(from, line))
    expect(said).toContain('Sol')
    expect(said).not.toContain('market 300')
  }
})

describe('what is missing is asked for with the likely choices', () => {
  const buttons = async (line: string) =>
    (await aDialog().dialog.line(from, line)).buttons.flatMap((button) =>
      button.line === '/cancel' || isOther(button) ? [] : [button.line],
    )

  test.each([
    ['/market', ['/market ETH', '/market Sol', '/market BTC']],
    ['/unwatch', ['/unwatch main', '/unwatch "my hedge"']],
    ['/remove', ['/remove R7']],
    ['/why', ['/why A41']],
    [
      '/preview main ETH',
      [
        '/preview main ETH -25%',
        '/preview main ETH -50%',
        '/preview main ETH -100%',
        '/preview main ETH $1k',
      ],
    ],
    [
      '/settings numbers',
      ['/settings numbers 1,234.5', '/settings numbers 1.234,5', '/settings numbers "1 234,5"'],
    ],
    [
      '/alert liq ETH',
      [
        '/alert liquidation-distance ETH 20%',
        '/alert liquidation-distance ETH 10%',
        '/alert liquidation-distance ETH 5%',
        '/alert liquidation-distance ETH 2.5%',
      ],
    ],
    ['/channel', ['/channel bind', '/channel unbind', '/channel test', '/channel acks', '/channel list']],
  ])('%s', async (line, lines) => {
    expect(await buttons(line)).toEqual(lines)
    // What a button says is understood, or asks for the next thing.
    for (const button of lines) expect(await says(button)).not.toMatch(/I do not know|too many/)
  })

  test.each([
    ['/remove', 'You have no rules yet.'],
    ['/why', 'No active alerts.\n[History: /history]'],
    ['/unwatch', 'I watch no wallet for you yet.\n[Add a wallet: /watch]'],
  ])('and whoever has none of it is told so: %s', async (line, why) => {
    const nothing = aDialog({ view: { watches: () => [], rules: () => [], firing: () => [] } })
    expect(text(await nothing.dialog.line(from, line))).toContain(why)
  })

  test('never more than eight', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `M${index}`)
    const view = aDialog({
      view: { rules: () => many.map((_, id) => ({ id, kind: 'k', market: null })) as never },
    })
    expect((await view.dialog.line(from, '/remove')).buttons).toHaveLength(8)
  })
})

describe('suggestions come from memory', () => {
  const suggest = (command: string, argument: string, typed = '') =>
    aDialog()
      .dialog.suggest(from, command, argument, typed)
      .map(({ value }) => value)
  test.each([
    ['positions', 'wallet', '', ['main', 'my hedge']],
    ['positions', 'wallet', 'hed', ['my hedge']],
    ['positions', 'wallet', BOB.slice(0, 6), ['my hedge']],
    // Those in which I hold something first, then by volume.
    ['market', 'market', '', ['ETH', 'Sol', 'BTC']],
    ['market', 'market', 'T', ['ETH', 'BTC']],
    ['market', 'market', 'b', ['BTC']],
    ['remove', 'rule', 'liq', ['R7']],
    ['why', 'alert', '', ['A41']],
    ['markets', 'by', 'f', ['funding']],
    ['orders', 'state', 'Ex', ['expired']],
    ['help', 'command', 'pos', ['positions']],
    ['preview', 'account', '', ['105001', '105002']],
    ['alert liquidation-distance', 'market', 'et', ['ETH']],
    ['settings numbers', 'style', '', ['1,234.5', '1.234,5', '1 234,5']],
    ['invite', 'lasts', '', ['1h', '4h', '1d', '7d']],
    ['nonsense', 'wallet', '', []],
    ['market', 'nonsense', '', []],
  ])('%s, %s, “%s”', (command, argument, typed, values) =>
    expect(suggest(command, argument, typed)).toEqual(values),
  )

  test('at most as many as a platform takes', () => {
    const watches = Array.from({ length: 60 }, (_, index) => ({
      personId: 1,
      wallet: ALICE,
      label: `w${index}`,
      since: 0,
      as: 'own' as const,
    }))
    const { dialog } = aDialog({ view: { watches: () => watches } })
    expect(dialog.suggest(from, 'positions', 'wallet', '')).toHaveLength(25)
  })
})

describe('options that a platform has typed', () => {
  const call = async (command: string, args: unknown) =>
    text(await aDialog().dialog.call(from, command, args))
  test.each([
    ['market', { market: 'btc' }, 'BTC $97,678'],
    ['alert liquidation-distance', { market: 'ETH', tiers: '10% 5%' }, 'You already have this alert'],
    ['alert price', { market: 'ETH', way: 'below', level: '$2.4k' }, 'You already have this alert'],
    ['alert price', { market: 'ETH', way: '<', level: '2400 USD' }, 'You already have this alert'],
    [
      'alert funding-rate',
      { market: 'BTC', way: 'above', line: '50% a year' },
      'You already have this alert',
    ],
    ['alert price-move', { market: 'ETH', share: '5%', within: '2 hours' }, 'You already have this alert'],
    ['positions', { wallet: 'my hedge', page: 1 }, 'No open position: my hedge'],
    ['market', { market: 'ETHH' }, 'Did you mean ETH?'],
    ['market', null, 'Which market?'],
    ['market', { market: 7 }, 'did not work|string'],
    ['nonsense', {}, 'I didn’t understand “/nonsense”'],
  ])('%s %j', async (command, args, words) =>
    expect(await call(command, args)).toMatch(new RegExp(words.replace(/[$?.]/g, String.raw`\$&`))),
  )
})

test('one person’s commands run in order, however long each takes', async () => {
  const { dialog } = aDialog()
  const order: number[] = []
  await Promise.all(
    ['/positions', '/help', '/start'].map(async (line, index) => {
      await dialog.line(from, line)
      order.push(index)
    }),
  )
  expect(order).toEqual([0, 1, 2])
})

describe('who says more than 2 lines a minute', () => {
  const said = async (speaker: Partial<Speaker>, lines: readonly string[]) => {
    const { dialog } = aDialog({ perMinute: 2, speaker })
    const answers: string[] = []
    for (const line of lines) answers.push(text(await dialog.line(from, line)))
    return answers
  }
  const POLITE = 'That’s more than 2 commands a minute. Wait a little, please.'

  test('is told so once, then nothing until the minute is over, whatever they say', async () => {
    const answers = await said({ local: false }, ['/help', '/help', '/help', 'nonsense', '', '/help'])
    expect(answers.slice(2)).toEqual([POLITE, '', '', ''])
  })

  test('is answered also after much was tried while they typed, which has a limit of its own', async () => {
    const { dialog } = aDialog({ perMinute: 2, speaker: { local: false } })
    const typing = { ...from, whileTyping: true } as const
    const tries: string[] = []
    for (let turn = 0; turn < 4; turn++)
      tries.push(text(await dialog.call(typing, 'try pnl', { above: `${turn}` })))
    expect(tries.slice(2)).toEqual([POLITE, ''])
    expect(text(await dialog.line(from, '/help'))).toContain('/help wallets')
  })

  test('is answered all the same where they sit at the machine', async () => {
    const answers = await said({ local: true }, ['/help', '/help', '/help'])
    expect(answers[2]).toContain('/help wallets')
  })
})

test('what took effect before an interruption is not said to be done already by somebody else', async () => {
  const { dialog } = aDialog({ seen: ['7#0'] })
  const again = text(await dialog.line({ ...from, id: '7' }, '/alert funding-flip BTC'))
  expect(again).toContain('Done. I was interrupted before I could answer.')
  expect(text(await dialog.line({ ...from, id: '8' }, '/help'))).toContain('/help wallets')
})

describe('a stranger', () => {
  const stranger = { person: null, own: null, local: false }
  const PRIVATE = expect.stringContaining('This Perch is private')

  test('hears one polite sentence, then nothing, and after a while once more', async () => {
    const { dialog, clock } = aDialog({ speaker: stranger })
    const says = async (line: string) => text(await dialog.line(from, line))
    expect(await says('hello')).toEqual(PRIVATE)
    for (const line of ['hello', '/start', '/watch 0x12', 'positions']) expect(await says(line)).toBe('')
    await clock.advance(10 * 60_000)
    expect([await says('/invite'), await says('/invite')]).toEqual([PRIVATE, ''])
  })

  test('has a marked Perch say nothing where there is nothing to say', async () => {
    const { dialog } = aDialog({ speaker: stranger })
    await dialog.line(from, 'hello')
    expect(await dialog.line(from, 'hello')).toMatchObject({ items: [], footnote: null })
  })

  test('of a bound chat is answered as its guest', async () => {
    const { dialog } = aDialog({ speaker: { ...stranger, bound: { ...home, private: false } } })
    for (let more = 0; more < 5; more++) expect(text(await dialog.line(from, '/market btc'))).toContain('BTC')
  })
})

test('whoever sits at the machine may replay a long /export', async () => {
  const { dialog } = aDialog({ perMinute: 2 })
  for (let more = 0; more < 5; more++)
    expect(text(await dialog.line(from, '/help'))).not.toContain('commands a minute')
})

describe('whatever is said, there is an answer', () => {
  const words = fc.constantFrom(
    ...commands.flatMap(({ name, aliases, forms }) => [
      `/${name}`,
      ...aliases,
      ...forms.map((form) => form.name),
    ]),
    'main',
    'my hedge',
    '"my hedge"',
    'ETH',
    'btc',
    ALICE,
    '0x',
    '5%',
    '-2',
    '$5k',
    '-50%',
    '1h30m',
    'A41',
    'R7',
    'yes',
    '👩‍👩‍👧‍👦',
    '‮evil',
    'שלום',
    'مرحبا',
    '\u0000\u001B[2J',
    '“”',
    '"',
    '`',
    '<b>',
    '@everyone',
    '9'.repeat(200),
    'Europe/Berlin',
  )
  const starts = commands.flatMap(({ name, forms }) => forms.map((form) => `/${name} ${form.name}`))
  const line = fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...starts), fc.array(words, { maxLength: 4 }))
        .map(([start, parts]) => [start, ...parts].join(' ')),
    },
    {
      weight: 3,
      arbitrary: fc
        .array(fc.oneof(words, fc.string({ unit: 'grapheme', maxLength: 12 })), { maxLength: 8 })
        .map((parts) => parts.join(' ')),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 200 }) },
  )

  test('in bounds that any platform takes, and never because something broke', async () => {
    const { dialog, events } = aDialog()
    await fc.assert(
      fc.asyncProperty(line, async (said) => {
        const message = await dialog.line(from, said)
        expect(text(message).trim()).not.toBe('')
        expect(within(message)).toEqual([])
        // No character of theirs comes back that could turn a line around or steer a terminal.
        expect(JSON.stringify(message)).not.toMatch(/[\u202A-\u202E\u2066-\u2069]|\\u00[01][0-9a-f]/)
        expect(events.filter(({ is }) => is === 'trouble')).toEqual([])
      }),
      { numRuns: budget(10_000, 3_000) },
    )
    // Many of them name a command, and some of those are understood.
    const outcomes = events.flatMap((event) => (event.is === 'command' ? [event.outcome] : []))
    expect(outcomes.length).toBeGreaterThan(budget(1_000, 300))
    expect(outcomes.filter((outcome) => outcome === 'answered').length).toBeGreaterThan(budget(200, 60))
  })

  // What took the square of its length would take hours.
  test('also when it is a megabyte', async () => {
    const { dialog } = aDialog()
    for (const part of ['x', ' /market', '👩‍👩‍👧‍👦', '"', '1,', '\u202E']) {
      const message = await dialog.line(from, `/market ${part.repeat(1_000_000 / part.length)}`)
      expect(within(message)).toEqual([])
    }
  })

  test('also to options of any shape', async () => {
    const { dialog, events } = aDialog()
    const names = commands.flatMap(({ name, forms }) => forms.map((form) => `${name} ${form.name}`.trim()))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.anything(), async (name, args) => {
        expect(within(await dialog.call(from, name, args))).toEqual([])
      }),
      { numRuns: 1_000 },
    )
    expect(events.filter(({ is }) => is === 'trouble')).toEqual([])
  })

  test('and a table is as wide as a phone', () => {
    expect(
      tableWidth({
        columns: [
          { title: 'a', align: 'left' },
          { title: 'b', align: 'right' },
        ],
        rows: [['x', '123']],
      }),
    ).toBe(5)
  })
})

describe('/status in short', () => {
  const blind = ['100', '200', '300'].map((marketId) => ({
    source: { is: 'market', marketId } as const,
    since: NOON,
    why: 'no answer',
  }))
  const failing = [{ source: { is: 'wallet', wallet: ALICE } as const, seenAt: NOON, why: 'status 500' }]
  const status = async (own: typeof blind, others: number) => {
    const seen = { own, others }
    const { dialog } = aDialog({
      view: { blind: () => seen, failing: () => ({ own: failing, others: 0 }) },
    })
    return text(await dialog.line(from, '/status')).split('\n')
  }

  test('names two unseen sources and counts the others', async () => {
    const lines = await status(blind, 4)
    expect(lines.filter((line) => line.includes('no answer'))).toHaveLength(2)
    expect(lines.filter((line) => /^ {2}and \d+ more$/.test(line))).toEqual(['  and 2 more'])
    expect(lines.join('\n')).not.toContain('status 500')
  })

  test('counts nothing where it names all', async () => {
    const lines = await status(blind.slice(0, 1), 4)
    expect(lines.join('\n')).toMatch(/no answer\n.*status 500\n {2}4 wallets of other people\n/)
    expect(lines.filter((line) => line.includes(' more'))).toEqual([])
  })
})

test('what an argument is, its reader reads in their language', () => {
  const asks = commands.flatMap(({ name, forms }) =>
    forms.flatMap((form) =>
      fieldsOf(form).map((field) => [`/${name} ${field.name}`, field.meta.asks] as const),
    ),
  )
  expect(asks.length).toBeGreaterThan(50)
  expect(asks.filter(([, said]) => typeof said === 'string' && said !== '')).toEqual([])
})
