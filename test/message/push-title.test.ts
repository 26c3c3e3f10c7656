import { describe, expect, test } from 'vitest'

import { item, type Message, message, say } from '../../src/message/message.ts'
import { pushTitle, loudest } from '../../src/message/push-title.ts'

const reader = { now: Date.UTC(2026, 0, 15, 12), zone: 'UTC' }
const ack = (id: number) => [
  { label: `Ack A${id}`, line: `/ack A${id}`, replace: true },
  { label: '2 h', line: `/snooze A${id} 2h`, replace: true },
]
const shown = (said: Message, room = Infinity, possibleRepeat = false) =>
  pushTitle(said, { reader, possibleRepeat }, ({ text }) => text.length <= room)

describe('where there is a title and a text and little room', () => {
  test('the worst is the title, and what to do about it stands below', () => {
    const near = item('critical', 'BTC long: 2.4% away (A3)', ['price $62.1k'], ack(3))
    expect(shown(message([near], { footnote: 'read 2 s ago' }))).toEqual({
      title: '[CRITICAL] BTC long: 2.4% away (A3)',
      text: 'price $62.1k\nin our chat: /ack A3\nread 2 s ago',
    })
  })

  test('only what stands below another title is indented', () => {
    const items = ['BTC', 'ETH'].map((symbol) => item('info', `${symbol} long grew`, ['by 1', 'now 2']))
    expect(shown(message(items)).text).toBe('by 1\nnow 2\n[INFO] ETH long grew\n  by 1\n  now 2')
  })

  test('what a button beside it does is not said', () => {
    const near = [3, 4].map((id) => item('critical', `danger ${id} (A${id})`, [], ack(id)))
    const { text } = pushTitle(
      message(near),
      { reader, possibleRepeat: false, offered: ack(3).slice(0, 1) },
      () => true,
    )
    expect(text).toContain('in our chat: /ack A4')
    expect(text).not.toContain('/ack A3')
  })

  test('what is over offers nothing to do', () => {
    const over = item('good', 'BTC long is safe again (A3)', ['price $70k'], ack(3))
    expect(shown(message([over])).text).toBe('price $70k')
  })

  test('a single line is the text', () => {
    expect(shown(say('I am here'))).toEqual({ title: '', text: 'I am here' })
  })

  test('what may be a repeat says so', () => {
    expect(shown(say('I am here'), Infinity, true).text).toBe('(possible repeat)\nI am here')
  })

  test('rows go first, then the mildest items, and how many is said', () => {
    const items = [1, 2, 3].map((id) => item('critical', `danger ${id}`, ['x'.repeat(40)]))
    const table = { columns: [{ title: 'wallet', align: 'left' as const }], rows: [['main'], ['hedge']] }
    const { title, text } = shown(message(items, { table }), 160)
    expect(title).toBe('[CRITICAL] danger 1')
    expect(text).toContain('danger 2')
    expect(text).not.toMatch(/danger 3|main|hedge/)
    expect(text).toContain('… and 3 more that don’t fit here')
  })

  test('what never fits is cut, and says something all the same', () => {
    const { text } = shown(message([], { footnote: 'x'.repeat(1_000) }), 100)
    expect(text).toMatch(/^x+…$/)
    expect(text.length).toBeLessThanOrEqual(100)
  })
})

test('a message is as loud as the loudest of it', () => {
  expect(loudest(message([item('good', 'a'), item('critical', 'b'), item('warning', 'c')]))).toBe('critical')
  expect(loudest(message([item('info', 'a'), item('blind', 'b')]))).toBe('blind')
  expect(loudest(message([]))).toBe('plain')
})
