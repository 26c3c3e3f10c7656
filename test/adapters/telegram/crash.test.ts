import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import Database from 'better-sqlite3'
import { expect, test } from 'vitest'

import { runProgram } from '../../support/program.ts'
import { startTelegram } from '../../support/telegram/telegram.ts'

const PEOPLE = 40
/** Each makes a code: an effect that would show if it happened twice. */
const COMMANDS = ['/link', '/link', '/link']

test(
  'killed in the middle of a batch of updates, each command takes effect once',
  { timeout: 60_000 },
  async () => {
    await using telegram = await startTelegram()
    const folder = await mkdtemp(join(tmpdir(), 'perch-crash-'))
    const file = join(folder, 'perch.sqlite')
    const start = () =>
      runProgram('src/main.ts', {
        VENUE: 'sim',
        ACCESS: 'open',
        DATABASE_URL: file,
        TELEGRAM_API_ROOT: telegram.root,
        TELEGRAM_BOT_TOKEN: telegram.token,
      })
    const codes = () => {
      const sqlite = new Database(file, { readonly: true })
      const counts = sqlite.prepare('SELECT count(*) FROM codes GROUP BY person_id').pluck().all() as number[]
      sqlite.close()
      return counts
    }
    const people = Array.from({ length: PEOPLE }, (_, n) => telegram.user(`Person ${n}`))
    for (const line of COMMANDS) for (const person of people) person.says(line)

    await using first = start()
    await telegram.until(() => telegram.ledger.sends.length >= 1, 20_000)
    await first.kill('SIGKILL')
    const halfway = codes().reduce((sum, count) => sum + count, 0)
    expect(halfway).toBeGreaterThan(0)
    expect(halfway).toBeLessThan(PEOPLE * COMMANDS.length)
    expect(telegram.pending().length).toBeGreaterThan(0)

    await using second = start()
    const answered = () => people.every(({ id }) => telegram.ledger.texts(id).length >= COMMANDS.length)
    await telegram.until(() => telegram.pending().length === 0 && answered(), 30_000)
    second.process.kill('SIGTERM')
    await second.ends()
    expect(codes()).toEqual(Array(PEOPLE).fill(COMMANDS.length))
    await rm(folder, { recursive: true })
  },
)
