import { Worker } from 'node:worker_threads'

import { afterEach, describe, expect, test } from 'vitest'

import { createDrawing } from '../../src/drawing/drawing.ts'
import type { Event } from '../../src/runtime/event.ts'
import { handClock } from '../support/clock.ts'
import { eventually, PATIENCE_MS } from '../support/patience.ts'
import { orderOf } from './orders.ts'

const THREAD = new URL('../../src/drawing/drawing-thread.ts', import.meta.url)

let ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends) await end()
  ends = []
})

/** `threads`: the first ones in place of the real one, by their script. */
function started(threads: readonly string[] = []) {
  const clock = handClock()
  const events: Event[] = []
  const all: Worker[] = []
  const orders: unknown[] = []
  const drawing = createDrawing({
    clock,
    emit: (event) => events.push(event),
    startThread() {
      const script = threads[all.length]
      const thread = script ? new Worker(script, { eval: true }) : new Worker(THREAD)
      const post = thread.postMessage.bind(thread)
      thread.postMessage = (order: unknown) => {
        orders.push(order)
        post(order)
      }
      all.push(thread)
      return thread
    },
  })
  ends.push(() => drawing.stop())
  return { clock, events, threads: all, orders, drawing }
}

const SAYS_READY = `const { parentPort } = require('node:worker_threads'); parentPort.postMessage({ is: 'ready' });`
const HANGS = `${SAYS_READY} parentPort.on('message', () => { for (;;); })`
const DIES = `${SAYS_READY} parentPort.on('message', () => process.exit(3))`
const DRAWS = `${SAYS_READY} parentPort.on('message', () => parentPort.postMessage({ is: 'drawn', png: new Uint8Array(4) }))`
const FAILS = `throw new Error('no font')`

const PNG = [0x89, 0x50, 0x4e, 0x47]
const sizeOf = (png: Uint8Array | null) => {
  expect([...(png ?? []).slice(0, 4)]).toEqual(PNG)
  const view = new DataView((png as Uint8Array).buffer)
  return [view.getUint32(16), view.getUint32(20)]
}
/** Orders that differ. */
const numbered = (number: number) => orderOf({ pnl: number })

