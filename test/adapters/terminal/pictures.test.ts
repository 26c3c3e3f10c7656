import { Buffer } from 'node:buffer'

import { describe, expect, test } from 'vitest'

import { message } from '../../../src/message/message.ts'
import type { Picture } from '../../../src/message/picture.ts'
import { padded } from '../../support/pictures.ts'
import { NEVER, sending, sitDown } from './sitting.ts'

const KITTY = { TERM: 'xterm-kitty', LANG: 'C' }
const drawn: Picture<string> = {
  ...{ is: 'market', market: '100', symbol: 'BTC', since: 0, until: 1, price: 1 },
  ...{ priceName: 'index', ratePerDay: 0, words: 'BTC: the last 6 h.' },
}
const CHART = new Uint8Array(Buffer.from('BTC · $97,000\n▄▄█▀\u001B[2J\n12:00'))
const send = (picture: Uint8Array, rest: object = {}) =>
  sending(message([], { picture: drawn }), { picture, ...rest })

describe('what a terminal shows', () => {
  test.each([
    ['kitty, by its own variable', { KITTY_WINDOW_ID: '1' }, true],
    ['kitty', KITTY, true],
    ['Ghostty', { TERM_PROGRAM: 'ghostty' }, true],
    ['WezTerm', { TERM_PROGRAM: 'WezTerm' }, true],
    ['kitty inside of tmux', { ...KITTY, TMUX: '/tmp/tmux-0/default,1,0' }, 'text'],
    ['any other', { TERM: 'xterm-256color' }, 'text'],
    ['one that can nothing', { TERM: 'dumb' }, undefined],
  ])('%s', async (_which, env, pictures) => {
    const { terminal } = await sitDown({ tty: true, env })
    expect(terminal.limits.pictures).toBe(pictures)
    await terminal.stop()
  })

  test('a pipe gets words alone', async () => {
    const { terminal } = await sitDown({ env: KITTY })
    expect(terminal.limits.pictures).toBeUndefined()
    await terminal.stop()
  })
})

test('a PNG goes out whole, in pieces, and the terminal is asked for no answer', async () => {
  const { terminal, after } = await sitDown({ tty: true, env: KITTY })
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
