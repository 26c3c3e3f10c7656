import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { shortPercent, usd } from '../../message/figure.ts'
import {
  item,
  type Item,
  type Message,
  message,
  type Reader,
  type Table,
  type Text,
  text,
  words as phrase,
} from '../../message/message.ts'
import type { FundingPicture } from '../../message/picture.ts'
import { type Market, nextFunding } from '../../venue/market.ts'
import { fundingPerDay, type Position, side } from '../../venue/position.ts'
import {
  blindItems,
  freshnessText,
  missingOf,
  oldNotes,
  type ReadAt,
  readAt,
  ageNote,
} from '../shared/readings.ts'
import { flipText, nextFlip, payerText, paymentText, rateText, yearlyRate } from './market-lines.ts'
import { type Paid, paidAnswer, paidFunding } from '../money/paid.ts'
import { DAY_MS, oldPart } from '../shared/position-picture.ts'
import { whichVenue } from '../shared/venues/coin.ts'
import { fundingText, yourFunding } from '../shared/position-lines.ts'

const PAID_NAMES = new Map([
  ['payments', 'paid'],
  ['received', 'paid'],
  ['bezahlt', 'paid'],
  ['gezahlt', 'paid'],
] as const)
const HOUR_MS = 3_600_000
const MAX_EXTREMES = 5
const MAX_OWN_POSITIONS = 6
const FEW_FLIPS = 2
/** The columns that the figures of the table leave. */
const SYMBOL_COLUMNS = 13

/** A position of the person in a market that was read. */
interface OwnPosition {
  position: Position
  market: Market
  /** The label of the wallet. */
  wallet: string
}

/** Funding rates, and the person's own positions as of their last readings. */
interface FundingReport {
  is: 'funding'
  /** The one market that was asked for, with its venue if several list the coin; `market` is null when it could not be read. */
  only: { symbol: string; market: Market | null; where: readonly Text[] } | null
  /** Null in front of other people: positions are private. */
  own: { positions: readonly OwnPosition[]; unseen: readonly string[]; oldestAt: number | null } | null
  /** The first markets to flip, soonest first, and the highest rates; both empty where one market was asked for. */
  flips: readonly Market[]
  extremes: readonly Market[]
  rates: ReadAt
  /** Null where nothing of one's own is shown, and for somebody who wants no pictures. */
  picture: FundingPicture<Text> | null
}

/** Shows who pays whom: the person's own positions first, then the next flips, then the extremes. */
export default lookCommand({
  name: 'funding',
  summary: phrase('menu.funding'),
  examples: ['/funding', '/funding BTC', '/funding paid week'],
  who: 'guest',
  audience: 'chat',
  args: z.object({
    market: argument.coin().optional(),
    what: argument.choice(['paid'], phrase('paid.asks'), PAID_NAMES).optional(),
    time: argument.span().optional(),
    wallet: argument.wallet().optional(),
  }),
  ask(context, { market, what, time, wallet }): Promise<Found> {
    const isPaid = what !== undefined || time !== undefined || wallet !== undefined
    return isPaid ? paidFunding(context, { market, time, wallet }) : ask(context, { market: market?.[0] })
  },
  words: (found, reader) =>
    found.is === 'funding' || found.is === 'unseen' ? answer(found, reader) : paidAnswer(found, reader),
})

type Found = FundingReport | { is: 'unseen'; why: Text } | Paid

async function ask(
  context: Context,
  { market: id }: { market?: string | undefined },
): Promise<FundingReport | { is: 'unseen'; why: Text }> {
  const { read, view, from, person, reader } = context
  const found = await read.markets()
  if (found.is === 'unseen') return found
  const all = [...found.reading.value.values()].filter(({ delisted }) => !delisted)
  const only =
    id === undefined
      ? null
      : {
          symbol: view.symbol(id),
          market: await chosenMarket(context, found.reading.value, id),
          where: whichVenue(view, id),
        }
  const chosen = only?.market ? [only.market] : []
  const own = from.private ? ownOf(context, only ? chosen : all) : null
  const rates = readAt(found)
  return {
    ...{ is: 'funding', only, own, rates },
    picture: only === null && own && person.pictures === 'on' ? pictureOf(own, rates.at, reader.now) : null,
    flips: only ? [] : nextFlips(all),
    extremes: only ? [] : extremesOf(all),
  }
}

