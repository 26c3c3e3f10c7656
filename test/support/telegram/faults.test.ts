import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { padded } from '../pictures.ts'
import { call } from './client.ts'
import type { FaultKind } from './faults.ts'
import { type Rates, USUAL } from './limits.ts'
import { startTelegram } from './telegram.ts'

async function start(limits?: Rates) {
  const clock = handClock()
  const telegram = await startTelegram({ clock, ...(limits ? { limits } : {}) })
  clock.restsWhen(() => telegram.idle())
  const ann = telegram.user('Ann')
  ann.says('/start')
  const send = (text = 'Hear', signal?: AbortSignal) =>
    call(telegram, 'sendMessage', { chat_id: ann.id, text }, signal)
  return { clock, telegram, ann, send }
}

/** What a client sees: the status, or that there was none. */
async function outcome(reply: Promise<{ status: number }>): Promise<number | string> {
  return await reply.then(
    ({ status }) => status,
    (error: unknown) => (error instanceof SyntaxError ? 'no JSON' : 'broken off'),
  )
}

describe('a fault', () => {
  // what | what the client sees | whether the message is there
  test.each<[FaultKind, number | string, boolean]>([
    ['reset', 'broken off', false],
    ['half-body', 'broken off', true],
    ['html-502', 'no JSON', false],
    ['html-404', 'no JSON', false],
    ['deliver-then-reset', 'broken off', true],
    ['json', 500, false],
  ])('of kind %s meets one send: %s; delivered: %s', async (kind, seen, delivered) => {
    const { telegram, ann, send } = await start()
    await using _ = telegram
    telegram.fault({ method: 'sendMessage', kind })
    expect(await outcome(send())).toBe(seen)
    expect(telegram.ledger.texts(ann.id)).toEqual(delivered ? ['Hear'] : [])
    expect(telegram.asked.at(-1)?.outcome).toBe(kind)
    expect(await outcome(send('again'))).toBe(200)
    expect(telegram.calls('sendMessage')).toBe(2)
  })

  test('of kind half-upload breaks off the next request with a file, and no other', async () => {
    const { telegram, ann, send } = await start()
    await using _ = telegram
    telegram.fault({ method: '*', kind: 'half-upload' })
    expect(await outcome(send())).toBe(200)
    const upload = async () => {
      const body = new FormData()
      body.set('chat_id', String(ann.id))
      body.set('photo', new Blob([padded(90_000)]), 'chart.png')
      return fetch(`${telegram.root}/bot${telegram.token}/sendPhoto`, { method: 'POST', body })
    }
    expect(await outcome(upload())).toBe('broken off')
    expect(telegram.ledger.texts(ann.id)).toEqual(['Hear'])
    expect(await outcome(upload())).toBe(200)
    expect(telegram.ledger.sends).toHaveLength(2)
  })

  test.each<[FaultKind, boolean]>([
    ['hang', false],
    ['deliver-then-hang', true],
  ])('of kind %s holds a send until it is let go; delivered: %s', async (kind, delivered) => {
    const { telegram, ann, send } = await start()
    await using _ = telegram
    telegram.fault({ method: '*', kind })
    const hanging = outcome(send())
    await telegram.until(() => telegram.asked[0]?.outcome === kind)
    await telegram.idle()
    expect(telegram.ledger.texts(ann.id)).toEqual(delivered ? ['Hear'] : [])
    telegram.calm()
    expect(await hanging).toBe('broken off')
  })

  test('of delay holds a send, which is done even when the client has gone meanwhile', async () => {
    const { telegram, clock, ann, send } = await start()
    await using _ = telegram
    telegram.fault({ method: 'sendMessage', kind: 'delay', afterMs: 8_000, times: 2 })
    const stop = new AbortController()
    const [impatient, patient] = [outcome(send('one', stop.signal)), outcome(send('two'))]
    await telegram.until(() => telegram.calls('sendMessage') === 2)
    stop.abort()
    expect(await impatient).toBe('broken off')
    await clock.advance(7_999)
    expect(telegram.ledger.texts(ann.id)).toEqual([])
    await clock.advance(1)
    expect(await patient).toBe(200)
    expect(telegram.ledger.texts(ann.id)).toEqual(['one', 'two'])
  })

  test('may be any error, as often as wanted, for one chat', async () => {
    const { telegram, send } = await start()
    await using _ = telegram
    telegram.fault(
      { method: 'sendMessage', kind: 'json', chat: 77 },
      {
        method: 'sendMessage',
        kind: 'json',
        times: 2,
        status: 429,
        description: 'Too Many Requests: retry after 7',
        parameters: { retry_after: 7 },
      },
    )
    const { status, headers, body } = await send()
    expect([status, headers.get('retry-after'), body.parameters]).toEqual([429, '7', { retry_after: 7 }])
    expect([await outcome(send()), await outcome(send())]).toEqual([429, 200])
    expect(telegram.faults.list()).toHaveLength(1)
  })

  test.each<[FaultKind, number | string]>([
    ['reset', 'broken off'],
    ['half-body', 'broken off'],
    ['html-502', 'no JSON'],
    ['deliver-then-reset', 'broken off'],
  ])('of kind %s meets a poll, and loses no update', async (kind, seen) => {
    const { telegram } = await start()
    await using _ = telegram
    telegram.fault({ method: 'getUpdates', kind })
    expect(await outcome(call(telegram, 'getUpdates', { timeout: 30 }))).toBe(seen)
    expect((await call(telegram, 'getUpdates', { offset: 500_001 })).result).toMatchObject([
      { message: { text: '/start' } },
    ])
  })
})

