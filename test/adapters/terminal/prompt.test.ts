import process from 'node:process'

import { describe, expect, test, vi } from 'vitest'

import { item, message } from '../../../src/message/message.ts'
import { breathe } from '../../support/clock.ts'
import { NEVER, sending, sitDown } from './sitting.ts'

// oxlint-disable no-control-regex -- a terminal is steered by control characters

const danger = message([item('critical', 'BTC long: 2.4% to liquidation (A3)')])
const CLEAR_BELOW = '\u001B[0J'

describe('a prompt between two terminals', () => {
  test('waits, takes a line, answers above itself', async () => {
    const at = await sitDown({ tty: true })
    expect(at.printed()).toContain('perch> ')
    const shown = await at.after(() => at.input.write('/help\r'))
    expect(at.heard.map(({ text }) => text)).toEqual(['/help'])
    expect(shown).toMatch(/you said \/help\n\n.*perch> /s)
  })

  test('keeps the half-typed line below an alert, which is in colour and rings', async () => {
    const at = await sitDown({ tty: true })
    await at.after(() => at.input.write('/watch 0x12'))
    const shown = await at.after(() => at.terminal.deliver(sending(danger), NEVER))
    expect(shown).toMatch(/^\u001B\[1G/)
    const [before, after] = shown.split(
      '\u001B[97;41m[CRITICAL] BTC long: 2.4% to liquidation (A3)\u001B[39;49m',
    )
    expect(before).toContain(`${CLEAR_BELOW}\u000712:00:00 `)
    expect(after).toMatch(/^\n\n.*perch> \/watch 0x12/s)
    await at.after(() => at.input.write('34\r'))
    expect(at.heard.map(({ text }) => text)).toEqual(['/watch 0x1234'])
  })

  test('goes up over a half-typed line that has wrapped, and not over what it has just printed', async () => {
    const at = await sitDown({ tty: true })
    await at.after(() => at.input.write('y'.repeat(200)))
    const shown = await at.after(() => at.terminal.deliver(sending(danger), NEVER))
    expect(shown).toMatch(/^\u001B\[2A\u001B\[1G\u001B\[0J/)
    expect(shown.match(/\u001B\[\d+A/g)).toHaveLength(1)
  })

  test('rings for critical alerts that are meant to be heard only', async () => {
    const at = await sitDown({ tty: true })
    const quiet = await at.after(() => at.terminal.deliver(sending(danger, { silent: true }), NEVER))
    expect(quiet).not.toContain('\u0007')
    const mild = message([item('info', 'BTC long: 18% to liquidation (A3)')])
    expect(await at.after(() => at.terminal.deliver(sending(mild), NEVER))).not.toContain('\u0007')
  })

  test('has no colour when NO_COLOR is set, and no line editing on a dumb terminal', async () => {
    const plain = await sitDown({ tty: true, env: { NO_COLOR: '1' } })
    expect(await plain.after(() => plain.terminal.deliver(sending(danger), NEVER))).toContain(
      '[CRITICAL] BTC',
    )
    expect(plain.printed()).not.toMatch(/\u001B\[[\d;]*m/)
    const dumb = await sitDown({ tty: true, env: { TERM: 'dumb' } })
    await dumb.terminal.deliver(sending(danger), NEVER)
    expect(dumb.printed()).not.toContain('\u001B')
  })

  test('completes commands and what they take with the Tab key', async () => {
    const at = await sitDown({ tty: true })
    // One key at a time: a Tab in the midst of pasted text is text.
    for (const key of ['/wa', '\t', 'o', '\t', '\r']) await at.after(() => at.input.write(key))
    expect(at.heard.map(({ text }) => text)).toEqual(['/watch owner-wallet'])
  })

  test('remembers the lines before', async () => {
    const at = await sitDown({ tty: true })
    await at.after(() => at.input.write('/help\r'))
    await at.after(() => at.input.write('\u001B[A\r'))
    expect(at.heard.map(({ text }) => text)).toEqual(['/help', '/help'])
  })

  test('takes Ctrl-D for Ctrl-C: the end of the input is the end of the sitting', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    const at = await sitDown({ tty: true })
    await at.after(() => at.input.write('\u0004'))
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGINT')
    kill.mockRestore()
  })

  test('clears a half-typed line at Ctrl-C, and says nothing', async () => {
    const at = await sitDown({ tty: true })
    await at.after(() => at.input.write('/watch 0x12'))
    await at.after(() => at.input.write('\u0003'))
    await at.after(() => at.input.write('/help\r'))
    expect(at.heard.map(({ text }) => text)).toEqual(['/help'])
  })

  test('leaves at the second Ctrl-C on an empty line, as /quit does, and says so at the first', async () => {
    const at = await sitDown({ tty: true })
    const shown = await at.after(() => at.input.write('\u0003'))
    expect(shown).toContain('Press Ctrl-C again')
    expect(at.heard).toEqual([])
    await at.after(() => at.input.write('\u0003'))
    expect(at.heard.map(({ text }) => text)).toEqual(['/quit'])
  })

  test('does not take a Ctrl-C of long ago for the first', async () => {
    const at = await sitDown({ tty: true })
    await at.after(() => at.input.write('\u0003'))
    await at.clock.advance(10_001)
    expect(await at.after(() => at.input.write('\u0003'))).toContain('Press Ctrl-C again')
    expect(at.heard).toEqual([])
  })

  test('ends at a third Ctrl-C although /quit is not answered', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    const at = await sitDown({ tty: true, answer: () => new Promise(() => {}) })
    for (const _press of [1, 2]) await at.after(() => at.input.write('\u0003'))
    expect(kill).not.toHaveBeenCalled()
    await at.after(() => at.input.write('\u0003'))
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGINT')
    kill.mockRestore()
  })

  const question = { start: '/alert price', prompt: 'market', placeholder: 'ETH' }

  test('asks at the prompt until the question is answered', async () => {
    const at = await sitDown({ tty: true })
    at.asked.question = question
    expect(await at.after(() => at.input.write('/alert\r'))).toMatch(/you said \/alert.*market> \u001B\[9G$/s)
    at.asked.question = null
    expect(await at.after(() => at.input.write('ETH\r'))).toMatch(/you said ETH.*perch> \u001B\[8G$/s)
  })

  test('asks again after a restart, and Ctrl-C leaves the question', async () => {
    const at = await sitDown({ tty: true, asked: question })
    expect(at.printed()).toMatch(/market> \u001B\[9G$/)
    await at.after(() => at.input.write('\u0003'))
    expect(at.heard.map(({ text }) => text)).toEqual(['/cancel'])
  })

  test('completes inside a form, in any order, and what answers a question', async () => {
    const at = await sitDown({ tty: true })
    for (const key of ['/alert price e', '\t', 'bel', '\t', '\r']) await at.after(() => at.input.write(key))
    expect(at.heard.map(({ text }) => text)).toEqual(['/alert price ETH below'])
    at.asked.question = question
    for (const key of ['b', 't', '\t', '\r']) await at.after(() => at.input.write(key))
    expect(at.heard.at(-1)?.text).toBe('BTC')
  })

  test('is gone after the end, without a word of its own', async () => {
    const at = await sitDown({ tty: true })
    await at.terminal.stop()
    await breathe()
    expect(at.heard).toEqual([])
    expect(await at.after(() => at.terminal.deliver(sending(danger), NEVER))).not.toContain('perch> ')
  })
})

test('the terminal’s own words are in the language of the machine until an answer has another', async () => {
  const german = await sitDown({ tty: true, env: { LANG: 'de_DE.UTF-8' } })
  expect(await german.after(() => german.input.write('\u0003'))).toContain('Drück noch einmal Strg-C')
  const answer = async () => ({ ...message([item('plain', 'Fertig.')]), language: 'de' as const })
  const other = await sitDown({ tty: true, answer })
  await other.after(() => other.input.write('/help\r'))
  expect(await other.after(() => other.input.write('\u0003'))).toContain('Drück noch einmal Strg-C')
})
