import { expect, test } from 'vitest'

import { startBot } from '../../../support/bot.ts'
import { handClock, NOON, READ_MS } from '../../../support/clock.ts'
import { startLighter } from '../../../support/lighter/server.ts'
import { createDice } from '../../../support/seed.ts'
import { walletOf } from '../pushed.ts'

const WALLETS = 12
const FRAMES = 10_000
const SYMBOLS = ['ETH', 'BTC', 'SOL'] as const
/** Of one trade, by market. */
const LOTS = { ETH: 0.5, BTC: 0.02, SOL: 5 }
/** How much later than the trade it may be told: its read may wait for others. */
const LATE_MS = 120_000
const TOLD = /(ETH|BTC|SOL) (long|short) (opened|was closed)(?:[^]*?)(w\d+)\b/g

/** What truly happened to each position: when it was opened and when it was closed, until it was told. */
function createTruth() {
  const happened = new Map<string, number[]>()
  return {
    add: (what: string, at: number) => void happened.set(what, [...(happened.get(what) ?? []), at]),
    /** Whether it happened shortly before, and was not told yet. */
    has(what: string, now: number): boolean {
      const times = happened.get(what) ?? []
      const found = times.findLastIndex((at) => now - at <= LATE_MS)
      happened.set(what, found < 0 ? times : times.slice(found + 1))
      return found >= 0
    },
  }
}

test(
  'of 10,000 frames 5% are lost, doubled, late or cut in half: nothing is told that did not happen',
  { timeout: 300_000 },
  async () => {
    const clock = handClock(NOON, READ_MS)
    const venue = await startLighter({ clock })
    await using bot = await startBot({ clock, lighter: venue })
    const dice = createDice(30)
    const truth = createTruth()
    const traders = Array.from({ length: WALLETS }, (_, n) => {
      const user = venue.account(walletOf(n + 1), 1_000_000)
      user.trades('ETH', LOTS.ETH)
      return { user, label: `w${n + 1}`, sizes: new Map<string, number>([['ETH', LOTS.ETH]]) }
    })
    for (const { user, label } of traders) {
      const said = bot.says(`/watch ${user.address} ${label}`)
      await bot.pass(10_000)
      expect(await said).toContain(`Watching ${label}`)
    }
    bot.hears()

    /** Opens, adds to, reduces or closes a position. */
    function trades(): void {
      const { user, label, sizes } = traders[Math.floor(dice.next() * WALLETS)] ?? never()
      const symbol = SYMBOLS[Math.floor(dice.next() * SYMBOLS.length)] ?? 'ETH'
      const before = sizes.get(symbol) ?? 0
      const draw = dice.next()
      const lot = LOTS[symbol] * (dice.next() < 0.5 ? 1 : -1)
      const by = before === 0 ? lot : draw < 0.4 ? -before : draw < 0.7 ? Math.sign(before) * LOTS[symbol] : 0
      if (by === 0) return
      // At times two trades come in one moment, so that their frames may change places.
      const more = by === -before && dice.next() < 0.5 ? Math.sign(before) * LOTS[symbol] : 0
      if (more !== 0) user.trades(symbol, more)
      user.trades(symbol, Number((by - more).toFixed(4)))
      const after = Number((before + by).toFixed(4))
      sizes.set(symbol, after)
      const side = (after || before) > 0 ? 'long' : 'short'
      if (before === 0) truth.add(`${label} ${symbol} ${side} opened`, clock.monotonic())
      if (after === 0) truth.add(`${label} ${symbol} ${side} was closed`, clock.monotonic())
    }

    const wrong: string[] = []
    let events = 0
    function listens(): void {
      for (const text of bot.hears()) {
        if (/liquidated|deleveraged/.test(text)) wrong.push(text)
        for (const [, symbol, side, what, label] of text.matchAll(TOLD)) {
          events++
          if (!truth.has(`${label} ${symbol} ${side} ${what}`, clock.monotonic())) wrong.push(text)
        }
      }
    }

    venue.push.spoil({ rate: 0.05, random: dice })
    const first = venue.push.sent()
    for (let seconds = 0; venue.push.sent() - first < FRAMES; seconds++) {
      trades()
      // Every account that holds it hears of its funding, without a trade.
      if (seconds % 4 === 0) venue.funds('ETH')
      await bot.pass(1_000)
      listens()
    }
    expect(wrong).toEqual([])
    expect(events).toBeGreaterThan(200)
    expect(
      Object.values(venue.push.spoilt).every((count) => count > 30),
      'all fates',
    ).toBe(true)
    expect(bot.events.filter(({ is }) => is === 'trouble' || is === 'turn-failed')).toEqual([])
    expect(venue.broken).toEqual([])
  },
)

function never(): never {
  throw new Error('there is nobody')
}
