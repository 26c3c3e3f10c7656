import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { openDatabase, type Sqlite } from '../../src/stores/sqlite/file/database.ts'
import { readMarkets } from '../../src/venues/perps-data/wire/markets.ts'
import { MARKETS, marketsBody, positionsOf, PRICE } from './crowd.ts'
import { at, type Cost, costOf, residentMb } from './figures.ts'
import {
  type Burst,
  BURST_FALL,
  burstOf,
  crowdOf,
  FALL,
  type Grown,
  LINE,
  medianOf,
  STEPS,
} from './growing.ts'

// The least that does the same work, in a process of its own: lines in sorted typed arrays, a cursor for each market, what
// is crossed committed with its message, and what was sent settled. Nobody is asked, nothing holds, nothing is quiet:
// what Perch needs more than this is what it can do more. Arguments: how many subjects, and `burst` for one of them.

const PER_COMMIT = 200

const [, , size = '', what = '', filled = ''] = process.argv
const crowd = what === 'burst' ? burstOf(Number(size)) : crowdOf(Number(size))
if (filled !== '') {
  const opened = openDatabase(filled)
  fill(opened.sqlite)
  opened.close()
  process.exit()
}
const folder = mkdtempSync(join(tmpdir(), 'perch-prototype-'))
const file = join(folder, 'prototype.sqlite')
// In a process of its own: what that leaves behind is not counted.
execFileSync(process.execPath, [fileURLToPath(import.meta.url), size, what, file])
const { sqlite } = openDatabase(file)
const loading = process.cpuUsage()
const lines = load(sqlite)
const { user, system } = process.cpuUsage(loading)
const tell = sqlite.prepare('INSERT INTO told (subject, message) VALUES (?, ?)')
const keep = sqlite.prepare('INSERT OR REPLACE INTO tiers VALUES (?, 1)')
const settle = sqlite.prepare('UPDATE told SET sent = 1 WHERE id = ?')
const decide = sqlite.transaction((crossed: readonly number[], price: number) =>
  crossed.map((subject) => {
    keep.run(subject)
    return tell.run(subject, JSON.stringify({ title: 'near liquidation', subject, price })).lastInsertRowid
  }),
)
const settled = sqlite.transaction((rows: readonly (number | bigint)[]) => {
  for (const row of rows) settle.run(row)
})

const found = what === 'burst' ? await burst() : await ticks()
rmSync(folder, { recursive: true })
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit())

async function ticks(): Promise<Grown> {
  const [quietMs, crossing]: [number[], Cost[]] = [[], []]
  let transitions = 0
  for (let round = 0; round < STEPS; round++) mono(PRICE)
  for (let step = 1; step <= STEPS; step++) {
    const price = PRICE * (1 - FALL * step)
    crossing.push(await costOf(() => (transitions += mono(price))))
    quietMs.push((await costOf(() => mono(price))).cpuMs)
  }
  return {
    loadMs: (user + system) / 1_000,
    residentMb: residentMb(),
    quietMs: at(quietMs, 0.5),
    ...medianOf(crossing),
    transitions: transitions / STEPS,
  }
}

async function burst(): Promise<Burst> {
  const { cpuMs, wallMs } = await costOf(() => mono(PRICE * (1 - BURST_FALL)))
  return { cpuMs, wallMs }
}

/** How many were crossed. */
function mono(price: number): number {
  const body = marketsBody(Array.from({ length: MARKETS }, () => price))
  const crossed: number[] = []
  for (const { id, price: now } of readMarkets(JSON.parse(body) as unknown, 8008).markets) {
    const market = lines[Number(id)]
    if (market === undefined) continue
    const figure = Number(now) / 1e18
    while (market.next < market.at.length && (market.at[market.next] ?? 0) >= figure)
      crossed.push(market.subjects[market.next++] ?? 0)
  }
  for (let from = 0; from < crossed.length; from += PER_COMMIT)
    settled(decide(crossed.slice(from, from + PER_COMMIT), price))
  return crossed.length
}

function fill(to: Sqlite): void {
  to.exec('CREATE TABLE subjects (id INTEGER PRIMARY KEY, market INTEGER, liquidation REAL)')
  to.exec('CREATE INDEX lines ON subjects (market, liquidation DESC)')
  to.exec('CREATE TABLE tiers (subject INTEGER PRIMARY KEY, tier INTEGER)')
  to.exec('CREATE TABLE told (id INTEGER PRIMARY KEY, subject INTEGER, message TEXT, sent INTEGER)')
  const insert = to.prepare('INSERT INTO subjects (market, liquidation) VALUES (?, ?)')
  const all = to.transaction(() => {
    for (let person = 1; person <= crowd.people; person++)
      for (const { marketId, liquidationPrice } of positionsOf(person, crowd))
        insert.run(Number(marketId), Number(liquidationPrice) / 1e18)
  })
  all()
}

/** The prices at which somebody comes too near, the highest first, and whose they are. */
function load(from: Sqlite): { at: Float64Array; subjects: Uint32Array; next: number }[] {
  const counts = from.prepare('SELECT market, count(*) FROM subjects GROUP BY market').raw().all()
  const markets = (counts as [number, number][]).map(([, count]) => ({
    ...{ at: new Float64Array(count), subjects: new Uint32Array(count), next: 0 },
  }))
  const inOrder = 'SELECT id, market, liquidation FROM subjects ORDER BY market, liquidation DESC'
  const rows = from.prepare(inOrder).raw().iterate()
  for (const [id, name, liquidation] of rows as Iterable<[number, number, number]>) {
    const market = markets[name]
    if (market === undefined) throw new Error('each market has somebody in it')
    market.at[market.next] = liquidation / (1 - LINE)
    market.subjects[market.next++] = id
  }
  return markets.map((market) => ({ ...market, next: 0 }))
}
