import { Buffer } from 'node:buffer'

import { describe, expect, test } from 'vitest'

import { message } from '../../../src/message/message.ts'
import type { Picture } from '../../../src/message/picture.ts'
import { padded } from '../../support/pictures.ts'
import { NEVER, sending, sitDown } from './sitting.ts'

const drawn: Picture<string> = {
  ...{ is: 'market', market: '100', symbol: 'BTC', since: 0, until: 1, price: 1 },
  ...{ priceName: 'index', ratePerDay: 0, words: 'BTC: the last 6 h.' },
}
const CHART = new Uint8Array(Buffer.from('BTC · $97,000\n▄▄█▀\u001B[2J\n12:00'))
const send = (picture: Uint8Array, rest: object = {}) =>
  sending(message([], { picture: drawn }), { picture, ...rest })

const KITTY = '\u001B_Gi=31;OK\u001B\\'

describe('what a terminal shows, by its own answer', () => {
  test.each([
    ['kitty', `${KITTY}\u001B[?62;c`, true],
    ['a terminal of both protocols', `${KITTY}\u001B[?65;4;6;18;22c`, true],
    ['a terminal of sixels', '\u001B[?62;4;22c', true],
    ['a terminal that refuses', '\u001B_Gi=31;EINVAL:no\u001B\\\u001B[?62;22c', 'text'],
    ['a VT132, whose class is 4', '\u001B[?4;6c', 'text'],
    ['a VT100', '\u001B[?1;2c', 'text'],
    ['a terminal that does not answer', '', 'text'],
  ])('%s', async (_which, attributes, pictures) => {
    const { terminal, heard } = await sitDown({ tty: true, attributes })
    expect(terminal.limits.pictures).toBe(pictures)
    expect(heard).toEqual([])
    await terminal.stop()
  })

  test.each([
    ['inside of tmux', { TERM: 'xterm-kitty', TMUX: '/tmp/tmux-0/default,1,0' }],
    ['in a tmux that was reached from elsewhere', { TERM: 'tmux-256color' }],
    ['inside of screen', { TERM: 'xterm', STY: '1.pts-0' }],
    ['on a console', { TERM: 'linux' }],
  ])('%s nothing is asked', async (_where, env) => {
    const { terminal, printed } = await sitDown({ tty: true, env, attributes: '\u001B[?1;2;4c' })
    expect(terminal.limits.pictures).toBe('text')
    expect(printed()).not.toContain('\u001B[c')
    await terminal.stop()
  })

  test('a pipe and a dumb terminal are not asked, and get words alone', async () => {
    for (const sitting of [{}, { tty: true, env: { TERM: 'dumb' } }]) {
      const { terminal, printed } = await sitDown({ ...sitting, attributes: '\u001B[?62;4c' })
      expect(terminal.limits.pictures).toBeUndefined()
      expect(printed()).toBe('')
      await terminal.stop()
    }
  })
})

test('a PNG goes out whole, in pieces, and the terminal is asked for no answer', async () => {
  const { terminal, after } = await sitDown({ tty: true, attributes: `${KITTY}\u001B[?62;c` })
  const png = padded(10_000)
  const printed = await after(() => terminal.deliver(send(png), NEVER))
  expect(printed).toContain('BTC: the last 6 h.')
  // oxlint-disable-next-line no-control-regex -- https://sw.kovidgoyal.net/kitty/graphics-protocol/
  const pieces = [...printed.matchAll(/\u001B_G([^;]*);([^\u001B]*)\u001B\\/g)]
  expect(pieces[0]?.[1]).toBe('a=T,f=100,q=2,c=40,m=1')
  expect(pieces.slice(1).map(([, keys]) => keys)).toEqual([...pieces.slice(2).map(() => 'm=1'), 'm=0'])
  for (const [, , data = ''] of pieces) expect(data.length).toBeLessThanOrEqual(4_096)
  expect(Buffer.from(pieces.map(([, , data]) => data).join(''), 'base64').equals(png)).toBe(true)
  await terminal.stop()
})

test('a chart that was drawn before the terminal has answered is printed as what it is', async () => {
  const { terminal, after, input } = await sitDown({ tty: true })
  await after(() => input.write(`${KITTY}\u001B[?62;c`))
  expect(terminal.limits.pictures).toBe(true)
  const printed = await after(() => terminal.deliver(send(CHART), NEVER))
  expect(printed).toContain('BTC · $97,000\n▄▄█▀[2J\n12:00\n')
  await terminal.stop()
})

test('a PNG of another form than ours is refused where its pixels are needed', async () => {
  const { terminal, printed } = await sitDown({ tty: true, attributes: '\u001B[?62;4c' })
  expect(await terminal.deliver(send(padded(100)), NEVER)).toMatchObject({ is: 'rejected' })
  expect(printed()).not.toContain('BTC: the last 6 h.')
  await terminal.stop()
})

test('a chart of text stands below its words, and nothing in it steers the terminal', async () => {
  const { terminal, after } = await sitDown({ tty: true, env: { NO_COLOR: '1' } })
  const printed = await after(() => terminal.deliver(send(CHART, { possibleRepeat: true }), NEVER))
  expect(printed).toContain('(possible repeat) BTC: the last 6 h.\nBTC · $97,000\n▄▄█▀[2J\n12:00\n')
  await terminal.stop()
})

test('a window too narrow for a chart gets its words alone', async () => {
  const { terminal, after, output } = await sitDown({ tty: true, env: { NO_COLOR: '1' } })
  output.columns = 59
  const printed = await after(() => terminal.deliver(send(CHART), NEVER))
  expect(printed).toContain('BTC: the last 6 h.')
  expect(printed).not.toContain('▄')
  await terminal.stop()
})
