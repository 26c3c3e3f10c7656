import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

import { onTestFinished } from 'vitest'

import { COMPILED } from './program.ts'

const SQLITE = new URL('../../src/stores/sqlite/', import.meta.url)
const PACKAGE = import.meta.resolve('better-sqlite3')

/** What a child process may use without importing it. */
const PREAMBLE = `
import Database from '${PACKAGE}'
import { openSqlite } from '${new URL('index.ts', SQLITE).href}'
import { openDatabase } from '${new URL('file/database.ts', SQLITE).href}'
const file = process.argv.at(-1)
`

/** A program in a process of its own, with `file` as its argument; \`tracer\` is what it runs under. */
export function program(body: string, file: string, tracer: readonly string[] = []): Program {
  const node = [process.execPath, '--input-type=module-typescript', '--eval', PREAMBLE + body, '--', file]
  const [command = '', ...args] = [...tracer, ...node]
  const child = spawn(command, args, {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const lines = createInterface(child.stdout)
  const ended = new Promise<string>((resolve) => {
    child.on('close', () => resolve(errors))
  })
  const firstLine = new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    child.on('close', () => reject(new Error(`it said nothing: ${errors}`)))
  })
  firstLine.catch(() => {})
  return { child, firstLine, ended }
}

export interface Program {
  child: ChildProcess
  firstLine: Promise<string>
  /** What it wrote to standard error, once it has ended. */
  ended: Promise<string>
}
