import { expect, test } from 'vitest'

import { inWords } from '../../src/message/message.ts'
import { liveText, oldText } from '../../src/venue/reading.ts'

test.each([
  [0, 'live', 'live'],
  [9_999, 'live', 'live'],
  [10_000, '10 s old', '10 s alt'],
  [40_000, '40 s old', '40 s alt'],
  // A clock that ran ahead makes nothing old.
  [-5_000, 'live', 'live'],
])('a reading of %d ms ago is %s', (ms, english, german) => {
  expect([inWords(liveText(ms)), inWords(liveText(ms), 'de')]).toEqual([english, german])
  expect(oldText(ms) === null).toBe(english === 'live')
})
