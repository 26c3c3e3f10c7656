import { describe, expect, test } from 'vitest'

import { endsWithin, keepRunning, pause, waited, within } from '../../src/runtime/clock.ts'
import { handClock, NOON, READ_MS } from '../support/clock.ts'

/** How a promise stands now, without waiting for it. */
function outcome<T>(promise: Promise<T>): { is: string } {
  const now = { is: 'waiting' }
  promise.then(
    (value) => (now.is = `resolved ${String(value)}`),
    (why: unknown) => (now.is = `rejected ${String(why)}`),
  )
  return now
}

test('two clock reads are never equal where a program is tested, and whole milliseconds are as they were', async () => {
  const clock = handClock(NOON, READ_MS)
  const [first, second] = [clock.monotonic(), clock.monotonic()]
  expect(second).toBeGreaterThan(first)
  expect(clock.now()).toBe(NOON)
  let woken = 0
  const wake = () => {
    if (++woken < 10) clock.wakeAt(clock.monotonic() + 100, wake)
  }
  clock.wakeAt(clock.monotonic() + 100, wake)
  await clock.advance(1_000)
  expect(woken).toBe(10)
  expect(clock.now()).toBe(NOON + 1_000)
})

describe('a pause', () => {
  test('lasts as long as it says, to the millisecond', async () => {
    const clock = handClock()
    const paused = outcome(pause(clock, 1_000))
    await clock.advance(999)
    expect(paused.is).toBe('waiting')
    await clock.advance(1)
    expect(paused.is).toBe('resolved undefined')
  })

  test('ends with the signal’s reason, and leaves no wake-up behind', async () => {
    const clock = handClock()
    const stop = new AbortController()
    const paused = outcome(pause(clock, 1_000, stop.signal))
    stop.abort('stopping')
    await clock.advance(0)
    expect(paused.is).toBe('rejected stopping')
    expect(clock.waiting()).toBe(0)
  })

  test('does not begin when the signal has spoken already', async () => {
    const clock = handClock()
    await expect(pause(clock, 1_000, AbortSignal.abort('stopping'))).rejects.toBe('stopping')
    expect(clock.waiting()).toBe(0)
  })

  test('does not notice that the wall clock jumps', async () => {
    const clock = handClock()
    const paused = outcome(pause(clock, 1_000))
    clock.jump(3_600_000)
    await clock.advance(999)
    expect(paused.is).toBe('waiting')
    clock.jump(-7_200_000)
    await clock.advance(1)
    expect(paused.is).toBe('resolved undefined')
  })
})

test('what is waited for says whether the signal came first', async () => {
  const clock = handClock()
  const stop = new AbortController()
  const [whole, cut] = [waited(clock, 1_000, new AbortController().signal), waited(clock, 2_000, stop.signal)]
  await clock.advance(1_000)
  stop.abort('stopping')
  expect([await whole, await cut]).toEqual([true, false])
})

describe('work within a limit', () => {
  const obedient = (signal: AbortSignal) =>
    new Promise<string>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })

  test('that is done in time is answered, and leaves no wake-up behind', async () => {
    const clock = handClock()
    await expect(within(clock, 5_000, undefined, async () => 'done')).resolves.toBe('done')
    expect(clock.waiting()).toBe(0)
  })

  test('that is not done in time is told to stop, and why', async () => {
    const clock = handClock()
    const work = outcome(within(clock, 5_000, undefined, obedient))
    await clock.advance(4_999)
    expect(work.is).toBe('waiting')
    await clock.advance(1)
    expect(work.is).toBe('rejected Error: no answer within 5000 ms')
  })

  test('that does not heed its signal is not waited for either', async () => {
    const clock = handClock()
    const work = outcome(within(clock, 5_000, undefined, () => new Promise(() => {})))
    await clock.advance(5_000)
    expect(work.is).toBe('rejected Error: no answer within 5000 ms')
  })

  test('stops with whoever asked for it', async () => {
    const clock = handClock()
    const outer = new AbortController()
    const work = outcome(within(clock, 5_000, outer.signal, obedient))
    outer.abort('stopping')
    await clock.advance(0)
    expect(work.is).toBe('rejected stopping')
    expect(clock.waiting()).toBe(0)
  })

  test('that fails fails as it did', async () => {
    const clock = handClock()
    const failing = within(clock, 5_000, undefined, () => Promise.reject(new Error('no disk')))
    await expect(failing).rejects.toThrow('no disk')
    expect(clock.waiting()).toBe(0)
  })
})

describe('the end of something that goes on either way', () => {
  test('is waited for no longer than that', async () => {
    const clock = handClock()
    const over = outcome(endsWithin(clock, 3_000, new Promise(() => {})))
    await clock.advance(2_999)
    expect(over.is).toBe('waiting')
    await clock.advance(1)
    expect(over.is).toBe('resolved false')
  })

  test('in time leaves no wake-up behind', async () => {
    const clock = handClock()
    expect(await endsWithin(clock, 3_000, Promise.resolve())).toBe(true)
    expect(clock.waiting()).toBe(0)
  })

  test('that is a failure is one', async () => {
    await expect(endsWithin(handClock(), 3_000, Promise.reject(new Error('no disk')))).rejects.toThrow(
      'no disk',
    )
  })
})

describe('a loop that must not end', () => {
  const SECOND = 1_000

  test('begins anew when it breaks, later and later, and each time that is told', async () => {
    const clock = handClock()
    const began = clock.monotonic()
    const stopping = new AbortController()
    const runs: number[] = []
    const told: unknown[] = []
    const world = { clock, random: () => 1, signal: stopping.signal }
    const kept = keepRunning(
      world,
      (error) => told.push(error),
      async () => {
        runs.push((clock.monotonic() - began) / SECOND)
        if (runs.length === 5) await waited(clock, 100 * SECOND, stopping.signal)
        throw new Error('broken')
      },
    )
    await clock.advance(120 * SECOND)
    // The fifth held for long: what broke it is another story.
    expect(runs).toEqual([0, 1, 3, 7, 15, 116, 118])
    expect(told).toHaveLength(7)
    stopping.abort(new Error('stopping'))
    await kept
    expect(clock.waiting()).toBe(0)
  })

  test('ends when it is told to', async () => {
    const stopping = new AbortController()
    const told: unknown[] = []
    const world = { clock: handClock(), random: () => 1, signal: stopping.signal }
    await keepRunning(
      world,
      (error) => told.push(error),
      async () => stopping.abort(new Error('stopping')),
    )
    expect(told).toEqual([])
  })
})
