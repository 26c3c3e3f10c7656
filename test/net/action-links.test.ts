import { describe, expect, test } from 'vitest'

import type { ActionPress, ActionResult } from '../../src/chat/action-link.ts'
import { message, say } from '../../src/message/message.ts'
import { buttonKey, createActionLinks } from '../../src/net/action-links.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { Language } from '../../src/words/words.ts'
import { handClock } from '../support/clock.ts'

const DAY_MS = 86_400_000
const PHONE = { platform: 'ntfy', chat: 'https://ntfy.sh/perch-x7Qm29', thread: null }
const DONE: ActionResult = { done: true, says: say('A3 acknowledged by somebody') }

function buttons(
  publicUrl = 'https://perch.example.com',
  how: () => Promise<ActionResult | null> = async () => DONE,
  word: string | null = null,
  language: Language = 'en',
) {
  const clock = handClock()
  const said: Event[] = []
  const presses: ActionPress[] = []
  const actionLinks = createActionLinks({
    ...{
      url: publicUrl,
      isPublic: !publicUrl.includes('127.0.0.1'),
      key: buttonKey(Buffer.alloc(32, 7), word),
      clock,
      emit: (event) => void said.push(event),
    },
    async press(press) {
      presses.push(press)
      return how()
    },
    languageAt: () => language,
  })
  const ask = async (method: string, url: string) => {
    const answered = await actionLinks.route({ method, path: new URL(url).pathname })
    return answered && { ...answered, body: answered.body.trim() }
  }
  return {
    ...actionLinks,
    ...{ clock, said, presses, ask },
    link: () => actionLinks.linkFor(PHONE, '/ack A3'),
  }
}

describe('a link', () => {
  test('says its line in its place when something is posted to it', async () => {
    const { link, ask, presses } = buttons()
    expect(await ask('POST', link())).toMatchObject({ status: 200, body: 'A3 acknowledged by somebody' })
    expect(presses).toMatchObject([{ there: PHONE, line: '/ack A3' }])
  })

  test('is the same button however often, and no other link is', async () => {
    const { link, ask, presses } = buttons()
    const [one, other] = [link(), link()]
    for (const url of [one, one, other]) await ask('POST', url)
    const [first, again, another] = presses.map(({ id }) => id)
    expect(again).toBe(first)
    expect(another).not.toBe(first)
  })

  test.each(['GET', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE'])(
    'does nothing for a %s',
    async (method) => {
      const { link, ask, presses } = buttons()
      expect(await ask(method, link())).toMatchObject({ status: /GET|OPTIONS/.test(method) ? 200 : 405 })
      expect(presses).toEqual([])
    },
  )

  test('looks the same from outside whether it is one or not', async () => {
    const { link, ask } = buttons()
    expect(await ask('GET', 'https://perch.example.com/b/nonsense')).toEqual(await ask('GET', link()))
  })

  test('is none any more when the word of its key was changed', async () => {
    const old = buttons().link()
    const [changed, again] = ['2026-11', '2026-11'].map((word) => buttons(undefined, undefined, word))
    expect(await changed?.ask('POST', old)).toMatchObject({ status: 404 })
    expect(await again?.ask('POST', changed?.link() ?? '')).toMatchObject({ status: 200 })
  })

  test('holds for a day', async () => {
    const { link, ask, clock, presses } = buttons()
    const url = link()
    await clock.advance(DAY_MS - 1)
    expect(await ask('POST', url)).toMatchObject({ status: 200 })
    await clock.advance(1)
    expect(await ask('POST', url)).toMatchObject({ status: 410 })
    expect(presses).toHaveLength(1)
  })

  test('tells a page of another site how it went', async () => {
    const { link, ask } = buttons()
    expect(await ask('POST', link())).toMatchObject({ headers: { 'access-control-allow-origin': '*' } })
    expect(await ask('OPTIONS', link())).toMatchObject({
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'POST' },
    })
  })
})

