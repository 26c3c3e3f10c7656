import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type Payload, render, renderPlain } from '../../../../adapters/telegram/send/render.ts'
import {
  type Button,
  type Item,
  item,
  type Message,
  message,
  say,
  type Span,
  type Text,
  type Tone,
} from '../../../../src/message/message.ts'
import { checkMarkup, readMarkup } from '../../../support/telegram/markup.ts'
import { args } from '../../../support/telegram/request.ts'
import { messageText } from '../../../support/telegram/text.ts'

const NOW = Date.UTC(2026, 0, 15, 12, 0, 0)
const LOOK = { now: NOW, possibleRepeat: false, namesCommand: false }
const HOUR_MS = 3_600_000

/** What the strict stand-in makes of it, or its refusal. */
function accepted(payload: Payload) {
  const fields = Object.entries(payload).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const read = args(new Map(fields))
  if (!fields.every(([, text]) => text.isWellFormed())) throw new Error('half a surrogate pair')
  const formatted = messageText(read)
  checkMarkup(readMarkup(read), false, true)
  return formatted
}

function rowsOf({ reply_markup: markup }: Payload) {
  return markup && 'inline_keyboard' in markup ? markup.inline_keyboard : []
}

const button = (label: string, line = `/${label}`, replace = false): Button => ({ label, line, replace })

describe('a message', () => {
  test('is told by its tone, its title in bold, its small print in italics', () => {
    const danger = message(
      [
        item('critical', 'BTC long: 4.3% to liquidation (A1)', [
          'price $94,000',
          [{ strong: 'inside' }, ' your ', { code: '5%' }, ' line'],
        ]),
      ],
      { footnote: 'read 0.2 s ago' },
    )
    expect(render(danger, LOOK)).toEqual({
      text: '🚨 <b>BTC long: 4.3% to liquidation (A1)</b>\nprice $94,000\n<b>inside</b> your <code>5%</code> line\n\n<i>read 0.2 s ago</i>',
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    })
  })

  test.each([
    ['plain', 'Nothing'],
    ['critical', '🚨 <b>Nothing</b>'],
    ['warning', '⚠️ <b>Nothing</b>'],
    ['info', '🔔 <b>Nothing</b>'],
    ['good', '✅ <b>Nothing</b>'],
    ['blind', '🙈 <b>Nothing</b>'],
  ] as const)('of tone %s reads %s', (tone, text) => {
    expect(render(message([item(tone, 'Nothing')]), LOOK).text).toBe(text)
  })

  test('has a table of fixed width', () => {
    const table = {
      columns: [
        { title: 'name', align: 'left' as const },
        { title: 'dist', align: 'right' as const },
      ],
      rows: [['a<b', '4%']],
    }
    expect(render(message([], { table }), LOOK).text).toBe('<pre>name dist\na&lt;b    4%</pre>')
  })

  test('has its times in the zone of whoever reads it, with words for old applications', () => {
    const at = (time: number, as: 'clock' | 'ago') => render(say([{ time, as }]), LOOK).text
    expect(at(NOW - HOUR_MS, 'clock')).toBe(
      `<tg-time unix="${NOW / 1000 - 3600}" format="t">11:00 UTC</tg-time>`,
    )
    expect(at(NOW - 30 * HOUR_MS, 'clock')).toBe(
      `<tg-time unix="${NOW / 1000 - 108_000}" format="dt">14 Jan 06:00 UTC</tg-time>`,
    )
    expect(at(NOW - 90_000, 'ago')).toBe(`<tg-time unix="${NOW / 1000 - 90}" format="r">2 min ago</tg-time>`)
  })

  test('that may be a repeat says so first, with and without markup', () => {
    expect(render(say('x'), { ...LOOK, possibleRepeat: true }).text).toBe('<i>(possible repeat)</i>\n\nx')
    expect(renderPlain(say('x'), { ...LOOK, possibleRepeat: true }).text).toBe('(possible repeat)\nx')
  })

  test('does not write out what its buttons do', () => {
    const alert = message([
      item('critical', 'x', [], [button('Ack', '/ack A1'), button('2 h', '/snooze A1 2h')]),
    ])
    expect(render(alert, LOOK).text).not.toContain('/ack')
  })

  test('names a command that does not fit a button, and drops the button', () => {
    const long = `/watch ${'ü'.repeat(40)}`
    const { text, reply_markup: markup } = render(
      message([item('plain', 'x')], { buttons: [button('Watch', long), button('No', '/no')] }),
      LOOK,
    )
    expect(text).toContain(`Watch: <code>${long}</code>`)
    expect(markup).toEqual({ inline_keyboard: [[{ text: 'No', callback_data: '+no' }]] })
  })

  test('puts an item’s buttons into rows of their own, no wider than a phone', () => {
    const items = [
      item('critical', 'one', [], [button('Ack A1'), button('Snooze 1h')]),
      item('info', 'two', [], [button('Ack A2')]),
    ]
    const wide = ['a long label', 'another long label', 'x'].map((label) => button(label))
    const rows = rowsOf(render(message(items, { buttons: wide }), LOOK))
    expect(rows.map((row) => row.map(({ text }) => text))).toEqual([
      ['Ack A1', 'Snooze 1h'],
      ['Ack A2'],
      ['a long label'],
      // As wide as the widest of its row, the short one would take half of the long one's label.
      ['another long label'],
      ['x'],
    ])
  })

  test('shows the four buttons of an alert in one row, and those of a crowd below', () => {
    const labels = ['Ack', 'Snooze ▸', 'Ways out', 'Why']
    const alert = item(
      'critical',
      'BTC',
      [],
      labels.map((label) => button(label)),
    )
    const crowd = { buttons: [button('Ack all 3'), button('All alerts')] }
    const rows = rowsOf(render(message([alert], crowd), LOOK))
    expect(rows.map((row) => row.map(({ text }) => text).join(' | '))).toEqual([
      'Ack | Snooze ▸ | Ways out | Why',
      'Ack all 3 | All alerts',
    ])
  })

  test('that is too long loses its last items as a whole, and says how many', () => {
    const items = Array.from({ length: 30 }, (_, n) => item('warning', `item ${n}`, ['<'.repeat(300)]))
    const { text } = render(message(items, { footnote: 'SIMULATED' }), LOOK)
    const shown = accepted(render(message(items, { footnote: 'SIMULATED' }), LOOK)).text
    expect([...shown].length).toBeLessThanOrEqual(4096)
    expect(text).toMatch(/… and 1\d more that don’t fit here\n\n<i>SIMULATED<\/i>$/)
    expect(shown.match(/<{300}/g)?.length).toBe(shown.match(/item \d/g)?.length)
  })

  test('cannot be made to read as another one', () => {
    const spoof = say('label\u202Eevil\u2066', 'line\nnew line\u2028x')
    expect(render(spoof, LOOK).text).toBe('<b>labelevil</b>\nline new line x')
  })
})

