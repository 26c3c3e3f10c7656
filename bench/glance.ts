import { at, costOf } from './support/figures.ts'
import { startPeopleApp } from './support/people-app.ts'
import { row } from './support/rows.ts'

// A glance, as a page or an assistant asks for it: from memory, for one person after the other.
// `node bench/glance.ts [positions] [people]`

const ROUNDS = 100
const PER_ROUND = 50
const GOAL_MS = 1

const [, , each = '20', many = '200'] = process.argv
const [positions, people] = [Number(each), Number(many)]
const app = await startPeopleApp(
  { people, positions, rules: 'one', sides: 'both', away: [{ share: 1, from: 0.02, to: 0.6 }] },
  { requestsPerSecond: 100_000, walletPollMaxMs: 3_600_000, venueMs: 0, heard() {} },
)
const bot = app.bot()
const everybody = Array.from({ length: people }, (_, index) => app.identityOf(index + 1))
const isRead = () => everybody.every((by) => bot.glance(by)?.positions.length === positions)
while (!isRead()) await new Promise((resolve) => setTimeout(resolve, 100))

const [cpu, waited]: [number[], number[]] = [[], []]
let bytes = 0
for (let round = 0; round < ROUNDS; round++) {
  const asked = Array.from(
    { length: PER_ROUND },
    (_, place) => everybody[(round * PER_ROUND + place) % people],
  )
  const { cpuMs } = await costOf(() => {
    for (const by of asked) {
      const began = performance.now()
      if (by) bot.glance(by)
      waited.push(performance.now() - began)
    }
  })
  cpu.push(cpuMs / PER_ROUND)
  const [first] = asked
  bytes += JSON.stringify(first && bot.glance(first)).length
  // Others have their turn.
  await new Promise((resolve) => setImmediate(resolve))
}
row(`a glance at ${positions} positions`, at(cpu, 0.5), 'ms CPU', { atMost: GOAL_MS })
row('the same: the median wait', at(waited, 0.5), 'ms', { atMost: GOAL_MS })
row('the same: as JSON', bytes / ROUNDS / 1_000, 'kB')
await app.stop()
