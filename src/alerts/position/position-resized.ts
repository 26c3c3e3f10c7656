import { z } from 'zod'

import { eventKind } from '../../alert/define-kind.ts'
import type { WalletSubject } from '../../alert/subject.ts'
import { argument, typedSum } from '../../chat/argument.ts'
import { durationText } from '../../lib/text/duration.ts'
import { percentTyped } from '../../lib/text/quantity.ts'
import { age, percent, price as priceFigure, quantity, threshold, usd } from '../../message/figure.ts'
import { item, type Text, text, words } from '../../message/message.ts'
import { type Amount, divide, magnitude, multiply, toNumber } from '../../venue/amount.ts'
import { type CloseOutcome, reductionOf } from '../../venue/close-outcome.ts'
import { aboutText, feesText, guessText, madeText } from '../../venue/closed-position.ts'
import { type Position, positionKey, side, sizeText } from '../../venue/position.ts'
import { positionLines } from '../shared/lines.ts'

/** A change below both limits is dust: fees and rounding make it, not a trader. */
const DUST = { share: 0.01, usd: 50 }

/** Traders buy in slices within minutes: collect the changes that follow an alert this soon. */
const COLLECT_MS = 10 * 60_000
const MAX_COLLECT_MS = 24 * 3_600_000
/** A TWAP trades for a week: while changes go on, each message waits twice as long as the one before. */
const LONGER = 2

const params = z.object({
  /**
   * Fractions of the old size, and USD: reaching either alerts. A rule that names only one of them ignores
   * the other.
   */
  share: argument
    .percent(undefined, words('arg.resized.share'))
    .refine((share) => share >= 0 && share <= 10, 'check.resized')
    .optional(),
  usd: argument
    .usd(words('arg.resized.usd'))
    .refine((usd) => usd >= 0, 'check.resized.usd')
    .optional(),
  /** How long after an opening or an alert later changes are collected. */
  within: argument
    .duration(words('arg.resized.within'))
    .refine((ms) => ms <= MAX_COLLECT_MS, 'check.resized.within')
    .default(COLLECT_MS),
})

type Params = z.output<typeof params>

/** A position as the state stores it: its size, with the realised PnL if known. */
function storedPosition({ size, realisedPnlUsd }: Position): string {
  return realisedPnlUsd === null ? `${size}` : `${size} ${realisedPnlUsd}`
}

function parsedPosition(known: string): { size: Amount; realisedPnlUsd: Amount | null } {
  const [size = '0', realised] = known.split(' ')
  return { size: BigInt(size), realisedPnlUsd: realised === undefined ? null : BigInt(realised) }
}

interface State {
  /** By position: its size and realised PnL at the last alert. */
  sizes: Record<string, string>
  /** When that was (wall time), if not long ago. */
  told: Record<string, number>
  /** By position: messages since its changes go on without a pause, and when it last changed. Earlier versions have none. */
  streaks?: Record<string, { told: number; changedAt: number }>
  /** By position, at the last look: its size, entry and time of entry. Earlier versions have none. */
  entries?: Record<string, string>
  /** By position: how much was closed since that alert, and what that was worth at the prices of then. */
  closed?: Record<string, string>
}

/** Adds what this look shows as closed since the last one. A part that the venue took is told by another alert. */
function closedBy(
  key: string,
  { size, marketId }: Position,
  state: State | undefined,
  subject: WalletSubject,
) {
  const [known = '0', worth = '0'] = (state?.closed?.[key] ?? '').split(' ').filter((part) => part !== '')
  const [last = '0'] = (state?.entries?.[key] ?? '').split(' ')
  const part = magnitude(BigInt(last)) - magnitude(size)
  const price = subject.market(marketId)?.price ?? null
  if (subject.taken.some((one) => one.key === key)) return ''
  if (part <= 0n || price === null) return state?.closed?.[key] ?? ''
  return `${BigInt(known) + part} ${BigInt(worth) + multiply(part, price)}`
}

