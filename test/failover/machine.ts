import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { type PostgresProxy, openProxy } from '../support/postgres/proxy.ts'
import { cellUrl } from '../support/postgres/shared.ts'
import { begin, type Life } from '../torture/life.ts'

/** One of the two that share a cell: a folder and a line to PostgreSQL of its own. */
export interface Machine extends AsyncDisposable {
  readonly name: string
  /** Its copy of the cell. */
  readonly file: string
  readonly line: PostgresProxy
  readonly life: Life | null
  /** Starts the program, unless it runs. Another one than before, if its main file is named. */
  start(main?: string): void
  /** How the runs ended that nobody killed: their exit codes, with the signal in place of a code that there is not. */
  readonly ends: { run: number; how: string; at: number }[]
  /** Each start of the program. */
  readonly runs: readonly Run[]
  isUp(): boolean
  /** Whether this name of a holder is that of the run which goes on. */
  is(holder: string | null): boolean
  signal(signal: NodeJS.Signals): void
  /** All that it has logged. */
  log(): string
}

export interface Run {
  pid: number | undefined
  at: number
}

const CELL = 'main'
const CALM_READS = { MARKET_POLL_MS: '200', OWNER_POLL_MIN_MS: '400', OWNER_POLL_MAX_MS: '5000' }
const PLENTY = { VENUE_REQUESTS_PER_SECOND: '500', MAX_COMMANDS_PER_MINUTE: '1000' }
const EVERYBODY = { ACCESS: 'open', MAX_PEOPLE: '1000000' }

export async function openMachine(world: {
  name: string
  folder: string
  /** The address of the PostgreSQL server. */
  server: string
  leaseS: number
  env: Record<string, string>
  now: () => number
}): Promise<Machine> {
  const { name, server, leaseS, env, now } = world
  const folder = join(world.folder, name)
  mkdirSync(folder)
  const file = join(folder, 'perch.sqlite')
  const line = await openProxy(server)
  const logFile = join(folder, 'log')
  const log = openSync(logFile, 'a')
  const ends: { run: number; how: string; at: number }[] = []
  let life: Life | null = null
  let program = 'src/main.ts'
  const runs: Run[] = []

  const isUp = () => life !== null && !life.dead()

  return {
    name,
    file,
    line,
    ends,
    get life() {
      return life
    },
    get runs() {
      return runs
    },
    start(main = program) {
      if (isUp()) return
      program = main
      const begun = begin(
        {
          ...{ DATABASE_URL: cellUrl(line.url, CELL, file, `&lease=${leaseS}`), LOG_LEVEL: 'info' },
          ...{ ...CALM_READS, ...PLENTY, ...EVERYBODY, ...env },
        },
        log,
        main,
      )
      life = begun
      const run = runs.push({ pid: begun.program.process.pid, at: now() })
      void begun.ended.then(() => {
        const { exitCode, signalCode } = begun.program.process
        ends.push({ run, how: signalCode ?? `code ${exitCode}`, at: now() })
      })
    },
    isUp,
    is: (holder) => isUp() && isOf(holder, runs.at(-1)),
    signal: (signal) => void life?.program.process.kill(signal),
    log: () => readFileSync(logFile, 'utf8'),
    async [Symbol.asyncDispose]() {
      if (isUp()) life?.program.process.kill('SIGCONT')
      await life?.[Symbol.asyncDispose]()
      await line[Symbol.asyncDispose]()
      closeSync(log)
    },
  }
}

/** Whether this name of a holder is that of this run: a holder is named after its machine, its process and chance. */
export function isOf(holder: string | null, run: Run | undefined): boolean {
  return run?.pid !== undefined && (holder?.includes(`-${run.pid}-`) ?? false)
}
