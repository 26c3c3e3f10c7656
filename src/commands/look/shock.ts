import { z } from 'zod'

import { argument, type Move } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { percentTyped } from '../../lib/text/quantity.ts'
import { signedUsd } from '../../message/figure.ts'
import { type Button, item, joined, type Message, message, type Text, text } from '../../message/message.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { count } from '../shared/pages.ts'
import { blindItems, oldest } from '../shared/readings.ts'
import { noWallet, referenceAmong } from '../shared/wallet-names.ts'
import { seen } from './last-seen.ts'
import { type Pool, poolsOf } from './pools.ts'
import { fateOf, firstToFall, movesText, pnlOf, type Shocked, shocked, shockedItem } from './shock-lines.ts'

/** With what is missing and the sums they are ten items. */
const SHOWN = 8

/** Shows what moves of prices would do: to each position, to each account, and who would be liquidated on the way. */
export default command({
  name: 'shock',
  aliases: ['whatif'],
  summary: 'shows what a fall or rise of prices would do',
  examples: ['/shock BTC -8% ETH -12%', '/shock all -10%', '/shock all -10% BTC -5% main'],
  args: z.object({ moves: argument.moves(), wallet: argument.wallet().optional() }),
  run: (context, asked) => shock(context, asked),
})

async function shock(
  context: Context,
  { moves, wallet }: { moves: readonly Move[]; wallet?: Wallet | undefined },
): Promise<Message> {
  const { person, view } = context
  const all = view.watches(person.id)
  const watches = all.filter((one) => wallet === undefined || one.wallet === wallet)
  if (watches.length === 0) return noWallet()
  const { wallets, missing, markets, found } = await seen(context, watches)
  const { now } = context.reader
  const pools = wallets.flatMap((one) => poolsOf(one.watch.label, one.answer, one.held))
  const hit = firstToFall(pools.flatMap((pool) => shocked(pool, moves) ?? []))
  const symbol = (id: string) => view.symbol(id)
  const notHeld = moves.flatMap(({ market }) => {
    const isHeld =
      market === null || wallets.some((one) => one.held.some(({ position }) => position.marketId === market))
    return isHeld ? [] : [symbol(market)]
  })
  const lines = [
    ...sums(hit),
    ...(hit.length < pools.length ? [`untouched: ${count(pools.length - hit.length, 'account')}`] : []),
    ...(notHeld.length > 0 ? [`nothing held in ${notHeld.slice(0, 3).join(', ')}`] : []),
  ]
  const title = text`${movesText(moves, symbol)}: ${outcome(hit, pools, missing.length > 0)}`
  const left = hit.length - SHOWN
  const notes = [
    ...(left > 0 ? [`and ${count(left, 'account')} more, further from their end`] : []),
    ...assumptions(moves, hit),
    ...oldest('positions', found, now),
    ...oldest('prices', [markets], now),
  ]
  const named = wallet === undefined ? [] : [referenceAmong(wallet, all)]
  return message(
    [...blindItems(missing), item('plain', title, lines), ...hit.slice(0, SHOWN).map(shockedItem)],
    { footnote: joined(notes, '; '), buttons: buttons(moves, symbol, named) },
  )
}

function outcome(hit: readonly Shocked[], pools: readonly Pool[], isMissing: boolean): Text {
  const deliveryStatus = hit.map(fateOf)
  const fallen = deliveryStatus.filter((fate) => fate === 'falls').length
  const unknown = deliveryStatus.filter((fate) => fate === 'unknown').length
  if (fallen > 0) return `${fallen} of ${count(pools.length, 'account')} would be liquidated`
  if (unknown > 0) return `I cannot tell for ${unknown} of ${count(pools.length, 'account')}`
  if (pools.length === 0) return isMissing ? 'I see no position now' : 'you hold no position'
  return isMissing ? 'nothing would be liquidated of what I see' : 'nothing would be liquidated'
}

/** Of all together; what is liquidated counts up to there. */
function sums(hit: readonly Shocked[]): Text[] {
  const known = hit.filter(({ pool }) => pool.unpriced.length === 0)
  if (known.length === 0) return []
  const pnls = known.map(pnlOf)
  const sum = (of: 'now' | 'later') => pnls.reduce((total, pnl) => total + pnl[of], 0)
  const [now, later] = [sum('now'), sum('later')]
  const fallen = known.some((one) => fateOf(one) === 'falls')
  const line = text`PnL ${signedUsd(later)} (now ${signedUsd(now)})`
  return [
    fallen ? text`${line}, what is liquidated counted up to there` : line,
    ...(known.length < hit.length
      ? [`without ${count(hit.length - known.length, 'account')} whose prices I do not know`]
      : []),
  ]
}

function assumptions(moves: readonly Move[], hit: readonly Shocked[]): Text[] {
  const rest = moves.some(({ market }) => market === null)
  const figured = hit.some(({ pool }) => !pool.stand.isTold)
  const assumed = hit.some(({ pool }) => pool.isAssumed)
  return [
    ...(rest ? [] : ['all other prices unchanged']),
    'no order filled, no funding paid',
    ...(figured ? ['margin estimated from liquidation prices'] : []),
    ...(assumed ? ['all positions of an account taken to share it'] : []),
  ]
}

function buttons(
  moves: readonly Move[],
  symbol: (id: string) => string,
  wallet: readonly string[],
): Button[] {
  const again = (label: string, times: number): Button[] => {
    const words = moves.map(
      ({ market, by }) => `${market === null ? 'all' : symbol(market)} ${percentTyped(by * times)}`,
    )
    const isPossible = moves.every(({ by }) => by * times > -1 && by * times <= 10)
    return isPossible ? [{ label, line: ['/shock', ...words, ...wallet].join(' '), replace: true }] : []
  }
  return [...again('Refresh', 1), ...again('Half', 1 / 2), ...again('Twice', 2)]
}
