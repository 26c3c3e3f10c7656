import type { Alert } from '../../alert/alert.ts'
import { signedUsd, usd } from '../../message/figure.ts'
import { joined, type Text, text, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { type CloseOutcome, realisedUsd } from '../../venue/close-outcome.ts'
import { feesText, madeText } from '../../venue/closed-position.ts'

/** `made $196, $4.00 fee included`. Says so if the result is unknown. */
export function broughtText(closing: CloseOutcome): Text {
  const { feesUsd, estimate } = closing
  const realised = realisedUsd(closing)
  if (realised === null) return words('history.unknown')
  const result = toNumber(realised)
  const made = estimate
    ? words('history.about', { verb: result < 0 ? 'lost' : 'made', money: usd(Math.abs(result)) })
    : madeText(realised)
  if (feesUsd === null) return words('history.no-fees', { result: made })
  return feesUsd === 0n ? made : text`${made}, ${feesText(feesUsd)}`
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
  const doubts = [
    ...(estimates > 0 ? [words('history.estimated', { estimates })] : []),
    ...(known.length < ends.length
      ? [words('history.uncounted', { missing: ends.length - known.length })]
      : []),
  ]
  const said = { closes: ends.length, money: signedUsd(toNumber(total)) }
  return doubts.length === 0
    ? words('history.total', said)
    : words('history.total-doubt', { ...said, doubts: joined(doubts, ', ') })
}
