import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'

import type { Draw, DrawingOrder } from '../message/picture.ts'
import { type Clock, createAlarm, within } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import { fundingBlocks, ladderBlocks } from '../picture/bar-blocks.ts'
import { blocks } from '../picture/blocks.ts'
import { cardOf } from './card-data.ts'
import { fundingOf } from './funding-data.ts'
import { ladderOf } from './ladder-data.ts'

/** An answer of the thread. */
export type ThreadAnswer = { is: 'ready' } | { is: 'drawn'; png: Uint8Array } | { is: 'failed'; why: string }

interface Drawing {
  /** One picture at a time, the urgent ones first. Null as well when too many wait. */
  draw(order: DrawingOrder, isUrgent?: boolean): ReturnType<Draw>
  /** Gives up all that wait, and ends the thread. */
  stop(): Promise<void>
}

const MOST_WAITING = 50
const LIMIT_MS = 2_000
/** It reads fonts and compiles, on a machine that may be busy. */
const START_LIMIT_MS = 20_000
const IDLE_MS = 600_000
/** About four megabytes. */
const MOST_KEPT = 24
/** Its objects alone: most of its memory is pixels, outside of them. */
const MAX_HEAP_MB = 64
const MAX_YOUNG_MB = 8

interface Waiting {
  key: string
  order: DrawingOrder
  isUrgent: boolean
  outcome: PromiseWithResolvers<Uint8Array | null>
}

/**
 * Draws in a thread of its own, which the first picture starts. A thread that hangs or dies is replaced by the next
 * picture, and its own picture is lost.
 */
export function createDrawing(world: { clock: Clock; emit: Emit; startThread?: () => Worker }): Drawing {
  const { clock, emit, startThread = startWorker } = world
  /** The oldest first. */
  const waiting: Waiting[] = []
  /** By content: also those that are not drawn yet. The one drawn last stands last. */
  const kept = new Map<string, Waiting>()
  let thread: Thread | null = null
  let isDrawing = false
  let isStopped = false
  const idle = createAlarm(clock, () => void dismiss())

  async function dismiss(): Promise<void> {
    const before = thread
    thread = null
    await before?.end()
  }

  function giveUp(one: Waiting | undefined): void {
    if (!one) return
    kept.delete(one.key)
    one.outcome.resolve(null)
  }

  async function drawAll(): Promise<void> {
    if (isDrawing) return
    isDrawing = true
    idle.off()
    for (let next = taken(waiting); next; next = taken(waiting)) {
      const png = await drawn(next.order)
      if (png) next.outcome.resolve(png)
      else giveUp(next)
    }
    isDrawing = false
    if (thread) idle.set(IDLE_MS)
  }

  async function drawn(order: DrawingOrder): Promise<Uint8Array | null> {
    try {
      thread ??= threadOf(startThread())
      const { ready, draw } = thread
      await within(clock, START_LIMIT_MS, undefined, () => ready)
      const answer = await within(clock, LIMIT_MS, undefined, () => draw(order))
      if (answer.is === 'drawn') return answer.png
      const why = answer.is === 'failed' ? answer.why : answer.is
      emit({ is: 'trouble', where: 'drawing', why: `a picture could not be drawn: ${why}` })
    } catch (error) {
      if (!isStopped) {
        emit({ is: 'trouble', where: 'drawing', why: 'the thread that draws is replaced', error })
      }
      await dismiss()
    }
    return null
  }

  /** No work for a thread. */
  function inText(order: DrawingOrder): Uint8Array | null {
    try {
      return textOf(order)
    } catch (error) {
      emit({ is: 'trouble', where: 'drawing', why: 'a picture could not be put into text', error })
      return null
    }
  }

  return {
    draw(order, isUrgent = false) {
      if (isStopped) return Promise.resolve(null)
      if (order.as === 'text') return Promise.resolve(inText(order))
      const key = keyOf(order)
      const before = kept.get(key)
      const one = before ?? { key, order, isUrgent, outcome: Promise.withResolvers<Uint8Array | null>() }
      one.isUrgent ||= isUrgent
      kept.delete(key)
      kept.set(key, one)
      if (!before) {
        waiting.push(one)
        if (waiting.length > MOST_WAITING) giveUp(dropped(waiting))
        forgetOldest(kept, waiting)
        void drawAll()
      }
      return one.outcome.promise
    },
    async stop() {
      isStopped = true
      idle.off()
      for (const one of waiting.splice(0)) giveUp(one)
      await dismiss()
    },
  }
}

function keyOf(order: DrawingOrder): string {
  return createHash('sha256').update(JSON.stringify(order)).digest('base64')
}

/** Takes the next one: the oldest urgent one, or else the oldest. */
function taken(waiting: Waiting[]): Waiting | undefined {
  const urgent = waiting.findIndex(({ isUrgent }) => isUrgent)
  return waiting.splice(Math.max(urgent, 0), 1)[0]
}

/** Drops the oldest one that is not urgent, or else the oldest. */
function dropped(waiting: Waiting[]): Waiting | undefined {
  const calm = waiting.findIndex(({ isUrgent }) => !isUrgent)
  return waiting.splice(Math.max(calm, 0), 1)[0]
}

function forgetOldest(kept: Map<string, Waiting>, waiting: readonly Waiting[]): void {
  const most = MOST_KEPT + waiting.length
  for (const [key, one] of kept) {
    if (kept.size <= most) return
    if (!waiting.includes(one)) kept.delete(key)
  }
}

interface Thread {
  /** Rejects, as `draw` does, once the thread has died. */
  ready: Promise<ThreadAnswer>
  draw(order: DrawingOrder): Promise<ThreadAnswer>
  end(): Promise<unknown>
}

function threadOf(worker: Worker): Thread {
  let death: Error | null = null
  let awaited = Promise.withResolvers<ThreadAnswer>()
  const die = (error: Error) => {
    death ??= error
    awaited.reject(death)
  }
  worker.on('message', (answer: ThreadAnswer) => awaited.resolve(answer))
  worker.on('error', die)
  worker.on('exit', (code) => die(new Error(`the thread has ended with ${code}`)))
  const next = () => {
    awaited = Promise.withResolvers<ThreadAnswer>()
    // It may die while nobody waits for it.
    awaited.promise.catch(() => {})
    if (death) awaited.reject(death)
    return awaited.promise
  }
  return {
    ready: next(),
    draw(order) {
      const answer = next()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is no window
      worker.postMessage(order)
      return answer
    },
    end: () => worker.terminate(),
  }
}

function startWorker(): Worker {
  const compiled = getCompileCacheDir()
  return new Worker(new URL('drawing-thread.ts', import.meta.url), {
    // The thread needs no secrets.
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
  })
}

/** The lines of an order for a terminal, in UTF-8. */
function textOf(order: DrawingOrder): Uint8Array {
  return new Uint8Array(Buffer.from(linesOf(order).join('\n')))
}

function linesOf({ picture, ...order }: DrawingOrder): string[] {
  if (picture.is === 'ladder') return ladderBlocks(ladderOf({ ...order, picture }))
  if (picture.is === 'funding') return fundingBlocks(fundingOf({ ...order, picture }))
  return blocks(cardOf({ ...order, picture }))
}
