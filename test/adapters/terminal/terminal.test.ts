import { PassThrough } from 'node:stream'

import { describe, expect, test, vi } from 'vitest'

import { item, message, say } from '../../../src/message/message.ts'
import { breathe } from '../../support/clock.ts'
import { NEVER, sending, sitDown } from './sitting.ts'

const danger = message([item('critical', 'BTC long: 2.4% to liquidation (A3)')])

describe('lines through a pipe', () => {
  test('are answered in their order, a blank line after each, and nothing is echoed', async () => {
    const slow: Record<string, number> = { '/one': 3, '/two': 0, '/three': 1 }
    const at = await sitDown({
      answer: async (text) => {
        await breathe(slow[text])
        return say(`to ${text}`, 'more')
      },
    })
    at.input.write('/one\r\n/two\n\n   \n/th')
    at.input.write('ree\n')
    await breathe(30)
    expect(at.printed()).toBe('to /one\n  more\n\nto /two\n  more\n\nto /three\n  more\n\n')
    expect(at.turns).toHaveLength(3)
  })

  test('keep their order when the last one comes with the end', async () => {
    const at = await sitDown({
      answer: async (text) => {
        await breathe(3)
        return say(`to ${text}`)
      },
    })
    at.input.end('/one\n/two\n/three')
    await breathe(30)
    expect(at.printed()).toBe('to /one\n\nto /two\n\nto /three\n\n')
  })

  test('may end without a line feed, and their end ends nothing', async () => {
    const at = await sitDown()
    expect(await at.after(() => at.input.end('/status'))).toBe('you said /status\n\n')
    expect(at.heard.map(({ text }) => text)).toEqual(['/status'])
    expect(await at.terminal.deliver(sending(danger), NEVER)).toMatchObject({ is: 'sent' })
  })

  test('take a whole export that is pasted', async () => {
    const at = await sitDown()
    const pasted = `{"perch":"export","x":"${'x'.repeat(200_000)}"}`
    await at.after(() => at.input.write(`${pasted}\n`))
    expect(at.heard.map(({ text }) => text)).toEqual([pasted])
  })

  test('of a megabyte are refused in one sentence; the next one works', async () => {
    const at = await sitDown()
    const junk = Buffer.alloc(500_001, 'x')
    expect(await at.after(() => at.input.write(Buffer.concat([junk, Buffer.from('\n/help\n')])))).toMatch(
      /^That line has more than 500000 characters, .*\n\nyou said \/help\n\n$/,
    )
  })

  test('of binary junk reach the bot without anything that steers, and do no harm', async () => {
    const at = await sitDown()
    const bytes = Buffer.from(
      Array.from({ length: 2_000 }, (_, n) => (n * 37) % 256).filter((byte) => byte !== 10),
    )
    at.input.write(bytes)
    at.input.write('\n')
    await breathe(8)
    expect(at.heard).toHaveLength(1)
    expect(at.heard[0]?.text).not.toMatch(/\p{Cc}/u)
  })

  test('cut in the middle of a character are whole again', async () => {
    const at = await sitDown()
    const bytes = Buffer.from('/watch 0x1 Größe\n')
    for (const byte of bytes) at.input.write(Buffer.from([byte]))
    await breathe(8)
    expect(at.heard[0]?.text).toBe('/watch 0x1 Größe')
  })

  test('come from the operator in private, each under a number of its own, also after a restart', async () => {
    const before = await sitDown()
    before.input.write('/a\n/b\n')
    await breathe(8)
    await before.clock.advance(1)
    const after = await sitDown({ clock: before.clock })
    after.input.write('/a\n')
    await breathe(8)
    const inbound = [...before.heard, ...after.heard].map(({ from }) => from)
    expect(new Set(inbound.map(({ id }) => id)).size).toBe(3)
    expect(inbound[0]).toMatchObject({
      by: { platform: 'terminal', user: 'local' },
      name: 'you',
      chat: { platform: 'terminal', chat: 'local', thread: null },
      private: true,
      mayConfigure: true,
      whisper: true,
      answersApart: false,
    })
  })

  test('that the bot fails on are answered politely, and the operator is told why', async () => {
    const at = await sitDown({ answer: () => Promise.reject(new Error('no such table')) })
    expect(await at.after(() => at.input.write('/status\n'))).toMatch(
      /^That didn’t work, and the fault is mine\./,
    )
    expect(at.events.filter(({ is }) => is !== 'platform')).toEqual([
      expect.objectContaining({ is: 'trouble', error: new Error('no such table') }),
    ])
  })
})

