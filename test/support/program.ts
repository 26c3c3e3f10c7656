import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { databaseUrl } from './database-url.ts'
import { PATIENCE_MS } from './patience.ts'

/** The real program in a process of its own. */
export interface Program extends AsyncDisposable {
  readonly process: ChildProcess
  /** Everything printed so far. */
  output(): string
  /** Everything logged so far. */
  log(): string
  type(line: string): void
  /** Resolves when the output holds this; rejects when the program ends first, or after the limit. */
  prints(what: string | RegExp, limitMs?: number): Promise<void>
  ends(limitMs?: number): Promise<{ code: number | null; signal: string | null }>
  kill(signal: NodeJS.Signals): Promise<void>
}

const ROOT = new URL('../../', import.meta.url)
/** Half of what a start costs is reading the sources: what one program has read, Node keeps here for the next. */
export const COMPILED = fileURLToPath(new URL('node_modules/.cache/compiled', ROOT))
/** `main.ts` changes settings of V8, which rejects code of other settings: in one folder each start would spoil the next. */
const COMPILED_MAIN = `${COMPILED}-main`

/** `stderr` is the descriptor of a file that takes the log; without it `log()` has it. */
export function runProgram(
  file: string,
  env: Record<string, string>,
  args: readonly string[] = [],
  stderr: number | 'pipe' = 'pipe',
): Program {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', stderr],
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: file.endsWith('main.ts') ? COMPILED_MAIN : COMPILED,
      TZ: 'UTC',
      HTTP_PORT: '0',
      ...env,
      ...(env['DATABASE_URL'] === undefined ? {} : { DATABASE_URL: databaseUrl(env['DATABASE_URL']) }),
    },
  })
  let output = ''
  let log = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  // A program that is killed while we write to it is no error of the test's.
  child.stdin?.on('error', () => {})
  const closed = once(child, 'close') as Promise<[number | null, string | null]>

  const limited = async <T>(work: Promise<T>, limitMs: number, what: string): Promise<T> => {
    if (limitMs === Infinity) return work
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`${what}\n--- printed:\n${output}\n--- logged:\n${log}`)),
        limitMs,
      )
    })
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    process: child,
    output: () => output,
    log: () => log,
    type: (line) => void child.stdin?.write(`${line}\n`),
    async prints(what, limitMs = PATIENCE_MS) {
      const there = () => (typeof what === 'string' ? output.includes(what) : what.test(output))
      const waiting = (async () => {
        while (!there()) {
          await Promise.race([once(child.stdout ?? child, 'data'), closed])
          if ((child.exitCode !== null || child.signalCode !== null) && !there())
            throw new Error(`ended without printing ${String(what)}:\n${output}${log}`)
        }
      })()
      await limited(waiting, limitMs, `not printed within ${limitMs} ms: ${String(what)}`)
    },
    async ends(limitMs = PATIENCE_MS) {
      const [code, signal] = await limited(closed, limitMs, `has not ended within ${limitMs} ms`)
      return { code, signal }
    },
    async kill(signal) {
      child.kill(signal)
      await closed
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await closed
    },
  }
}
