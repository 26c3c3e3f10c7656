import { z } from 'zod'

import { eventKind } from '../../alert/define-kind.ts'
import type { WalletSubject } from '../../alert/subject.ts'
import { escaped } from '../../lib/text/escape.ts'
import { item, text, words } from '../../message/message.ts'
import { entryText, positionKey, side, sizeText } from '../../venue/position.ts'
import { OTHER_ACCOUNTS } from '../../venue/venue.ts'
import { positionLines } from '../shared/lines.ts'

/** Alerts when a wallet opens a position. */
export default eventKind({
  name: 'position-opened',
  aliases: ['opened'],
  summary: words('kind.opened.summary'),
  example: 'position-opened',
  on: 'wallet',
  params: z.object({}),
  armedByWatch: {},
  severity: 'info',
  detect: (_params, state: string[] | undefined, subject) => openings(state, subject),
  tell(_params, { detail: position }, subject) {
    const market = subject.market(position.marketId)
    const symbol = subject.symbol(position.marketId)
    return item('info', words('kind.opened.title', { market: symbol, side: side(position) }), [
      text`${sizeText(position, symbol, market?.price ?? null)} · ${entryText(position)}`,
      ...positionLines(position, subject),
    ])
  },
})

/** Finds the positions that are open now and were not. The state knows those that were. */
export function openings(state: string[] | undefined, subject: WalletSubject) {
  const known = new Set(state)
  const markOf = (accountId: string) => `${subject.wallet}/${escaped(accountId)}`
  const isNamed = (accountId: string) =>
    state?.some((key) => key.startsWith(`${markOf(accountId)}/`)) === true
  // Positions of an account's first read are not news. The state marks an account until it has been read
  // once.
  const isNew = (accountId: string) =>
    !state ||
    subject.isFirst?.(accountId) === true ||
    known.has(markOf(accountId)) ||
    (known.has(markOf(OTHER_ACCOUNTS)) && !isNamed(accountId))
  const opened = subject.positions.filter((position) => {
    const key = positionKey(position)
    // The alert about its end is corrected instead.
    const isKnown = subject.returned.includes(key) || subject.renamed.includes(key)
    return !known.has(key) && !isNew(position.accountId) && !isKnown
  })
  return {
    isIdempotent: true,
    state: [...subject.positions.map(positionKey), ...subject.failedParts.filter(isNew).map(markOf)].sort(),
    occurrences: opened.map((position) => ({
      what: 'opened',
      value: null,
      position: positionKey(position),
      detail: position,
    })),
  }
}
