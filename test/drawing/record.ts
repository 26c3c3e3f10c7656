import { writeFileSync } from 'node:fs'

import type { DrawingOrder, Picture } from '../../src/message/picture.ts'
import { ALICE, BOB } from '../support/bot.ts'
import { PNG } from '../support/pictures.ts'
import { createDice } from '../support/seed.ts'
import { startSim, SUGGESTED } from '../support/sim.ts'
import { createStage, openStage, type StagePosition } from '../support/stage.ts'
import { CLAIM, startTelegramBot } from '../support/telegram/bot.ts'
import { readRecorded, RECORDED, type Recorded } from './recorded.ts'

// Writes down, as data, what the real bot was to draw of a simulated venue and of a stage. The pictures of
// docs/pictures.md are made from it. Run it for new pictures: `node test/drawing/record.ts`, with the names of stories or
// for all. A new way to draw them does not need it.

const MINUTE_MS = 60_000
const POLL_MS = 4_000
const WIDE = 'WWWWWWWWWWWWWWWWWWWWWWWW'
const RIGHT_TO_LEFT = 'محفظة الطوارئ'
const CAROL = '0x00000000000000000000000000000000000000C1'

/** Everything that a bot was to draw, the newest last. */
async function started(options: Partial<Parameters<typeof startTelegramBot>[0]>) {
  const orders: DrawingOrder[] = []
  const bot = await startTelegramBot({
    ...options,
    async draw(order) {
      orders.push(order)
      return PNG
    },
  })
  const ann = bot.telegram.user('Ann')
  await bot.says(ann, `/start ${CLAIM}`)
  await bot.says(ann, '/settings zone Europe/Berlin')
  return {
    ...{ bot, orders },
    says: (line: string) => bot.says(ann, line),
    /** The picture that follows the answer to a line: of the market in it, or of this kind. */
    async picture(name: string, line: string, is?: Picture['is']): Promise<Recorded> {
      const before = orders.length
      const [, symbol] = line.split(' ')
      // Those of alerts come in between.
      const isMeant = ({ picture }: DrawingOrder) =>
        is ? picture.is === is : !('symbol' in picture) || picture.symbol === symbol
      const found = () => orders.slice(before).find(isMeant)
      const said = await bot.says(ann, line)
      // Telegram takes one message a second.
      for (let turn = 0; turn < 30 && !found(); turn++) await bot.pass(500)
      const order = found()
      if (!order) throw new Error(`no picture follows ${line}: ${said.join(' | ')}`)
      return { name, order }
    },
  }
}

function symbolOf({ picture }: DrawingOrder): string | null {
  return 'symbol' in picture ? picture.symbol : null
}

async function simulated(
  scenario: string,
  speed: number,
): Promise<[AsyncDisposable, Awaited<ReturnType<typeof started>>]> {
  const sim = await startSim({ SIM_SPEED: String(speed), ...(scenario && { SIM_SCENARIO: scenario }) })
  const stage = { ...createStage(), url: sim.url, async [Symbol.asyncDispose]() {} }
  const all = await started({ clock: sim.clock, stage, simulated: true })
  await all.says(`/watch ${SUGGESTED} demo`)
  return [sim, all]
}

/** What a newcomer sees of the simulated venue. */
async function* welcome(): AsyncGenerator<Recorded> {
  const [sim, { bot, orders, picture, says }] = await simulated('', 120)
  await using _sim = sim
  await using _bot = bot
  await bot.pass(7.5 * MINUTE_MS)
  yield await picture('recovered', '/positions ETH')
  await bot.pass(1.9 * MINUTE_MS)
  yield await picture('warning', '/positions BTC')
  await bot.pass(3.8 * MINUTE_MS)
  const criticals = orders.filter((order) => symbolOf(order) === 'BTC')
  yield* criticals.slice(1, 3).map((order, at) => ({ name: `critical-${at + 1}`, order }))
  yield await picture('market', '/chart ETH 1h')
  await says('/forget')
}

/** Down by a fifth and back. */
async function* flash(): AsyncGenerator<Recorded> {
  const [sim, { bot, picture }] = await simulated('flash', 90)
  await using _sim = sim
  await using _bot = bot
  await bot.pass(7 * MINUTE_MS)
  yield await picture('wick', '/chart ETH')
}

