import { assert, double, nat, property } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { keepStream, waitMs } from '../../../../adapters/web/page/stream.ts'

test('a page waits between 1 and 15 seconds before it tries again', () => {
  assert(
    property(nat(40), double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (failures, random) => {
      const wait = waitMs(failures, random)
      expect(wait).toBeGreaterThanOrEqual(1_000)
      expect(wait).toBeLessThanOrEqual(15_000)
    }),
  )
})

/** A clock that a test turns, and the stream of a page that it keeps. */
function kept() {
  const timers = new Set<{ at: number; ring: () => void }>()
  let now = 0
  const answers: (Response | 'unreachable')[] = []
  const heard: string[] = []
  const opened: AbortSignal[] = []
  const after = (ms: number, ring: () => void) => {
    const timer = { at: now + ms, ring }
    timers.add(timer)
    return () => timers.delete(timer)
  }
  const stream = keepStream(
    (signal) => {
      opened.push(signal)
      const answer = answers.shift() ?? 'unreachable'
      return answer === 'unreachable' ? Promise.reject(new Error('nobody there')) : Promise.resolve(answer)
    },
    {
      opened: () => heard.push('opened'),
      alive: () => heard.push('alive'),
      event: ({ event }) => heard.push(event),
      over: () => heard.push('over'),
    },
    { after, random: () => 0.5 },
  )
  return {
    ...{ stream, answers, heard, opened },
    /** Everything that has been promised happens. */
    settle: () => new Promise<void>((resolve) => void setImmediate(resolve)),
    turn(ms: number) {
      now += ms
      for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.ring()
    },
  }
}

describe('a kept stream', () => {
  test('opens again after a cut, and says that it is new', async () => {
    const page = kept()
    await page.settle()
    page.answers.push(new Response('event: glance\ndata: {}\n\n'))
    page.turn(1_000)
    await page.settle()
    await page.settle()
    expect(page.heard).toEqual(['opened', 'alive', 'glance'])
    page.turn(15_000)
    expect(page.opened).toHaveLength(3)
  })

  test('ends a stream on which nothing comes, not even a comment', async () => {
    const page = kept()
    await page.settle()
    page.answers.push(new Response(new ReadableStream({ start() {} })))
    page.turn(1_000)
    await page.settle()
    page.turn(24_999)
    expect(page.opened[1]?.aborted).toBe(false)
    page.turn(1)
    expect(page.opened[1]?.aborted).toBe(true)
  })

  test('tries no more once the session is over', async () => {
    const page = kept()
    await page.settle()
    page.answers.push(new Response('{}', { status: 401 }))
    page.turn(1_000)
    await page.settle()
    page.turn(60_000)
    expect([page.heard, page.opened.length]).toEqual([['over'], 2])
  })

  test('tries at once when the page is in sight again', async () => {
    const page = kept()
    await page.settle()
    page.stream.again()
    expect(page.opened).toHaveLength(2)
    page.stream.stop()
    await page.settle()
    page.turn(60_000)
    expect(page.opened).toHaveLength(2)
  })
})
