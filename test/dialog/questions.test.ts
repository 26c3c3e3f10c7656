import { describe, expect, test } from 'vitest'

import { askAgain, createQuestions } from '../../src/dialog/questions.ts'
import { inWords, item, type Message, message, plainLines, say, words } from '../../src/message/message.ts'
import { CANCEL } from '../../src/message/question.ts'
import type { Change } from '../../src/store/change.ts'
import { handClock, NOON } from '../support/clock.ts'
import { aPerson } from '../support/fixtures.ts'
import { aDialog, anInbound } from './world.ts'

const text = (message: Message) => plainLines(message, { now: NOON, zone: 'UTC' }).join('\n')

/** Somebody who says one line after the other in a private chat; each line is an input of its own. */
function somebody(over: Parameters<typeof aDialog>[0] = {}, from = anInbound()) {
  const { dialog, clock, events } = aDialog(over)
  let inputs = 0
  const says = async (line: string) => text(await dialog.line({ ...from, id: String(++inputs) }, line))
  return { says, clock, events, asked: () => dialog.asked(from) }
}

describe('a question waits', () => {
  test('for a bare answer, one word after the other, and is over then', async () => {
    const { says, asked } = somebody()
    await says('/alert')
    expect(await says('price')).toContain('Which market?')
    expect(await says('eth')).toContain('Alert when ETH goes above or below a price?')
    expect(asked()).toMatchObject({ start: '/alert price eth', placeholder: 'below 2380' })
    expect(await says('below 2300')).toContain('You already have this alert.')
    expect(asked()).toBeNull()
  })

  test('also after an answer that does not fit, and says why', async () => {
    const { says, asked } = somebody()
    await says('/market')
    const again = await says('2300')
    expect(again).toContain('2300')
    expect(again).toContain('[ETH: /market ETH]')
    expect(asked()?.start).toBe('/market')
    expect(await says('eth')).toContain('ETH $2,500')
  })

  test('until it is left in a word, or by a button', async () => {
    for (const word of ['cancel', 'Cancel', '/cancel', 'no', 'stop', 'never mind', 'abbrechen']) {
      const { says, asked } = somebody()
      await says('/market')
      expect(await says(word)).toBe('Cancelled. Nothing has changed.')
      expect(asked()).toBeNull()
    }
    expect(await somebody().says('/cancel')).toBe('There’s nothing to cancel.')
  })

  test('until another command is said, with a slash or without', async () => {
    for (const line of ['/wallets', 'wallets', 'positions main']) {
      const { says, asked } = somebody()
      await says('/market')
      expect(await says(line)).not.toContain('Which market?')
      expect(asked()).toBeNull()
    }
  })

  test('for ten minutes', async () => {
    const { says, asked, clock } = somebody()
    await says('/market')
    await clock.advance(10 * 60_000 - 1)
    expect(asked()).not.toBeNull()
    await clock.advance(1)
    expect(asked()).toBeNull()
  })

  test('and a start of the bot does not end it', async () => {
    const { dialog } = aDialog()
    const from = anInbound()
    await dialog.line(from, '/market')
    await dialog.greet({ ...from, id: '2' })
    expect(dialog.asked(from)?.start).toBe('/market')
  })
})

test('an answer that comes again after its question is gone is not denied', async () => {
  const { says } = somebody({ seen: ['1#0'] })
  expect(await says('below 2300 please')).toContain('interrupted')
})

test('a question that cannot be kept is asked all the same, and the operator hears why', async () => {
  const full = { change: () => Promise.reject(new Error('disk full')) }
  const { says, events } = somebody(full)
  expect(await says('/market')).toContain('Which market?')
  expect(events).toContainEqual(expect.objectContaining({ is: 'trouble', where: 'dialog' }))
})

test('a language that cannot be kept fails no command, and the operator hears why', async () => {
  const full = { change: () => Promise.reject(new Error('disk full')) }
  const { says, events } = somebody(full, anInbound({ language: 'de' }))
  expect(await says('/alerts')).toContain('R7')
  expect(events).toContainEqual(expect.objectContaining({ is: 'command', outcome: 'answered' }))
  expect(events).toContainEqual(
    expect.objectContaining({ is: 'trouble', where: 'dialog', why: 'a language could not be kept' }),
  )
})

test('a repeated question is in the language that its reader has chosen since', async () => {
  const kept: Change[] = []
  const change = async (one: Change) => void kept.push(one)
  const view = { person: () => aPerson(), question: () => null }
  const asking = createQuestions({ view, clock: handClock(), emit() {}, change })
  const question = { start: '/market', prompt: words('ask.market'), placeholder: '' }
  const asked = message([item('plain', words('ask.market'))], { buttons: [CANCEL], question })
  await asking.settle(anInbound(), asked)
  const [stored] = kept.flatMap((one) => (one.is === 'question' && one.question ? [one.question] : []))
  const again = stored && askAgain({ asked: stored.asked, question }, say('No.'))
  expect(again?.buttons.map(({ label }) => inWords(label, 'de'))).toEqual(['Abbrechen'])
})

describe('words in a group that are not for us', () => {
  const overheard = anInbound({ private: false, whisper: false, overheard: true })
  test('are passed over without a question, and where they do not fit it', async () => {
    const { dialog } = aDialog()
    const silent = { items: [] }
    expect(await dialog.line(overheard, 'ETH')).toMatchObject(silent)
    const { overheard: _other, ...said } = overheard
    await dialog.line({ ...said, id: '2' }, '/market')
    expect(await dialog.line({ ...overheard, id: '3' }, 'what a day')).toMatchObject(silent)
    expect(text(await dialog.line({ ...overheard, id: '4' }, 'ETH'))).toContain('ETH $2,500')
  })
})

describe('a choice is offered in words', () => {
  test.each([
    ['/why', '[ETH long 5.0% · main: /why A41]'],
    ['/remove', '[liquidation distance at 10%: /remove R7]'],
    ['/alert about more', '[Order filled: /alert order-filled]'],
    ['/alert about funding', '[Funding flips: /alert funding-flip]'],
  ])('%s', async (line, button) => expect(await somebody().says(line)).toContain(button))

  test('the last button asks for an answer of one’s own, without choices', async () => {
    const { says, asked } = somebody()
    expect(await says('/alert price ETH below')).toContain('[Other…: /alert price ETH below ?]')
    expect(await says('/alert price ETH below ?')).toBe('At what price? ETH is $2,500.00 now.')
    expect(asked()?.start).toBe('/alert price ETH below')
  })

  test('there is no other answer where all are offered', async () => {
    expect(await somebody().says('/settings numbers')).not.toContain('Other…')
  })
})
