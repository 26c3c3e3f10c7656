import { z } from 'zod'

import { divide, multiply, toNumber } from '../amount.ts'
import type { Amount } from '../amount.ts'
import { argument } from '../argument.ts'
import type { SizeText } from '../argument.ts'
import { command } from '../command.ts'
import { distanceText, percent, price, quantity, usd } from '../lib/format.ts'
import type { Market } from '../market.ts'
import { item, message, say } from '../message.ts'
import type { Message, Text } from '../message.ts'
import type { Preview } from '../order.ts'
import { distance, side } from '../position.ts'
import type { Position } from '../position.ts'
import { freshness } from './words/positions.ts'

/** Shows what an order would do, before anybody places it. */
export default command({
  name: 'preview',
  summary: 'shows what an order would do: fill price, fees, liquidation price before and after',
  examples: ['/preview main ETH -2', '/preview main BTC $5k', '/preview main BTC -50%'],
  args: z.object({
    wallet: argument.wallet(),
    market: argument.market(),
    size: argument.size(),
    account: argument.account().optional(),
  }),
  async run({ view, read, reader }, { wallet, market: marketId, size, account }) {
    const market = view.markets().get(marketId)
    if (!market) return say('That market is not in view now. Try again shortly.')
    const owned = await read.positions(wallet)
    if (owned.is === 'unseen') return say(`I cannot see that wallet: ${owned.why}`)
    const { positions } = owned.reading.value
    const accounts = [...new Set(positions.map(({ accountId }) => accountId))]
    const chosen = account ?? (accounts.length === 1 ? accounts[0] : accountIn(positions, marketId))
    if (chosen === undefined) return askAccount(accounts, size.typed, market.symbol, wallet)
    const held = positions.find((position) => position.marketId === marketId && position.accountId === chosen)
    const sizeDelta = sizeOf(size, held, market)
    if (sizeDelta === null)
      return say(`“${size.typed}” is a share of a position, and this account holds no ${market.symbol}.`)
    const found = await read.preview({ accountId: chosen, marketId, sizeDelta })
    if (found.is === 'unseen') return say(`The venue gave no preview: ${found.why}`)
    return message(previewItems(found.reading.value, sizeDelta, held, market), {
      footnote: `Nothing was placed: I only read. ${freshness(found, reader.now)}`,
    })
  },
})

/** Exact to the last digit: shares and dollars are cut towards zero. */
function sizeOf(size: SizeText, held: Position | undefined, market: Market): Amount | null {
  if (size.unit === 'base') return size.amount
  if (size.unit === 'usd') return divide(size.amount, market.price)
  return held
    ? multiply(held.size < 0n ? -held.size : held.size, size.amount) * (held.size < 0n ? -1n : 1n)
    : null
}

/** With several accounts, the one that already holds the market is meant, if it is one. */
function accountIn(positions: readonly Position[], marketId: string): string | undefined {
  const there = positions.filter((position) => position.marketId === marketId)
  return there.length === 1 ? there[0]?.accountId : undefined
}

function askAccount(accounts: string[], size: string, symbol: string, wallet: string): Message {
  if (accounts.length === 0) {
    return say(
      'I know no account of that wallet: the venue shows accounts only with their positions, and there is none.',
    )
  }
  return message([item('plain', `Which account? That wallet has ${accounts.length}.`)], {
    buttons: accounts.map((account) => ({
      label: `…${account.slice(-4)}`,
      line: `/preview ${wallet} ${symbol} ${size} ${account}`,
      replace: true,
    })),
  })
}

function previewItems(preview: Preview, sizeDelta: Amount, held: Position | undefined, market: Market) {
  const units = `${quantity(Math.abs(toNumber(sizeDelta)))} ${market.symbol}`
  const title = `${market.symbol}: ${sizeDelta < 0n ? 'sell' : 'buy'} ${units} (${usd(Math.abs(toNumber(multiply(sizeDelta, market.price))))})`
  const lines: Text[] = []
  if (preview.feasible === false)
    lines.push(`not possible: ${preview.refusal ?? 'the venue does not say why'}`)
  if (preview.fillPrice !== null) {
    const impact = toNumber(divide(preview.fillPrice - market.price, market.price))
    lines.push(
      `fill price ${price(toNumber(preview.fillPrice))}, ${percent(Math.abs(impact))} ${impact < 0 ? 'below' : 'above'} the index`,
    )
  }
  if (preview.totalFeesUsd !== null) lines.push(`fees ${usd(toNumber(preview.totalFeesUsd))} in all`)
  lines.push(liquidationLine(preview, sizeDelta, held, market))
  if (preview.marginUsagePercent !== null)
    lines.push(`margin usage ${percent(preview.marginUsagePercent / 100)}`)
  return [item('plain', title, lines)]
}

function liquidationLine(
  preview: Preview,
  sizeDelta: Amount,
  held: Position | undefined,
  market: Market,
): string {
  const after = (held?.size ?? 0n) + sizeDelta
  const now = held ? at(held.liquidationPrice, held.size, market) : 'no position'
  if (after === 0n) return `liquidation: ${now} → no position`
  if (preview.liquidationPrice === null) return `liquidation: ${now} → not shown by the venue`
  const then = preview.liquidationPrice === 'none' ? null : preview.liquidationPrice
  return `liquidation: ${now} → ${at(then, after, market)}`
}

function at(liquidation: Amount | null, size: Amount, market: Market): string {
  if (liquidation === null) return 'none'
  const away = distance(side({ size }), toNumber(market.price), toNumber(liquidation))
  return `${price(toNumber(liquidation))} (${distanceText(away)} away)`
}
