import { describe, expect, test } from 'vitest'

import { componentRows, tapped } from '../../../../adapters/discord/gateway/buttons.ts'
import { render } from '../../../../adapters/discord/send/render.ts'
import { escaped, markdown, wholeLines } from '../../../../adapters/discord/send/text.ts'
import { item, type Message, message, say } from '../../../../src/message/message.ts'
import { newForm } from '../../../support/discord/form.ts'
import { checkMessage } from '../../../support/discord/validate/message.ts'

const AT = Date.UTC(2026, 0, 15, 14, 2)
const commands = new Map([
  ['positions', '11'],
  ['alert funding-flip', '22'],
])
const shown = (given: Message, look = {}) => render(given, { now: AT, commands, ...look })

describe('an alert', () => {
  const danger = message(
    [
      item('critical', 'BTC long: 4.3% to liquidation (A4)', [['since ', { time: AT, as: 'clock' }], 'main']),
      item('info', 'BTC funding flipped (A5)'),
    ],
    { footnote: ['read ', { time: AT, as: 'ago' }] },
  )
  test('says the worst above the cards, and no headline twice; cards have the colour of how serious it is', () => {
    expect(shown(danger)).toEqual({
      content: 'CRITICAL: BTC long: 4.3% to liquidation (A4)\n-# and 1 more',
      embeds: [
        {
          description: 'since <t:1768485720:t>\nmain',
          color: 0xd92d20,
        },
        { title: 'BTC funding flipped (A5)', description: '-# read <t:1768485720:R>', color: 0x2e90fa },
      ],
      components: [],
      allowed_mentions: { parse: [] },
    })
  })
  test('calls a role only when it is critical, and nobody else ever', () => {
    expect(shown(danger, { role: '77' })).toMatchObject({
      content: expect.stringMatching(/^<@&77> CRITICAL/) as string,
      allowed_mentions: { parse: [], roles: ['77'] },
    })
    const flip = message([item('info', 'BTC funding flipped @everyone <@&77>')])
    expect(shown(flip, { role: '77' })).toMatchObject({
      content: String.raw`INFO: BTC funding flipped \@everyone \<\@&77\>`,
      allowed_mentions: { parse: [] },
    })
  })
  test('without further words is its headline alone', () => {
    const flip = shown(message([item('info', 'BTC funding flipped')]))
    expect(flip).toMatchObject({ content: 'INFO: BTC funding flipped', embeds: [] })
  })
  test('that was refused goes out without styles', () => {
    const plain = shown(danger, { plain: true, possibleRepeat: true })
    expect(plain.embeds).toEqual([])
    expect(plain.content).toMatch(/^\(possible repeat\) \\\[CRITICAL\\\] BTC long/)
  })
})

describe('an answer', () => {
  test('is text, with commands that can be tapped and a table of fixed width', () => {
    const table = { columns: [{ title: 'a', align: 'left' as const }], rows: [['1']] }
    expect(
      shown({ ...say('Two wallets', 'see /positions main or /alert funding-flip BTC, not /nowhere'), table })
        .content,
    ).toBe(
      '**Two wallets**\nsee </positions:11> main or </alert funding-flip:22> BTC, not /nowhere\n```\na\n1\n```',
    )
  })
  test('too long for a text becomes cards', () => {
    const long = say('What I can do', ...Array.from({ length: 40 }, (_, n) => `${n}: ${'x'.repeat(60)}`))
    const { content, embeds } = shown(long)
    expect(content).toBe('')
    expect(embeds[0]?.description?.split('\n')).toHaveLength(40)
  })
})

test.each(['x', '*', '😀', '<@1>', '`', '\\'])('no message of %s outgrows what Discord takes', (filler) => {
  const items = (tone: 'plain' | 'critical') =>
    Array.from({ length: 10 }, (_, n) =>
      item(
        tone,
        filler.repeat(60),
        Array.from({ length: 5 }, () => `${n}${filler.repeat(60)}`),
      ),
    )
  const table = {
    columns: [{ title: filler, align: 'left' as const }],
    rows: Array.from({ length: 300 }, () => [filler.repeat(7)]),
  }
  const buttons = Array.from({ length: 40 }, (_, n) => ({
    label: filler.repeat(90),
    line: `/x ${n} ${filler.repeat(n * 3)}`,
    replace: n % 2 === 0,
  }))
  for (const tone of ['plain', 'critical'] as const) {
    for (const look of [{}, { plain: true }, { possibleRepeat: true, role: '123456789012345678' }]) {
      const { form, errors } = newForm()
      checkMessage(
        form,
        shown(message(items(tone), { table, buttons, footnote: filler.repeat(300) }), look),
        'post',
      )
      expect(errors()).toBeNull()
    }
  }
})

