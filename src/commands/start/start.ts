import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command, isAtTerminal } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { price } from '../../message/figure.ts'
import { item, joined, message, type Message, say, text, type Text, words } from '../../message/message.ts'
import { fullAnswer } from '../../people/cell.ts'
import { STRANGER } from '../../people/person.ts'
import { toNumber } from '../../venue/amount.ts'
import { freshnessOf, freshnessText } from '../shared/readings.ts'
import { go } from '../shared/pages.ts'
import { firstPlaces, homeOf, PASTE, PROMISE } from './menu.ts'

const MAX_SHOWN_MARKETS = 2

/** Introduces Perch and the first step; accepts an invitation code. */
export default command({
  name: 'start',
  summary: words('menu.start'),
  examples: ['/start', '/start ABCD-EFGH-JKLM'],
  who: 'stranger',
  args: z.object({ code: argument.code().optional() }),
  async run(context, { code }) {
    const { person, view } = context
    if (code !== undefined && context.from.tellsNobody)
      return say(words('dialog.chat-alone', { command: 'start' }))
    if (code !== undefined) return enter(context, code)
    if (person.id === 0) return context.isFull ? fullAnswer(context.nextCell) : say(STRANGER)
    return view.watches(person.id).length > 0 ? homeOf(context) : welcome(context, PROMISE)
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
  const person = context.view.person(by)
  const entered = person === null ? context : { ...context, person, reader: context.reader }
  return claims
    ? welcome(entered, words('home.operator'), [PROMISE])
    : welcome(entered, words('home.welcome'), [PROMISE])
}

/** A venue may end a sentence of its introduction with a line to try. */
const LINE_TO_TRY = /: (\/.+)$/

/** The next step where no wallet is watched: nothing else works before it. */
async function welcome(context: Context, title: Text, lines: Text[] = []): Promise<Message> {
  const { introduction } = context
  const isTerminal = isAtTerminal(context.commands)
  const next = isTerminal && introduction.length > 0 ? introduction : [PASTE]
  const prices = lines.length === 0 ? await priceLines(context) : []
  const places = firstPlaces(context)
  // A chat has little room for sentences, and a button for the line to try.
  const tries = introduction.flatMap((one) => LINE_TO_TRY.exec(one)?.[1] ?? [])
  const buttons = [...tries.map((line) => go(words('home.button.demo'), line)), ...places.buttons]
  return message([item('plain', title, [...lines, ...next, ...prices])], {
    ...places,
    buttons: isTerminal ? [] : buttons,
  })
}

/** Shows that the venue is read: the prices of its largest markets. */
async function priceLines({ read, reader }: Context): Promise<Text[]> {
  const markets = await read.markets()
  if (markets.is === 'unseen') return [words('home.no-venue', { why: markets.why })]
  const largest = [...markets.reading.value.values()]
    .toSorted((a, b) => Number((b.volume24hUsd ?? 0n) - (a.volume24hUsd ?? 0n)))
    .slice(0, MAX_SHOWN_MARKETS)
  const each = largest.map((market) => text`${market.symbol} ${price(toNumber(market.price))}`)
  if (each.length === 0) return []
  const prices = joined(each, ', ')
  return markets.late === null
    ? [words('home.live', { prices })]
    : [words('home.last-seen', { prices }), freshnessText(freshnessOf(markets), reader.now)]
}
