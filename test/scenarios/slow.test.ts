import { describe, expect, test } from 'vitest'

import type { PositionsAnswer } from '../../src/venue/venue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { startBot } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'
import { startCrowd } from '../support/crowd.ts'
import { aMarket, aPosition, exact } from '../support/fixtures.ts'
import { aWallet, DOWN, holdings, NEVER } from '../support/polling.ts'

const MINUTE = 60_000
const markets = () => ({ markets: [aMarket({ price: exact('4000') })], unusable: [], failedParts: [] })
/** Half of the way to its liquidation. */
const holds = (wallet: Wallet) => holdings(aPosition({ wallet }))
const blind = (heard: string[]) => heard.filter((line) => line.includes('can’t see'))

describe('when the venue allows less than all wallets need', () => {
  // With the markets, three wallets in two seconds are read: each of them every 300 s.
  const few = (positions: (wallet: Wallet) => PositionsAnswer | Promise<PositionsAnswer>) =>
    startCrowd(450, 2, { markets, positions })

  test('they are read one after the other, the operator hears of it once, and nobody that they cannot be seen', async () => {
    const crowd = await few(holds)
    expect(await crowd.pass(30 * MINUTE)).toEqual([])
    const passed = crowd.running.events.filter(({ is }) => is === 'capacity')
    expect(passed).toEqual([expect.objectContaining({ watched: 450, served: 90 })])
    const gaps = crowd.wallets.flatMap((wallet) => {
      const asked = crowd.asked(wallet)
      return asked.slice(1).map((at, index) => at - (asked[index] ?? 0))
    })
    expect(Math.max(...gaps)).toBeGreaterThan(280)
    expect(Math.max(...gaps)).toBeLessThan(340)
  })

  test('one that fails among those that wait is told three minutes after the first look that failed', async () => {
    const ill = aWallet(150)
    const crowd = await few((wallet) => (wallet === ill ? Promise.reject(DOWN) : holds(wallet)))
    const firstMs = (150 / 1.5) * 1_000
    expect(await crowd.pass(firstMs + 2.5 * MINUTE)).toEqual([])
    expect(await crowd.pass(1.5 * MINUTE)).toEqual(['1: I can’t see wallet w150'])
    expect(await crowd.pass(20 * MINUTE)).toEqual([])
  })

  test('one look that fails once among those that wait tells nobody anything: it is soon looked at again', async () => {
    const ill = aWallet(150)
    let fails = 1
    const crowd = await few((wallet) =>
      wallet === ill && fails-- > 0 ? Promise.reject(DOWN) : holds(wallet),
    )
    expect(await crowd.pass(20 * MINUTE)).toEqual([])
    const [first = 0, second = Infinity] = crowd.asked(ill)
    expect(second - first).toBeLessThan(10)
  })

  test('near danger one that fails is told after half a minute', async () => {
    let isDown = false
    const near = aWallet(7)
    const crowd = await few((wallet) => {
      if (wallet !== near) return holds(wallet)
      return isDown ? Promise.reject(DOWN) : holdings(aPosition({ wallet, liquidationPrice: exact('3900') }))
    })
    await crowd.pass(10 * MINUTE)
    isDown = true
    expect(await crowd.pass(25_000)).toEqual([])
    expect(await crowd.pass(15_000)).toEqual(['1: I can’t see wallet w7'])
    isDown = false
    expect(await crowd.pass(2 * MINUTE)).toContain('1: I can see wallet w7 again')
  })
})

/** The first reading of all of them takes four minutes and a half; each minute after that has one crossing. */
const MINUTES = Number(process.env['SLOW_MINUTES'] ?? 13)

