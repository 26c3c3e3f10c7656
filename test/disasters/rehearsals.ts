import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import Database from 'better-sqlite3'

import { mayTrace } from '../torture/life.ts'
import type { Scene } from './scene.ts'

/** One disaster: how it begins, how long it lasts, and what whoever runs the bot does to end it. */
export interface Rehearsal {
  name: string
  /** What must be there, or null where it is. */
  lacks?: () => string | null
  env?: (folder: string) => Record<string, string>
  /** It lives on a disk of its own that is so small. */
  diskMb?: number
  /** Returns how to end it. */
  begins(scene: Scene): Promise<(scene: Scene) => Promise<unknown>>
  seconds: number
  /** The price falls while it lasts; otherwise after it. */
  fallsMeanwhile: boolean
}

const has = (name: string) => spawnSync('which', [name]).status === 0
const needs = (name: string) => () => (has(name) ? null : name)
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'
const NAMES = fileURLToPath(new URL('names.ts', import.meta.url))
const STALL = fileURLToPath(new URL('stall.ts', import.meta.url))
const limit = (scene: Scene, what: string) =>
  execFileSync('prlimit', ['--pid', String(scene.pid()), what], { stdio: 'pipe' })
const logOf = ({ file }: Scene) => `${file}-wal`
/** So long that the pool of connections lets go of those that are open. */
const HANG_MS = 8_000

export const rehearsals = (minutesStopped: number): Rehearsal[] => [
  {
    name: 'the disk is full',
    lacks: () => (process.getuid?.() === 0 ? null : 'the right to mount a small disk (root)'),
    diskMb: 8,
    seconds: 30,
    fallsMeanwhile: true,
    async begins(scene) {
      const filler = `${scene.file}.filler`
      const handle = openSync(filler, 'w')
      // Ever smaller pieces, until not a byte is left.
      for (let size = 65_536; size >= 1;) {
        try {
          writeSync(handle, Buffer.alloc(size))
        } catch {
          size = Math.floor(size / 2)
        }
      }
      closeSync(handle)
      return async () => rmSync(filler)
    },
  },
  {
    name: 'the disk is read-only',
    lacks: () => (mayTrace() ? null : 'strace'),
    seconds: 30,
    fallsMeanwhile: true,
    async begins(scene) {
      const calls = 'pwrite64,ftruncate,fsync,fdatasync'
      const options = ['-f', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:error=EROFS`]
      const tracer = spawn('strace', [...options, '-p', String(scene.pid())])
      await once(tracer.stderr, 'data')
      return async () => {
        tracer.kill('SIGINT')
        await once(tracer, 'close')
      }
    },
  },
  {
    name: 'the database is removed',
    seconds: 30,
    fallsMeanwhile: true,
    async begins(scene) {
      for (const file of [scene.file, logOf(scene), `${scene.file}-shm`]) rmSync(file)
      return (one) => one.restart('SIGTERM')
    },
  },
  {
    name: 'a page of it is overwritten',
    seconds: 20,
    fallsMeanwhile: false,
    async begins(scene) {
      const sqlite = new Database(scene.file)
      sqlite.pragma('wal_checkpoint(TRUNCATE)')
      await sqlite.backup(`${scene.file}.kept`)
      sqlite.close()
      await scene.restart('SIGTERM', () => spoilPages(scene.file))
      return restored
    },
  },
  {
    name: 'its schema is newer than the program',
    seconds: 20,
    fallsMeanwhile: false,
    async begins(scene) {
      await scene.restart('SIGTERM', async () => {
        const sqlite = new Database(scene.file)
        await sqlite.backup(`${scene.file}.kept`)
        sqlite.pragma('user_version = 9999')
        sqlite.close()
      })
      return restored
    },
  },
  {
    name: 'the wall clock jumps by two hours',
    lacks: () => (has('faketime') ? null : 'faketime'),
    env: (folder) => ({
      ...{ LD_PRELOAD: FAKETIME, FAKETIME_TIMESTAMP_FILE: join(folder, 'time'), FAKETIME_NO_CACHE: '1' },
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }),
    seconds: 20,
    fallsMeanwhile: true,
    async begins(scene) {
      const time = scene.timeFile
      writeFileSync(time, '+2h\n')
      return async () => writeFileSync(time, '+0\n')
    },
  },
  {
    name: 'the loop stands still',
    // A debugger would do, but under one nobody watches the loop.
    env: (folder) => ({ NODE_OPTIONS: `--import ${STALL}`, STALL_FILE: join(folder, 'stall') }),
    // Longer than the minute after which the watchdog ends it.
    seconds: 90,
    fallsMeanwhile: true,
    async begins(scene) {
      writeFileSync(scene.stallFile, '')
      return async (one) => {
        if ((await one.ends(60)) === 'does not end') return
        rmSync(one.stallFile)
        await one.restart('SIGKILL')
      }
    },
  },
  {
    name: `it is stopped (SIGSTOP) for ${minutesStopped} min`,
    seconds: minutesStopped * 60,
    fallsMeanwhile: true,
    async begins(scene) {
      scene.program().process.kill('SIGSTOP')
      return async (one) => one.program().process.kill('SIGCONT')
    },
  },
  {
    name: 'no descriptor is left',
    lacks: needs('prlimit'),
    seconds: 30,
    fallsMeanwhile: true,
    async begins(scene) {
      // Below this number every one is taken: those that are open stay, and no other can be opened.
      limit(scene, '--nofile=5:4096')
      // The connections that it has are lost, and it may open no other.
      await breakOff(scene)
      return async () => limit(scene, '--nofile=4096:4096')
    },
  },
  {
    name: 'no name resolves',
    env: (folder) => ({ NODE_OPTIONS: `--import ${NAMES}`, NAMES_FILE: join(folder, 'names') }),
    seconds: 30,
    fallsMeanwhile: true,
    async begins(scene) {
      writeFileSync(scene.namesFile, '')
      await breakOff(scene)
      return async () => rmSync(scene.namesFile)
    },
  },
]

async function breakOff({ stage }: Scene): Promise<void> {
  stage.fails('/', 'hang')
  await sleep(HANG_MS)
  stage.fails('/', null)
}

function spoilPages(file: string): void {
  const handle = openSync(file, 'r+')
  const { size } = statSync(file)
  for (let at = 4_096; at < size; at += 4_096) writeSync(handle, Buffer.alloc(64, 0x5a), 0, 64, at)
  closeSync(handle)
}

/** From a copy that was made before. */
function restored(scene: Scene): Promise<void> {
  return scene.restart('SIGKILL', () => {
    for (const end of ['-wal', '-shm']) rmSync(`${scene.file}${end}`, { force: true })
    execFileSync('cp', [`${scene.file}.kept`, scene.file])
  })
}
