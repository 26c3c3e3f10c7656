import { describe, expect, test } from 'vitest'
import { pause, within } from '../src/clock.ts'
import { handClock } from './support/clock.ts'

/** How a promise stands now, without waiting for it. */
function outcome<T>(promise: Promise<T>): { is: string } {
  const now = { is: 'waiting' }
  promise.then(
    (value) => (now.is = `resolved ${String(value)}`),
    (why: unknown) => (now.is = `rejected ${String(why)}`),
  )
  return now
}

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
