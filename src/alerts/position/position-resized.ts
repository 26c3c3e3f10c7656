import { z } from 'zod'

import { eventKind } from '../../alert/define-kind.ts'
import type { WalletSubject } from '../../alert/subject.ts'
import { argument, typedSum } from '../../chat/argument.ts'
import { durationText } from '../../lib/text/duration.ts'
import { percentTyped } from '../../lib/text/quantity.ts'
import { age, percent, price as priceFigure, quantity, threshold, usd } from '../../message/figure.ts'
import { item, joined, type Text, text } from '../../message/message.ts'
import { type Amount, magnitude, multiply, toNumber } from '../../venue/amount.ts'
import { type CloseOutcome, reductionOf } from '../../venue/close-outcome.ts'
import { aboutText, feesText, madeText } from '../../venue/closed-position.ts'
import { type Position, positionKey, side, sizeText } from '../../venue/position.ts'
import { positionLines } from '../shared/lines.ts'

/** A change that is smaller than both is dust: fees and roundings make it, nobody does. */
const DUST = { share: 0.01, usd: 50 }

/** Whoever buys in slices does so within minutes: what follows a message so soon is told together. */
const WITHIN_MS = 10 * 60_000
const LONGEST_MS = 24 * 3_600_000

const params = z.object({
  /** Of the size before, and USD: from either on it is told. Whoever names one of them asks for that one alone. */
  share: argument
    .percent()
    .refine((share) => share >= 0 && share <= 10, 'A change is a share of the size before, such as 5%.')
    .optional(),
  usd: argument
    .usd()
    .refine((usd) => usd >= 0, 'A change is worth $0 or more, such as $500.')
    .optional(),
  /** So long after it was opened, or a change of it was told, others are told together. */
  within: argument
    .duration()
    .refine((ms) => ms <= LONGEST_MS, 'Changes are told together for at most 24h; 1s tells each of them.')
    .default(WITHIN_MS),
})

type Params = z.output<typeof params>

/** A position in the memo: its size, and what parts of it had brought, where that is known. */
function remembered({ size, realisedPnlUsd }: Position): string {
  return realisedPnlUsd === null ? `${size}` : `${size} ${realisedPnlUsd}`
}

function recalled(known: string): { size: Amount; realisedPnlUsd: Amount | null } {
  const [size = '0', realised] = known.split(' ')
  return { size: BigInt(size), realisedPnlUsd: realised === undefined ? null : BigInt(realised) }
}

interface State {
  /** By position: the size that was told last, and what parts of it had brought by then. */
  sizes: Record<string, string>
  /** When that was (wall time), where it was not long ago. */
  told: Record<string, number>
}

/** What an earlier version kept is sizes alone. */
function readMemo(state: State | Record<string, string> | undefined): State | undefined {
  return state === undefined || isMemo(state) ? state : { sizes: state, told: {} }
}

function isMemo(state: State | Record<string, string>): state is State {
  return typeof state['sizes'] === 'object'
}

function leastOf({ share, usd }: Params): { share: number; usd: number } {
  if (share === undefined && usd === undefined) return DUST
  return { share: share ?? Infinity, usd: usd ?? Infinity }
}

/** From the least of each on. */
function together(all: readonly Params[]): Params {
  const least = all.map(leastOf)
  const [share, usd] = [Math.min(...least.map((one) => one.share)), Math.min(...least.map((one) => one.usd))]
  const within = Math.min(...all.map((one) => one.within))
  return { ...(share < Infinity ? { share } : {}), ...(usd < Infinity ? { usd } : {}), within }
}

function matters(asked: Params, before: Amount, after: Amount, price: Amount | null): boolean {
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
  const words = text`from ${joined(parts, ' or ')} on`
  return asked.within === WITHIN_MS ? words : text`${words}, told together within ${age(asked.within)}`
}

