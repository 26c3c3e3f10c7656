import type { Account } from '../../account.ts'
import type { Context } from '../../context.ts'
import { accountClosingLines, accountMarginLine, closingLines, marginLine } from '../../costs.ts'
import { item } from '../../message.ts'
import type { Item, Text } from '../../message.ts'
import { closingsOf } from '../../rescue.ts'
import type { Closing } from '../../rescue.ts'
import { marketOf } from './positions.ts'
import type { ShownPosition } from './positions.ts'
import { freshness } from './readings.ts'

/** What added margin and what closing would do to a position, or to its account as a whole, as far as that can be told now. */
export async function ways(
  { read, reader }: Context,
  shown: ShownPosition,
  account: Account | null,
): Promise<{ items: Item[]; notes: Text[] }> {
  const { position } = shown
  const market = marketOf(shown)
  if (!market) return { items: [item('blind', 'Without its price I can work nothing out')], notes: [] }
  const ask = async (closing: Closing) => ({ closing, found: await read.preview(closing.draft) })
  const [half, ...others] = closingsOf(position)
  // What the first has to find out costs the others nothing; where it fails they would, too.
  const tried = half ? [await ask(half)] : []
  const isSeen = tried.every(({ found }) => found.is === 'read')
  const asked = [...tried, ...(isSeen ? await Promise.all(others.map(ask)) : [])]
  const quotes = asked.flatMap(({ closing, found }) =>
    found.is === 'read' ? [{ ...closing, preview: found.reading.value }] : [],
  )
  const [unseen] = asked.flatMap(({ found }) => (found.is === 'unseen' ? [found.why] : []))
  const [first] = asked.flatMap(({ found }) => (found.is === 'read' ? [found] : []))
  const margin = account ? accountMarginLine(account) : marginLine(position, market)
  const closed = { position, market, at: first?.reading.at ?? reader.now }
  const [head = '', ...lines] = (account ? accountClosingLines : closingLines)(closed, quotes)
  const lacking = quotes.length === 0 ? 'The venue gave no preview' : 'Not all previews came'
  return {
    items: [
      ...(margin === null ? [] : [item('plain', margin)]),
      ...(quotes.length === 0 ? [] : [item('plain', head, lines)]),
      ...(unseen === undefined ? [] : [item('blind', lacking, [unseen])]),
    ],
    notes: first ? [freshness(first, reader.now)] : [],
  }
}
