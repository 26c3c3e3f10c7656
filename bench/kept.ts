import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import Database from 'better-sqlite3'

import { pruneAt } from '../src/engine/time/suspension.ts'
import openBackups from '../src/stores/sqlite/backups.ts'
import { openSqlite } from '../src/stores/sqlite/index.ts'
import { DEMO_WALLETS } from '../src/venues/sim/play/catalogue.ts'
import { traderWallet } from '../src/venues/sim/play/traders.ts'
import { startBot } from '../test/support/bot.ts'
import { startSim } from '../test/support/sim.ts'
import { row } from './support/rows.ts'

// How large the database of a hundred people gets in a year, each with a wallet: what a day of ten wallets of the simulated venue leaves
// behind (as in quiet-day), ten times a day, with the markets of a large venue, and forgotten as the bot forgets it.

const [, , days = '365'] = process.argv
const DAYS = Number(days)
const DAY_MS = 86_400_000
const WALLETS = 10
const PEOPLE = 100
/** A large venue lists some four hundred; the simulated one has ten. Of twenty each price is kept. */
const MARKETS = { there: 10, bars: 400, closely: 20 }
const COMMANDS_A_DAY = 20
/** The bot forgets a thousand of each every ten minutes; so often is enough for what a day leaves. */
const FORGETS_A_DAY = 12

const folder = mkdtempSync(join(tmpdir(), 'perch-kept-'))
const file = join(folder, 'perch.sqlite')
const begins = await aDay(file)

const store = openSqlite(file, await venueOf(file))
const sqlite = new Database(file)
sqlite.pragma('synchronous = OFF')
sqlite.pragma('foreign_keys = OFF')
const again = repeating(sqlite)
let most = 0
for (let day = 1; day <= DAYS; day++) {
  again(day)
  for (let times = 0; times < FORGETS_A_DAY; times++)
    await store.memory.commit([pruneAt(begins + (day + 1) * DAY_MS)])
  most = Math.max(most, statSync(file).size)
  if (day % 30 === 0 || day === DAYS) row(`after ${day} days`, statSync(file).size / 1e6, 'MB')
}
row('at its largest', most / 1e6, 'MB')
row('its log', statSync(`${file}-wal`).size / 1e6, 'MB')
const tables = sqlite
  .prepare(
    `SELECT coalesce(tbl_name, s.name) AS what, sum(pgsize) / 1e6 AS mb FROM dbstat AS s
      LEFT JOIN sqlite_schema AS m ON m.name = s.name WHERE aggregate = TRUE GROUP BY what ORDER BY mb DESC LIMIT 8`,
  )
  .all() as { what: string; mb: number }[]
for (const { what, mb } of tables) row(`of these ${what}, with its indexes`, mb, 'MB')
sqlite.close()
await store.admin.close()
const timed = async (what: string, work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  row(what, performance.now() - began, 'ms')
}
await timed('opened, with a look at all of it', async () =>
  openSqlite(file, await venueOf(file)).admin.close(),
)
await timed('a backup, checked', async () =>
  openBackups({ url: file }).make({ now: 0, to: join(folder, 'copy') }),
)
row('the backup', statSync(join(folder, 'copy')).size / 1e6, 'MB')
rmSync(folder, { recursive: true })
// The bot and the venue of that day are of no more use.
process.exit()

/** What a day leaves behind, as a copy in `to`; when it began. */
async function aDay(to: string): Promise<number> {
  const sim = await startSim({ SIM_SPEED: '1', SIM_TRADERS: String(WALLETS) })
  const bot = await startBot({
    sim,
    settings: { marketPollMs: 30_000, walletPollMinMs: 60_000, walletPollMaxMs: 120_000 },
  })
  await bot.pass(0)
  const own = [...DEMO_WALLETS, ...Array.from({ length: WALLETS }, (_, index) => traderWallet(index))]
  for (const [place, wallet] of own.slice(0, WALLETS).entries()) await bot.says(`/watch ${wallet} w${place}`)
  const began = bot.clock.now()
  await bot.pass(DAY_MS)
  await openBackups({ url: bot.database }).make({ now: 0, to })
  const copy = new Database(to)
  const count = (table: string) => copy.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number
  for (const table of ['alerts', 'steps', 'outbox', 'past'])
    row(`a day of ten wallets: ${table}`, count(table), 'rows')
  copy.close()
  return began
}

async function venueOf(path: string): Promise<string> {
  const one = new Database(path, { readonly: true })
  const venue = one.prepare("SELECT value FROM meta WHERE name = 'venue'").pluck().get() as string
  one.close()
  return venue
}

/** Puts the day there once more for each ten people, so many days later, with numbers of their own. */
function repeating(sqlite: Database.Database): (day: number) => void {
  for (const table of ['alerts', 'steps', 'outbox', 'outbox_several', 'gaps', 'past'])
    sqlite.exec(`CREATE TEMP TABLE day_${table} AS SELECT * FROM main.${table}`)
  // Whatever goes on at the end of the day has come to an end by the next.
  sqlite.exec(`UPDATE day_alerts SET closed_at = ifnull(closed_at, ${begins + DAY_MS})`)
  sqlite.exec("DELETE FROM day_outbox WHERE state = 'waiting'")
  const columns = (table: string) =>
    (sqlite.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
  const copying = (table: string, by: Record<string, 'number' | 'time' | 'place'>) => {
    const shifted = { number: ' + @numbers', time: ' + @ms', place: ' || @place' }
    const values = columns(table).map((name) => `${name}${by[name] ? shifted[by[name]] : ''}`)
    const which =
      table === 'past' ? ' WHERE @place < CASE series WHEN ' + PAST_COPIES.join(' WHEN ') + ' ELSE 0 END' : ''
    return sqlite.prepare(`INSERT INTO main.${table} SELECT ${values.join(', ')} FROM day_${table}${which}`)
  }
  const PAST_COPIES = [
    `'bars' THEN ${MARKETS.bars / MARKETS.there}`,
    `'prices' THEN ${MARKETS.closely / MARKETS.there}`,
    `'wallet' THEN ${PEOPLE / WALLETS}`,
  ]
  const told = [
    copying('alerts', { id: 'number', opened_at: 'time', closed_at: 'time', began_row_id: 'number' }),
    copying('steps', { alert_id: 'number', at: 'time', row_id: 'number' }),
    copying('outbox', {
      ...{ id: 'number', queued_at: 'time', due_at: 'time', settled_at: 'time', detected_at: 'time' },
      ...{ only_alert: 'number', merged_into: 'number' },
    }),
    copying('outbox_several', { row_id: 'number', alert_id: 'number' }),
    copying('gaps', { since: 'time', until: 'time' }),
  ]
  const past = copying('past', { id: 'place', since: 'time' })
  const input = sqlite.prepare("INSERT INTO inputs VALUES ('telegram', ?, ?)")
  const largest = sqlite.prepare('SELECT max(max(id), (SELECT max(id) FROM alerts)) FROM outbox').pluck()
  const each = (largest.get() as number) + 1
  const groups = PEOPLE / WALLETS
  return sqlite.transaction((day: number) => {
    const ms = day * DAY_MS
    for (let place = 0; place < groups; place++)
      for (const one of told) one.run({ numbers: (day * groups + place) * each, ms, place })
    for (let place = 0; place < MARKETS.bars / MARKETS.there; place++) past.run({ numbers: 0, ms, place })
    for (let one = 0; one < PEOPLE * COMMANDS_A_DAY; one++) input.run(`${day}/${one}`, begins + ms)
  })
}
