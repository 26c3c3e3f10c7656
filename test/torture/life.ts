import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

import { type Program, runProgram } from '../support/program.ts'

/** One run of the program, until it is killed. */
export interface Life extends AsyncDisposable {
  readonly program: Program
  dead(): boolean
  /** It has not been waited for yet: its start is still to come. */
  fresh(): boolean
  /** At once, and not to be caught. */
  kill(): void
  /** Resolves when it has ended, however. */
  readonly ended: Promise<void>
  /** Has it killed before its next system call of this name but so many; resolves when that is armed. */
  killAtCall(call: string, nth: number): Promise<{ disarm(): Promise<void> }>
}

/** Before that it has not opened its database. */
const FRESH_MS = 100
const TRACER_LIMIT_MS = 2_000

/** Whether this machine lets us trace our own processes. */
export function mayTrace(): boolean {
  return spawnSync('strace', ['-f', '-e', 'trace=none', 'true']).status === 0
}

/** `log` is the descriptor that takes the log; without it the program has it. */
export function begin(env: Record<string, string>, log?: number, main = 'src/main.ts'): Life {
  const program = runProgram(main, env, [], log)
  const began = performance.now()
  const child = program.process
  const dead = () => child.exitCode !== null || child.signalCode !== null
  const ended = program.ends(Infinity).then(() => {})
  return {
    program,
    dead,
    fresh: () => performance.now() - began < FRESH_MS,
    kill: () => void child.kill('SIGKILL'),
    ended,
    async killAtCall(call, nth) {
      const inject = `inject=${call}:signal=KILL:when=${nth}`
      const options = ['-f', '-o', '/dev/null', '-e', `trace=${call}`, '-e', inject]
      const tracer = spawn('strace', [...options, '-p', String(child.pid)])
      await attached(tracer)
      return { disarm: () => disarm(tracer) }
    },
    async [Symbol.asyncDispose]() {
      if (!dead()) child.kill('SIGKILL')
      await ended
    },
  }
}

async function attached(tracer: ChildProcess): Promise<void> {
  let said = ''
  const closed = once(tracer, 'close')
  while (!said.includes('attached')) {
    const [part] = (await Promise.race([once(tracer.stderr ?? tracer, 'data'), closed])) as [unknown]
    // The program may be gone before it is traced.
    if (tracer.exitCode !== null) return
    said += String(part)
  }
}

/** What is traced goes on. */
async function disarm(tracer: ChildProcess): Promise<void> {
  if (tracer.exitCode !== null || tracer.signalCode !== null) return
  const closed = once(tracer, 'close')
  tracer.kill('SIGINT')
  // Now and then it waits for what is dead already, and keeps that from being seen as dead.
  const late = setTimeout(() => tracer.kill('SIGKILL'), TRACER_LIMIT_MS)
  await closed
  clearTimeout(late)
}
