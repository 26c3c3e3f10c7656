import { type Crowd, MARKETS, PRICE } from './support/crowd.ts'
import { at, say } from './support/figures.ts'
import { until, wait } from './support/process.ts'
import { startReal } from './support/real.ts'
import { row } from './support/rows.ts'
import { createLook } from './support/seen.ts'

// Whether pictures delay words: of single critical alerts, and of 500 at once. In one run of the real program, half of the
// people want pictures and half want none, and both are alerted in turn. `node bench/picture-words.ts [rounds] [bursts]`

const [, , rounds = '8', bursts = '2'] = process.argv
const LIQUIDATION = 0.7
/** Away from liquidation, as fractions: a warning, then two criticals. */
const [WARNED, ...CRITICAL] = [0.08, 0.04, 0.02]
/** Of the same kind, one after the other. Their pictures are drawn meanwhile. */
const BLOCK = 10
const APART_MS = 1_000
const BURST = 500
const EXPIRY_MS = 60_000
/** Prices are read four times a second, so that a run takes minutes. */
const ENV = { MARKET_POLL_MS: '250', VENUE_REQUESTS_PER_SECOND: '2000', OWNER_POLL_MIN_MS: '10000' }

type Which = 'with' | 'without'
const crowd: Omit<Crowd, 'people'> = {
  ...{ positions: 1, rules: 'one', sides: 'long', pictures: 'half' },
  away: [{ share: 1, from: 1 - LIQUIDATION, to: 1 - LIQUIDATION }],
}
const priceAt = (away: number) => (PRICE * LIQUIDATION) / (1 - away)
const marketsOf = (which: Which) =>
  Array.from({ length: MARKETS }, (_, market) => market).filter(
    (market) => market % 2 === (which === 'with' ? 0 : 1),
  )

/** A running program, what it sends, and its prices. */
async function started(people: number) {
  const look = createLook()
  const heard: { text: string; atMs: number }[] = []
  const pictures: number[] = []
  const real = await startReal(
    { ...crowd, people },
    { ...look.env, ...ENV },
    (text) => void heard.push({ text, atMs: performance.now() }),
    () => void pictures.push(performance.now()),
  )
  const prices = Array.from({ length: MARKETS }, () => PRICE)
  return {
    ...{ heard, pictures },
    seen: () => look.look(real.pid),
    /** Resolves once the venue has said these prices. */
    async moves(markets: readonly number[], away: number): Promise<number> {
      for (const market of markets) prices[market] = priceAt(away)
      await real.venue.says({ is: 'crosses', prices })
      return performance.now()
    },
    /** Everything is sent. */
    async rests(quietMs: number): Promise<void> {
      const last = () => Math.max(heard.at(-1)?.atMs ?? 0, pictures.at(-1) ?? 0)
      const began = performance.now()
      await until(() => performance.now() - Math.max(last(), began) > quietMs, {
        ...{ everyMs: 50, limitMs: 300_000, what: 'everything is sent' },
      })
    },
    async stop() {
      await real.stop()
      look.end()
    },
  }
}

const everywhere = Array.from({ length: MARKETS }, (_, market) => market)

