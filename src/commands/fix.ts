import { z } from 'zod'

import { argument } from '../argument.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { item, joined, message, say } from '../message.ts'
import type { Button, Item, Message, Text } from '../message.ts'
import type { Owner } from '../owner.ts'
import { keyOfSide, positionKey } from '../position.ts'
import { closingLines, marginLine } from '../costs.ts'
import { closingsOf } from '../rescue.ts'
import type { Closing } from '../rescue.ts'
import { withHeld } from './words/in-view.ts'
import { positionItem, worstFirst } from './words/positions.ts'
import type { ShownPosition } from './words/positions.ts'
import { blindItems, freshness, gaps, troubles } from './words/readings.ts'
import { noWallet, walletReference } from './words/wallets.ts'

/** Others that a button leads to. */
const MOST_OTHERS = 3

interface Asked {
  alert?: number | undefined
  wallet?: Owner | undefined
  market?: string | undefined
}

/** Shows what each way to bring a position away from liquidation would cost; which one to take is not ours to say. */
export default command({
  name: 'fix',
  aliases: ['rescue'],
  summary: 'shows what bringing a position away from liquidation would cost: margin, or closing a part',
  examples: ['/fix', '/fix ETH', '/fix main ETH'],
  args: z.object({
    alert: argument.alert().optional(),
    wallet: argument.wallet().optional(),
    market: argument.market().optional(),
  }),
  run: (context, asked) => fix(context, asked),
})

async function fix(context: Context, asked: Asked): Promise<Message> {
  const { person, view, recall } = context
  const alert = asked.alert === undefined ? null : await recall.alert(asked.alert)
  if (asked.alert !== undefined && alert?.personId !== person.id)
    return say(`You have no alert A${asked.alert}. /history lists the last ones.`)
  const subject = alert?.subject ?? null
  if (subject && subject.is !== 'position')
    return say(`A${asked.alert} is not about one position. Name one, such as /fix ETH`)
  const all = view.watches(person.id)
  const owner = subject?.owner ?? asked.wallet
  const watches = all.filter((watch) => owner === undefined || watch.owner === owner)
  if (watches.length === 0) return noWallet()
  const key = subject && keyOfSide(subject, subject.side)
  const { held, missing } = await holdings(context, watches)
  const wanted = worstFirst(held).filter(({ position }) =>
    key === null
      ? asked.market === undefined || position.marketId === asked.market
      : positionKey(position) === key,
  )
  const [worst, ...others] = wanted
  if (!worst) {
    const where = asked.market === undefined ? '' : ` in ${view.symbol(asked.market)}`
    const what =
      key === null
        ? `No open position${where}: there is nothing to bring away from liquidation`
        : `The position of A${asked.alert} is not open any more`
    const none = missing.length > 0 ? [] : [item('plain', what)]
    return message([...blindItems(missing), ...none], {
      buttons: [{ label: 'Positions', line: '/positions', replace: false }],
    })
  }
  const line = (one: ShownPosition) => `/fix ${walletReference(one.position.owner, all)} ${one.symbol}`
  const again = asked.alert === undefined ? line(worst) : `/fix A${asked.alert}`
  const { items, notes } = await ways(context, worst)
  return message([...blindItems(missing), positionItem(worst, context.reader.now), ...items], {
    footnote: joined([...notes, 'nothing was placed: I cannot trade'], '; '),
    buttons: [{ label: 'Refresh', line: again, replace: true }, ...leadingTo(others, line, line(worst))],
  })
}

async function holdings(
  context: Context,
  watches: readonly { owner: Owner; label: string }[],
): Promise<{ held: ShownPosition[]; missing: Text[] }> {
  const { read, view, reader } = context
  // What is acted on is read anew; where many wallets are looked through that would take as many requests.
  const how = watches.length === 1 ? 'anew' : undefined
  const [markets, answers] = await Promise.all([
    read.markets(),
    Promise.all(watches.map(async (watch) => ({ watch, found: await read.positions(watch.owner, how) }))),
  ])
  const seen = answers.flatMap(({ found }) => (found.is === 'read' ? found.reading.value.positions : []))
  const known = await withHeld(context, markets, seen)
  const missing = troubles('prices', markets, reader.now)
  const held = answers.flatMap(({ watch, found }): ShownPosition[] => {
    missing.push(...troubles(watch.label, found, reader.now))
    if (found.is === 'unseen') return []
    const gap = gaps(found.reading.value)
    if (gap !== null) missing.push(`${watch.label}: ${gap}`)
    return found.reading.value.positions.map((position) => {
      const market = known.get(position.marketId)
      return {
        position,
        market,
        symbol: market?.symbol ?? view.symbol(position.marketId),
        wallet: watch.label,
      }
    })
  })
  return { held, missing }
}

/** What added margin and what closing would do, as far as that can be told now. */
async function ways(
  { read, reader }: Context,
  { position, market }: ShownPosition,
): Promise<{ items: Item[]; notes: Text[] }> {
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
  const margin = marginLine(position, market)
  const [head = '', ...lines] = closingLines(position, market, quotes, first?.reading.at ?? reader.now)
  return {
    items: [
      ...(margin === null ? [] : [item('plain', margin)]),
      ...(quotes.length === 0 ? [] : [item('plain', head, lines)]),
      ...(unseen === undefined
        ? []
        : [
            item('blind', quotes.length === 0 ? 'The venue gave no preview' : 'Not all previews came', [
              unseen,
            ]),
          ]),
    ],
    notes: first ? [freshness(first, reader.now)] : [],
  }
}

function leadingTo(
  others: readonly ShownPosition[],
  line: (one: ShownPosition) => string,
  shown: string,
): Button[] {
  const lines = new Map(others.map((one) => [line(one), one]))
  lines.delete(shown)
  return [...lines]
    .slice(0, MOST_OTHERS)
    .map(([to, { symbol, wallet }]) => ({ label: `${symbol} · ${wallet}`, line: to, replace: true }))
}
