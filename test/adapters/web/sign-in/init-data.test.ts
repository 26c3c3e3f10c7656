import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { readInitData } from '../../../../adapters/web/sign-in/init-data.ts'
import { NOON } from '../../../support/clock.ts'
import { BOT_TOKEN as TOKEN, signed } from './launch.ts'

const NOON_S = NOON / 1_000
const USER = { id: 42, first_name: 'Ann', language_code: 'en' }

const launched = (more: Record<string, string> = {}) =>
  signed({
    query_id: 'AAH',
    user: JSON.stringify(USER),
    auth_date: String(NOON_S),
    signature: 'x_-',
    ...more,
  })

describe('launch data of a Mini App', () => {
  // The example of https://docs.telegram-mini-apps.com/platform/init-data.
  test('are those of a user of Telegram', () => {
    const data =
      'query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D&auth_date=1662771648&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2'
    expect(readInitData(data, TOKEN, 1_662_771_648_000)).toEqual({
      ...{ is: 'user', user: '279058397', name: 'Vladislav' },
    })
  })

  test.each([
    ['from a link in a private chat', { chat_type: 'private', chat_instance: '-1' }],
    ['from a link of the bot itself', { chat_type: 'sender', chat_instance: '-1' }],
    ['as old as an hour', { auth_date: String(NOON_S - 3_600) }],
    ['a minute ahead of our clock', { auth_date: String(NOON_S + 60) }],
  ])('count: %s', (_name, more) => {
    expect(readInitData(launched(more), TOKEN, NOON)).toEqual({ is: 'user', user: '42', name: 'Ann' })
  })

  test.each(['group', 'supergroup', 'channel'])('of a %s lead to the private chat', (place) => {
    expect(readInitData(launched({ chat_type: place }), TOKEN, NOON)).toEqual({ is: 'shared' })
  })

  test('that name a group lead to the private chat', () => {
    const chat = JSON.stringify({ id: -100, type: 'group', title: 'x' })
    expect(readInitData(launched({ chat }), TOKEN, NOON)).toEqual({ is: 'shared' })
  })

  const data = launched()
  const hash = /hash=([\da-f]{64})/.exec(data)?.[1] ?? ''
  const forged = JSON.stringify({ ...USER, id: 43 })
  test.each([
    ['of another bot', signed({ user: JSON.stringify(USER), auth_date: String(NOON_S) }, '1:other')],
    ['with another user', launched().replace(encodeURIComponent('"id":42'), encodeURIComponent('"id":43'))],
    ['with a field that nobody signed', `${data}&chat_type=private`],
    ['with a second user in front', `user=${encodeURIComponent(forged)}&${data}`],
    ['with a second user behind', `${data}&user=${encodeURIComponent(forged)}`],
    ['with a second hash', `${data}&hash=${hash}`],
    ['with an odd name', `${data}&__proto__=1`],
    ['without a hash', data.replace(/&hash=.*$/, '')],
    ['with a short hash', data.slice(0, -2)],
    ['with a hash in capitals', data.replace(hash, hash.toUpperCase())],
    ['with no hexadecimal hash', data.replace(hash, 'z'.repeat(64))],
    ['older than an hour', launched({ auth_date: String(NOON_S - 3_601) })],
    ['from the future', launched({ auth_date: String(NOON_S + 61) })],
    ['without a time', signed({ user: JSON.stringify(USER) })],
    ['with a time that is no number', launched({ auth_date: '1e12' })],
    ['without a user', signed({ auth_date: String(NOON_S) })],
    ['with a user that is no JSON', launched({ user: '{' })],
    ['of a bot', launched({ user: JSON.stringify({ ...USER, is_bot: true }) })],
    ['with an id that is a word', launched({ user: JSON.stringify({ ...USER, id: '42' }) })],
    ['with an id that no number holds', launched({ user: JSON.stringify({ ...USER, id: 2 ** 60 }) })],
    ['that are too long', launched({ query_id: 'A'.repeat(5_000) })],
    ['that are empty', ''],
  ])('are refused: %s', (_name, wrong) => {
    expect(readInitData(wrong, TOKEN, NOON)).toEqual({ is: 'refused' })
  })

  test('lead to nobody with any byte changed', () => {
    const right = launched()
    fc.assert(
      fc.property(fc.nat(right.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, letter) => {
        const wrong = right.slice(0, at) + letter + right.slice(at + 1)
        // Another spelling of the same fields is the same.
        const isSame = new URLSearchParams(wrong).toString() === new URLSearchParams(right).toString()
        expect(readInitData(wrong, TOKEN, NOON).is).toBe(isSame ? 'user' : 'refused')
      }),
    )
  })
})