function answer(report: FundingReport | { is: 'unseen'; why: Text }, { now }: Reader): Message {
  if (report.is === 'unseen') return message([item('blind', freshnessText(report, now))])
  const { only, own, flips, extremes, rates } = report
  const mine = own ? ownItems(own, now) : []
  const items = [
    ...blindItems(missingOf(phrase('funding.rates'), rates, now), now),
    ...mine,
    ...(only?.market ? [marketItem(only.market, only.where, now)] : []),
    ...flipItems(flips.slice(0, mine.length > 0 ? FEW_FLIPS : MAX_EXTREMES)),
  ]
  const footnote = ageNote(rates.at, now)
  if (only) {
    const unseen = item('blind', phrase('shown.not-seen', { what: only.symbol }))
    return message([...items, ...(only.market ? [] : [unseen])], { footnote })
  }
  // With positions of one's own the table of others is behind its button.
  const isShown = mine.length === 0 && extremes.length > 0
  const none = extremes.length > 0 ? [] : [item('plain', phrase('funding.none'))]
  return message([...items, ...(isShown ? [item('plain', phrase('funding.extremes'))] : none)], {
    table: isShown ? tableOf(extremes) : null,
    buttons: [
      { label: phrase('shown.button.refresh'), line: '/funding', replace: true },
      ...(own ? [{ label: phrase('paid.button'), line: '/funding paid week', replace: false }] : []),
      { label: phrase('funding.button.all'), line: '/markets funding', replace: false },
    ],
    footnote,
    ...(report.picture && { picture: report.picture }),
  })
}

/** Reads a market of a dex that is not in view. */
async function chosenMarket(
  { read }: Context,
  inView: ReadonlyMap<string, Market>,
  id: string,
): Promise<Market | null> {
  const seen = inView.get(id)
  if (seen) return seen
  const found = await read.market(id)
  return found.is === 'read' ? found.reading.value : null
}

/** Leaves out markets without open interest: nobody pays there, so the rate is frozen, however extreme. */
function extremesOf(all: readonly Market[]): Market[] {
  return all
    .filter(({ openInterest }) => openInterest !== 0n)
    .toSorted((a, b) => Math.abs(yearlyRate(b)) - Math.abs(yearlyRate(a)))
    .slice(0, MAX_EXTREMES)
}

function nextFlips(all: readonly Market[]): Market[] {
  return all
    .flatMap((market) => {
      const hours = nextFlip(market)
      return hours === null ? [] : [{ hours, market }]
    })
    .toSorted((a, b) => a.hours - b.hours)
    .slice(0, MAX_EXTREMES)
    .map(({ market }) => market)
}

function ownOf({ view, person }: Context, markets: readonly Market[]): NonNullable<FundingReport['own']> {
  const watches = view.watches(person.id)
  const readings = watches.map(({ wallet, label }) => ({ label, reading: view.positions(wallet) }))
  const positions = readings.flatMap(({ label, reading }) =>
    (reading?.value ?? []).flatMap((position): OwnPosition[] => {
      const market = markets.find(({ id }) => id === position.marketId)
      return market ? [{ position, market, wallet: label }] : []
    }),
  )
  const times = readings.flatMap(({ reading }) => reading?.at ?? [])
  return {
    positions,
    unseen: readings.flatMap(({ label, reading }) => (reading === null ? [label] : [])),
    oldestAt: times.length === 0 ? null : Math.min(...times),
  }
}

function tableOf(markets: readonly Market[]): Table {
  return {
    columns: [
      { title: phrase('markets.column.market'), align: 'left' },
      { title: phrase('funding.column.year'), align: 'right' },
      { title: phrase('funding.column.pays'), align: 'left' },
    ],
    rows: markets.map((market) => [
      [...market.symbol].slice(0, SYMBOL_COLUMNS).join(''),
      shortPercent(Math.abs(yearlyRate(market))),
      yearlyRate(market) === 0 ? '–' : yearlyRate(market) > 0 ? 'longs' : 'shorts',
    ]),
  }
}

/** Shows what the positions pay or receive, the most expensive first. */
function ownItems({ positions, unseen, oldestAt }: NonNullable<FundingReport['own']>, now: number): Item[] {
  const notSeen =
    unseen.length === 0
      ? []
      : [phrase('funding.not-seen', { wallets: unseen.slice(0, MAX_OWN_POSITIONS).join(', ') })]
  if (positions.length === 0)
    return notSeen.length === 0 ? [] : [item('blind', phrase('funding.yours'), notSeen)]
  const dearest = dearestFirst(positions)
  const isNamed = hasSeveralWallets(positions)
  const lines = dearest.slice(0, MAX_OWN_POSITIONS).map(({ market, position, wallet, perDay }) => {
    const named = { symbol: market.symbol, side: side(position) }
    const name = isNamed ? phrase('shown.position.of', { ...named, wallet }) : phrase('shown.position', named)
    const flip = flipText(market)
    const line = text`${name} ${fundingText(perDay)}`
    return flip === null ? line : text`${line}, ${flip}`
  })
  const left = dearest.length - lines.length
  const sum = dearest.reduce((total, { perDay }) => total + perDay, 0)
  const title =
    dearest.length > 1 ? phrase('funding.yours.sum', { funding: yourFunding(sum) }) : phrase('funding.yours')
  const more = left > 0 ? [phrase('shown.more', { n: String(left) })] : []
  const old = oldNotes('shown.old.positions', oldestAt, now)
  return [item('plain', title, [...lines, ...more, ...paymentLines(dearest, now), ...notSeen, ...old])]
}