describe('without limits', () => {
  test('everything is taken', async () => {
    const { telegram, send } = await start()
    await using _ = telegram
    await Promise.all(Array.from({ length: 50 }, () => send()))
    expect(telegram.refused()).toEqual([])
  })
})

describe('with the usual limits', () => {
  test('a chat takes a small burst, then one a second', async () => {
    const { telegram, clock, send } = await start(USUAL)
    await using _ = telegram
    for (let i = 0; i < 3; i++) expect(await outcome(send())).toBe(200)
    const { body, headers } = await send()
    expect(body).toEqual({
      ok: false,
      error_code: 429,
      description: 'Too Many Requests: retry after 1',
      parameters: { retry_after: 1 },
    })
    expect(headers.get('retry-after')).toBe('1')
    await clock.advance(999)
    expect(await outcome(send())).toBe(429)
    await clock.advance(1)
    expect([await outcome(send()), await outcome(send())]).toEqual([200, 429])
  })

  test('a group takes 20 in any minute, edits included', async () => {
    const { telegram, clock } = await start({ group: { perMinute: 20 } })
    await using _ = telegram
    const { id: chat_id } = telegram.group('Desk')
    const { result } = await call(telegram, 'sendMessage', { chat_id, text: '0' })
    const edit = (text: string) =>
      call(telegram, 'editMessageText', { chat_id, message_id: result.message_id, text })
    await clock.advance(10_000)
    for (let i = 1; i < 20; i++) expect((await edit(`${i}`)).status).toBe(200)
    expect((await edit('20')).body.parameters).toEqual({ retry_after: 50 })
    await clock.advance(50_000)
    expect([(await edit('20')).status, (await edit('21')).status]).toEqual([200, 429])
  })

  test('the bot sends 30 in any second, whatever the chats', async () => {
    const { telegram, clock } = await start({ bot: { perSecond: 30 } })
    await using _ = telegram
    const people = Array.from({ length: 31 }, (_one, i) => telegram.user(`P${i}`))
    for (const person of people) person.says('/start')
    const all = () =>
      Promise.all(people.map(({ id }) => outcome(call(telegram, 'sendMessage', { chat_id: id, text: 'a' }))))
    expect((await all()).filter((status) => status === 200)).toHaveLength(30)
    await clock.advance(1_000)
    expect((await all()).filter((status) => status === 200)).toHaveLength(30)
  })

  test('one method may be flooded alone', async () => {
    const { telegram, send } = await start({ methods: { setMyCommands: { count: 1, perMs: 60_000 } } })
    await using _ = telegram
    expect((await call(telegram, 'setMyCommands')).status).toBe(200)
    expect((await call(telegram, 'setMyCommands')).refused).toBe('Too Many Requests: retry after 60')
    expect(await outcome(send())).toBe(200)
  })
})
