import { z } from 'zod'

import { argument, typedSize } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { item, type Message, message, say, text } from '../../message/message.ts'
import { accountReference } from '../../venue/wallet.ts'
import { blindItems, freshness, troubles } from '../shared/readings.ts'
import { referenceAmong } from '../shared/wallet-names.ts'
import { type Asked, draftOf, previewItem, sameDraft } from './preview-lines.ts'

/** When the positions have taken longer than this, a person waits no second time: they are asked to ask again. */
const SLOW_MS = 2_000

/** Shows what an order would do, before anybody places it. */
export default command({
  name: 'preview',
  summary: 'shows what an order would do, before you place it',
  examples: ['/preview main ETH -2', '/preview main BTC $5k', '/preview main BTC -50%'],
  args: z.object({
    wallet: argument.wallet(),
    market: argument.market(),
    size: argument.size(),
    account: argument.account().optional(),
  }),
  run: (context, asked) => preview(context, asked),
})

async function preview(context: Context, asked: Asked): Promise<Message> {
  const { person, view, read, reader } = context
  const { wallet, market: marketId, size } = asked
  const watches = view.watches(person.id)
  const inView = view.markets().get(marketId)
  const sought = inView ? null : await read.market(marketId)
  const known = inView ?? (sought?.is === 'read' ? sought.reading.value : null)
  if (!known) return say(`I cannot see ${view.symbol(marketId)} now. Try again shortly.`)
  const start = reader.now
  // What was last seen tells what to ask, so that both questions go out at once.
  const guess = draftOf(asked, view.positions(wallet)?.value ?? [], known)
  const early = guess.is === 'draft' ? read.preview(guess.draft) : null
  const [owned, markets] = await Promise.all([read.positions(wallet, 'anew'), read.markets()])
  if (owned.is === 'unseen') {
    await early
    return message([item('blind', 'I cannot see that wallet now', [owned.why])])
  }
  const market = (markets.is === 'read' ? markets.reading.value.get(marketId) : undefined) ?? known
  const { positions } = owned.reading.value
  // Dollars are turned into units at one price, the one that was asked with.
  const drafted = draftOf(asked, positions, known)
  const words = (account?: string) =>
    [
      '/preview',
      referenceAmong(wallet, watches),
      market.symbol,
      typedSize(size),
      ...(account === undefined ? [] : [accountReference(account)]),
    ].join(' ')
  if (drafted.is === 'which') {
    const { accounts, why } = drafted
    return message([item('plain', why)], {
      buttons: accounts.map(({ digits, holds }) => ({
        label: `…${digits}${holds === '' ? '' : `: ${holds}`}`,
        line: words(digits),
        replace: true,
      })),
    })
  }
  if (drafted.is === 'refused') return say(drafted.why)
  const same = guess.is === 'draft' && sameDraft(guess.draft, drafted.draft)
  if (!same && context.reader.now - start > SLOW_MS) {
    const again = { label: 'Again', line: words(asked.account), replace: true }
    return message(
      [item('plain', 'The venue is slow, and I have the positions only now. Once more, please.')],
      { buttons: [again] },
    )
  }
  const found = same && early ? await early : await read.preview(drafted.draft)
  const { now } = context.reader
  if (found.is === 'unseen') return message([item('blind', 'The venue gave no preview', [found.why])])
  const late = [...troubles('position', owned, now), ...troubles(`${market.priceName} price`, markets, now)]
  return message([...blindItems(late), previewItem(found.reading.value, drafted, market)], {
    footnote: text`${freshness(found, now)}; nothing was placed: I cannot trade`,
    buttons: [{ label: 'Refresh', line: words(asked.account), replace: true }],
  })
}
