import { describe, expect, test } from 'vitest'

import { isConversation } from '../../../src/chat/conversation.ts'
import { percent, quantity } from '../../../src/message/figure.ts'
import { codePoints } from '../../../src/message/fit.ts'
import {
  type Item,
  item,
  ITEM_CODE_POINTS,
  type Message,
  message,
  say,
  TABLE_COLUMNS,
} from '../../../src/message/message.ts'
import { given, has } from './platform.ts'
import { answerTo, NEVER, type Session, type Suite, type Talk, testWhere } from './session.ts'

/** What a message looks like as plain text: everything that is in it, in order, literally, within limits. */
export function testRendering({ sample, on }: Suite<Session>): void {
  describe('a message', () => {
    test(
      'an alert shows everything in its order',
      on(async (session) => {
        await session.delivered(everything(session.platform.clock.now()))
        await expectEverything(session)
      }),
    )

    test(
      'an alert without markup shows everything in its order',
      on(async (session) => {
        await session.delivered(everything(session.platform.clock.now()), { plain: true })
        await expectEverything(session)
      }),
    )

    testWhere(
      sample.editsInPlace,
      'an edited one shows everything in its order',
      on(async (session) => {
        const { platform, delivered, adapter } = session
        await adapter().edit(await delivered(say('before')), everything(platform.clock.now()), NEVER)
        await expectEverything(session)
      }),
    )

    test(
      'is styled, but not when it was refused with its styles',
      on(async ({ platform, delivered }) => {
        const words = message([item('critical', 'BTC', [[{ strong: 'near' }, ' at ', { code: '60600' }]])])
        await delivered(words, { plain: true })
        expect((await platform.sees(platform.ann, 'home')).at(-1)?.styled).toBe(false)
      }),
    )

    test.for([{ plain: false }, { plain: true }])(
      'shows every character as it is (plain: $plain)',
      ({ plain }) =>
        on(async ({ platform, delivered, texts }) => {
          for (const odd of ODD) {
            await delivered(
              message([item('plain', `title ${odd}`, [odd, [{ strong: odd }, ' and ', { code: odd }]])], {
                table: { columns: [{ title: 'name', align: 'left' }], rows: [[odd]] },
                footnote: `note ${odd}`,
              }),
              { plain },
            )
            const seen = (await texts(platform.ann, 'home')).at(-1) ?? ''
            expect(seen.split(odd)).toHaveLength(7)
            expect(seen).toContain(`title ${odd}`)
            expect(seen).toContain(`note ${odd}`)
          }
        })(),
    )

    test(
      'with nothing but a table, a footnote or a title is one too',
      on(async ({ platform, delivered, texts }) => {
        const table = { columns: [{ title: 'name', align: 'left' as const }], rows: [['lonely']] }
        for (const one of [
          message([], { table }),
          message([], { footnote: 'lonely' }),
          message([item('plain', 'lonely')]),
        ]) {
          await delivered(one)
          expect((await texts(platform.ann, 'home')).at(-1)).toContain('lonely')
        }
      }),
    )
  })

  describe('a message as long as one may be', () => {
    test.for([
      ['letters', 'x'],
      ['emoji', '😀'],
      ['characters that must be escaped', '<'],
      ['other characters that must be escaped', '*'],
    ] as const)('of %s goes out as one, cut by whole items if at all', ([, filler]) =>
      on(async ({ platform, adapter, delivered, texts }) => {
        const items = Array.from({ length: 10 }, (_, n) => full(n, filler))
        const rows = Array.from({ length: 10 }, (_, n) => [`wallet-${n}#`, `${n}00.00`, '12.4%'])
        const columns = ['wallet', 'size', 'dist'].map((title) => ({ title, align: 'left' as const }))
        const buttons = Array.from({ length: 8 }, (_, n) => ({
          label: `Do ${n}`,
          line: `/show ${n}`,
          replace: false,
        }))
        const before = (await texts(platform.ann, 'home')).length
        await delivered(message(items, { table: { columns, rows }, buttons, footnote: 'read 2 s ago' }))
        const seen = (await texts(platform.ann, 'home')).slice(before)
        // The first send has made ann known.
        const sent = seen.filter((text) => text.includes('item 0.'))
        expect(sent).toHaveLength(1)
        const [text = ''] = sent

        const whole = items.map((one, n) => {
          const started = text.includes(`item ${n}.`)
          const complete = inOrder(text, [`item ${n}.`, ...one.lines.map(String)])
          expect(started, `item ${n} is whole or not there`).toBe(complete)
          return complete
        })
        // The worst comes first, so the end is what is left out.
        expect(whole).toEqual(whole.toSorted((a, b) => Number(b) - Number(a)))
        expect(whole.filter(Boolean).length).toBeGreaterThan(1)
        const shownRows = rows.map((row) => text.split('\n').some((line) => inOrder(line, row)))
        expect(shownRows).toEqual(shownRows.toSorted((a, b) => Number(b) - Number(a)))
        rows.forEach(([name = ''], n) => expect(text.includes(name)).toBe(shownRows[n]))
        if ([...whole, ...shownRows].includes(false)) expect(text).toMatch(/\d+ more/)
        if (isConversation(adapter())) for (const { label } of buttons) expect(text).toContain(label)
        expect(text).toContain('read 2 s ago')
      })(),
    )
  })
}

