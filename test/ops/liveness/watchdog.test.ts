import { spawnSync } from 'node:child_process'

import { describe, expect, test } from 'vitest'

import { createStillness, startWatchdog } from '../../../src/ops/liveness/watchdog.ts'
import type { Event } from '../../../src/runtime/event.ts'
import { handClock } from '../../support/clock.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { runProgram } from '../../support/program.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

describe('how long the loop has stood still', () => {
  test('is nothing while it turns', () => {
    const stillMs = createStillness(SECOND)
    for (let beats = 1; beats <= 300; beats++) expect(stillMs(beats, beats * SECOND)).toBe(0)
  })

  test('is counted from the last time that it has turned', () => {
    const stillMs = createStillness(SECOND)
    stillMs(1, 0)
    for (let second = 1; second <= 59; second++) stillMs(1, second * SECOND)
    expect(stillMs(1, MINUTE)).toBe(MINUTE)
    expect(stillMs(2, MINUTE + SECOND)).toBe(0)
    expect(stillMs(2, MINUTE + 2 * SECOND)).toBe(SECOND)
  })

  test.each([
    ['a signal that stops the process for five minutes', [5 * MINUTE]],
    ['a laptop that sleeps for a night', [8 * 60 * MINUTE]],
    ['a container that is frozen twice', [5 * MINUTE, 5 * MINUTE]],
  ])('is not the time of %s: the watchdog stood still as well', (_what, pauses) => {
    const stillMs = createStillness(SECOND)
    let mono = 0
    stillMs(1, mono)
    for (const pause of pauses) expect(stillMs(1, (mono += pause))).toBeLessThan(MINUTE / 2)
    expect(stillMs(2, (mono += SECOND))).toBe(0)
  })
})

test('a thread that cannot start is told, and the bot goes on without it', () => {
  const events: Event[] = []
  startWatchdog({
    ...{ clock: handClock(), emit: (event) => events.push(event) },
    startThread() {
      throw new Error('no memory for a thread')
    },
  })
  expect(events).toEqual([expect.objectContaining({ is: 'trouble', where: 'watchdog' })])
})

/** For what stands still from the first moment on, and for what must not be ended however slow this machine is. */
const [SOON, NEVER] = ['400', '600000']
const STALLS = 'test/support/stalls.ts'

describe('a process whose loop stands still', () => {
  test('in a loop without end is ended, and says where it stood', async () => {
    await using program = runProgram(STALLS, {}, ['busy', SOON])
    expect(await program.ends()).toEqual({ code: null, signal: 'SIGKILL' })
    const line = JSON.parse(program.log()) as { level: string; event: string; stack: string[] }
    expect(line).toMatchObject({ level: 'fatal', event: 'stalled' })
    expect(line.stack[0]).toMatch(/^goRoundForEver file:.*stalls\.ts:\d+$/)
  })

  test('in the machine’s hands is ended as well', async () => {
    await using program = runProgram(STALLS, {}, ['waiting', SOON])
    expect(await program.ends()).toEqual({ code: null, signal: 'SIGKILL' })
    expect(program.log()).toContain('"event":"stalled"')
  })

  test('and that is the first of its container, where no signal ends it, ends with 70', (context) => {
    const first = (...words: string[]) =>
      spawnSync('unshare', ['--pid', '--fork', ...words], { encoding: 'utf8', timeout: PATIENCE_MS })
    if (first('true').status !== 0) context.skip('unshare is not there, or may not be used')
    const { status, stderr } = first(process.execPath, STALLS, 'busy', SOON)
    expect(stderr).toContain('"event":"stalled"')
    expect(status).toBe(70)
  })

  test('is kept by no watchdog from ending by itself', async () => {
    await using program = runProgram(STALLS, {}, ['never', NEVER])
    program.type('now')
    expect(await program.ends()).toEqual({ code: 0, signal: null })
    expect(program.log()).toBe('')
  })
})
