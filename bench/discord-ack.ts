import { systemClock } from '../src/runtime/clock.ts'
import { online, startApp } from '../test/adapters/discord/app.ts'
import { alertCrowd, CROWD_LIMITS, crowdOf } from '../test/adapters/discord/crowd.ts'
import { startDiscord } from '../test/support/discord/server.ts'
import { at } from './support/figures.ts'
import { row } from './support/rows.ts'

// How soon people see that they were heard, while the venue answers nothing: from handing an interaction to the gateway
// to the arrival of its callback request. Discord gives up after three seconds.

const PEOPLE = 100
const ROUNDS = 20
const LINES = ['/markets', '/positions', '/funding', '/help', '/status']
const CHANNELS = 200
const GIVES_UP_MS = 3_000

const discord = await startDiscord()
const running = await startApp(discord, systemClock(), { access: 'open' })
running.stage.market('BTC', { price: 130 })
await online(discord)
const people = Array.from({ length: PEOPLE }, (_, n) => discord.user(`p${n}`))
await Promise.all(people.map((one) => one.runs('/start').answer(30_000)))
const before = discord.ledger.ackLatencies().length
running.stage.fails('/', 'hang')
for (let round = 0; round < ROUNDS; round++) {
  for (const [n, person] of people.entries()) {
    person.runs(LINES[(n + round) % LINES.length] ?? '/help')
    if (n % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
await discord.ledger.until(
  () => discord.ledger.ackLatencies().length >= before + PEOPLE * ROUNDS,
  'all are acknowledged',
  30_000,
)
const latencies = discord.ledger.ackLatencies().slice(before)
const ms = (share: number) => `${at(latencies, share).toFixed(1)} ms`
row(
  `Discord: ${latencies.length.toLocaleString('en')} interactions of ${PEOPLE} people while the venue hangs acknowledged, slowest`,
  at(latencies, 1),
  'ms',
  { atMost: GIVES_UP_MS },
  `p50 ${ms(0.5)}, p99 ${ms(0.99)}`,
)
running.stage.fails('/', null)
await running[Symbol.asyncDispose]()
await discord.stop()

const crowded = await startDiscord({ limits: CROWD_LIMITS })
const crowd = await startApp(crowded, systemClock(), crowdOf(crowded, CHANNELS))
const until = async (look: () => boolean) => {
  while (!look()) await new Promise((resolve) => setTimeout(resolve, 5))
}
const {
  ms: toldMs,
  fullestSecond,
  order,
  refused,
} = await alertCrowd({ ...crowd, discord: crowded, until }, CHANNELS)
await crowd[Symbol.asyncDispose]()
await crowded.stop()
const critical = order.lastIndexOf('critical') + 1
row(
  `Discord: ${CHANNELS} channels told of one tick`,
  toldMs / 1_000,
  's',
  null,
  `${critical} critical first, at most ${fullestSecond} posts in any second, ${refused} refused`,
)
