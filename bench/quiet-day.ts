import { DEMO_WALLETS } from '../src/venues/sim/play/catalogue.ts'
import { traderWallet } from '../src/venues/sim/play/traders.ts'
import { startBot } from '../test/support/bot.ts'
import { startSim } from '../test/support/sim.ts'
import { row } from './support/rows.ts'

// How much is said in a day about ten wallets that /watch alone has armed: three of the simulated venue's own, whose positions come
// near liquidation in turns, and seven that trade by themselves. Beside whoever has the rules as they are, somebody has every change
// of a size told by itself, as it was before: of the same day, with the same prices. Nobody acknowledges anything. The venue runs at
// the pace of the clock: `npm run bench -- quiet-day 7` plays another seed, and with QUIET_DAY=all every title is printed.

const [, , seed = '1'] = process.argv
const WALLETS = 10
const HOUR_MS = 3_600_000
const HOURS = 24
const PEOPLE = { now: [], before: ['/alert position-resized 1% $50 1s'] }
type Name = keyof typeof PEOPLE
const NAMES: readonly Name[] = ['now', 'before']

// The venue's own wallets keep the clock waiting: the bot stops after it.
const sim = await startSim({ SIM_SPEED: '1', SIM_TRADERS: String(WALLETS), SIM_SEED: seed })
await using bot = await startBot({
  sim,
  platforms: ['red'],
  settings: { marketPollMs: 30_000, walletPollMinMs: 60_000, walletPollMaxMs: 120_000, access: 'open' },
})
await bot.pass(0)
const own = [...DEMO_WALLETS, ...Array.from({ length: WALLETS }, (_, index) => traderWallet(index))]
for (const name of NAMES) {
  const who = { user: name }
  await bot.says('/start', who)
  for (const [place, wallet] of own.slice(0, WALLETS).entries())
    await bot.says(`/watch ${wallet} w${place}`, who)
  for (const line of PEOPLE[name]) await bot.says(line, who)
}
await bot.pass(60_000)
for (const name of NAMES) bot.hears(name)

const heard: Record<Name, string[]> = { now: [], before: [] }
for (let hour = 0; hour < HOURS; hour++) {
  await bot.pass(HOUR_MS)
  for (const name of NAMES) heard[name].push(...bot.hears(name))
}
await sim[Symbol.asyncDispose]()

const KINDS: readonly [string, RegExp][] = [
  ['near liquidation, reminded', /\n {2}Reminder /],
  ['near liquidation, reached or worse', / to liquidation|its liquidation price/],
  ['eases, or is safe again', / recovered to | is safe again/],
  ['opened', / opened/],
  ['grew or shrank', / grew | shrank /],
  ['liquidated', /liquidated/],
  ['closed, or gone', / was closed| is gone/],
  ['funding flipped', /funding flipped/],
]

/** Each title with the line below it, which shows a reminder. */
function told(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.match(/^(\(possible repeat\) )?\[[A-Z]+\].*(\n {2}.*)?/gm) ?? [])
}

const all = { now: told(heard.now), before: told(heard.before) }
row('messages in a day of ten wallets', heard.now.length, '', null, `${heard.before.length} before`)
const counted = (items: readonly string[]) =>
  Object.groupBy(items, (one) => KINDS.find(([, is]) => is.test(one))?.[0] ?? 'others')
const [now, before] = [counted(all.now), counted(all.before)]
for (const name of [...KINDS.map(([kind]) => kind), 'others'])
  row(`of these ${name}`, now[name]?.length ?? 0, '', null, `${before[name]?.length ?? 0} before`)
if (process.env['QUIET_DAY'] === 'all') for (const line of all.now) process.stdout.write(`${line}\n`)
