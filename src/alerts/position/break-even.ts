import { z } from 'zod'

import type { Bounds } from '../../alert/alert.ts'
import { eventKind } from '../../alert/define-kind.ts'
import type { PositionSubject } from '../../alert/subject.ts'
import { argument } from '../../chat/argument.ts'
import { percentTyped } from '../../lib/text/quantity.ts'
import { price as priceFigure, signedUsd, threshold } from '../../message/figure.ts'
import { type Item, item, text, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { awayText } from '../../venue/closed-position.ts'
import { type Position, positionKey, side, sizeText } from '../../venue/position.ts'
import { liveText, oldText } from '../../venue/reading.ts'

/** A fraction of the price. Prices hover by less, so each crossing makes one alert. */
const DEAD_BAND = 0.003

/** The side of break-even on which the position was last beyond the dead band. */
type State = 'gain' | 'loss'

/** Alerts when a position crosses its break-even price, either way. */
export default eventKind({
  name: 'break-even',
  aliases: ['breakeven', 'even'],
  summary: words('kind.even.summary'),
  example: 'break-even ETH',
  on: 'position',
  params: z.object({
    /** How far past break-even the price must be, as a fraction. */
    band: argument
      .percent(undefined, words('arg.break-even.band'))
      .refine((band) => band >= 0 && band <= 0.1, 'check.break-even')
      .default(DEAD_BAND),
  }),
  describe: ({ band }) => words('kind.even.line', { band: threshold(band) }),
  typed: ({ band }) => percentTyped(band),
  figure: (price) => words('kind.even.figure', { price: priceFigure(price) }),
  merge: (all) => ({ band: Math.min(...all.map(({ band }) => band)) }),
  severity: 'info',
  detect({ band }, state: State | null | undefined, subject) {
    const { position, price, market } = subject
    const known = evenPrice(position)
    if (known === null) return { state: state ?? null, occurrences: [] }
    const even = toNumber(known)
    const isLong = side(position) === 'long'
    // The first reading sets the side. A crossing must pass the band.
    const before: State = state ?? ((isLong ? price >= even : price <= even) ? 'gain' : 'loss')
    const { falls, at } = turn(before, isLong, even, band)
    // Prices of a delisted market do not count. Without a band, break-even itself would be on both sides.
    const isTurned = !market.delisted && price !== even && (falls ? price <= at : price >= at)
    const now: State = isTurned ? (before === 'gain' ? 'loss' : 'gain') : before
    const next = turn(now, isLong, even, band)
    const stableWithin: Bounds = { of: 'price', ...(next.falls ? { below: next.at } : { above: next.at }) }
    return { state: now, occurrences: isTurned ? [occurrence(now, subject)] : [], stableWithin }
  },
  tell: (_params, { detail }, subject) => tell(detail, subject),
})

/** Includes the closing fee if the venue shows it, else only the entry price. Null: it shows neither. */
function evenPrice({ breakEvenPrice, entryPrice }: Position): bigint | null {
  return breakEvenPrice ?? entryPrice
}

function occurrence(to: State, { position, price }: PositionSubject) {
  return {
    what: to === 'gain' ? 'past it' : 'behind it',
    value: price,
    position: positionKey(position),
    detail: to,
  }
}

/** The price that crosses to the other side, and whether the price must fall to it. */
function turn(from: State, isLong: boolean, even: number, band: number): { falls: boolean; at: number } {
  const falls = (from === 'gain') === isLong
  return { falls, at: even * (falls ? 1 - band : 1 + band) }
}

function tell(to: State, { position, market, price, label, now, ...times }: PositionSubject): Item {
  const even = evenPrice(position) ?? 0n
  const money = signedUsd(toNumber(position.size) * (price - toNumber(even)))
  const of = position.breakEvenPrice === null ? 'entry' : 'even'
  const old = oldText(now - Math.min(times.marketAt, times.positionAt))
  const name = words('shown.position', { symbol: market.symbol, side: side(position) })
  return {
    ...item('info', words('kind.even.title', { position: name, to, of, money }), [
      text`${sizeText(position, market.symbol, market.price)} · ${label}`,
      words('kind.even.prices', { price: priceFigure(price), of, even: priceFigure(toNumber(even)) }),
      ...(old === null ? [] : [old]),
      ...(times.awaySince === null ? [] : [awayText(times.awaySince, now)]),
    ]),
    details: [
      words('kind.even.basis', { kind: market.priceName, of }),
      words('kind.even.closing', { money }),
      words('danger.ages', {
        price: liveText(now - times.marketAt),
        position: liveText(now - times.positionAt),
      }),
    ],
  }
}
