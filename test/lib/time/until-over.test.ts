import { describe, expect, test } from 'vitest'

import { untilOver } from '../../../src/lib/time/backoff.ts'

describe('the signal of work', () => {
  test('aborts when the work is over', () => {
    const { signal, over } = untilOver(new AbortController().signal)
    expect(signal.aborted).toBe(false)
    over()
    expect(signal.aborted).toBe(true)
  })

  test('aborts with what it is under, for the same reason', () => {
    const stopping = new AbortController()
    const { signal } = untilOver(stopping.signal)
    const stopped = new Error('stopping')
    stopping.abort(stopped)
    expect(signal.reason).toBe(stopped)
  })

  test('is aborted from the beginning where that has aborted', () => {
    expect(untilOver(AbortSignal.abort('stopping')).signal.reason).toBe('stopping')
  })

  test('hears no more of it once the work is over', () => {
    const stopping = new AbortController()
    const { signal, over } = untilOver(stopping.signal)
    over()
    const { reason } = signal
    stopping.abort('stopping')
    expect(signal.reason).toBe(reason)
  })
})