/** One position of a stage, and how its price moves. */
interface Act {
  owner?: string
  side?: 'long' | 'short'
  /** At the end. */
  price: number
  /** At the end of each minute, as a multiple of that; it trembles on its way there. */
  course: readonly number[]
  trembles?: number
  liquidation: number
  usd?: number
}

const MINUTES = 12
const still = Array.from({ length: MINUTES }, () => 1)

/* oxfmt-ignore */
const ACTS: Readonly<Record<string, Act>> = {
  BTC: { price: 1_234_567, course: [1.022, 1.023, 1.026, 1.024, 1.021, 1.018, 1.017, 1.012, 1.008, 1.005, 1.003, 1], liquidation: 1_143_000 },
  kPEPE: { price: 0.00001234, course: [1.055, 1.05, 1.04, 1.046, 1.033, 1.028, 1.022, 1.024, 1.018, 1.012, 1.007, 1], liquidation: 0.00001198, usd: 4_200 },
  SOL: { price: 161.3, course: [1.26, 1.24, 1.2, 1.17, 1.14, 1.11, 1.09, 1.06, 1.04, 1.02, 1.01, 1], liquidation: 157.4 },
  AVAX: { price: 15.52, course: [...still.slice(1).map(() => 1.4), 1], liquidation: 15.3 },
  LINK: { price: 14.75, course: [0.97, 0.98, 0.985, 0.983, 0.99, 0.995, 0.993, 1, 0.996, 0.991, 0.996, 1], liquidation: 4.1 },
  DOGE: { price: 0.2013, course: still.map((_, at) => 0.956 + at * 0.004), liquidation: 0, usd: 900 },
  XRP: { side: 'short', price: 2.393, course: still.map((_, at) => 0.967 + at * 0.003), liquidation: 2.39 },
  SUI: { price: 3.02, course: [1.21, 1.2, 1.22, 1.19, 1.2, 1.16, 1.15, 1.11, 1.12, 1.08, 1.03, 1], liquidation: 3.05 },
  HYPE: { price: 44.1, course: still, trembles: 0.0001, liquidation: 36.4 },
  ARB: { owner: BOB, price: 0.355, course: still.map((_, at) => 1.022 - at * 0.002), liquidation: 0.33 },
  OP: { owner: CAROL, side: 'short', price: 1.859, course: still.map((_, at) => 0.989 + at * 0.001), liquidation: 2.1 },
}

/** A stage on which every awkward thing happens at once. */
async function* stage(): AsyncGenerator<Recorded> {
  const dice = createDice(7)
  await using scene = await openStage()
  const prices = new Map(
    Object.entries(ACTS).map(([symbol, { price, course }]) => [symbol, price * (course[0] ?? 1)]),
  )
  const put = () => {
    for (const [symbol, price] of prices) scene.market(symbol, { price, funding: 0.0004 })
  }
  const held = (owner: string) =>
    Object.entries(ACTS)
      .filter(([, act]) => (act.owner ?? ALICE) === owner)
      .map(([symbol, { side, price, course, liquidation, usd = 42_000 }], at): StagePosition => {
        const size = Number((usd / price).toPrecision(3))
        return {
          ...{
            symbol,
            liquidation,
            entry: price * (course[0] ?? 1),
            accountId: String(at + 1),
            openedAt: 1_760_000_000,
          },
          size: side === 'short' ? -size : size,
        }
      })
  put()
  for (const owner of [ALICE, BOB, CAROL]) scene.positions(owner, held(owner))
  const { bot, picture, says } = await started({ stage: scene, periods: { marketPollMs: POLL_MS } })
  await using _bot = bot
  await says(`/watch ${ALICE} main`)
  yield await picture('one-sample', '/positions HYPE')
  await says(`/watch ${BOB} ${WIDE}`)
  await says(`/watch ${CAROL} ${RIGHT_TO_LEFT}`)
  await bot.pass(20_000)

  const steps = MINUTE_MS / POLL_MS
  const walk = async (minutes: readonly number[]) => {
    for (const minute of minutes) {
      for (let step = 1; step <= steps; step++) {
        for (const [symbol, { price, course, trembles = 0.0016 }] of Object.entries(ACTS)) {
          const [from, to] = [course[Math.max(minute - 1, 0)] ?? 1, course[minute] ?? 1]
          const way = from + ((to - from) * step) / steps
          const isLast = minute === MINUTES - 1 && step === steps
          const tremble = isLast ? 1 : 1 + (dice.next() + dice.next() - 1) * trembles
          prices.set(symbol, price * way * tremble)
        }
        put()
        await bot.pass(POLL_MS)
      }
    }
  }
  await walk([...still.keys()])
  yield await picture('tiny-price', '/positions kPEPE')
  yield await picture('large-price', '/positions BTC')
  yield await picture('all-tiers', '/positions SOL')
  yield await picture('jump', '/positions AVAX')
  yield await picture('far', '/positions LINK')
  yield await picture('no-liquidation', '/positions DOGE')
  yield await picture('past', '/positions SUI')
  yield await picture('short', '/positions XRP')
  yield await picture('calm', '/positions HYPE')
  yield await picture('wide-label', '/positions ARB')
  yield await picture('right-to-left', '/positions OP')
  yield await picture('market-hour', '/chart BTC 1h')
  yield await picture('public', '/card SOL')

  scene.fails('/markets', 503)
  await bot.pass(6 * MINUTE_MS)
  yield await picture('unseen', '/positions XRP')
  scene.fails('/markets', null)
  await walk([11, 11])
  yield await picture('gap', '/positions LINK')
}

