import { z } from 'zod'

import { eventKind } from '../../alert/define-kind.ts'
import type { WalletSubject } from '../../alert/subject.ts'
import { age } from '../../message/figure.ts'
import { item, joined, type Text, text, words } from '../../message/message.ts'
import { doneTexts, limitTexts, type Twap, twapDid, twapOrder } from '../../venue/record/twap.ts'
import { oldText } from '../../venue/reading.ts'
import { awayLines, bearsOn } from './order-lines.ts'
import { followTwaps, leavesOpen, type State, type TwapNews } from './twap-news.ts'

/** The most TWAPs of one item: more lines would not fit. */
const MAX_NAMED_TWAPS = 3

/** Alerts when a TWAP starts, finishes, or ends otherwise, with the venue's reason. */
export default eventKind({
  name: 'twap',
  aliases: ['twaps'],
  summary: words('kind.twap.summary'),
  example: 'twap',
  on: 'wallet',
  reads: 'twaps',
  params: z.object({}),
  detect(_params, state: State | undefined, subject) {
    const { now, news } = followTwaps(state, subject)
    const groups = [...Map.groupBy(news, ({ what, twap }) => `${what} ${twap.marketId}`).values()]
    return {
      state: now,
      occurrences: groups.flatMap((group) => {
        const [first] = group
        if (first === undefined) return []
        const twaps = group.map(({ twap }) => twap)
        return [
          {
            ...{ what: first.what, value: null, position: null, bearsOn: bearsOn(twaps, subject) },
            detail: { is: first.what, twaps, leavesOpen: group.some((one) => leavesOpen(one, subject)) },
          },
        ]
      }),
    }
  },
  // A trader who counts on a TWAP to close a position must know.
  severity: (_params, { detail }) => (detail.is === 'failed' || detail.leavesOpen ? 'warning' : 'info'),
  tell(_params, { detail }, subject) {
    const { is: what, twaps, leavesOpen: stays } = detail
    const symbol = subject.symbol(twaps[0]?.marketId ?? '')
    const [only] = twaps
    const title =
      only && twaps.length === 1
        ? titleOf(only, what, symbol)
        : words('kind.twap.many', { market: symbol, twaps: twaps.length, what })
    return item(what === 'failed' || stays ? 'warning' : 'info', title, [
      ...linesOf(twaps, what, symbol),
      ...(stays ? [words('kind.expired.still-open')] : []),
      readLine(subject),
      ...awayLines(subject),
    ])
  },
})

/** `ETH TWAP finished: sold 12 ETH at $3,412 on average`, `BTC TWAP failed at 41%`. */
function titleOf(twap: Twap, what: TwapNews['what'], market: Text): Text {
  if (what === 'started') return words('kind.twap.started', { market, order: twapOrder(twap, market) })
  if (what === 'finished') return words('kind.twap.finished', { market, did: twapDid(twap, market) })
  return words('kind.twap.ended', { market, what })
}

function linesOf(twaps: readonly Twap[], what: TwapNews['what'], market: Text): Text[] {
  const isAlone = twaps.length === 1
  const lines = twaps.slice(0, MAX_NAMED_TWAPS).flatMap((twap) => {
    if (what === 'started') {
      const parts = [words('kind.twap.over', { span: age(twap.durationMs) }), ...limitTexts(twap)]
      return [joined(isAlone ? parts : [twapOrder(twap, market), ...parts], ' · ')]
    }
    const isWhole = what === 'finished' && isAlone
    const parts = [...(isWhole ? [] : [twapDid(twap, market)]), ...doneTexts(twap)]
    const why = twap.why === null ? [] : [words('kind.order.why', { why: twap.why })]
    return [joined(parts, ' · '), ...why]
  })
  const more = twaps.length - MAX_NAMED_TWAPS
  return more > 0 ? [...lines, words('kind.more', { more })] : lines
}

function readLine({ label, now, twaps }: WalletSubject): Text {
  const old = twaps === undefined ? null : oldText(now - twaps.at)
  return old === null ? label : text`${label} · ${words('kind.what.twaps')} ${old}`
}