describe(`five thousand wallets at twenty requests a second, for ${MINUTES} minutes`, () => {
  const priceAt = (minute: number) => 4_000 - 20 * minute
  /** Each of these comes within 5% at the price of its minute; the last ten are within that from the beginning. */
  const crosses = (minute: number) => aWallet(100 * minute)
  const near = Array.from({ length: 10 }, (_, index) => aWallet(4_990 + index))

  test('nobody is told that a wallet cannot be seen, those near danger are read on time, and no crossing is missed', async () => {
    let minute = 0
    const liquidations = new Map(near.map((wallet) => [wallet, 3_850]))
    for (let one = 1; one < 49 && one <= MINUTES; one++) liquidations.set(crosses(one), priceAt(one) * 0.951)
    const crowd = await startCrowd(5_000, 20, {
      markets: () => ({ ...markets(), markets: [aMarket({ price: exact(String(priceAt(minute))) })] }),
      positions(wallet) {
        const line = liquidations.get(wallet)
        return line === undefined
          ? holds(wallet)
          : holdings(aPosition({ wallet, liquidationPrice: exact(String(line)) }))
      },
    })
    const isTold = (wallet: Wallet) =>
      crowd.running.events.some(
        (event) => event.is === 'transition' && event.subject.includes(wallet) && event.to === 'tier 3',
      )
    const heard: string[] = []
    // By then each of them was read for the first time.
    heard.push(...(await crowd.pass(4.5 * MINUTE)))
    for (minute = 1; minute <= MINUTES - 5; minute++) {
      const wallet = crosses(minute)
      expect(isTold(wallet), `before minute ${minute}`).toBe(false)
      heard.push(...(await crowd.pass(5_000)))
      expect(isTold(wallet) || !liquidations.has(wallet), `at minute ${minute}`).toBe(true)
      heard.push(...(await crowd.pass(MINUTE - 5_000)))
    }
    expect(blind(heard)).toEqual([])
    const gaps = near.flatMap((wallet) => {
      const asked = crowd.asked(wallet)
      return asked.slice(2).map((at, index) => at - (asked[index + 1] ?? 0))
    })
    // Every second would take all requests; five of each second's are theirs at least.
    expect(Math.max(...gaps)).toBeLessThan(Math.max(5, liquidations.size / 5))
    const reads = crowd.wallets.map((wallet) => crowd.asked(wallet).length)
    // A third of the requests are for those near danger: thirteen a second are left for all others.
    expect(Math.min(...reads)).toBeGreaterThanOrEqual(Math.floor((MINUTES * 60) / 400))
  })
})

test('a venue that answers slowly makes wallets old, and nobody blind', async () => {
  // Eight at once, each for five seconds: a hundred and sixty wallets take a hundred seconds.
  const crowd = await startCrowd(480, 20, {
    markets,
    positions: async (wallet) => {
      await new Promise<void>((done) =>
        crowd.running.clock.wakeAt(crowd.running.clock.monotonic() + 5_000, done),
      )
      return holds(wallet)
    },
  })
  expect(blind(await crowd.pass(30 * MINUTE))).toEqual([])
  expect(crowd.asked(aWallet(1)).length).toBeGreaterThan(4)
})

test('a venue that answers for no wallet any more is told of those that were looked at', async () => {
  let isDown = false
  const crowd = await startCrowd(20, 20, {
    markets,
    positions: (wallet) => (isDown ? NEVER : holds(wallet)),
  })
  await crowd.pass(5 * MINUTE)
  isDown = true
  expect(blind(await crowd.pass(3 * MINUTE))).toEqual([])
  expect(blind(await crowd.pass(3 * MINUTE))).toHaveLength(20)
})

test('people are told how old what they hear of may be, and the operator what it is due to', async () => {
  const settings = { requestsPerSecond: 1, walletPollMaxMs: 4_000 }
  await using bot = await startBot({ settings, crowded: true, clock: handClock() })
  bot.stage.market('BTC', { price: 200 })
  // Its requests wait for their turn, and the clock has to be turned meanwhile.
  const says = async (line: string) => {
    const answer = bot.says(line)
    await bot.pass(6_000)
    return answer
  }
  const watches = (index: number) => says(`/watch 0x${String(index).padStart(40, '0')} w${index}`)
  await watches(1)
  await bot.pass(30_000)
  expect(await watches(2)).not.toContain('are read every')
  for (let index = 3; index <= 14; index++) await watches(index)
  await bot.pass(120_000)
  expect(bot.hears().join()).toContain('Wallets are read only every')
  await bot.pass(300_000)
  expect(bot.hears()).toEqual([])
  expect(await says('/status')).toMatch(/wallets are read every \d+ s now \(wanted: 4.0 s\)/)
  expect(await watches(15)).toMatch(/wallets are read every \d+ s now/)
  for (let index = 2; index <= 15; index++) await says(`/unwatch w${index}`)
  await bot.pass(120_000)
  expect(bot.hears().join()).toContain('Wallets are read every 4.0 s again')
})
