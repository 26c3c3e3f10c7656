import { expect, test } from 'vitest'

import type { Wallet } from '../../../../src/venue/wallet.ts'
import { startPushed, walletOf } from '../pushed.ts'

const WALLETS = 2_000
const SUB_ACCOUNTS = 600
const QUARTER_MS = 15 * 60_000

/** As many wallets, each with a position, and for some of them another one in a sub-account. */
async function startCrowd() {
  const bot = await startPushed({ needed: ['0'] })
  const wallets = Array.from({ length: WALLETS }, (_, n) => walletOf(n + 1))
  // The first read of each wallet is another story.
  bot.venue.allow({ requestsAMinute: Infinity })
  const accounts = wallets.map((wallet, n) => {
    const main = bot.venue.account(wallet, 10_000)
    main.trades('ETH', 1)
    if (n < SUB_ACCOUNTS) main.sub(10_000).trades('BTC', 0.1)
    return main
  })
  await bot.readsMarkets()
  for (const wallet of wallets) await bot.reads(wallet)
  return { bot, wallets, accounts }
}

/** Turns the clock until all wallets are whole. Returns how long that took, ms. */
async function untilAllFollowed({ clock, push }: Awaited<ReturnType<typeof startPushed>>): Promise<number> {
  const began = clock.monotonic()
  while (push.status().wallets.followed < WALLETS) await clock.advance(1_000)
  return clock.monotonic() - began
}

test(
  'of 2,600 accounts all are followed within 15 minutes, again after a cut of all, and no limit is touched',
  { timeout: 300_000 },
  async () => {
    const { bot, wallets, accounts } = await startCrowd()
    await using _ = bot
    /** How many positions each wallet has, and those that were told without one of them. */
    const held = new Map(wallets.map((wallet, n) => [wallet, n < SUB_ACCOUNTS ? 2 : 1]))
    const missing = new Set<Wallet>()
    const last = new Map<Wallet, number>()
    bot.push.follow(wallets)
    bot.push.start({
      ...bot.hear,
      markets() {},
      wallet(wallet, { positions, failedParts }) {
        last.set(wallet, positions.length)
        if (positions.length + failedParts.length < (held.get(wallet) ?? 0)) missing.add(wallet)
      },
    })
    await bot.clock.advance(5_000)
    const first = wallets.slice(0, 50).filter((wallet) => last.has(wallet))
    expect(first.length, 'the most endangered come first').toBeGreaterThan(20)
    expect(5_000 + (await untilAllFollowed(bot))).toBeLessThan(QUARTER_MS)

    bot.venue.push.refuse(true)
    bot.venue.push.cut()
    await bot.clock.advance(1_000)
    last.clear()
    await bot.clock.advance(59_000)
    expect(bot.push.status()).toMatchObject({ open: false, why: expect.stringMatching(/refused|cut/) })
    expect([bot.push.status().wallets.followed, last.size], 'nobody vouches for old figures').toEqual([0, 0])
    bot.venue.push.refuse(false)
    accounts[0]?.trades('SOL', 3)
    expect(await untilAllFollowed(bot)).toBeLessThan(QUARTER_MS)
    expect([...missing], 'told without a position').toEqual([])
    expect(last.get(walletOf(1))).toBe(3)
    expect([bot.troubles(), bot.unusable(), bot.venue.broken, bot.changed]).toEqual([[], [], [], []])
    expect(bot.told().length).toBe(3)
  },
)
