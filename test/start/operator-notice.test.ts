import { describe, expect, test } from 'vitest'

import { noticeText } from '../support/notices.ts'

describe('in a program of several venues, the operator reads which one', () => {
  test('has too few requests', () => {
    const event = { is: 'capacity', served: 40, watched: 90, wishedMs: 60_000 } as const
    expect(noticeText({ ...event, venue: 'lighter' })).toBe(`lighter: ${noticeText(event)}`)
    expect(noticeText(event)).toMatch(/^My requests are enough for about 40 wallets; 90 are watched/)
  })

  test.each([120_000, null])('is read too rarely, and no longer: %s', (everyMs) => {
    const event = { is: 'slow', everyMs, wishedMs: 60_000 } as const
    expect(noticeText({ ...event, venue: 'lighter' })).toBe(`lighter: ${noticeText(event)}`)
    expect(noticeText(event)).not.toContain('lighter')
  })
})