describe('a picture', { timeout: PATIENCE_MS }, () => {
  test('is a PNG of the size of its format, and the same order gives the same one', async () => {
    const { drawing, threads, orders } = started()
    const card = await drawing.draw(orderOf())
    expect(sizeOf(card)).toEqual([1080, 1350])
    // Telegram slows down larger uploads.
    expect(card?.length).toBeLessThan(100_000)
    expect(sizeOf(await drawing.draw(orderOf({}, { format: 'strip' })))).toEqual([1080, 720])
    expect(await drawing.draw(orderOf())).toBe(card)
    expect([threads.length, orders.length]).toEqual([1, 2])
    const again = await started().drawing.draw(orderOf())
    expect(Buffer.from(again ?? []).equals(card ?? new Uint8Array())).toBe(true)
  })

  test('for a terminal is text, and needs no thread', async () => {
    const { drawing, threads, events } = started()
    const text = await drawing.draw(orderOf({}, { as: 'text' }))
    expect(Buffer.from(text ?? []).toString()).toContain('2.8% from liquidation')
    const broken = orderOf({}, { as: 'text', reader: { ...orderOf().reader, zone: 'Nowhere/Else' } })
    expect(await drawing.draw(broken)).toBeNull()
    expect([threads.length, events.length]).toEqual([0, 1])
  })

  test('is kept until two dozen others came after it', async () => {
    const { drawing, orders } = started([DRAWS])
    for (let number = 1; number <= 26; number += 1) await drawing.draw(numbered(number))
    for (const known of [26, 3]) await drawing.draw(numbered(known))
    expect(orders).toHaveLength(26)
    await drawing.draw(numbered(1))
    expect(orders).toHaveLength(27)
  })

  test('of which the thread is ended after ten idle minutes comes from a new one later', async () => {
    const { drawing, threads, clock } = started()
    await drawing.draw(numbered(1))
    await clock.advance(599_000)
    await drawing.draw(numbered(2))
    await clock.advance(599_000)
    expect(threads).toHaveLength(1)
    const ended = new Promise((resolve) => threads[0]?.once('exit', resolve))
    await clock.advance(1_001)
    await ended
    expect(sizeOf(await drawing.draw(numbered(3)))).toEqual([1080, 1350])
    expect(threads).toHaveLength(2)
  })

  test.each([
    ['dies', DIES, 'the thread that draws is replaced'],
    ['never starts', FAILS, 'the thread that draws is replaced'],
  ])('whose thread %s is null, and the next one is drawn', async (_what, script, why) => {
    const { drawing, threads, events } = started([script])
    expect(await drawing.draw(orderOf())).toBeNull()
    expect(events).toEqual([expect.objectContaining({ is: 'trouble', where: 'drawing', why })])
    expect(sizeOf(await drawing.draw(orderOf()))).toEqual([1080, 1350])
    expect(threads).toHaveLength(2)
  })

  test('whose thread hangs is null after two seconds, and the next one is drawn', async () => {
    const { drawing, clock, orders, events } = started([HANGS])
    let png: Uint8Array | null | undefined
    const first = drawing.draw(numbered(1)).then((drawn) => (png = drawn))
    const second = drawing.draw(numbered(2))
    await eventually(() => orders.length === 1)
    await clock.advance(1_990)
    expect(png).toBeUndefined()
    await clock.advance(20)
    expect(await first).toBeNull()
    expect(events).toHaveLength(1)
    expect(sizeOf(await second)).toEqual([1080, 1350])
  })

  test('that cannot be drawn is null, and its thread goes on', async () => {
    const { drawing, threads, events } = started()
    const broken = orderOf({}, { reader: { ...orderOf().reader, zone: 'Nowhere/Else' } })
    expect(await drawing.draw(broken)).toBeNull()
    expect(events).toEqual([
      expect.objectContaining({ why: expect.stringContaining('a picture could not be drawn: RangeError') }),
    ])
    expect(await drawing.draw(orderOf())).not.toBeNull()
    expect(threads).toHaveLength(1)
  })
})

describe('pictures that wait', { timeout: PATIENCE_MS }, () => {
  test('are drawn one at a time, the urgent ones first, and only once if they are the same', async () => {
    const { drawing, orders } = started()
    const same = [numbered(1), numbered(2), numbered(3), numbered(2)]
    const all = same.map((order) => drawing.draw(order))
    const urgent = drawing.draw(numbered(4), true)
    const raised = drawing.draw(numbered(3), true)
    await Promise.all([...all, urgent, raised])
    expect(await all[1]).toBe(await all[3])
    expect(orders).toEqual([1, 3, 4, 2].map(numbered))
  })

  test('are fifty at most: the oldest that is not urgent goes, or else the oldest', async () => {
    const { drawing, orders, clock } = started([HANGS])
    const outcomes = new Map<number, Uint8Array | null>()
    const ask = (number: number, isUrgent: boolean) =>
      void drawing.draw(numbered(number), isUrgent).then((png) => outcomes.set(number, png))
    ask(0, true)
    await eventually(() => orders.length === 1)
    ask(1, true)
    ask(2, false)
    for (let number = 3; number <= 50; number += 1) ask(number, true)
    expect(outcomes.size).toBe(0)
    ask(51, true)
    await eventually(() => outcomes.size > 0)
    ask(52, true)
    await eventually(() => outcomes.size > 1)
    expect([...outcomes]).toEqual([
      [2, null],
      [1, null],
    ])
    await drawing.stop()
    await eventually(() => outcomes.size === 53)
    expect(clock.waiting()).toBe(0)
  })

  test('are given up when all stops, and nothing is drawn any more', async () => {
    const { drawing, threads, events } = started()
    const both = [drawing.draw(numbered(1)), drawing.draw(numbered(2))]
    await drawing.stop()
    expect(await Promise.all(both)).toEqual([null, null])
    expect(await drawing.draw(numbered(3))).toBeNull()
    expect(threads).toHaveLength(1)
    expect(events).toEqual([])
  })
})