/** The price at which a part was closed, on average; null where no look has shown it. */
function closedAt(closed: string | undefined): Amount | null {
  const [size = '', worth = ''] = (closed ?? '').split(' ')
  return size === '' ? null : divide(BigInt(worth), BigInt(size))
}

function storedEntry({ size, entryPrice, openedAt }: Position): string {
  return `${size} ${entryPrice ?? ''} ${openedAt ?? ''}`
}

/** Fees and rounding move an entry by less. */
const ANOTHER_ENTRY = 0.001

/**
 * The entry before, where a position has the same size as at the last look and another entry: it was closed and opened
 * again, or traded back.
 */
function entryBefore(stored: string | undefined, { size, entryPrice, openedAt }: Position): Amount | null {
  const [sizeBefore, entry = '', openedBefore = ''] = (stored ?? '').split(' ')
  if (sizeBefore !== String(size) || entry === '' || entryPrice === null) return null
  const before = BigInt(entry)
  const moved = toNumber(magnitude(entryPrice - before)) / toNumber(before)
  const isLater = openedBefore !== '' && openedAt !== null && openedAt > Number(openedBefore)
  return moved >= ANOTHER_ENTRY || (isLater && moved > 0) ? before : null
}

/** Zero stays zero: a person who asked for every change gets each. */
function longerWait(withinMs: number, told: number): number {
  return Math.max(withinMs, Math.min(withinMs * LONGER ** told, MAX_COLLECT_MS))
}

function streakOf(key: string, { size }: Position, state: State | undefined, now: number) {
  const { told = 0, changedAt = now } = state?.streaks?.[key] ?? {}
  const [last = ''] = (state?.entries?.[key] ?? '').split(' ')
  return { told, changedAt: last === String(size) ? changedAt : now }
}

/** States of earlier versions have sizes alone. */
function readState(state: State | Record<string, string> | undefined): State | undefined {
  return state === undefined || isState(state) ? state : { sizes: state, told: {} }
}

function isState(state: State | Record<string, string>): state is State {
  return typeof state['sizes'] === 'object'
}

function leastOf({ share, usd }: Params): { share: number; usd: number } {
  if (share === undefined && usd === undefined) return DUST
  return { share: share ?? Infinity, usd: usd ?? Infinity }
}

/** The smallest of each threshold. */
function mergedParams(all: readonly Params[]): Params {
  const least = all.map(leastOf)
  const [share, usd] = [Math.min(...least.map((one) => one.share)), Math.min(...least.map((one) => one.usd))]
  const within = Math.min(...all.map((one) => one.within))
  return { ...(share < Infinity ? { share } : {}), ...(usd < Infinity ? { usd } : {}), within }
}

function isWorthAlert(asked: Params, before: Amount, after: Amount, price: Amount | null): boolean {
  const change = magnitude(after - before)
  if (change === 0n) return false
  const least = leastOf(asked)
  const share = toNumber(change) / toNumber(magnitude(before))
  return price === null || share >= least.share || toNumber(multiply(change, price)) >= least.usd
}

function describe(asked: Params): Text {
  const { share, usd: worth } = leastOf(asked)
  const parts = [
    ...(share < Infinity ? [text`${threshold(share)}`] : []),
    ...(worth < Infinity ? [text`${usd(worth)}`] : []),
  ]
  const [first = '', second] = parts
  const from = second === undefined ? first : words('kind.resized.either', { first, second })
  return asked.within === COLLECT_MS
    ? words('kind.resized.line', { from })
    : words('kind.resized.line-within', { from, span: age(asked.within) })
}

