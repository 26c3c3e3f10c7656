import { z } from 'zod'

import { argument, type Move } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { percentTyped } from '../../lib/text/quantity.ts'
import { signedUsd } from '../../message/figure.ts'
import {
  type Button,
  item,
  joined,
  type Message,
  message,
  type Reader,
  type Text,
  text,
  words as phrase,
} from '../../message/message.ts'
import type { LadderPicture } from '../../message/picture.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { blindItems, type Missing, seenNotes } from '../shared/readings.ts'
import { oldPart } from '../shared/position-picture.ts'
import { tiersFor } from '../shared/open-position.ts'
import { NO_WALLET, type NoWallet, noWallet, referenceAmong } from '../shared/wallet-names.ts'
import { readWallets } from '../shared/last-seen.ts'
import { poolsOf } from '../shared/pools.ts'
import {
  firstToFall,
  movesText,
  outcomeOf,
  pnlOfAll,
  type Shocked,
  shocked,
  shockedItem,
  type ShownMove,
} from './shock-lines.ts'
import { byVenue, underHeadings } from '../shared/venues/by-venue.ts'
import { exactName } from '../shared/venues/coin.ts'
import { ladderPicture } from './shock-picture.ts'

const MAX_SHOWN_POOLS = 6
const MAX_NAMED_MARKETS = 3

/** The estimated effect of moves on the wallets of a person. Times are wall times. */
interface ShockReport {
  is: 'shock'
  moves: readonly ShownMove[]
  /** The pools in which something moves, the first to be liquidated first; of several venues, each venue's together. */
  hit: readonly Shocked[]
  /** The names of several venues; none for one. */
  venues: readonly string[]
  /** All pools, also those in which nothing moves. */
  pools: number
  /** Symbols of moves in which nothing is held. */
  notHeld: readonly string[]
  missing: readonly Missing[]
  /** Reference of the one wallet that was asked for. */
  wallet: string | null
  positionsAt: number | null
  pricesAt: number | null
  /** Null where nothing moves, and for somebody who wants no pictures. */
  picture: LadderPicture<Text> | null
}

/** Shows the effect of price moves: on each position and account, and which accounts are liquidated on the way. */
export default lookCommand({
  name: 'shock',
  aliases: ['whatif'],
  summary: phrase('menu.shock'),
  examples: ['/shock BTC -8% ETH -12%', '/shock all -10%', '/shock all -10% BTC -5% main'],
  args: z.object({ moves: argument.moves(), wallet: argument.wallet(undefined, 'all').optional() }),
  ask,
  words: answer,
})

async function ask(
  context: Context,
  { moves, wallet }: { moves: readonly Move[]; wallet?: Wallet | undefined },
): Promise<ShockReport | NoWallet> {
  const { person, view } = context
  const all = wallet === undefined ? view.watches(person.id) : view.named(person.id)
  const watches = all.filter((one) => wallet === undefined || one.wallet === wallet)
  if (watches.length === 0) return NO_WALLET
  const { venues } = view.status()
  const { wallets, missing, positionsAt, pricesAt } = await readWallets(context, watches)
  const pools = wallets.flatMap((one) => poolsOf(one.watch.label, one.answer, one.held, venues))
  const first = firstToFall(pools.flatMap((pool) => shocked(pool, moves) ?? []))
  const groups = groupsOf(first, venues)
  const hit = groups.length === 0 ? first : groups.flatMap(({ entries }) => entries)
  const shownMoves = moves.map(({ market, also, by }) => ({
    symbol: market === null ? null : also ? view.symbol(market) : exactName(view, market),
    by,
  }))
  const held = new Set(wallets.flatMap((one) => one.held.map(({ position }) => position.marketId)))
  const notHeld = moves.flatMap(({ market, also = [] }) =>
    market === null || [market, ...also].some((id) => held.has(id)) ? [] : [view.symbol(market)],
  )
  return {
    is: 'shock',
    moves: shownMoves,
    hit,
    venues,
    pools: pools.length,
    notHeld,
    missing,
    wallet: wallet === undefined ? null : referenceAmong(wallet, all),
    ...{ positionsAt, pricesAt },
    picture:
      hit.length > 0 && person.pictures === 'on'
        ? {
            ...ladderPicture(first, shownMoves, context.reader.now, tiersFor(view, context.kinds, person.id)),
            ...oldPart(context.reader.now, { priceAt: pricesAt, positionAt: positionsAt }),
            wallet: wallet === undefined ? null : (watches[0]?.label ?? null),
            isWhole: missing.every((one) => one.is === 'read' && one.holes !== true),
          }
        : null,
  }
}

