import { z } from 'zod'

import { toNumber } from '../amount.ts'
import { command } from '../command.ts'
import { percent, price } from '../lib/format.ts'
import { item, message } from '../message.ts'

/** Says what this is and what to do first, with something alive from the venue. */
export default command({
  name: 'start',
  summary: 'says what I am and what to do first',
  examples: ['/start'],
  args: z.object({}),
  async run({ introduction, read, view, person }) {
    const lines = [
      ...introduction,
      ...(view.watches(person.id).length > 0
        ? [`I watch ${view.watches(person.id).length} of your wallets: /positions, /alerts.`]
        : introduction.length > 0
          ? []
          : ['Tell me a wallet: /watch 0x… and a label. /help shows the rest.']),
    ]
    const markets = await read.markets()
    return message([
      item(
        'plain',
        'Perch warns you before a position is liquidated. It only reads; it cannot touch funds.',
        lines,
      ),
      item(
        'plain',
        markets.is === 'read'
          ? `Live: ${ticker([...markets.reading.value.values()])}`
          : `I cannot see the venue yet: ${markets.why}`,
      ),
    ])
  },
})

const SHOWN = 3

function ticker(
  markets: { symbol: string; price: bigint; price24hAgo: bigint | null; volume24hUsd: bigint | null }[],
): string {
  const busiest = markets.toSorted((a, b) => Number((b.volume24hUsd ?? 0n) - (a.volume24hUsd ?? 0n)))
  return busiest
    .slice(0, SHOWN)
    .map(({ symbol, price: now, price24hAgo }) => {
      const move =
        price24hAgo === null || price24hAgo === 0n ? null : toNumber(now) / toNumber(price24hAgo) - 1
      return `${symbol} ${price(toNumber(now))}${move === null ? '' : ` (${move >= 0 ? '+' : ''}${percent(move)} in 24 h)`}`
    })
    .join(', ')
}
