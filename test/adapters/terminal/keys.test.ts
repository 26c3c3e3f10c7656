import { Buffer } from 'node:buffer'
import { PassThrough } from 'node:stream'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createKeys, type Protocol } from '../../../adapters/terminal/keys.ts'
import { breathe, handClock } from '../../support/clock.ts'
import { sitDown } from './sitting.ts'

const KITTY = '\u001B_Gi=31;OK\u001B\\'
const SIXEL = '\u001B[?62;4;22c'
const PLAIN = '\u001B[?62;22c'

/** Somebody types, and the terminal answers in between. */
function listen() {
  const clock = handClock()
  const input = new PassThrough()
  const shown: Protocol[] = []
  const typed: Buffer[] = []
  const keys = createKeys({ input, clock, onPictures: (protocol) => void shown.push(protocol) })
  keys.typed.on('data', (chunk: Buffer) => typed.push(chunk))
  return {
    ...{ clock, input, shown, keys },
    typed: () => Buffer.concat(typed).toString(),
    async comes(bytes: string | Uint8Array) {
      input.write(bytes)
      await breathe()
    },
  }
}

describe('an answer of the terminal', () => {
  test.each([
    ['for kitty', `${KITTY}${PLAIN}`, ['kitty']],
    ['for kitty and sixels', `${KITTY}${SIXEL}`, ['kitty']],
    ['for sixels', SIXEL, ['sixel']],
    ['for nothing', PLAIN, []],
  ])('%s is found wherever it is cut, and leaves what is typed around it', async (_for, answer, shown) => {
    for (let at = 0; at <= answer.length; at += 1) {
      const there = listen()
      await there.comes(`/wätch ${answer.slice(0, at)}`)
      await there.comes(`${answer.slice(at)}0x12\r`)
      expect([there.typed(), there.shown]).toEqual(['/wätch 0x12\r', shown])
      there.keys.close()
    }
  })

  test('may come byte by byte, with keys between its parts', async () => {
    const there = listen()
    for (const byte of Buffer.from(`h${KITTY}e${SIXEL}l`)) await there.comes(Uint8Array.of(byte))
    expect([there.typed(), there.shown]).toEqual(['hel', ['kitty']])
    there.keys.close()
  })

  test('that comes twice at once counts once', async () => {
    const there = listen()
    await there.comes(`${SIXEL}${SIXEL}l`)
    expect([there.typed(), there.shown]).toEqual(['l', ['sixel']])
    there.keys.close()
  })

  test('is typed text after the first, for nothing more was asked', async () => {
    const there = listen()
    await there.comes(PLAIN)
    await there.comes(SIXEL)
    expect([there.typed(), there.shown]).toEqual([SIXEL, []])
    there.keys.close()
  })

  test.each([
    ['the attributes', '\u001B[?62;'],
    ['the answer to the query', '\u001B_Gi=31;O'],
    ['its end', '\u001B_Gi=31;OK\u001B'],
  ])('that breaks off in %s is dropped, and what is typed later stays', async (_where, half) => {
    const there = listen()
    await there.comes(half)
    await there.clock.advance(100)
    await there.comes('4c\r')
    expect([there.typed(), there.shown]).toEqual(['4c\r', []])
    there.keys.close()
  })

  test('that breaks off before a line feed becomes no text', async () => {
    for (const half of ['\u001B[?62;4', '\u001B_Gi=31;O']) {
      const there = listen()
      await there.comes(`${half}\r`)
      expect(there.typed()).toBe('\r')
      there.keys.close()
    }
  })
})

describe('keys', () => {
  test('are handed on as they are typed, while no answer comes', async () => {
    const text = fc.array(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\u001B[A', '\u001BOP', '\u001Bb', '\u0003')),
    )
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        const there = listen()
        for (const part of parts) await there.comes(part)
        await there.clock.advance(100)
        expect(there.typed()).toBe(parts.join(''))
        there.keys.close()
      }),
    )
  })

  test('that begin like an answer wait a moment for the rest', async () => {
    const there = listen()
    await there.comes('\u001B')
    expect(there.typed()).toBe('')
    await there.comes('[A')
    expect(there.typed()).toBe('\u001B[A')
    await there.comes('\u001B')
    await there.clock.advance(100)
    expect(there.typed()).toBe('\u001B[A\u001B')
    there.keys.close()
  })

  test('leave nothing behind when they are closed', async () => {
    const there = listen()
    await there.comes('\u001B')
    there.keys.close()
    expect([there.clock.waiting(), there.input.isPaused()]).toEqual([0, true])
  })
})

describe('at the prompt', () => {
  test('the question is asked once, in raw mode, and the prompt stands below it', async () => {
    const at = await sitDown({ tty: true, attributes: SIXEL })
    expect(at.raw).toEqual([true])
    const [, after = ''] = at.printed().split('\u001B[c')
    expect(at.printed().split('\u001B[c')).toHaveLength(2)
    expect(after).toMatch(/^\r.*perch> /s)
    await at.terminal.stop()
    expect(at.raw).toEqual([true, false])
    expect(at.clock.waiting()).toBe(0)
  })

  test('an answer that comes late, in the midst of a line, is no part of the command', async () => {
    const at = await sitDown({ tty: true })
    await at.after(() => at.input.write('/he'))
    await at.after(() => at.input.write(SIXEL.slice(0, 4)))
    await at.after(() => at.input.write(SIXEL.slice(4)))
    await at.after(() => at.input.write('lp\r'))
    expect(at.heard.map(({ text }) => text)).toEqual(['/help'])
    expect(at.terminal.limits.pictures).toBe(true)
    await at.terminal.stop()
  })

  test('raw mode ends although the terminal has gone', async () => {
    const at = await sitDown({ tty: true })
    at.output.destroy(Object.assign(new Error('write EIO'), { code: 'EIO' }))
    await at.terminal.stop()
    expect(at.raw).toEqual([true, false])
  })
})
