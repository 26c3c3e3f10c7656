import { write, writeSync } from 'node:fs'

import type { DestinationStream } from 'pino'

import { type Clock, systemClock } from '../runtime/clock.ts'

/** Buffer limit for a slow reader in code units. Lines beyond it are dropped. */
const MAX_WAITING_CODE_UNITS = 4 * 1024 * 1024
/** Docker's log driver cuts longer writes: https://github.com/moby/moby/blob/master/daemon/logger/copier.go */
const MAX_WRITE_CODE_UNITS = 16 * 1024
/** Interval between attempts on a descriptor that refuses. */
const RETRY_MS = 1_000
/** Interval between attempts on a pipe that is full for the moment (EAGAIN). */
const FULL_PIPE_MS = 100
/** A write under way for longer than this waits for a reader that is stuck. */
const STUCK_MS = 1_000
/** At the end, a full pipe is tried so often, each time after a short pause. */
const LAST_TRIES = 10
const LAST_PAUSE_MS = 20

/** Where the lines go. Tests pass one that fails. */
export interface LogOutput {
  write(bytes: Buffer, done: (error: Error | null, written: number) => void): void
  /** Returns how many bytes were written. Throws. */
  writeNow(bytes: Buffer): number
}

type State =
  | { is: 'idle' }
  /** The system has the chunk, since then. */
  | { is: 'writing'; sinceMono: number }
  /** The last write was refused; the chunk waits for the next attempt. */
  | { is: 'refused'; why: string }

/**
 * Opens an asynchronous log that can neither stop nor delay the bot. A stuck reader, a full disk and a closed pipe lose
 * lines, never more. The first line after such a time says how many were lost, and why.
 */
export function openSink(world: {
  output: LogOutput
  clock: Clock
  /** Code units. */
  mostWaiting: number
}): DestinationStream & { end(): void } {
  const { output, clock, mostWaiting } = world
  let state: State = { is: 'idle' }
  let lines: string[] = []
  let waiting = 0
  /** Not yet written of the lines that were handed over last. The next attempt continues at the very byte. */
  let chunk: Buffer = Buffer.alloc(0)
  let lost = 0
  let why = ''

  function next(): void {
    if (chunk.length === 0) chunk = nextChunk()
    if (chunk.length === 0) return
    state = { is: 'writing', sinceMono: clock.monotonic() }
    const handed = chunk
    try {
      output.write(handed, (error, written) => settle(handed, error, written))
    } catch (error) {
      settle(handed, error, 0)
    }
  }

  function settle(handed: Buffer, error: unknown, written: number): void {
    // At the end of the process the rest was written elsewhere.
    if (handed !== chunk) return
    if (error === null) {
      chunk = chunk.subarray(written)
      state = { is: 'idle' }
      next()
      return
    }
    const code = codeOf(error)
    state = { is: 'refused', why: code }
    clock.wakeAt(clock.monotonic() + (isFull(code) ? FULL_PIPE_MS : RETRY_MS), next)
  }

  /** Takes waiting lines, at most as many as one write should have; behind them how many were lost. */
  function nextChunk(): Buffer {
    let text = ''
    let taken = 0
    for (const line of lines) {
      if (text !== '' && text.length + line.length > MAX_WRITE_CODE_UNITS) break
      text += line
      taken += 1
    }
    lines = lines.slice(taken)
    waiting -= text.length
    if (lines.length === 0 && lost > 0) {
      text += lossLine(lost, why)
      lost = 0
    }
    return Buffer.from(text)
  }

  return {
    write(line) {
      if (waiting + line.length > mostWaiting) {
        lost += 1
        why = state.is === 'refused' ? `the log could not be written (${state.why})` : 'nobody read them'
        return
      }
      lines.push(line)
      waiting += line.length
      if (state.is === 'idle') next()
    },
    /** Writes the rest at once, as the process ends. Gives up where a write could block or is refused. */
    end() {
      const isStuck = state.is === 'writing' && (lost > 0 || clock.monotonic() - state.sinceMono > STUCK_MS)
      if (isStuck) return
      // The system still has this chunk, and finishes it by itself.
      if (state.is === 'writing') chunk = Buffer.alloc(0)
      for (let tries = LAST_TRIES; tries > 0;) {
        if (chunk.length === 0) chunk = nextChunk()
        if (chunk.length === 0) return
        try {
          chunk = chunk.subarray(output.writeNow(chunk))
        } catch (error) {
          if (!isFull(codeOf(error))) return
          tries -= 1
          Atomics.wait(PAUSE, 0, 0, LAST_PAUSE_MS)
        }
      }
    },
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

/** The log of this process: its standard error, until it ends. */
export function standardError(mostWaiting = MAX_WAITING_CODE_UNITS): DestinationStream {
  const fd = 2
  const sink = openSink({
    output: {
      write: (bytes, done) => write(fd, bytes, (error, written) => done(error, written)),
      writeNow: (bytes) => writeSync(fd, bytes),
    },
    clock: systemClock(),
    mostWaiting,
  })
  process.once('exit', sink.end)
  // Node writes to it too, and would end the process when that fails.
  process.stderr.on('error', () => {})
  return sink
}

function lossLine(lost: number, why: string): string {
  const lines = lost === 1 ? '1 line was lost' : `${lost} lines were lost`
  return `${JSON.stringify({ level: 'warn', event: 'trouble', where: 'log', why: `${lines}: ${why}` })}\n`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

function isFull(code: string): boolean {
  return code === 'EAGAIN' || code === 'EBUSY'
}