/** Alerts when a position grows or shrinks. */
export default eventKind({
  name: 'position-resized',
  aliases: ['resized'],
  summary: words('kind.resized.summary'),
  example: 'position-resized 5% $500',
  on: 'wallet',
  params,
  armedByWatch: { ...DUST, within: COLLECT_MS },
  presets: {
    // A share alone: a fixed sum would be dust in a large position.
    calm: { share: 0.1, within: 30 * 60_000 },
    scalper: { share: 0.001, usd: 10, within: 60_000 },
  },
  describe,
  typed: ({ share, usd: worth, within }) =>
    [
      ...(share === undefined ? [] : [percentTyped(share)]),
      ...(worth === undefined ? [] : [typedSum({ unit: 'usd', value: worth })]),
      ...(within === COLLECT_MS ? [] : [durationText(within)]),
    ].join(' '),
  merge: mergedParams,
  severity: 'info',
  detect: resizings,
  tell(_params, { detail, position: isOpen }, subject) {
    const { position, before, closing, entry } = detail
    const market = subject.market(position.marketId)
    const symbol = subject.symbol(position.marketId)
    if (entry !== null) {
      const [from, to] = [entry, position.entryPrice ?? entry].map((one) => priceFigure(toNumber(one)))
      return item('info', words('kind.resized.traded.title', { market: symbol, side: side(position) }), [
        words('kind.resized.traded', { from: from ?? '?', to: to ?? '?' }),
        ...positionLines(position, subject),
      ])
    }
    const [was, is] = [magnitude(before), magnitude(position.size)]
    const share = percent(toNumber(magnitude(is - was)) / toNumber(was))
    const said = { market: symbol, side: side(position), way: is > was ? 'grew' : 'shrank', share } as const
    return {
      ...item('info', words('kind.resized.title', said), [
        text`${quantity(toNumber(was))} → ${sizeText(position, symbol, market?.price ?? null)}`,
        ...(closing ? broughtText(closing) : []),
        ...(isOpen === null
          ? [words('kind.resized.ended', { wallet: subject.label })]
          : positionLines(position, subject)),
      ]),
      ...(closing?.estimate === true ? { details: basisText(closing) } : {}),
    }
  },
})

/** Finds the positions whose size has changed by enough since it was told. */
export function resizings(
  asked: Params,
  storedState: State | Record<string, string> | undefined,
  subject: WalletSubject,
) {
  const { positions, positionAt: now } = subject
  const state = readState(storedState)
  const next: Required<State> = { sizes: {}, told: {}, streaks: {}, entries: {}, closed: {} }
  const closed: Record<string, string> = { ...state?.closed }
  const resized: Position[] = []
  const traded: { position: Position; entry: Amount }[] = []
  for (const position of positions) {
    const key = positionKey(position)
    const entry = entryBefore(state?.entries?.[key], position)
    if (entry !== null) traded.push({ position, entry })
    next.entries[key] = storedEntry(position)
    const parts = closedBy(key, position, state, subject)
    closed[key] = parts
    const stored = state?.sizes[key]
    // The venue's own record may come with the next reading. Until then nothing is said of the trader.
    if (stored !== undefined && subject.reducing.includes(key)) {
      next.sizes[key] = stored
      if (state?.told[key] !== undefined) {
        next.told[key] = state.told[key]
        next.streaks[key] = streakOf(key, position, state, now)
      }
      if (parts !== '') next.closed[key] = parts
      continue
    }
    const before = stored === undefined ? undefined : withoutTaken(stored, key, subject)
    const alertedAt = state?.told[key]
    // Do not wait if the clock was set back.
    const streak = streakOf(key, position, state, now)
    const goesOn = alertedAt !== undefined && now - streak.changedAt < asked.within
    const waitMs = goesOn ? longerWait(asked.within, streak.told) : asked.within
    const isRecent = alertedAt !== undefined && alertedAt <= now && now - alertedAt < waitMs
    const price = subject.market(position.marketId)?.price ?? null
    const isAlerted =
      before !== undefined &&
      !isRecent &&
      isWorthAlert(asked, parsedPosition(before).size, position.size, price)
    if (isAlerted) resized.push(position)
    // Compare dust and collected changes with the last alert, so that they add up.
    const isNews = isAlerted || before === undefined || parsedPosition(before).size === position.size
    next.sizes[key] = isNews ? storedPosition(position) : before
    if (!isNews && parts !== '') next.closed[key] = parts
    if (isAlerted || (state && before === undefined)) next.told[key] = now
    else if (isRecent) next.told[key] = alertedAt
    if (next.told[key] !== undefined)
      next.streaks[key] = isAlerted ? { ...streak, told: goesOn ? streak.told + 1 : 0 } : streak
  }
  return {
    state: next,
    // Dust may grow worth an alert when the price rises, and a collected change when its time has passed.
    isIdempotent: positions.every(
      (position) => next.sizes[positionKey(position)] === storedPosition(position),
    ),
    occurrences: [
      ...traded.map(({ position, entry }) => ({
        ...{ what: 'traded back', value: null, position: positionKey(position) },
        detail: { position, before: position.size, closing: null, entry },
      })),
      ...resized.map((position) => {
        const { detail, closing } = changeOf(position, state, subject, closed)
        const about = { what: 'resized', value: null, position: positionKey(position), detail }
        return closing === null ? about : { ...about, closing }
      }),
      // If the position closes first, alert about the collected reduction, which brought money too.
      ...subject.gone.flatMap(({ key, position }) => {
        if (state?.sizes[key] === undefined) return []
        const { detail, closing } = changeOf(position, state, subject, closed)
        const price = subject.market(position.marketId)?.price ?? null
        const isAlerted = closing !== null && isWorthAlert(asked, detail.before, position.size, price)
        return isAlerted
          ? [{ what: 'resized', value: null, position: null, bearsOn: key, detail, closing }]
          : []
      }),
    ],
  }
}

