import Database from 'better-sqlite3'
import { startBot } from '../test/support/bot.ts'
import { startSim } from '../test/support/sim.ts'
import { OWNERS } from '../src/venues/sim/catalogue.ts'
import { traderOwner } from '../src/venues/sim/traders.ts'
import { row } from './support/rows.ts'

// How much is said in a day about ten wallets that /watch alone has armed: three of the simulated venue's own, whose positions come
// near liquidation in turns, and seven that trade by themselves. The venue runs at the pace of the clock: `npm run bench -- quiet-day 7`
// plays another seed, and with QUIET_DAY=all every title is printed.

const [, , seed = '1'] = process.argv
const WALLETS = 10
const HOUR_MS = 3_600_000
const HOURS = 24

await using sim = await startSim({ SIM_SPEED: '1', SIM_TRADERS: String(WALLETS), SIM_SEED: seed })
await using bot = await startBot({
  sim,
  settings: { marketPollMs: 30_000, ownerPollMinMs: 60_000, ownerPollMaxMs: 120_000 },
})
await bot.pass(0)
const own = [...OWNERS, ...Array.from({ length: WALLETS }, (_, index) => traderOwner(index))]
for (const [place, owner] of own.slice(0, WALLETS).entries()) await bot.says(`/watch ${owner} w${place}`)
await bot.pass(60_000)
bot.hears()

let messages = 0
const items: string[] = []
for (let hour = 0; hour < HOURS; hour++) {
  await bot.pass(HOUR_MS)
  const heard = bot.hears()
  messages += heard.length
  items.push(
    ...heard.flatMap((text) =>
      text.split('\n').filter((line) => /^(\(possible repeat\) )?\[[A-Z]+\]/.test(line)),
    ),
  )
}

const sqlite = new Database(bot.database, { readonly: true })
const alerts = sqlite
  .prepare('SELECT kind, severity, count(*) AS n FROM alerts GROUP BY kind, severity ORDER BY kind')
  .all() as {
  kind: string
  severity: string
  n: number
}[]
sqlite.close()
row('messages in a day of ten wallets', messages, '')
row('things told in them', items.length, '')
const told = (what: RegExp) => items.filter((line) => what.test(line)).length
row('of these warnings and worse', told(/^\S*\s?\[(WARNING|CRITICAL)\]/), '')
for (const { kind, severity, n } of alerts) row(`alerts: ${kind}, ${severity}`, n, '')
row('liquidations told', told(/liquidated/), '')
if (process.env['QUIET_DAY'] === 'all') for (const line of items) process.stdout.write(`${line}\n`)