function answer(report: ShockReport | NoWallet, { now }: Reader): Message {
  if (report.is === 'no-wallet') return noWallet()
  const { moves, hit, venues, pools, notHeld, missing, wallet, positionsAt, pricesAt } = report
  const lines = [
    ...sums(hit),
    ...(hit.length < pools ? [phrase('shock.untouched', { n: pools - hit.length })] : []),
    ...(notHeld.length > 0
      ? [phrase('shock.not-held', { symbols: notHeld.slice(0, MAX_NAMED_MARKETS).join(', ') })]
      : []),
  ]
  const title = text`${movesText(moves)}: ${outcomeText(hit, pools, missing.length > 0)}`
  const left = hit.length - MAX_SHOWN_POOLS
  const notes = [
    ...(left > 0 ? [phrase('shock.more', { n: left })] : []),
    ...assumptions(moves, hit),
    ...seenNotes(positionsAt, pricesAt, now),
  ]
  const groups = groupsOf(hit, venues)
  const isHeaded = (one: Shocked) =>
    groups.some(({ entries: [first, ...others] }) => first === one && others.length === 0)
  return message(
    [
      ...blindItems(missing, now),
      item('plain', title, lines),
      ...underHeadings(
        hit.slice(0, MAX_SHOWN_POOLS),
        groups,
        (one) => shockedItem(one, hit.length === 1 ? 'whole' : isHeaded(one) ? 'headed' : 'short'),
        sumOf,
      ),
    ],
    {
      footnote: joined(notes, ' · '),
      buttons: buttons(moves, wallet),
      ...(report.picture && { picture: report.picture }),
    },
  )
}

function outcomeText(hit: readonly Shocked[], pools: number, isMissing: boolean): Text {
  const outcomes = hit.map(outcomeOf)
  const fallen = outcomes.filter((outcome) => outcome === 'falls').length
  const unknown = outcomes.filter((outcome) => outcome === 'unknown').length
  const of = (n: number) => ({ some: String(n), n: pools })
  if (fallen > 0) return phrase('shock.fallen', of(fallen))
  if (unknown > 0) return phrase('shock.unknown-for', of(unknown))
  if (pools === 0) return phrase(isMissing ? 'shock.none-seen' : 'shock.none-held')
  return phrase(isMissing ? 'shock.nothing-seen' : 'shock.nothing')
}

function groupsOf(hit: readonly Shocked[], venues: readonly string[]) {
  return byVenue(hit, ({ pool }) => pool.marketId, venues)
}

/** The PnL of one venue's pools; null where it is not known. */
function sumOf(hit: readonly Shocked[]): Text | null {
  const known = pnlOfAll(hit)
  return known && phrase('shock.pnl', { later: signedUsd(known.later), now: signedUsd(known.now) })
}

function sums(hit: readonly Shocked[]): Text[] {
  const known = pnlOfAll(hit)
  if (known === null) return []
  const fallen = known.counted.some((one) => outcomeOf(one) === 'falls')
  const left = hit.length - known.counted.length
  return [
    phrase('shock.pnl', { later: signedUsd(known.later), now: signedUsd(known.now) }),
    ...(fallen ? [phrase('shock.counted')] : []),
    ...(left > 0 ? [phrase('shock.without', { n: left })] : []),
  ]
}

/** Names the assumptions that matter most; each is a rough guide. */
function assumptions(moves: readonly ShownMove[], hit: readonly Shocked[]): Text[] {
  const rest = moves.some(({ symbol }) => symbol === null)
  const figured = hit.some(({ pool }) => !pool.stand.isTold)
  const assumed = hit.some(({ pool }) => pool.isAssumed)
  return [
    phrase(rest ? 'shock.assumes.orders' : 'shock.assumes.rest'),
    ...(figured ? [phrase('shock.assumes.margin')] : []),
    ...(assumed ? [phrase('shock.assumes.shared')] : []),
  ]
}

function buttons(moves: readonly ShownMove[], wallet: string | null): Button[] {
  const again = (label: Text, times: number): Button[] => {
    const typed = moves.map(({ symbol, by }) => `${symbol ?? 'all'} ${percentTyped(by * times)}`)
    const isPossible = moves.every(({ by }) => by * times > -1 && by * times <= 10)
    const line = ['/shock', ...typed, ...(wallet === null ? [] : [wallet])].join(' ')
    return isPossible ? [{ label, line, replace: true }] : []
  }
  return [
    ...again(phrase('shown.button.refresh'), 1),
    ...again(phrase('shock.button.half'), 1 / 2),
    ...again(phrase('shock.button.twice'), 2),
  ]
}
