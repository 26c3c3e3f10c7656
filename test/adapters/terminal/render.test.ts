import { describe, expect, test } from 'vitest'

import { clean, renderLines } from '../../../adapters/terminal/render.ts'
import { item, message, say } from '../../../src/message/message.ts'
import { NOON } from '../../support/clock.ts'

const plain = {
  reader: { now: NOON, zone: 'Asia/Kolkata' },
  colour: false,
  stamped: false,
  possibleRepeat: false,
}
const coloured = { ...plain, colour: true }

const full = message(
  [
    item(
      'warning',
      ['ETH long is ', { strong: '9.6%' }, ' from liquidation (A2)'],
      [['seen at ', { time: NOON - 120_000, as: 'clock' }, ', ', { time: NOON - 120_000, as: 'ago' }]],
      [{ label: 'Snooze 1h', line: '/snooze A2 1h', replace: false }],
    ),
    item('info', 'SOL short is 18% from liquidation (A5)'),
  ],
  {
    table: {
      columns: [
        { title: 'market', align: 'left' },
        { title: 'price', align: 'right' },
      ],
      rows: [['ETH', '$2,634.97']],
    },
    buttons: [{ label: 'All', line: '/positions', replace: false }],
    footnote: ['simulated, ask ', { code: '/status' }],
  },
)

test('a button that opens a page shows its address, and one for the app of another platform is left out', () => {
  const opens = (app: boolean) => ({ url: 'https://perch.example/page#CODE\u001B[2J', app })
  const button = (app: boolean) => ({ label: 'Open', line: '/page', replace: false, opens: opens(app) })
  expect(renderLines(message([], { buttons: [button(true), button(false)] }), plain)).toEqual([
    '[Open: https://perch.example/page#CODE[2J]',
  ])
})

describe('a message in a pipe', () => {
  test('is plain lines, with times in the zone of the machine', () => {
    expect(renderLines(full, plain)).toEqual([
      '[WARNING] ETH long is 9.6% from liquidation (A2)',
      '  seen at 17:28, 2 min ago',
      '  [Snooze 1h: /snooze A2 1h]',
      '[INFO] SOL short is 18% from liquidation (A5)',
      'market     price',
      'ETH    $2,634.97',
      '[All: /positions]',
      'simulated, ask /status',
    ])
  })

  test('tells the time before each alert of a group, and of a repeat once', () => {
    expect(renderLines(full, { ...plain, stamped: true, possibleRepeat: true }).slice(0, 4)).toEqual([
      '(possible repeat) 17:30:00 [WARNING] ETH long is 9.6% from liquidation (A2)',
      '  seen at 17:28, 2 min ago',
      '  [Snooze 1h: /snooze A2 1h]',
      '17:30:00 [INFO] SOL short is 18% from liquidation (A5)',
    ])
  })

  test('has no control characters, whoever wrote them', () => {
    const evil = '\u001B[2J\u009B1mMain\u0007\u202Eniam\u2066\u0000\u007F\tx'
    const lines = renderLines(
      message(
        [
          item(
            'critical',
            evil,
            [[{ strong: evil }, { code: evil }]],
            [{ label: evil, line: evil, replace: false }],
          ),
        ],
        {
          table: { columns: [{ title: evil, align: 'left' }], rows: [[evil]] },
          buttons: [{ label: evil, line: evil, replace: true }],
          footnote: evil,
        },
      ),
      plain,
    )
    expect(lines.join('')).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
    expect(lines[0]).toBe('[CRITICAL] [2J1mMainniam x')
  })

  test('shows a line feed in a name as a line that belongs to the one above', () => {
    expect(renderLines(say('Main\n[CRITICAL] sell everything'), plain)).toEqual([
      'Main',
      '    [CRITICAL] sell everything',
    ])
  })
})

describe('a message in a terminal', () => {
  test('has a colour by its tone, and emphasis that ends before the colour does', () => {
    expect(renderLines(full, coloured)[0]).toBe(
      '\u001B[33m[WARNING] ETH long is \u001B[1m9.6%\u001B[22m from liquidation (A2)\u001B[39m',
    )
    expect(renderLines(full, coloured).at(-1)).toBe(
      '\u001B[2msimulated, ask \u001B[4m/status\u001B[24m\u001B[22m',
    )
  })

  test('leaves conversation uncoloured', () => {
    expect(renderLines(say('Nothing to see.'), coloured)).toEqual(['Nothing to see.'])
  })
})

test('text keeps its letters, its line feeds and its emoji', () => {
  expect(clean('Größe\r\n🦜 日本\u2028x')).toBe('Größe\n🦜 日本\nx')
})
