import { expect, test } from 'vitest'

import { NOON, READ_MS } from '../support/clock.ts'
import { startHyperliquidBot } from '../support/hyperliquid-bot.ts'

const OWN = 10
const FOLLOWED = 20
const MINUTES = 4
/** The limit of Hyperliquid: docs/hyperliquid.md. */
const WEIGHT_A_MINUTE = 1_200

/** Reads of followed wallets that may fall into one minute where weight is left over. */
const FOLLOWED_WEIGHT = 40

const address = (kind: string, at: number) => `0x${kind}${String(at).padStart(2, '0')}`.padEnd(42, '7')

/** Some minutes of ten guarded wallets, and twenty that trade all the time, which this person follows or does not. */
async function played({ follows, pushes }: { follows: boolean; pushes: boolean }) {
  await using bot = await startHyperliquidBot({ pushes })
  const { standIn, clock } = bot
  const accounts = (kind: string, count: number, usd: number) =>
    Array.from({ length: count }, (_, at) => {
      const account = standIn.account(address(kind, at), { usd })
      account.trades('BTC', 0.5, { leverage: 20 })
      return account
    })
  const [own, whales] = [accounts('a', OWN, 4_000), accounts('b', FOLLOWED, 20_000)]
  for (const [at, one] of own.entries()) await bot.says(`/watch ${one.address} own${at}`)
  if (follows)
    for (const [at, one] of whales.entries()) await bot.says(`/follow ${one.address} whale${at} $0`)
  // Both runs begin at the same moment.
  await clock.advance(NOON + 6 * 60_000 - clock.now())
  bot.hears()
  const began = clock.monotonic()
  const told: string[] = []
  const news: string[] = []
  let most = 0
  const hear = (second: number) => {
    for (const text of bot.hears())
      for (const line of text.split('\n').filter((one) => /^\[(INFO|WARNING|CRITICAL)\]/.test(one)))
        if (/own\d|CRITICAL|WARNING/.test(text) && !/whale/.test(line))
          told.push(`${second} ${line.replace(/ \(A\d+\)/, '')}`)
        else news.push(line)
    most = Math.max(most, standIn.weight())
  }
  const price = standIn.market('BTC').mark
  await bot.pass(MINUTES * 60, (second) => {
    hear(second)
    if (second % 4 === 0) whales[(second / 4) % FOLLOWED]?.trades('BTC', second % 8 === 0 ? 0.2 : -0.2)
    if (second % 45 === 20) own[(second / 5) % OWN]?.trades('BTC', 0.1)
    if (second === 150) standIn.moves({ BTC: price * 0.93 })
    if (second === 200) own[3]?.closes('BTC')
  })
  hear(MINUTES * 60)
  const ages = own.map(({ address: of }) => {
    const reads = bot.events.flatMap((event) =>
      event.is === 'wallet-read' && event.wallet.toLowerCase() === of.toLowerCase() && event.mono >= began
        ? [event.mono - began]
        : [],
    )
    const times = [0, ...reads, MINUTES * 60_000]
    return Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? 0)))
  })
  if (process.env['SHOW']) console.log(JSON.stringify({ follows, ages, most, news: news.length }))
  return { told: told.toSorted(), news, ages, most }
}

const followedNews = (news: readonly string[]) =>
  news.filter((line) => line.startsWith('[INFO] whale')).length

const warnings = ({ told }: { told: readonly string[] }) => told.filter((line) => !line.includes('[INFO]'))
const isCritical = (line: string) => line.includes('[CRITICAL]')
/** Without the second at which they were told. */
const words = (line: string) => line.replace(/^\d+ /, '')

test('where trades are pushed, twenty followed wallets change no moment at which a guarded one is told', async () => {
  const alone = await played({ follows: false, pushes: true })
  const beside = await played({ follows: true, pushes: true })
  // News share the pace of their chat, and warnings go before them.
  expect(warnings(beside)).toEqual(warnings(alone))
  expect(beside.told.map(words).toSorted()).toEqual(alone.told.map(words).toSorted())
  expect(beside.told.join('\n')).toContain('[CRITICAL] BTC long')
  expect(beside.ages).toEqual(alone.ages)
  // Each trade of the followed ones is told as well.
  expect(followedNews(beside.news)).toBeGreaterThan(50)
  expect(beside.most).toBeLessThanOrEqual(WEIGHT_A_MINUTE * 0.6)
}, 300_000)

test('where everything is polled, they make no guarded one older', async () => {
  const alone = await played({ follows: false, pushes: false })
  const beside = await played({ follows: true, pushes: false })
  // Each wallet has its own moments, and these begin with its watch: only the oldest age can be compared.
  expect(Math.max(...beside.ages)).toBeLessThanOrEqual(Math.max(...alone.ages) + READ_MS)
  expect(warnings(beside).filter(isCritical)).toEqual(warnings(alone).filter(isCritical))
  expect(followedNews(beside.news)).toBeGreaterThan(0)
  expect(beside.most).toBeLessThanOrEqual(alone.most + FOLLOWED_WEIGHT)
}, 300_000)