/** The stored position without the parts that the venue took: another alert tells of those. */
function withoutTaken(stored: string, key: string, { taken }: WalletSubject): string {
  const parts = taken.filter((part) => part.key === key)
  if (parts.length === 0) return stored
  const { size, realisedPnlUsd } = parsedPosition(stored)
  const all = parts.reduce((sum, part) => sum + part.size, 0n)
  const left = size < 0n ? size + all : size - all
  return realisedPnlUsd === null ? `${left}` : `${left} ${realisedPnlUsd}`
}

/** The change since the last alert. */
function changeOf(
  position: Position,
  state: State | undefined,
  subject: WalletSubject,
  closed: Readonly<Record<string, string>>,
) {
  const { market, symbol } = subject
  const { marketId } = position
  const key = positionKey(position)
  const before = parsedPosition(withoutTaken(state?.sizes[key] ?? '0', key, subject))
  const { price: present = null, takerFee = null } = market(marketId) ?? {}
  const price = closedAt(closed[key]) ?? present
  const closing = reductionOf(position, before, { symbol: symbol(marketId), price, takerFee })
  return { detail: { position, before: before.size, closing, entry: null as Amount | null }, closing }
}

/** The proceeds of the closed part. */
function broughtText({ tradeUsd, feesUsd, estimate }: CloseOutcome): Text[] {
  if (tradeUsd === null) return []
  if (!estimate) return tradeUsd === 0n ? [] : [words('kind.resized.made', { made: madeText(tradeUsd) })]
  return [guessText(aboutText(toNumber(tradeUsd - (feesUsd ?? 0n))), { feesUsd })]
}

/** Returns the price and the fees behind an estimate of the proceeds. */
function basisText({ tradeUsd, feesUsd, exitPrice }: CloseOutcome): Text[] {
  if (tradeUsd === null) return []
  const fees =
    feesUsd === null
      ? words('closed.no-fees-funding')
      : words('kind.resized.fees', { fees: feesText(feesUsd) })
  return exitPrice === null
    ? [fees]
    : [words('kind.resized.basis', { price: priceFigure(toNumber(exitPrice)), fees })]
}