/** Twenty hours with two positions, and the digest at their end. */
async function* day(): AsyncGenerator<Recorded> {
  const dice = createDice(11)
  await using scene = await openStage()
  const prices = new Map([
    ['BTC', 94_000],
    ['ETH', 3_250],
  ])
  const put = () => {
    for (const [symbol, price] of prices) scene.market(symbol, { price, funding: 0.0006 })
  }
  put()
  scene.positions(ALICE, [
    { symbol: 'BTC', size: 0.8, entry: 95_200, liquidation: 84_100, accountId: '1' },
    { symbol: 'ETH', size: -14, entry: 3_310, liquidation: 3_990, accountId: '2' },
  ])
  const { bot, orders, says } = await started({ stage: scene, periods: DAY_PERIODS })
  await using _bot = bot
  await says(`/watch ${ALICE} main`)
  await says('/digest 09:00')
  for (let minute = 0; minute < 20 * 60 + 5; minute += 2) {
    for (const [symbol, price] of prices)
      prices.set(symbol, price * (1 + (dice.next() + dice.next() - 1) * 0.0038 - 0.00008))
    put()
    await bot.pass(2 * MINUTE_MS)
  }
  const order = orders.find(({ picture }) => picture.is === 'day')
  if (!order) throw new Error('no picture follows the digest')
  yield { name: 'day', order }
}

const DAY_PERIODS = {
  marketPollMs: 2 * MINUTE_MS,
  walletPollMinMs: 2 * MINUTE_MS,
  walletPollMaxMs: 4 * MINUTE_MS,
}

/** Two wallets whose accounts end at different moves, and one that holds. */
async function* several(): AsyncGenerator<Recorded> {
  await using scene = await openStage()
  for (const [symbol, price, funding, velocity] of [
    ['BTC', 94_673, 0.0002, 0],
    ['ETH', 2_612, -0.0003, 0.0004],
    ['SOL', 161.3, 0.0011, 0],
  ] as const)
    scene.market(symbol, { price, funding, velocity })
  scene.positions(ALICE, [
    { symbol: 'BTC', size: 1.5, entry: 97_670, liquidation: 90_702, accountId: '1' },
    { symbol: 'ETH', size: 20, entry: 2_580, liquidation: 2_427, accountId: '2' },
  ])
  scene.positions(BOB, [{ symbol: 'SOL', size: 300, entry: 150, liquidation: 98, accountId: '1' }])
  const { bot, picture, says } = await started({ stage: scene })
  await using _bot = bot
  await says(`/watch ${ALICE} main`)
  await says(`/watch ${BOB} cold`)
  await bot.pass(MINUTE_MS)
  yield await picture('ladder', '/shock all -10%', 'ladder')
  yield await picture('ladder-mixed', '/shock BTC -8% ETH -12%', 'ladder')
  yield await picture('ladder-holds', '/shock all +10%', 'ladder')
  yield await picture('funding', '/funding', 'funding')
}

const stories = { welcome, flash, stage, day, several }
/** Those that are named, or all. Pictures of others are kept. */
const wanted = Object.entries(stories).filter(
  ([name]) => process.argv.length < 3 || process.argv.includes(name),
)
const all = new Map(readRecorded())
for (const [, story] of wanted) for await (const { name, order } of story()) all.set(name, order)
writeFileSync(RECORDED, [...all].map(([name, order]) => `${JSON.stringify({ name, order })}\n`).join(''))