const SCRIPTS = [
  '<b>',
  '</pre>',
  '&amp;',
  '&',
  '"',
  "'",
  '<tg-time unix="1">',
  '😀',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  'e\u0301',
  '\u0333',
  '\u033f',
  '\u030a',
  'مرحبا',
  'שלום',
  '\u202e',
  '\u2067',
  '\u200f',
  '\ud800',
  '\udc00',
  '\u0000',
  '\u0007',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '\u00a0',
  '\u2800',
  '\ufffc',
  '\ufeff',
  '\u3164',
  '長い',
  'ﷺ',
  '_*[]()~`>#+-=|{}.!',
  '/ack',
  '@here',
  'http://x.test',
  '0x51aB1e0000000000000000000000000000000001',
]
const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...SCRIPTS), { maxLength: 40 }).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom(...SCRIPTS), fc.integer({ min: 0, max: 900 }))
    .map(([part, times]) => part.repeat(times)),
)
const span: fc.Arbitrary<Span> = fc.oneof(
  odd,
  odd.map((strong) => ({ strong })),
  odd.map((code) => ({ code })),
  fc.record({
    time: fc.integer({ min: 0, max: 4e12 }),
    as: fc.constantFrom('clock' as const, 'ago' as const),
  }),
)
const text: fc.Arbitrary<Text> = fc.oneof(odd, fc.array(span, { maxLength: 5 }))
const buttons: fc.Arbitrary<Button[]> = fc.array(
  fc.record({ label: odd, line: odd, replace: fc.boolean() }),
  { maxLength: 4 },
)
const TONES: Tone[] = ['critical', 'warning', 'info', 'good', 'blind', 'plain']
const items: fc.Arbitrary<Item> = fc.record({
  tone: fc.constantFrom(...TONES),
  title: text,
  lines: fc.array(text, { maxLength: 4 }),
  buttons,
})
const messages: fc.Arbitrary<Message> = fc.record({
  items: fc.array(items, { maxLength: 6 }),
  table: fc.option(
    fc.record({
      columns: fc.constant([
        { title: 'a', align: 'left' as const },
        { title: 'b', align: 'right' as const },
      ]),
      rows: fc.array(fc.array(odd, { minLength: 2, maxLength: 2 }), { maxLength: 12 }),
    }),
  ),
  buttons,
  footnote: fc.option(text),
})

test('random messages are accepted, with markup and without', () => {
  fc.assert(
    fc.property(messages, fc.boolean(), (one, possibleRepeat) => {
      accepted(render(one, { now: NOW, possibleRepeat }))
      accepted(renderPlain(one, { now: NOW, possibleRepeat }))
    }),
    { numRuns: 100 },
  )
})

test('random texts are accepted and shown as they are, but for what Telegram takes out', () => {
  fc.assert(
    fc.property(odd, (words) => {
      const { text: shown } = accepted(render(say(['[', words, ']']), LOOK))
      const kept = (of: string) => of.toWellFormed().replace(/[\p{Cc}\p{Cf}\s\u0333\u033f\u030a]/gu, '')
      if (words.length < 1_000) expect(kept(shown)).toBe(kept(`[${words}]`))
    }),
    { numRuns: 3_000 },
  )
})
