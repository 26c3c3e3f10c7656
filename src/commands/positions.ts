import { z } from 'zod'

import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { item, message, say } from '../message.ts'
import type { Item } from '../message.ts'
import { freshness, gaps, positionItem, worstFirst } from './words/positions.ts'

/** Shows the open positions of one wallet or of all, the nearest to liquidation first. */
export default command({
  name: 'positions',
  aliases: ['pos', 'p'],
  summary: 'shows your positions, the nearest to liquidation first',
  examples: ['/positions', '/positions main'],
  args: z.object({ wallet: argument.wallet().optional() }),
  async run({ person, view, read, reader }, { wallet }) {
    const watches = view.watches(person.id).filter(({ owner }) => wallet === undefined || owner === wallet)
    if (watches.length === 0)
      return say('I watch no wallet for you yet. Add one with /watch 0x… and a label.')
    const markets = await read.markets()
    const answers = await Promise.all(
      watches.map(async (watch) => ({ watch, found: await read.positions(watch.owner) })),
    )
    const items: Item[] = []
    const notes: string[] = []
    for (const { watch, found } of answers) {
      if (found.is === 'unseen') {
        notes.push(`${watch.label}: ${freshness(found, reader.now)}`)
        continue
      }
      const { positions } = found.reading.value
      const missing = gaps(found.reading.value)
      if (missing !== null) notes.push(`${watch.label}: ${missing}`)
      if (positions.length === 0 && missing === null)
        items.push(item('plain', `${watch.label}: no open position`))
      for (const position of worstFirst(positions, view)) {
        items.push(positionItem(position, view.markets().get(position.marketId), watch.label))
      }
      notes.push(`${watch.label} ${freshness(found, reader.now)}`)
    }
    if (markets.is === 'unseen' || markets.late !== null)
      notes.push(`prices: ${freshness(markets, reader.now)}`)
    return message(items, {
      footnote: notes.join('; '),
      buttons: [
        {
          label: 'Refresh',
          line: wallet === undefined ? '/positions' : `/positions ${wallet}`,
          replace: true,
        },
      ],
    })
  },
})
