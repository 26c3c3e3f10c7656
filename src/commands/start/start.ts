import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { price, signedPercent } from '../../message/figure.ts'
import { item, joined, type Message, message, say, type Text, text } from '../../message/message.ts'
import { STRANGER } from '../../people/person.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { move24h } from '../look/market-lines.ts'
import { count } from '../shared/pages.ts'
import { freshnessOf, freshnessText } from '../shared/readings.ts'

const MAX_SHOWN_MARKETS = 3

/** Introduces Perch and the first steps; accepts an invitation code. */
export default command({
  name: 'start',
  summary: 'says what I am and what to do first; takes an invitation',
  examples: ['/start', '/start ABCD-EFGH-JKLM'],
  who: 'stranger',
  args: z.object({ code: argument.code().optional() }),
  async run(context, { code }) {
    const { person } = context
    if (code !== undefined) return enter(context, code)
    return person.id === 0 ? say(STRANGER) : welcome(context)
  },
})

async function enter(context: Context, code: string): Promise<Message> {
  const { change, from, isClaim } = context
  const { by, home } = from
  const claims = isClaim(code)
  const { refused } = claims
    ? await change({ is: 'meet', by, home, as: 'operator' })
    : await change({ is: 'redeem', code, by, home })
  if (refused !== null) return say(refused)
  const first = claims
    ? 'You are the operator of this Perch now. /invite lets others in.'
    : 'Welcome: you are in.'
  return say(
    first,
    'Perch warns you before a position is liquidated. It only reads; it cannot touch funds.',
    'Tell me a wallet: /watch 0x… and a label. /help shows the rest.',
  )
}

async function welcome(context: Context): Promise<Message> {
  const { introduction, read, view, person } = context
  const watched = view.watches(person.id).length
  const next =
    watched > 0
      ? [`I watch ${count(watched, 'wallet')} for you: /positions, /alerts.`]
      : introduction.length > 0
        ? []
        : ['Tell me a wallet: /watch 0x… and a label. /help shows the rest.']
  const markets = await read.markets()
  return message([
    item('plain', 'Perch warns you before a position is liquidated. It only reads; it cannot touch funds.', [
      ...introduction,
      ...next,
    ]),
    markets.is === 'unseen'
      ? item('blind', `I cannot see the venue now: ${markets.why}`)
      : item(
          'plain',
          text`${markets.late === null ? 'Live' : 'Last seen'}: ${ticker([...markets.reading.value.values()])}`,
          markets.late === null ? [] : [freshnessText(freshnessOf(markets), context.reader.now)],
        ),
  ])
}

function moveShort(market: Market): Text {
  const move = move24h(market)
  return move === null ? '' : text` (${signedPercent(move)} in 24 h)`
}

function ticker(markets: Market[]): Text {
  const largest = markets
    .toSorted((a, b) => Number((b.volume24hUsd ?? 0n) - (a.volume24hUsd ?? 0n)))
    .slice(0, MAX_SHOWN_MARKETS)
  const each = largest.map(
    (market) => text`${market.symbol} ${price(toNumber(market.price))}${moveShort(market)}`,
  )
  return joined(each, ', ')
}
