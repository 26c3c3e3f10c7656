import { FAULT_KINDS, type FaultKind } from '../support/hyperliquid/faults.ts'
import { onHyperliquid } from '../support/on-hyperliquid.ts'
import { createDice, type Dice } from '../support/seed.ts'
import { CLEAR_BAND, LINES } from './oracle.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const LARGE = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
/** Within this time a line that was crossed must be told, whatever fails beside it. */
const TOLD_WITHIN_MS = 60_000
/** Nothing stands nearer to a line than this. */
const CLEARANCE = 0.003
const MOVED_USD = 1_900
/** Shares of the first price, down to just before the liquidation. */
const SHARES = [1.3, 1.15, 1, 0.98, 0.96, 0.94, 0.93, 0.92, 0.91, 0.9]

export interface BooksStep {
  /** BTC, as a share of its first price. */
  share: number
  /** How the builder's book fails in this step; null: it works. */
  book: FaultKind | null
  isPushSilent: boolean
  /** The program is stopped for so long before the price moves; null: it goes on. */
  awayMs: number | null
  /** The account is unified for a while before the price moves. */
  isUnified: boolean
}

/** Always the same for the same seed. */
export function booksPlanOf(seed: number, count: number): BooksStep[] {
  const dice = createDice(seed)
  return Array.from({ length: count }, () => stepOf(dice))
}

function stepOf(dice: Dice): BooksStep {
  return {
    share: dice.one(SHARES),
    book: dice.often(0.6) ? dice.one(FAULT_KINDS) : null,
    isPushSilent: dice.often(0.3),
    awayMs: dice.often(0.2) ? dice.below(30_000) : null,
    isUnified: dice.often(0.2),
  }
}

export interface BooksOutcome {
  owed: number
  lost: string[]
  /** Criticals that nothing was a reason for. */
  false: string[]
}

/**
 * A wallet holds BTC in the main book and NVDA in a builder's book, which fails while BTC moves through its lines. At the end
 * the venue liquidates a part of a large position.
 */
export async function tortureBooks(
  plan: readonly BooksStep[],
  progress: (line: string) => void,
): Promise<BooksOutcome> {
  await using bot = await onHyperliquid()
  const { venue } = bot
  const wallet = venue.account(WALLET, { usd: 4_000 })
  const { market } = wallet.trades('BTC', 0.5, { leverage: 20 })
  wallet.deposits(2_000, 'xyz')
  wallet.trades('xyz:NVDA', 1, { leverage: 2, margin: 'isolated' })
  const first = market.mark
  const prices = SHARES.map((share) => first * share)
  await bot.answers(`/watch ${WALLET} small`)
  await bot.answers('/alert liq BTC 20% 10% 5% 2.5% for 0.1s')
  await bot.pass(60_000)
  bot.hears()

  let liquidation = liquidationOf(await bot.answers('/positions BTC'))
  const distance = (price: number) => (price - liquidation) / price
  const isUsable = (price: number) =>
    [0, ...LINES, ...LINES.map((line) => line * (1 + CLEAR_BAND))].every(
      (line) => Math.abs(distance(price) - line) >= CLEARANCE,
    ) && distance(price) > 0
  const outcome: BooksOutcome = { owed: 0, lost: [], false: [] }
  let tier = entered(distance(first))
  const next = (price: number) =>
    Math.max(entered(distance(price)), Math.min(tier, entered(distance(price) / (1 + CLEAR_BAND))))
  for (const [index, step] of plan.entries()) {
    const price = prices[SHARES.indexOf(step.share)] ?? first
    if (!isUsable(price)) continue
    venue.clearFaults()
    for (const type of ['metaAndAssetCtxs', 'clearinghouseState'])
      if (step.book !== null) venue.fault({ kind: step.book, type, dex: 'xyz', times: Infinity })
    if (step.isPushSilent) venue.push.silence()
    else venue.push.speak()
    const said = `step ${index + 1}, ${JSON.stringify(step)}`
    if (step.isUnified) {
      wallet.mode('unifiedAccount')
      await bot.pass(TOLD_WITHIN_MS)
      wallet.mode('default')
      // What was in the builder's book has come to the main one: it goes back.
      wallet.deposits(-MOVED_USD)
      wallet.deposits(MOVED_USD, 'xyz')
      await bot.pass(TOLD_WITHIN_MS)
      liquidation = liquidationOf(await bot.answers('/positions BTC'))
      const to = next(market.mark)
      judge(outcome, { from: tier, to }, bot.hears(), `${said}, unified`)
      tier = to
      if (!isUsable(price)) continue
    }
    if (step.awayMs !== null) await bot.restart(step.awayMs)
    venue.moves({ BTC: price })
    const now = next(price)
    await bot.pass(TOLD_WITHIN_MS)
    const words = `${said}, tier ${tier} → ${now}`
    judge(outcome, { from: tier, to: now }, bot.hears(), words)
    tier = now
    progress(words)
  }

  venue.clearFaults()
  venue.push.speak()
  venue.account(LARGE, { usd: 10_000 }).trades('ETH', largeSize(venue.market('ETH').mark), { leverage: 25 })
  await bot.answers(`/watch ${LARGE} large`)
  await bot.pass(TOLD_WITHIN_MS)
  bot.hears()
  venue.moves({ ETH: venue.market('ETH').mark * 0.968 })
  outcome.owed += 1
  await bot.pass(TOLD_WITHIN_MS)
  const heard = bot.hears().filter((text) => /\[CRITICAL\] ETH long .*liquidated/.test(text))
  if (heard.length === 0) outcome.lost.push('a part of the large position was liquidated')
  return outcome
}

/** Lines from this one on are critical. */
const CRITICAL_TIER = 3

/** A reminder while there is no price. */
const UNSEEN = /\[CRITICAL\] BTC long · small: [\d.]+% when I last told you/

/** A critical line that was crossed is owed; a critical is false where no critical line was crossed or is still. */
export function judge(
  outcome: BooksOutcome,
  { from, to }: { from: number; to: number },
  heard: readonly string[],
  words: string,
): void {
  const criticals = heard.filter((text) => text.includes('[CRITICAL]'))
  const told = criticals.filter((text) => /\[CRITICAL\] BTC long: [\d.]+% to liquidation/.test(text))
  const isOwed = to > from && to >= CRITICAL_TIER
  outcome.owed += isOwed ? 1 : 0
  if (isOwed && told.length === 0) outcome.lost.push(words)
  // While one stands, and when it has just ended, reminders may come.
  const stands = Math.max(from, to) >= CRITICAL_TIER
  const wrong = criticals.filter((text) => !stands || !(told.includes(text) || UNSEEN.test(text)))
  outcome.false.push(...wrong.map((text) => `${words}: ${text}`))
}

/** Worth more than $100k, of which the venue first takes a fifth, in a size that the market takes. */
const largeSize = (price: number) => Math.round(200_000 / price)

const entered = (distance: number) => LINES.filter((line) => distance <= line).length

function liquidationOf(positions: string): number {
  const [, figure] = /BTC long[^]*? liquidation \$([\d,.]+)/.exec(positions) ?? []
  if (figure === undefined) throw new Error(`no liquidation price is in:\n${positions}`)
  return Number(figure.replaceAll(',', ''))
}
