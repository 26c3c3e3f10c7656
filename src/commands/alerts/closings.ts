import type { Alert } from '../../alert/alert.ts'
import { signedUsd, usd } from '../../message/figure.ts'
import { type Text, text } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { type CloseOutcome, realisedUsd } from '../../venue/close-outcome.ts'
import { madeText } from '../../venue/closed-position.ts'
import { count } from '../shared/pages.ts'

/** `made $196, fee of $4.00 taken off`. Says so if the result is unknown. */
export function broughtText(closing: CloseOutcome): Text {
  const { feesUsd, estimate } = closing
  const realised = realisedUsd(closing)
  if (realised === null) return 'what it brought is not known'
  const result = toNumber(realised)
  const made = estimate
    ? text`${result < 0 ? 'lost' : 'made'} about ${usd(Math.abs(result))}`
    : madeText(realised)
  if (feesUsd === null) return text`${made} without fees`
  return feesUsd === 0n ? made : text`${made} after fees of ${signedFee(feesUsd)}`
}

function signedFee(fees: bigint) {
  return fees < 0n ? signedUsd(toNumber(fees)) : usd(toNumber(fees))
}

/** Removes duplicates: one close may have been reported in several chats. */
export function endsIn(alerts: readonly Alert[]): CloseOutcome[] {
  const ends = new Map<string, CloseOutcome>()
  for (const { closing, openedAt, closedAt, subject } of alerts) {
    if (closing === null) continue
    const { accountId, marketId, side, endedAt, how } = closing
    const wallet = 'wallet' in subject ? subject.wallet : ''
    // A partial close and the rest may be reported at the same time.
    const part = how === 'reduced'
    ends.set([wallet, accountId, marketId, side, part, endedAt ?? closedAt ?? openedAt].join(' '), closing)
  }
  return [...ends.values()]
}

/** The sum of these closes, with how much of it is an estimate and how many have no known result. */
export function totalText(ends: readonly CloseOutcome[]): Text {
  const known = ends.filter((one) => realisedUsd(one) !== null)
  const total = known.reduce((sum, one) => sum + (realisedUsd(one) ?? 0n), 0n)
  const estimates = known.filter(({ estimate }) => estimate).length
  const parts = [
    ...(estimates > 0 ? [`${estimates} of them estimated`] : []),
    ...(known.length < ends.length ? [`${ends.length - known.length} not known and not counted`] : []),
  ]
  const doubt = parts.length === 0 ? '' : ` (${parts.join(', ')})`
  return text`${count(ends.length, 'close')}: ${signedUsd(toNumber(total))} in all${doubt}, funding not counted`
}
