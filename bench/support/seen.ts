import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Seen } from './loop-probe.ts'
import { until } from './process.ts'

/** Looks into the event loop and the memory of a program that was started with `env`. */
export function createLook() {
  const folder = mkdtempSync(join(tmpdir(), 'perch-look-'))
  const file = join(folder, 'seen.json')
  const probe = new URL('loop-probe.ts', import.meta.url).href
  return {
    env: { NODE_OPTIONS: `--import ${probe}`, LOOP_FILE: file },
    /** Since the call before. */
    async look(pid: number): Promise<Seen> {
      rmSync(file, { force: true })
      process.kill(pid, 'SIGUSR2')
      let found: Seen | null = null
      const isThere = () => {
        try {
          found = JSON.parse(readFileSync(file, 'utf8')) as Seen
        } catch {
          return false
        }
        return true
      }
      await until(isThere, { everyMs: 5, limitMs: 30_000, what: 'the loop is seen' })
      if (found === null) throw new Error('nothing was seen')
      return found
    },
    end: () => rmSync(folder, { recursive: true }),
  }
}
