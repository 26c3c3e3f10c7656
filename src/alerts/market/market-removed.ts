import { z } from 'zod'

import { eventKind } from '../../alert/define-kind.ts'
import { item, words } from '../../message/message.ts'
import { type KnownMarkets, listedSince } from '../../venue/listing.ts'
import { side, sizeText } from '../../venue/position.ts'
import { listingLines, listingTitle } from './listing-lines.ts'

/** The most positions of one item: more lines would not fit. */
const MAX_NAMED_POSITIONS = 2

/** Alerts when a market is delisted, or missing from complete lists for long enough. */
export default eventKind({
  name: 'market-removed',
  aliases: ['removed', 'delisted', 'delisting', 'delistings'],
  summary: words('kind.removed.summary'),
  example: 'market-removed',
  on: 'venue',
  params: z.object({}),
  detect(_params, state: KnownMarkets | undefined, { dexes, held }) {
    const { known, removed } = listedSince(state ?? [], dexes)
    const positions = removed.flatMap(({ id, symbol }) => held(id).map((one) => ({ ...one, symbol })))
    const detail = { markets: removed, positions }
    const occurrences = [{ what: 'removed', value: removed.length, position: null, detail }]
    return { state: known, occurrences: removed.length > 0 ? occurrences : [] }
  },
  // A position in a removed market is settled, or can no longer be closed.
  severity: (_params, { detail: { positions } }) => (positions.length > 0 ? 'warning' : 'info'),
  tell(_params, { detail: { markets, positions } }, subject) {
    const held = positions.slice(0, MAX_NAMED_POSITIONS).map(({ position, label, symbol }) =>
      words('kind.removed.held', {
        ...{ side: side(position), wallet: label },
        size: sizeText(position, symbol, subject.market(position.marketId)?.price ?? null),
      }),
    )
    const more =
      positions.length > MAX_NAMED_POSITIONS
        ? [words('kind.more-positions', { more: positions.length - MAX_NAMED_POSITIONS })]
        : []
    const lines = [...held, ...more, ...listingLines(markets, subject)]
    const tone = positions.length > 0 ? 'warning' : 'info'
    const areDelisted = markets.every(({ id }) => subject.market(id)?.delisted)
    return item(tone, listingTitle(markets, areDelisted ? 'delisted' : 'removed'), lines)
  },
})
