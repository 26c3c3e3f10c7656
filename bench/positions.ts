import { at, costOf, say } from './support/figures.ts'
import { startPeopleApp } from './support/people-app.ts'
import { row } from './support/rows.ts'

// Everybody asks for their positions. `ample`: requests are not short, and each asks once, a hundred at a time, then all
// of them within a minute. `scarce`: at 20 requests a second, all of them once a minute. `status`: what else people ask.
// `node bench/positions.ts [ample|scarce|status] [people]`

const MINUTE_MS = 60_000
const AT_ONCE = 100
const VENUE_MS = 20
const PER_SECOND = 20
const MARKETS_PER_SECOND = 0.5
const GOALS = { cpuMs: 1, beyondVenueMs: 100, waitedMs: 4_500 }

const [, , way = 'ample', many = '10000'] = process.argv
const people = Number(many)
const read = new Set<string>()
let polled = 0
const app = await startPeopleApp(
  { people, positions: 3, rules: 'one', sides: 'both', away: [{ share: 1, from: 0.3, to: 0.6 }] },
  {
    requestsPerSecond: way === 'scarce' ? PER_SECOND : 100_000,
    // Where wallets are read in turn beside it, what a command costs cannot be told from that.
    walletPollMaxMs: way === 'scarce' ? MINUTE_MS : 3_600_000,
    venueMs: VENUE_MS,
    heard(event) {
      if (event.is !== 'wallet-read') return
      read.add(event.wallet)
      polled++
    },
  },
)
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
while (read.size < people) await wait(100)
interface Answer {
  ms: number
  late: boolean
  text: string
}

async function ask(person: number, line: string): Promise<Answer> {
  const began = performance.now()
  const message = await app.says(person, line)
  const ms = performance.now() - began
  const text = JSON.stringify(message)
  return { ms, late: /Data is |I can’t see this now/.test(text), text }
}

/** One after the other of each of so many lanes. */
async function closed(line: string): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = 1
  const lane = async () => {
    while (next <= people) answers.push(await ask(next++, line))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return answers
}

/** Everybody once, spread over a minute. */
async function minute(line: string): Promise<Answer[]> {
  const began = performance.now()
  const answers: Promise<Answer>[] = []
  for (let person = 1; person <= people; person++) {
    const due = began + (person / people) * MINUTE_MS
    const left = due - performance.now()
    if (left > 1) await wait(left)
    answers.push(ask(person, line))
  }
  return Promise.all(answers)
}

async function idleShare(): Promise<number> {
  const idle = await costOf(() => wait(5_000))
  return idle.cpuMs / idle.wallMs
}

/** Processor time of each beyond what goes on anyway, and how long they waited. */
async function measure(what: string, line: string, work: (line: string) => Promise<Answer[]>) {
  const idle = await idleShare()
  const [before, polledBefore] = [app.asked.get('positions') ?? 0, polled]
  let answers: Answer[] = []
  const { cpuMs, wallMs } = await costOf(async () => (answers = await work(line)))
  const each = (cpuMs - idle * wallMs) / answers.length
  const times = answers.map(({ ms }) => ms)
  const requests = (app.asked.get('positions') ?? 0) - before
  say(
    `${what}: ${answers.length} answers in ${(wallMs / 1_000).toFixed(1)} s (${((answers.length / wallMs) * 1_000).toFixed(0)} a second), CPU ${each.toFixed(2)} ms each beyond ${(idle * 100).toFixed(0)} % that goes on anyway, or ${(cpuMs / answers.length).toFixed(2)} ms in all; waited p50 ${at(times, 0.5).toFixed(0)}, p99 ${at(times, 0.99).toFixed(0)} ms; ${requests} requests for wallets`,
  )
  return { answers, each, times, wallMs, requests, polls: polled - polledBefore }
}

// Warm, and everything was read once.
await closed('/positions')
app.payFromNow()
// Where wallets are to be read in turn, until all of them are due again.
await wait(way === 'scarce' ? MINUTE_MS : 2_000)
if (way === 'ample') {
  const crowd = await measure('a hundred at a time', '/positions', closed)
  row(`/positions, ${people} people, a hundred at a time: CPU each`, crowd.each, 'ms', {
    atMost: GOALS.cpuMs,
  })
  const spread = await measure('once a minute', '/positions', minute)
  row(`/positions, ${people} people once a minute: CPU each`, spread.each, 'ms', { atMost: GOALS.cpuMs })
  const beyond = at(spread.times, 0.99) - VENUE_MS
  row(`the same: p99 beside the venue's ${VENUE_MS} ms`, beyond, 'ms', { atMost: GOALS.beyondVenueMs })
}
if (way === 'scarce') {
  const { answers, times, polls, requests, wallMs } = await measure('once a minute', '/positions', minute)
  const stale = answers.filter(({ ms, late }) => late && ms > GOALS.waitedMs).length
  const what = `/positions, ${people} people once a minute at ${PER_SECOND} requests a second`
  row(`${what}: old answers after five seconds`, (stale / answers.length) * 100, '%', { atMost: 0 })
  row('the same: waited, p99', at(times, 0.99), 'ms')
  const late = answers.filter((one) => one.late).length
  row('the same: say why they are not newer', (late / answers.length) * 100, '%')
  const perSecond = (polls / wallMs) * 1_000
  const share = PER_SECOND - MARKETS_PER_SECOND
  row('the same: wallets read in turn', perSecond, 'a second', { atLeast: share / 2 })
  row('the same: requests for wallets', (requests / wallMs) * 1_000, 'a second')
  say(answers.find((one) => one.late)?.text ?? 'none is late')
}
if (way === 'status') {
  for (const line of ['/status', '/wallets', '/alerts', '/markets', '/funding', '/market M1', '/help']) {
    const { each } = await measure(line, line, closed)
    row(`${line}, ${people} people, a hundred at a time: CPU each`, each, 'ms', { atMost: GOALS.cpuMs })
  }
}
await app.stop()