describe('buttons', () => {
  const button = (line: string, replace = false) => ({ label: 'x', line, replace })
  test('hold their line, and say whether the answer takes their place', () => {
    const { rows } = componentRows(
      message([item('info', 'x', [], [button('/ack A4')])], { buttons: [button('/positions main', true)] }),
    )
    const ids = rows.flatMap(({ components }) =>
      components.flatMap((one) => ('custom_id' in one ? [one.custom_id] : [])),
    )
    expect(ids).toEqual(['/ack A4', '~/positions main'])
    expect(ids.map(tapped)).toEqual([
      { line: '/ack A4', replace: false },
      { line: '/positions main', replace: true },
    ])
    expect(tapped('somebody-elses')).toBeNull()
  })
  test('that open an address are links, and those for the app of another platform are left out', () => {
    const opens = (url: string, app: boolean) => ({ ...button('/page'), opens: { url, app } })
    const page = 'https://perch.example/page'
    const { components } = shown(
      message([item('plain', 'x')], { buttons: [opens(page, true), opens(`${page}#CODE`, false)] }),
    )
    expect(components).toEqual([
      { type: 1, components: [{ type: 2, style: 5, label: 'x', url: `${page}#CODE` }] },
    ])
  })
  test('with a line that is too long are said in words', () => {
    const line = `/preview ${'x'.repeat(100)}`
    const { components, content } = shown(
      message([item('plain', 'x')], { buttons: [button(line), button('/a'), button('/a')] }),
    )
    expect(components).toHaveLength(1)
    expect(components[0]?.components).toHaveLength(1)
    expect(content).toContain(`or say \`${line}\``)
  })
})

test.each([
  ['**bold** __x__ ~~y~~ `z`', String.raw`\*\*bold\*\* \_\_x\_\_ \~\~y\~\~ \`z\``],
  ['- one', '\\- one'],
  ['  + two', '  \\+ two'],
  ['-3.5%', '-3.5%'],
  ['told in #general', 'told in #general'],
  ['# big', '\\# big'],
  ['#general is bound', '#general is bound'],
  ['ETH\nRESOLVED: all is well\u2028really', 'ETH RESOLVED: all is well really'],
  ['https://x.test', String.raw`https:\//x.test`],
  ['a\u202Eb', 'a b'],
])('%j is shown as it is', (words, there) => {
  expect(escaped(words)).toBe(there)
})

test('code with marks of its own is no code', () => {
  expect(markdown([{ code: '0x12' }, ' ', { code: '`a`' }])).toBe('`0x12` \\`a\\`')
})

test('lines are kept whole', () => {
  expect(wholeLines(['abc', 'def', 'x'], 7)).toEqual(['abc', 'def'])
})

describe('the buttons of alerts', () => {
  const button = (label: string) => ({ label, line: `/${label}`, replace: false })
  const rowsOf = (...groups: number[]) => {
    const items = groups.map((many, at) =>
      item(
        'critical',
        'BTC',
        [],
        Array.from({ length: many }, (_, nth) => button(`${at}${nth}`)),
      ),
    )
    return componentRows(message(items)).rows.map(({ components }) =>
      components.map((one) => ('label' in one ? one.label : '')).join(' '),
    )
  }

  test('stand in rows of their own, about as many in each', () => {
    expect(rowsOf(7)).toEqual(['00 01 02 03', '04 05 06'])
    expect(rowsOf(4, 4)).toEqual(['00 01 02 03', '10 11 12 13'])
  })

  test('are one after the other where there is no room for that', () => {
    expect(rowsOf(6, 6, 6)).toHaveLength(4)
  })
})