/** Tells when a position grows or shrinks. */
export default eventKind({
  name: 'position-resized',
  aliases: ['resized'],
  summary: 'a position grows or shrinks',
  example: 'position-resized 5% $500',
  on: 'wallet',
  params,
  armedByWatch: { ...DUST, within: WITHIN_MS },
  describe,
  typed: ({ share, usd: worth, within }) =>
    [
      ...(share === undefined ? [] : [percentTyped(share)]),
      ...(worth === undefined ? [] : [typedSum({ unit: 'usd', value: worth })]),
      ...(within === WITHIN_MS ? [] : [durationText(within)]),
    ].join(' '),
  merge: together,
  severity: 'info',
  detect(asked, kept: State | Record<string, string> | undefined, subject) {
    const { positions, positionAt: now } = subject
    const state = readMemo(kept)
    const next: State = { sizes: {}, told: {} }
    const resized: Position[] = []
    for (const position of positions) {
      const key = positionKey(position)
      const before = state?.sizes[key]
      const toldAt = state?.told[key]
      // A clock that was set back makes nobody wait.
      const isRecent = toldAt !== undefined && toldAt <= now && now - toldAt < asked.within
      const price = subject.market(position.marketId)?.price ?? null
      const isTold =
        before !== undefined && !isRecent && matters(asked, recalled(before).size, position.size, price)
      if (isTold) resized.push(position)
      // Dust, and what waits, is compared with what was told last, so that much of it is told.
      const isNews = isTold || before === undefined || recalled(before).size === position.size
      next.sizes[key] = isNews ? remembered(position) : before
      if (isTold || (state && before === undefined)) next.told[key] = now
      else if (isRecent) next.told[key] = toldAt
    }
    return {
      state: next,
      // Dust may be worth telling when its market costs more, and what waits when its time has come.
      isIdempotent: positions.every((position) => next.sizes[positionKey(position)] === remembered(position)),
      occurrences: [
        ...resized.map((position) => {
          const { detail, closing } = changeOf(position, state, subject)
          const about = { what: 'resized', value: null, position: positionKey(position), detail }
          return closing === null ? about : { ...about, closing }
        }),
        // Its end is told of what was left: what waited to be told has brought something, too.
        ...subject.gone.flatMap(({ key, position }) => {
          if (state?.sizes[key] === undefined) return []
          const { detail, closing } = changeOf(position, state, subject)
          const price = subject.market(position.marketId)?.price ?? null
          const isTold = closing !== null && matters(asked, detail.before, position.size, price)
          return isTold
            ? [{ what: 'resized', value: null, position: null, bearsOn: key, detail, closing }]
            : []
        }),
      ],
    }
  },
  tell(_params, { detail, position: isOpen }, subject) {
    const { position, before, closing } = detail
    const market = subject.market(position.marketId)
    const symbol = subject.symbol(position.marketId)
    const [was, is] = [magnitude(before), magnitude(position.size)]
    const share = percent(toNumber(magnitude(is - was)) / toNumber(was))
    return item('info', text`${symbol} ${side(position)} ${is > was ? 'grew' : 'shrank'} by ${share}`, [
      text`${quantity(toNumber(was))} → ${sizeText(position, symbol, market?.price ?? null)}`,
      ...(closing ? broughtText(closing) : []),
      ...(isOpen === null ? [`before it ended · ${subject.label}`] : positionLines(position, subject)),
    ])
  },
})

/** What became of it since it was told last. */
function changeOf(position: Position, state: State | undefined, { market, symbol }: WalletSubject) {
  const { marketId } = position
  const before = recalled(state?.sizes[positionKey(position)] ?? '0')
  const { price = null, takerFee = null } = market(marketId) ?? {}
  const closing = reductionOf(position, before, { symbol: symbol(marketId), price, takerFee })
  return { detail: { position, before: before.size, closing }, closing }
}

/** What closing that part of it has brought. */
function broughtText({ tradeUsd, feesUsd, exitPrice, estimate }: CloseOutcome): Text[] {
  if (tradeUsd === null) return []
  if (!estimate) return tradeUsd === 0n ? [] : [text`${madeText(tradeUsd)} by that, without fees and funding`]
  const at = exitPrice === null ? '' : text` at ${priceFigure(toNumber(exitPrice))}`
  const fees = feesUsd === null ? 'without fees and funding' : text`${feesText(feesUsd)}, without funding`
  return [text`${aboutText(toNumber(tradeUsd - (feesUsd ?? 0n)))} by that: an estimate${at}, ${fees}`]
}