interface PaidPosition extends OwnPosition {
  /** USD; negative is paid. */
  perDay: number
}

function dearestFirst(positions: readonly OwnPosition[]): PaidPosition[] {
  return positions
    .map((one) => ({ ...one, perDay: fundingPerDay(one.position, one.market) }))
    .toSorted((a, b) => a.perDay - b.perDay)
}

function hasSeveralWallets(positions: readonly OwnPosition[]): boolean {
  return new Set(positions.map(({ wallet }) => wallet)).size > 1
}

/** `next payment at 15:00: you pay $0.16`; nothing when funding accrues continuously. */
function paymentLines(held: readonly PaidPosition[], now: number): Text[] {
  const next = nextPayment(held, now)
  if (next === null) return []
  const of = { time: { time: next.at, as: 'clock' as const }, usd: usd(Math.abs(next.usd)) }
  return [phrase(next.usd < 0 ? 'funding.next.pay' : 'funding.next.get', of)]
}

function nextPayment(held: readonly PaidPosition[], now: number): { at: number; usd: number } | null {
  const paid = held.flatMap(({ market, perDay }) => {
    const [at, everyMs] = [nextFunding(market, now), market.fundingEveryMs]
    return at === null || everyMs === null || perDay === 0 ? [] : [{ at, usd: (perDay * everyMs) / DAY_MS }]
  })
  if (paid.length === 0) return null
  const at = Math.min(...paid.map((one) => one.at))
  return { at, usd: paid.reduce((total, one) => total + (one.at === at ? one.usd : 0), 0) }
}

function pictureOf(
  { positions, unseen, oldestAt }: NonNullable<FundingReport['own']>,
  ratesAt: number,
  now: number,
): FundingPicture<Text> | null {
  const held = dearestFirst(positions)
  const sumOf = (all: readonly PaidPosition[]) => all.reduce((total, { perDay }) => total + perDay, 0)
  const perDay = sumOf(held)
  if (held.length === 0 || !held.every((one) => Number.isFinite(one.perDay)) || !Number.isFinite(perDay))
    return null
  const [first] = nextFlips(held.map(({ market }) => market))
  const hours = first ? nextFlip(first) : null
  const isNamed = hasSeveralWallets(positions)
  return {
    ...{ is: 'funding', until: now, perDay, count: held.length, isWhole: unseen.length === 0 },
    ...oldPart(now, { priceAt: ratesAt, positionAt: oldestAt }),
    positions: held.slice(0, MAX_OWN_POSITIONS).map((one) => ({
      symbol: one.market.symbol,
      side: side(one.position),
      wallet: isNamed ? one.wallet : null,
      perDay: one.perDay,
    })),
    paidPerDay: -sumOf(held.filter((one) => one.perDay < 0)),
    receivedPerDay: sumOf(held.filter((one) => one.perDay > 0)),
    payment: nextPayment(held, now),
    flip: first && hours !== null ? { symbol: first.symbol, at: now + hours * HOUR_MS } : null,
    words: phrase('picture.funding', {
      n: held.length,
      funding: yourFunding(perDay),
      at: [{ time: now, as: 'clock' }],
    }),
  }
}

function flipItems(flips: readonly Market[]): Item[] {
  const lines = flips.flatMap((market) => {
    const flip = flipText(market)
    return flip === null ? [] : [text`${market.symbol} ${flip}`]
  })
  return lines.length === 0 ? [] : [item('plain', phrase('funding.flips'), lines)]
}

function marketItem(market: Market, where: readonly Text[], now: number): Item {
  const payment = paymentText(market, now)
  const flip = market.fundingVelocityPerDay === null ? [] : [flipText(market) ?? phrase('market.no-flip')]
  return item('plain', text`${market.symbol}: ${payerText(market)}`, [
    ...where,
    rateText(market),
    ...(payment === null ? [] : [payment]),
    ...flip,
  ])
}
