import { expect, test } from 'vitest'

import { browserName, createDoor } from '../../../../adapters/web/sign-in/door.ts'
import { handClock } from '../../../support/clock.ts'

test('those who fail are told to wait by their address, and by all of them together', async () => {
  const clock = handClock()
  const door = createDoor({ clock, newSecret: () => 's'.repeat(43), telegramToken: null })
  const slips = (peer: string) => Array.from({ length: 21 }, () => door.isSlip(peer)).filter(Boolean).length
  expect(['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'].map(slips)).toEqual([20, 20, 20, 0])
  await clock.advance(60_000)
  expect(slips('10.0.0.4')).toBe(20)
})

test.each([
  ['Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', 'Firefox, Android'],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36 Telegram-Android/12.2.1',
    'Telegram, Android',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge, Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
    'Chrome, iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
    'Safari, iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    'Safari, macOS',
  ],
  ['curl/8.5.0', 'Browser'],
  ['', 'Browser'],
])('%s is told to its owner as %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})