describe('what comes of it', () => {
  const after = async (how: () => Promise<ActionResult | null>) => {
    const { link, ask } = buttons(undefined, how)
    return ask('POST', link())
  }
  test('is said as it is: done', async () => {
    expect(await after(async () => DONE)).toMatchObject({ status: 200 })
  })
  test('nothing, and why', async () => {
    const says = say('A3 does not fire here. See /alerts.')
    expect(await after(async () => ({ done: false, says }))).toMatchObject({
      ...{ status: 409, body: 'A3 does not fire here. See /alerts.' },
    })
  })
  test('nobody is told there any more', async () => {
    expect(await after(async () => null)).toMatchObject({ status: 410 })
  })
  test('in the language of whoever gets the messages there', async () => {
    const { link, ask } = buttons(undefined, async () => null, null, 'de')
    expect(await ask('POST', link())).toMatchObject({ body: 'Hier bekommt niemand mehr Nachrichten.' })
  })
  test('it was too often', async () => {
    expect(await after(async () => ({ done: false, says: message([]) }))).toMatchObject({ status: 429 })
  })
  test('the bot is not there', async () => {
    const answered = await after(async () => {
      throw new Error('the database is at /home/ann')
    })
    expect(answered).toMatchObject({ status: 503, body: expect.not.stringContaining('ann') as string })
  })
})

describe('a stranger', () => {
  const nonsense = `https://perch.example.com/b/${'A'.repeat(120)}`

  test('who guesses learns nothing', async () => {
    const { ask, presses } = buttons()
    expect(await ask('POST', nonsense)).toMatchObject({ status: 404, body: 'Not found.' })
    expect(presses).toEqual([])
  })

  test('who guesses a thousand times is told once a minute to the operator, and disturbs no real button', async () => {
    const { ask, link, said, clock } = buttons()
    for (let time = 0; time < 1_000; time++) await ask('POST', nonsense)
    expect(await ask('POST', nonsense)).toMatchObject({ status: 429 })
    expect(said).toHaveLength(1)
    expect(JSON.stringify(said)).not.toContain('AAAA')
    expect(await ask('POST', link())).toMatchObject({ status: 200 })
    await clock.advance(60_000)
    expect(await ask('POST', nonsense)).toMatchObject({ status: 404 })
  })
})

describe('the address of the port', () => {
  test.each([
    ['https://perch.example.com', 'https://perch.example.com/b/'],
    ['https://example.com/perch', 'https://example.com/perch/b/'],
  ])('%s is in front of every link', async (publicUrl, start) => {
    const { link, ask } = buttons(publicUrl)
    expect(link().startsWith(start)).toBe(true)
    expect(await ask('POST', link())).toMatchObject({ status: 200 })
  })

  test.each(['/perch', '/b', '/a/b'])('may lose its path %s on the way, at a proxy', async (path) => {
    const { link, ask } = buttons(`https://example.com${path}`)
    expect(await ask('POST', link())).toMatchObject({ status: 200 })
    expect(await ask('POST', link().replace(`${path}/`, '/'))).toMatchObject({ status: 200 })
    expect(await ask('POST', link().replace(`${path}/`, '/crow/'))).toBeNull()
  })

  test('is told to the operator when it is not encrypted', () => {
    expect(buttons('https://perch.example.com').said).toEqual([])
    expect(buttons('http://perch.lan:8080').said).toEqual([
      expect.objectContaining({ is: 'caution', why: expect.stringContaining('not encrypted') as string }),
    ])
    // Nobody is on the way to this very machine.
    expect(buttons('http://127.0.0.1:8080').said).toEqual([])
  })

  test('leads to nothing but buttons', async () => {
    const { ask, link } = buttons()
    for (const path of ['/', '/b', '/b/', '/b/a/b', '/healthz'])
      expect(await ask('POST', `https://perch.example.com${path}`)).toBeNull()
    expect(await ask('POST', `${link()}/`)).toBeNull()
  })
})
