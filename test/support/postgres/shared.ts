import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { openPostgres, type Postgres } from './server.ts'

let opening: ReturnType<typeof openPostgres> | null = null

/** One server for all tests of a process. Tests that stop or hold a server open one of their own. */
export async function sharedPostgres(): Promise<Postgres> {
  opening ??= openPostgres()
  const opened = await opening
  if ('lacks' in opened) throw new Error(opened.lacks)
  return opened.server
}

/** DATABASE_URL of a new cell, with its file in this folder. */
export async function newCell(folder: string, more = ''): Promise<string> {
  const { url } = await sharedPostgres()
  return cellUrl(url, `t${randomBytes(6).toString('hex')}`, join(folder, 'perch.sqlite'), more)
}

export function cellUrl(server: string, cell: string, file: string, more = ''): string {
  return `journal:${server}?cell=${cell}&file=${encodeURIComponent(file)}${more}`
}
