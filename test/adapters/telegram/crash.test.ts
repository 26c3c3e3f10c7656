import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import Database from 'better-sqlite3'
import { expect, test } from 'vitest'

import { runProgram } from '../../support/program.ts'
import { startTelegram } from '../../support/telegram/telegram.ts'

const PEOPLE = 40
/** Each makes a code in the place of the one before, and is noted with its input. */
const COMMANDS = ['/link', '/link', '/link']

test('killed in the middle of a batch of updates, each command takes effect once', async () => {
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
  const counted = (sql: string) => {
    const sqlite = new Database(file, { readonly: true })
    const counts = sqlite.prepare(sql).pluck().all() as number[]
    sqlite.close()
    return counts
  }
  // The language of each person is noted once beside their commands.
  const effects = () => counted("SELECT count(*) FROM inputs WHERE id NOT LIKE '%#language'")[0] ?? 0
  const people = Array.from({ length: PEOPLE }, (_, n) => telegram.user(`Person ${n}`))
  for (const line of COMMANDS) for (const person of people) person.says(line)

  // Every other one waits for an answer, and so has not had the next command done, whenever it is killed.
  for (const { id } of people.filter((_one, n) => n % 2 === 0))
    telegram.fault({ method: 'sendMessage', kind: 'hang', chat: id, times: Infinity })
  await using first = start()
  await telegram.until(() => telegram.ledger.sends.length >= 1)
  await first.kill('SIGKILL')
  telegram.calm()
  const halfway = effects()
  expect(halfway).toBeGreaterThan(0)
  expect(halfway).toBeLessThan(PEOPLE * COMMANDS.length)
  expect(telegram.pending().length).toBeGreaterThan(0)

  await using second = start()
  const answered = () => people.every(({ id }) => telegram.ledger.texts(id).length >= COMMANDS.length)
  await telegram.until(() => telegram.pending().length === 0 && answered())
  second.process.kill('SIGTERM')
  await second.ends()
  // What was done and not answered is not done again, and not denied either.
  const repeated = people
    .flatMap(({ id }) => telegram.ledger.texts(id))
    .filter((one) => /interrupted/.test(one))
  expect(repeated).not.toEqual([])
  expect(effects()).toBe(PEOPLE * COMMANDS.length)
  expect(counted('SELECT count(*) FROM codes GROUP BY person_id')).toEqual(Array(PEOPLE).fill(1))
  for (const { id } of people)
    expect(
      new Set(telegram.ledger.texts(id).filter((one) => /\/link [A-Z0-9-]{14}/.test(one))).size,
    ).toBeLessThanOrEqual(3)
  await rm(folder, { recursive: true })
})