async function singles(): Promise<void> {
  const app = await started(MARKETS)
  const lateMs: Record<Which, number[]> = { with: [], without: [] }
  const loops: Record<Which, number[]> = { with: [], without: [] }
  const works: Record<Which, number[]> = { with: [], without: [] }
  await wait(3_000)
  const left: Record<Which, { market: number; away: number }[]> = { with: [], without: [] }
  const refill = async () => {
    await app.moves(everywhere, 0.3)
    await app.rests(4_000)
    await app.moves(everywhere, WARNED ?? 0)
    await app.rests(4_000)
    for (const which of ['with', 'without'] as const)
      left[which] = CRITICAL.flatMap((away) => marketsOf(which).map((market) => ({ market, away })))
  }
  const block = async (which: Which) => {
    await app.seen()
    for (const { market, away } of left[which].splice(0, BLOCK)) {
      const before = app.heard.length
      const saidAt = await app.moves([market], away)
      const words = () => app.heard.slice(before).find(({ text }) => text.includes(`M${market} `))
      await until(() => words() !== undefined, {
        everyMs: 2,
        limitMs: 20_000,
        what: `words about M${market}`,
      })
      lateMs[which].push((words()?.atMs ?? 0) - saidAt)
      await wait(APART_MS)
    }
    const { p99, worked } = await app.seen()
    loops[which].push(p99)
    works[which].push(worked)
  }
  for (let round = 0; round < Number(rounds); round++) {
    if (left.with.length < BLOCK) await refill()
    const order = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)
    for (const which of order) await block(which)
  }
  await app.stop()

  const later = (share: number) => at(lateMs.with, share) - at(lateMs.without, share)
  const beside = (share: number) =>
    `${at(lateMs.with, share).toFixed(1)} ms of ${lateMs.with.length}, ${at(lateMs.without, share).toFixed(1)} ms without`
  row('words of a critical alert are later with pictures, p50', later(0.5), 'ms', { atMost: 1 }, beside(0.5))
  row('the same, p95', later(0.95), 'ms', null, beside(0.95))
  row('the same, p99', later(0.99), 'ms', { atMost: 5 }, beside(0.99))
  row('pictures of these alerts', app.pictures.length / lateMs.with.length, 'each', { atLeast: 0.95 })
  const paired = (all: Record<Which, number[]>) =>
    at(
      all.with.map((one, block) => one - (all.without[block] ?? 0)),
      0.5,
    )
  const each = (all: Record<Which, number[]>) =>
    `${at(all.with, 0.5).toFixed(1)} ms, ${at(all.without, 0.5).toFixed(1)} ms without`
  row(
    'delay of the event loop with pictures, p99, beyond that without',
    paired(loops),
    'ms',
    { atMost: 2 },
    each(loops),
  )
  row('CPU of the loop at a time, p99, beyond that without', paired(works), 'ms', { atMost: 2 }, each(works))
}

async function burst(): Promise<void> {
  const app = await started(2 * BURST)
  const tookMs: Record<Which, number[]> = { with: [], without: [] }
  let early = 0
  let drawn = 0
  await wait(5_000)
  for (let round = 0; round < Number(bursts); round++) {
    const order = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)
    for (const which of order) {
      const markets = marketsOf(which)
      await app.moves(markets, 0.3)
      await app.rests(4_000)
      await app.moves(markets, WARNED ?? 0)
      await app.rests(4_000)
      const [before, picturesBefore] = [app.heard.length, app.pictures.length]
      const saidAt = await app.moves(markets, CRITICAL[0] ?? 0)
      const words = () => app.heard.length - before
      await until(() => words() >= BURST, { everyMs: 20, limitMs: 120_000, what: `${BURST} words` })
      const lastAt = app.heard[before + BURST - 1]?.atMs ?? 0
      tookMs[which].push(lastAt - saidAt)
      await wait(EXPIRY_MS)
      const own = app.pictures.slice(picturesBefore)
      early += own.filter((atMs) => atMs < lastAt).length
      drawn += own.length
      say(`${which}: words within ${((lastAt - saidAt) / 1_000).toFixed(2)} s, ${own.length} pictures`)
    }
  }
  await app.stop()
  const median = (which: Which) => at(tookMs[which], 0.5)
  row(
    `${BURST} critical alerts at once: all words with pictures / without`,
    median('with') / median('without'),
    '×',
    { atMost: 1.02 },
    `${(median('with') / 1_000).toFixed(2)} and ${(median('without') / 1_000).toFixed(2)} s`,
  )
  row(
    'the same: pictures before the last words',
    early,
    '',
    { atMost: 0 },
    `of ${drawn}; the others have expired`,
  )
}

await singles()
await burst()
