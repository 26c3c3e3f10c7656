import { expect, test } from 'vitest'

import { opened, seal } from '../../src/net/action-links.ts'

const KEY = Buffer.alloc(32, 7)
const link = {
  there: { platform: 'ntfy', chat: 'https://ntfy.sh/perch-x7Qm29', thread: null },
  line: '/ack A41',
  until: 1_768_564_800_000,
}
const sealed = (byte = 1) => seal(link, KEY, Buffer.alloc(12, byte))

test('a token says again what was sealed, and names none of it', () => {
  expect(opened(sealed(), KEY)).toEqual(link)
  const bytes = Buffer.from(sealed(), 'base64url').toString('latin1')
  for (const word of ['A41', 'ack', 'perch', 'ntfy']) {
    expect(sealed()).not.toContain(word)
    expect(bytes).not.toContain(word)
  }
})

test('a token names the longest address of a browser', () => {
  const chat = `https://push.example.com/${'x'.repeat(975)}#${'k'.repeat(87)}.${'a'.repeat(22)}`
  const there = { platform: 'push', chat, thread: null }
  const token = seal({ ...link, there, line: '/drill ack' }, KEY, Buffer.alloc(12))
  expect(opened(token, KEY)).toMatchObject({ there, line: '/drill ack' })
})

test('two tokens of the same line are two', () => {
  expect(sealed(1)).not.toBe(sealed(2))
})

test('no bit of one can be another', () => {
  const bytes = Buffer.from(sealed(), 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const other = Buffer.from(bytes)
    other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(opened(other.toString('base64url'), KEY)).toBeNull()
  }
})

test.each([
  ['with another key', sealed(), Buffer.alloc(32, 8)],
  ['cut short', sealed().slice(0, -2), KEY],
  ['with more behind it', `${sealed()}AA`, KEY],
  ['spelt with padding', `${sealed()}=`, KEY],
  ['of nothing', '', KEY],
  ['of the right length and no sense', 'A'.repeat(sealed().length), KEY],
  ['too long to be one', 'A'.repeat(4_000), KEY],
])('one %s is none', (_what, token, key) => {
  expect(opened(token, key)).toBeNull()
})

test('the same bytes in another spelling are none: that would be another button', () => {
  // Two or four of the last letter's bits say nothing.
  const token = ['', 'x', 'xx'].map((more) => seal({ ...link, line: `/ack${more}` }, KEY, Buffer.alloc(12)))
  const loose = token.find((one) => one.length % 4 !== 0) ?? ''
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const other = `${loose.slice(0, -1)}${last[last.indexOf(loose.at(-1) ?? '') + 1] ?? ''}`
  expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(loose, 'base64url'))
  expect(opened(loose, KEY)).not.toBeNull()
  expect(opened(other, KEY)).toBeNull()
})
