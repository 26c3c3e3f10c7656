import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { MARKETS, pageSecretOf, PRICE } from './support/crowd.ts'
import { at } from './support/figures.ts'
import type { Seen } from './support/loop-probe.ts'
import type { HaveRead, ReaderWord } from './support/page-readers.ts'
import { cpuMsOf, ended, wait, withUs } from './support/process.ts'
import { startReal } from './support/real.ts'
import { row } from './support/rows.ts'
import { createLook } from './support/seen.ts'

// Many open pages beside the real program: what they cost its loop and its memory, and whether warnings to Telegram are
// later. It is looked at with and without them in turn. `node bench/pages.ts [pages] [rounds]`

const [, , asked = '1000', rounds = '6'] = process.argv
const pages = Number(asked)
const LOOK_MS = 10_000
/** Of a round: each takes the positions of one market past a line. */
const CROSSINGS = 8
/** Each market is taken past the lines at 20, 10 and 5 per cent, one after the other. */
const FALLS = [0.14, 0.235, 0.275]
/** Between two of them, all that one leads to is sent. */
const APART_MS = 1_500

const probe = createLook()
/** Who waits for a message about this market. */
let awaited: { symbol: string; took: (atMs: number) => void } | null = null
const real = await startReal(
  {
    people: pages,
    positions: 1,
    rules: 'one',
    sides: 'long',
    away: [{ share: 1, from: 0.3, to: 0.305 }],
    pages: true,
  },
  { ...probe.env, VENUE_REQUESTS_PER_SECOND: '2000' },
  (text) => {
    if (awaited !== null && text.includes(`${awaited.symbol} `)) awaited.took(performance.now())
  },
)
const prices = Array.from({ length: MARKETS }, () => PRICE)
let crossed = 0
await real.venue.says({ is: 'trembles', by: 0.0005 })

const secrets = Array.from({ length: pages }, (_, index) => pageSecretOf(index + 1)).join(',')
const readers = withUs(
  fork(fileURLToPath(new URL('support/page-readers.ts', import.meta.url)), [String(real.port), secrets], {
    execArgv: [],
  }),
)
async function reads(word: ReaderWord): Promise<HaveRead> {
  readers.send(word)
  const [found] = (await once(readers, 'message')) as [HaveRead]
  return found
}

const seen = () => probe.look(real.pid)

/** From the venue's answer with the price to the request of the first warning, in milliseconds; null if there is none. */
async function crossing(): Promise<number | null> {
  const market = crossed % MARKETS
  const fall = FALLS[Math.floor(crossed / MARKETS)]
  if (fall === undefined) throw new Error('there is no line left')
  crossed++
  prices[market] = PRICE * (1 - fall)
  const took = new Promise<number>((resolve) => (awaited = { symbol: `M${market}`, took: resolve }))
  await real.venue.says({ is: 'crosses', prices })
  const sentAt = performance.now()
  const late = wait(20_000).then(() => null)
  const tookAt = await Promise.race([took, late])
  awaited = null
  return tookAt === null ? null : tookAt - sentAt
}

interface Look {
  seen: Seen
  cpuMs: number
  glances: number
  bytes: number
  lateMs: number[]
}

async function look(): Promise<Look> {
  await wait(1_000)
  await seen()
  const before = await reads('read')
  const cpu = cpuMsOf(real.pid)
  await wait(LOOK_MS)
  const after = await reads('read')
  const found = {
    ...{ seen: await seen(), cpuMs: cpuMsOf(real.pid) - cpu },
    ...{ glances: after.glances - before.glances, bytes: after.bytes - before.bytes },
  }
  const lateMs: number[] = []
  for (let count = 0; count < CROSSINGS; count++) {
    const late = await crossing()
    if (late !== null) lateMs.push(late)
    await wait(APART_MS)
  }
  return { ...found, lateMs }
}

await wait(5_000)
const looks: { without: Look; with: Look }[] = []
for (let round = 0; round < Number(rounds); round++) {
  const without = await look()
  await reads('open')
  const open = await look()
  await reads('close')
  looks.push({ without, with: open })
}
await ended(readers, 'SIGKILL')
await real.stop()
probe.end()

const median = (values: readonly number[]) => at(values, 0.5)
const paired = (of: (look: Look) => number) => median(looks.map((one) => of(one.with) - of(one.without)))
const each = (which: 'with' | 'without', of: (look: Look) => number) =>
  median(looks.map((one) => of(one[which])))
const late = (which: 'with' | 'without') => looks.flatMap((one) => one[which].lateMs)
const name = `${pages.toLocaleString('en')} open pages`
const p99 = ({ seen: { p99: found } }: Look) => found
row(
  `${name}: later loop, p99`,
  paired(p99),
  'ms',
  { atMost: 2 },
  `${each('with', p99).toFixed(1)} ms, ${each('without', p99).toFixed(1)} ms without`,
)
const worked = ({ seen: { worked: found } }: Look) => found
row(
  `${name}: CPU of the loop at a time, p99`,
  paired(worked),
  'ms',
  { atMost: 2 },
  `${each('with', worked).toFixed(1)} ms, ${each('without', worked).toFixed(1)} ms without`,
)
row(`${name}: heap of each`, paired(({ seen: { heap } }) => heap) / pages / 1e3, 'kB', { atMost: 30 })
row(`${name}: resident memory of each`, paired(({ seen: { resident } }) => resident) / pages / 1e3, 'kB')
row(
  `${name}: share of a processor`,
  paired(({ cpuMs }) => cpuMs) / LOOK_MS,
  '',
  null,
  `${(each('without', ({ cpuMs }) => cpuMs) / LOOK_MS).toFixed(2)} without`,
)
row(
  `${name}: a warning is later`,
  median(late('with')) - median(late('without')),
  'ms',
  { atMost: 2 },
  `median ${median(late('with')).toFixed(1)} ms of ${late('with').length}, ${median(late('without')).toFixed(1)} ms of ${late('without').length} without`,
)
row(`${name}: a warning is later, p95`, at(late('with'), 0.95) - at(late('without'), 0.95), 'ms')
row(
  `${name}: glances read a second`,
  (each('with', ({ glances }) => glances) / LOOK_MS) * 1e3,
  '',
  null,
  `${each('with', ({ glances, bytes }) => bytes / glances).toFixed(0)} bytes each`,
  'more',
)
