import { type Crowd, MARKETS, positionsOf, PRICE } from './support/crowd.ts'
import { at, say } from './support/figures.ts'
import { type Burst, crowdOf, FALL, type Grown, LINE, point } from './support/growing.ts'
import { isInstalled, type Peer, startPeer } from './support/peer.ts'
import { until, wait } from './support/process.ts'
import { type CrowdVenue, startReal, startVenue } from './support/real.ts'
import { row } from './support/rows.ts'

// Perch beside Prometheus and Alertmanager, in one run, over the same positions and prices: how long it takes to judge
// all of them, from a price to the request at the receiver, many alerts at once, and memory.
// `node bench/prometheus.ts [positions]`; on Debian, `apt-get install prometheus prometheus-alertmanager` installs them.

/** Where goals are set: what Prometheus needs at least is the same for few. */
const USUAL = 100_000
const MANY = Number(process.argv[2] ?? USUAL)
const FEW = MANY / 5
const EVALUATIONS = 6
const SLOW_S = 5
const MOVES = 15
const BURST_S = 60
/** Here each position of a crowd is within its line. */
const BOTTOM = 24
const TIMES = 1_000

const all = (price: number) => Array.from({ length: MARKETS }, () => price)
const count = (many: number) => many.toLocaleString('en')

if (isInstalled()) {
  await judged()
  await told()
} else say('Prometheus and Alertmanager are not installed here, so nothing is compared.')

/** Many positions, of which a few come too near at each price. */
async function judged(): Promise<void> {
  const perch = point('grown.ts', MANY) as Grown
  const venue = await startVenue(crowdOf(MANY))
  const peer = await startPeer(venue.url, SLOW_S, MANY)
  const durationsMs: number[] = []
  for (let step = 1; step <= EVALUATIONS; step++) {
    await venue.says({ is: 'prices', prices: all(PRICE * (1 - FALL * step)) })
    const before = (await peer.evaluation()).at
    await until(async () => (await peer.evaluation()).at > before, {
      ...{ everyMs: 100, limitMs: 60_000, what: 'Prometheus evaluates its rule' },
    })
    durationsMs.push((await peer.evaluation()).ms)
  }
  const evaluationMs = at(durationsMs, 0.5)
  const residentMb = peer.residentMb()
  row(
    `${count(MANY)} positions judged: Prometheus' evaluation / our tick with ${perch.transitions.toFixed(0)} transitions, sent and settled, wall`,
    evaluationMs / perch.crossingWallMs,
    '×',
    MANY === USUAL ? { atLeast: TIMES } : null,
    `Prometheus ${(evaluationMs / 1_000).toFixed(2)} s, Perch ${perch.crossingWallMs.toFixed(2)} ms`,
  )
  row(
    `${count(MANY)} positions: resident`,
    perch.residentMb,
    'MB',
    MANY === USUAL ? { atMost: residentMb } : null,
    `Prometheus and Alertmanager ${residentMb.toFixed(0)} MB, ${(residentMb / perch.residentMb).toFixed(1)} × as much`,
  )
  await burst(MANY, venue, peer)
}

async function burst(alerts: number, venue: CrowdVenue, peer: Peer): Promise<void> {
  await venue.says({ is: 'prices', prices: all(BOTTOM) })
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1_000
  while (peer.delivered() < alerts && seconds() < BURST_S) await wait(250)
  const [told, tookS] = [peer.delivered(), seconds()]
  await peer.stop()
  await venue.stop()
  const { wallMs } = point('grown.ts', alerts, 'burst') as Burst
  const words = `Alertmanager: ${count(told)} told after ${tookS.toFixed(0)} s`
  row(`${count(alerts)} alerts at once: all sent`, wallMs / 1_000, 's', null, words)
  const ratio = alerts / (wallMs / 1_000) / (told / tookS)
  row(`${count(alerts)} alerts at once: Perch's a second / Alertmanager's`, ratio, '×', null, words, 'more')
}

/** From a price that one position does not survive unwarned to the request that says so. Both look every second. */
async function told(): Promise<void> {
  const crowd: Crowd = { ...crowdOf(FEW), away: [{ share: 1, from: 0.21, to: 0.8 }] }
  let heardAt: number | null = null
  const real = await startReal(
    crowd,
    { MARKET_POLL_MS: '1000', VENUE_REQUESTS_PER_SECOND: '1000' },
    () => (heardAt ??= performance.now()),
  )
  // Until each wallet was read.
  await until(async () => (await real.venue.says({ is: 'reads' })) >= crowd.people, {
    ...{ everyMs: 500, limitMs: 60_000, what: 'each wallet was read' },
  })
  await wait(3_000)
  const ours = await latencies(
    crowd,
    real.venue,
    () => (heardAt = null),
    () => heardAt,
  )
  await real.stop()
  const venue = await startVenue(crowd)
  const peer = await startPeer(venue.url, 1, FEW)
  const theirs = await latencies(
    crowd,
    venue,
    () => peer.forget(),
    () => peer.firstMono(),
  )
  const words = (found: readonly number[]) =>
    `${at(found, 0.5).toFixed(0)} ms (from ${at(found, 0).toFixed(0)} to ${at(found, 1).toFixed(0)})`
  row(
    `from a price to the request at the receiver, looking every second, ${count(FEW)} positions, p50`,
    at(ours, 0.5),
    'ms',
    { atMost: at(theirs, 0.5) },
    `Perch ${words(ours)}, Prometheus and Alertmanager ${words(theirs)}`,
  )
  await burst(FEW, venue, peer)
}

async function latencies(
  crowd: Crowd,
  venue: CrowdVenue,
  forget: () => unknown,
  heard: () => number | null,
): Promise<number[]> {
  const prices = all(PRICE)
  const found: number[] = []
  for (const [market, price] of linesOf(crowd).slice(0, MOVES).entries()) {
    forget()
    prices[market] = price
    const moved = performance.now()
    await venue.says({ is: 'prices', prices })
    await until(() => heard() !== null, { everyMs: 1, limitMs: 20_000, what: 'somebody is told' })
    found.push((heard() ?? Number.NaN) - moved)
    // Anywhere between two looks.
    await wait(1_500 + Math.random() * 1_000)
  }
  return found
}

/** In each market a price at which exactly one position is too near. */
function linesOf(crowd: Crowd): number[] {
  const lines = Array.from({ length: MARKETS }, (): number[] => [])
  for (let person = 1; person <= crowd.people; person++)
    for (const { marketId, liquidationPrice } of positionsOf(person, crowd))
      lines[Number(marketId)]?.push(Number(liquidationPrice) / 1e18 / (1 - LINE))
  return lines.map((prices) => {
    const [first = 0, second = 0] = prices.toSorted((a, b) => b - a)
    return (first + second) / 2
  })
}