/** The same of answers, and buttons that people press. */
export function testRenderedAnswers({ sample, on }: Suite<Talk>): void {
  describe('a message', () => {
    test(
      'an answer shows everything in its order',
      on(async (session) => {
        const { platform, bot, said, shown } = session
        bot.answers('everything', () => everything(platform.clock.now()))
        await said(platform.ann, 'home', '/tell everything')
        await shown(platform.ann, 'home', 'source: perps-data')
        await expectEverything(session)
      }),
    )

    testWhere(
      has(sample.taps),
      'has buttons with any words on them',
      on(async ({ platform, bot, delivered, texts, shown }) => {
        const taps = given(platform.taps)
        for (const [n, label] of ODD.entries()) {
          const line = `/show odd-${n}`
          await delivered(message([item('plain', 'x')], { buttons: [{ label, line, replace: false }] }))
          expect((await texts(platform.ann, 'home')).at(-1)).toContain(label)
          await taps(platform.ann, 'home', label)
          await shown(platform.ann, 'home', answerTo(`odd-${n}`))
          expect(bot.heard.at(-1)?.text).toBe(line)
        }
      }),
    )
  })
}

async function expectEverything({ platform, adapter, texts }: Session): Promise<void> {
  const text = (await texts(platform.ann, 'home')).at(-1) ?? ''
  expectInOrder(text, [
    'BTC long is 2.4% from liquidation (A3)',
    'price $62.1k, liquidation $60.6k',
    'since ',
    'ETH funding flipped (A4)',
    'you now pay $3.90 a day',
  ])
  const cells = ['wallet', 'size', 'dist', 'main', '1.5', '2.4%', 'my hedge', '-4', '30%']
  expectInOrder(text.slice(text.indexOf('$3.90')), cells)
  expectInOrder(text.slice(text.indexOf('my hedge')), ['read ', 'source: perps-data'])
  for (const row of [
    ['main', '1.5', '2.4%'],
    ['my hedge', '-4', '30%'],
  ]) {
    expect(text.split('\n').some((line) => inOrder(line, row))).toBe(true)
  }
  // Nobody presses a button where nobody speaks.
  if (isConversation(adapter()))
    for (const label of ['Ack A3', 'Snooze A3', 'Refresh', 'Mute 1h']) expect(text).toContain(label)
  expect(text).toMatch(/since \S.*\d.*, worst/)
  expect(text).toMatch(/read \S.*(ago|now|\d).*source/)
  expect(text).not.toMatch(/\[object|undefined|null|NaN|\d{12}/)
}

/** Markup of several platforms, mentions, links, and scripts that are hard to lay out. */
const ODD = [
  '<b>&"*_`[]~> &amp; </b>',
  '**bold** __under__ ~~gone~~ ||hidden||',
  '# head',
  '- list 1. one',
  '[link](http://x.test) <http://x.test>',
  '@everyone <@123> <#1> <:e:1> <t:0:R>',
  'a\\*b\\',
  '``a`b``',
  '😀👩‍👩‍👧‍👦🇩🇪',
  'مرحبا שלום',
  'e\u0301a\u0308',
  '$&-3.5%!(=){x}|+.',
]

function everything(now: number): Message {
  const button = (label: string) => ({ label, line: `/show ${label}`, replace: false })
  return message(
    [
      item(
        'critical',
        ['BTC long is ', { strong: '2.4%' }, ' from liquidation (A3)'],
        [
          'price $62.1k, liquidation $60.6k',
          ['since ', { time: now - 3_600_000, as: 'clock' }, ', worst ', percent(0.021)],
        ],
        [button('Ack A3'), button('Snooze A3')],
      ),
      item('info', 'ETH funding flipped (A4)', [['you now pay ', { code: '$3.90' }, ' a day']]),
    ],
    {
      table: {
        columns: [
          { title: 'wallet', align: 'left' },
          { title: 'size', align: 'right' },
          { title: 'dist', align: 'right' },
        ],
        rows: [
          ['main', quantity(1.5), percent(0.024)],
          ['my hedge', '-4', '30%'],
        ],
      },
      buttons: [button('Refresh'), button('Mute 1h')],
      footnote: ['read ', { time: now - 90_000, as: 'ago' }, ' · source: perps-data'],
    },
  )
}

/** An item of just `ITEM_CODE_POINTS`, line ends included. */
function full(n: number, filler: string): Item {
  const title = `item ${n}.`
  const line = (length: number) => `${filler.repeat(length - 4)}${n}end`
  const length = Math.floor((ITEM_CODE_POINTS - codePoints(title) - 4) / 4)
  return item('warning', title, [line(length), line(length), line(length), line(length)])
}

function inOrder(text: string, parts: readonly string[]): boolean {
  let from = 0
  return parts.every((part) => {
    const at = text.indexOf(part, from)
    from = at + part.length
    return at >= 0
  })
}

function expectInOrder(text: string, parts: readonly string[]): void {
  const missing = parts.filter((part) => !text.includes(part))
  expect(missing, text).toEqual([])
  expect(inOrder(text, parts), text).toBe(true)
}

/** What the table above is wide: the widest that messages have. */
if ('wallet-0# 000.00 12.4%'.length > TABLE_COLUMNS) throw new Error('the table is too wide')
