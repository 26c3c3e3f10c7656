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

test('the operator reads that nobody could take over, and that somebody could again', () => {
  expect(noticeText({ is: 'no-standby', ms: 600_000 })).toBe(
    'No standby for 10 min. If this machine dies, nobody takes over. Start the other Perch again.',
  )
  expect(noticeText({ is: 'no-standby', ms: null })).toBe('There is a standby again')
})
