import { Buffer } from 'node:buffer'

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { fromData, toData } from '../../../../adapters/telegram/intake/taps.ts'

const OWNER = '0x52908400098527886E0F7030069857D2E4169EE7'
const ACCOUNT = '170141183460469231731687303715884105001'

test.each([
  ['/ack A41', false, '+ack A41'],
  ['/positions', true, '=positions'],
  [`/positions ${OWNER}`, true, `=positions ${OWNER}`],
])('%s is the data of its button (replace: %s)', (line, replace, data) => {
  expect(toData({ line, replace })).toBe(data)
  expect(fromData(data)).toEqual({ line, replace })
})

test.each([`/orders ${OWNER} LimitExecuted page`, `/preview main BTC -50% ${ACCOUNT} and more of it`])(
  '%s is shortened to fit',
  (line) => {
    const data = toData({ line, replace: true }) ?? ''
    expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64)
    expect(fromData(data)?.line).toBe(line.replace(OWNER, OWNER.toLowerCase()))
  },
)

test('what does not fit has no data', () => {
  expect(toData({ line: `/watch ${'x'.repeat(64)}`, replace: false })).toBeNull()
  expect(toData({ line: `/watch @${'x'.repeat(20)} ${OWNER} ${OWNER}`, replace: false })).toBeNull()
})

test.each(['', 'A41', 'ack', '?x'])('data that is not ours (%s) is no line', (data) => {
  expect(fromData(data)).toBeNull()
})

test('every line that has data comes back from it', () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constant(OWNER.toLowerCase()),
    fc.bigInt({ min: 0n, max: 2n ** 128n }).map(String),
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4 }), fc.boolean(), (words, replace) => {
      const line = `/${words.join(' ').replace(/^\//, '')}`.toWellFormed()
      const data = toData({ line, replace })
      if (data === null) return
      expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64)
      expect(fromData(data)).toEqual({ line, replace })
    }),
    { numRuns: 2_000 },
  )
})
