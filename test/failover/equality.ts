import { Worker } from 'node:worker_threads'

import Database from 'better-sqlite3'

/** The differences of two copies of a cell. A thread of its own compares them: the stand-ins answer meanwhile. */
export async function unequal(fileA: string, fileB: string): Promise<string[]> {
  const worker = new Worker(new URL('equality-thread.ts', import.meta.url), { workerData: [fileA, fileB] })
  try {
    return await new Promise<string[]>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
  } finally {
    await worker.terminate()
  }
}

/** The last entry that a copy holds; null where there is no copy yet. */
export function seqOf(file: string): number | null {
  try {
    const sqlite = new Database(file, { readonly: true, fileMustExist: true, timeout: 1_000 })
    try {
      const kept = sqlite.prepare("SELECT value FROM meta WHERE name = 'journal'").pluck().get()
      return typeof kept === 'string' ? (JSON.parse(kept) as { seq: number }).seq : null
    } finally {
      sqlite.close()
    }
  } catch {
    return null
  }
}
