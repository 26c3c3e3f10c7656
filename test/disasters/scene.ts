import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { ALICE } from '../support/bot.ts'
import { type Program, runProgram } from '../support/program.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { startTelegram } from '../support/telegram/telegram.ts'

/** The real program, a venue, and one person on Telegram who runs it and watches one wallet. */
export interface Scene extends AsyncDisposable {
  readonly stage: Stage
  readonly file: string
  /** What the clock is told, whether names resolve, whether the loop turns, where a rehearsal asks for that. */
  readonly timeFile: string
  readonly namesFile: string
  readonly stallFile: string
  program(): Program
  pid(): number
  /** Ends it in this way, and starts it again. */
  restart(signal: NodeJS.Signals, before?: () => Promise<void> | void): Promise<void>
  /** First lines of what the person was told since this was last asked. */
  hears(): string[]
  /** Whether this was told, now or within so many seconds. */
  tells(what: string, seconds: number): Promise<boolean>
  /** The status of /healthz, and what it says. */
  health(): Promise<string>
  /** What was logged as a warning or worse since this was last asked, each kind once. */
  logs(): string[]
  /** Ends of the program: its exit code, and its last words. */
  ends(seconds: number): Promise<string>
}

const QUICK = { MARKET_POLL_MS: '500', OWNER_POLL_MIN_MS: '500', OWNER_POLL_MAX_MS: '1000' }
const HEALTH_LIMIT_MS = 3_000

export async function openScene(
  more: (folder: string) => Record<string, string> = () => ({}),
  /** How large the disk is on which it lives; null is the machine's own. */
  diskMb: number | null = null,
): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'perch-disaster-'))
  if (diskMb !== null) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', folder])
  const file = join(folder, 'perch.sqlite')
  const files = { timeFile: join(folder, 'time'), namesFile: join(folder, 'names') }
  const stallFile = join(folder, 'stall')
  writeFileSync(files.timeFile, '+0\n')
  const telegram = await startTelegram()
  const stage = await openStage()
  stage.market('BTC', { price: 130 })
  stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  const start = () =>
    runProgram('src/main.ts', {
      ...{
        DATABASE_URL: file,
        VENUE_URL: stage.url.replace('127.0.0.1', 'localhost'),
        LOG_LEVEL: 'info',
        ...QUICK,
      },
      ...{ TELEGRAM_API_ROOT: telegram.root, TELEGRAM_BOT_TOKEN: telegram.token },
      ...more(folder),
    })
  let program = start()
  let [heard, read] = [0, 0]
  const olga = telegram.user('Olga')
  const told = () => telegram.ledger.sends.filter(({ method }) => method === 'sendMessage')
  const until = async (so: () => boolean, seconds: number) => {
    for (const ends = performance.now() + seconds * 1_000; !so() && performance.now() < ends;) await sleep(50)
    return so()
  }
  const says = async (line: string, answer: string) => {
    olga.says(line)
    if (!(await until(() => told().some(({ text }) => text.includes(answer)), 120)))
      throw new Error(`no answer to ${line}:\n${program.log()}`)
  }
  await until(() => /\/start ([A-Z0-9-]+)/.test(program.log()), 120)
  await says(`/start ${/\/start ([A-Z0-9-]+)/.exec(program.log())?.[1] ?? ''}`, 'operator')
  await says(`/watch ${ALICE} main`, 'BTC long')
  return {
    ...{ stage, file, ...files, stallFile },
    program: () => program,
    pid: () => program.process.pid ?? 0,
    async restart(signal, before) {
      if (program.process.exitCode === null && program.process.signalCode === null) await program.kill(signal)
      await before?.()
      read = 0
      program = start()
    },
    hears() {
      const all = told().slice(heard)
      heard += all.length
      return all.map(({ text }) => text.split('\n').slice(0, 2).join(' · '))
    },
    tells: (what, seconds) =>
      until(
        () =>
          told()
            .slice(heard)
            .some(({ text }) => text.includes(what)),
        seconds,
      ),
    async health() {
      const url = /"what":"http","url":"([^"]+)"/.exec(program.log())?.[1] ?? ''
      try {
        const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(HEALTH_LIMIT_MS) })
        const { says: words } = (await answer.json()) as { says: string[] }
        return [String(answer.status), ...words].join(' ')
      } catch {
        return 'no answer'
      }
    },
    logs() {
      const lines = program.log().slice(read).split('\n')
      read = program.log().length
      const kinds = new Map<string, string>()
      for (const line of lines) {
        if (!line.startsWith('{')) continue
        const { level, event, why } = JSON.parse(line) as Record<string, string | null>
        if (level === 'info' || typeof why !== 'string') continue
        if (!kinds.has(String(event))) kinds.set(String(event), `${event}: ${why}`)
      }
      return [...kinds.values()]
    },
    async ends(seconds) {
      const ended = () => program.process.exitCode !== null || program.process.signalCode !== null
      if (!(await until(ended, seconds))) return 'does not end'
      const words = program
        .log()
        .trim()
        .split('\n')
        .filter((line) => !/^(?:\{|To become the operator)/.test(line))
      return `ends with ${program.process.exitCode ?? program.process.signalCode}: ${words.at(-1) ?? ''}`
    },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]()
      await telegram.stop()
      await stage[Symbol.asyncDispose]()
      if (diskMb !== null) execFileSync('umount', [folder])
      await rm(folder, { recursive: true })
    },
  }
}