describe('an alert', () => {
  test('is one line with the local time, its loudness in a word, and no colour in a pipe', async () => {
    const at = await sitDown()
    const delivery = await at.terminal.deliver(sending(danger), NEVER)
    expect(at.printed()).toBe('12:00:00 [CRITICAL] BTC long: 2.4% to liquidation (A3)\n\n')
    expect(delivery).toMatchObject({ is: 'sent', ref: { address: sending(danger).to } })
  })

  test('that may have been sent before says so first', async () => {
    const at = await sitDown()
    await at.terminal.deliver(sending(danger, { possibleRepeat: true }), NEVER)
    expect(at.printed()).toMatch(/^\(possible repeat\) 12:00:00 \[CRITICAL\] BTC/)
  })

  test('cannot be edited, for a terminal keeps what it has shown', async () => {
    const at = await sitDown()
    const delivery = await at.terminal.deliver(sending(danger), NEVER)
    if (delivery.is !== 'sent') throw new Error('not sent')
    const edited = message([item('good', 'BTC long is safe again (A3)')])
    expect(await at.terminal.edit(delivery.ref, edited, NEVER)).toMatchObject({ is: 'rejected' })
    expect(at.printed()).not.toContain('safe again')
  })

  test('finds the terminal gone when nobody reads the output any more, and the bot lives on', async () => {
    const at = await sitDown()
    at.output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    await breathe()
    expect(await at.terminal.deliver(sending(danger), NEVER)).toMatchObject({ is: 'gone' })
  })

  test('is put off when the output is stuck, and may have been printed', async () => {
    const at = await sitDown()
    const limit = new AbortController()
    vi.spyOn(at.output, 'write').mockReturnValue(false)
    const delivery = at.terminal.deliver(sending(danger), limit.signal)
    limit.abort()
    expect(await delivery).toMatchObject({ is: 'delayed', maybeSent: true })
    expect(await at.terminal.deliver(sending(danger), limit.signal)).toMatchObject({ maybeSent: false })
  })
})

describe('the terminal', () => {
  test('greets whoever sits down, before anything is typed', async () => {
    expect((await sitDown({ greeting: say('this is Perch') })).printed()).toBe('this is Perch\n\n')
  })

  test('works again after every start, whatever became of the last output', async () => {
    expect((await sitDown()).changes).toEqual([['local', 'back']])
  })

  test('knows one chat and lets whoever sits there do everything in it', async () => {
    const { terminal } = await sitDown()
    const by = { platform: 'terminal', user: 'local' }
    const here = { platform: 'terminal', chat: 'local', thread: null }
    expect(await terminal.inspect(by, here, NEVER)).toEqual({
      address: here,
      title: 'terminal',
      mayConfigure: true,
      mayPost: true,
    })
    expect(await terminal.inspect(by, { ...here, chat: 'other' }, NEVER)).toBeNull()
  })

  test('finishes the answer it has begun when it stops, and begins no other', async () => {
    const at = await sitDown({
      answer: async (text) => {
        await breathe(5)
        return say(`to ${text}`)
      },
    })
    at.input.write('/one\n/two\n')
    await breathe(2)
    await at.terminal.stop()
    await at.terminal.stop()
    expect(at.printed()).toBe('to /one\n\n')
    at.input.write('/three\n')
    await breathe(8)
    expect(at.heard).toHaveLength(1)
    expect(at.clock.waiting()).toBe(0)
  })

  test('does not wait for ever for an answer when it stops', async () => {
    const at = await sitDown({ answer: () => new Promise(() => {}) })
    at.input.write('/one\n')
    await breathe()
    const stopped = at.terminal.stop()
    await at.clock.advance(2_000)
    await expect(stopped).resolves.toBeUndefined()
  })

  test('lets go of its input, so that it keeps no process alive', async () => {
    const at = await sitDown()
    const unref = vi.fn<() => void>()
    Object.assign(at.input, { unref })
    await at.terminal.stop()
    expect(at.input.isPaused()).toBe(true)
    expect(unref).toHaveBeenCalledOnce()
    expect(at.input).toBeInstanceOf(PassThrough)
  })
})

test('times are in the zone that the person chose, else in the machine’s', async () => {
  const at = await sitDown()
  const said = message([item('plain', ['at ', { time: 1_767_225_600_000, as: 'clock' }])])
  const here = await at.after(() => void at.terminal.deliver(sending(said), NEVER))
  const there = await at.after(
    () => void at.terminal.deliver(sending({ ...said, zone: 'Asia/Tokyo' }), NEVER),
  )
  const hour = (text: string) => Number(/at .*?(\d\d):00/.exec(text)?.[1])
  expect((hour(there) - hour(here) + 24) % 24).toBe(9)
})
