import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { age, price as priceFigure, signedPercent } from '../../message/figure.ts'
import {
  type Button,
  item,
  joined,
  type Message,
  message,
  type Reader,
  say,
  type Text,
  words as phrase,
} from '../../message/message.ts'
import type { PublicPicture } from '../../message/picture.ts'
import { toNumber } from '../../venue/amount.ts'
import { side, type Side } from '../../venue/position.ts'
import { accountReference, accountsByDigits, type Wallet } from '../../venue/wallet.ts'
import { readWallets } from '../shared/last-seen.ts'
import { finite } from '../shared/open-position.ts'
import { ENTRIES_PER_PAGE } from '../shared/pages.ts'
import { coinName } from '../shared/venues/coin.ts'
import { marketOf, type ShownPosition, worstFirst } from '../shared/position-lines.ts'
import { DAY_MS, oldPart } from '../shared/position-picture.ts'
import { blindItems, type Missing } from '../shared/readings.ts'
import { NO_WALLET, type NoWallet, noWallet, referenceAmong } from '../shared/wallet-names.ts'

/** The record of prices goes back that far. */
const LONGEST_MS = 7 * DAY_MS
const SHORTEST_MS = 60_000

interface Asked {
  wallet?: Wallet | undefined
  market?: readonly string[] | undefined
  side?: Side | undefined
  account?: string | undefined
  how?: 'file' | undefined
}

/** A position with the line that means it alone. */
interface Choice {
  symbol: string
  side: Side
  wallet: string
  line: string
}

type CardReport =
  | NoWallet
  | { is: 'elsewhere' }
  | { is: 'nothing-open'; symbol: string | null; missing: readonly Missing[] }
  | { is: 'which'; choices: readonly Choice[]; missing: readonly Missing[] }
  | {
      is: 'card'
      picture: PublicPicture<Text>
      line: string
      /** The person wants no pictures. */
      isOff: boolean
      missing: readonly Missing[]
    }

/** Makes a picture of one position to show to others: no wallet, size or amount is in it. */
export default lookCommand({
  name: 'card',
  aliases: ['share'],
  summary: phrase('menu.card'),
  examples: ['/card ETH', '/card main ETH', '/card ETH file'],
  reach: 'chat',
  args: z.object({
    wallet: argument.wallet().optional(),
    market: argument.coin().optional(),
    side: argument.choice(['long', 'short'], phrase('share.side.asks')).optional(),
    account: argument.account().optional(),
    how: argument.choice(['file'], phrase('picture.how.asks')).optional(),
  }),
  ask,
  words: answer,
})

async function ask(context: Context, asked: Asked): Promise<CardReport> {
  const { from, person, view, reader } = context
  // Others read along there, and the picture would not come.
  if (!from.private) return { is: 'elsewhere' }
  const all = view.watches(person.id)
  const watches = all.filter(({ wallet }) => asked.wallet === undefined || wallet === asked.wallet)
  if (watches.length === 0) return NO_WALLET
  const { wallets, missing, positionsAt, pricesAt } = await readWallets(context, watches)
  const held = worstFirst(wallets.flatMap((one) => one.held)).filter(isMeant(asked))
  const [only, ...others] = held
  if (!only) {
    const symbol = asked.market === undefined ? null : coinName(view, asked.market)
    return { is: 'nothing-open', symbol, missing }
  }
  const lineOf = ({ position, symbol, exact = symbol }: ShownPosition) => {
    const line = ['/card', referenceAmong(position.wallet, all), exact, side(position)].join(' ')
    const same = held.filter((one) => one.position.wallet === position.wallet && isAlike(one, position))
    return same.length === 1 ? line : `${line} ${accountReference(position.accountId)}`
  }
  if (others.length > 0)
    return {
      is: 'which',
      choices: held.map((one) => {
        const { symbol, position, wallet } = one
        return { symbol, side: side(position), wallet, line: lineOf(one) }
      }),
      missing,
    }
  return {
    is: 'card',
    picture: {
      ...publicPicture(only, reader.now, { positionAt: positionsAt, priceAt: pricesAt }),
      ...(asked.how === 'file' && { asFile: true as const }),
    },
    line: lineOf(only),
    isOff: person.pictures === 'off',
    missing,
  }
}

function isAlike({ position }: ShownPosition, other: ShownPosition['position']): boolean {
  return position.marketId === other.marketId && side(position) === side(other)
}

function isMeant({ market, side: wanted, account }: Asked) {
  return ({ position }: ShownPosition) =>
    (market === undefined || market.includes(position.marketId)) &&
    (wanted === undefined || side(position) === wanted) &&
    (account === undefined || accountsByDigits([position.accountId], account).length > 0)
}

/** Nothing of the position goes into it but what others may know. */
export function publicPicture(
  held: ShownPosition,
  now: number,
  read: { priceAt: number | null; positionAt: number | null },
): PublicPicture<Text> {
  const { position, symbol } = held
  const market = marketOf(held)
  const { entryPrice, leverage, openedAt } = position
  const entry = entryPrice === null ? null : finite(toNumber(entryPrice))
  const price = market ? finite(toNumber(market.price)) : null
  const openMs = openedAt === null ? null : Math.max(now - openedAt, 0)
  const figures = {
    ...{ symbol, side: side(position), entry, price, priceName: market?.priceName ?? null },
    ...{ leverage, result: resultOf(side(position), entry, price, leverage), openMs },
  }
  return {
    ...{ is: 'public', market: position.marketId, ...figures, until: now },
    since: now - Math.min(Math.max(openMs ?? DAY_MS, SHORTEST_MS), LONGEST_MS),
    ...oldPart(now, { ...read, positionAt: held.seenAt ?? read.positionAt }),
    words: joined(
      [joined([titleOf(figures), ...factsOf(figures)], ' · '), [{ time: now, as: 'clock' }]],
      ', ',
    ),
  }
}

/** To a tenth of a percent, which is what people read. */
function resultOf(
  towards: Side,
  entry: number | null,
  price: number | null,
  leverage: number | null,
): number | null {
  if (entry === null || price === null || entry <= 0) return null
  const gain = ((price - entry) / entry) * (towards === 'long' ? 1 : -1) * (leverage ?? 1)
  return finite(Math.round(gain * 1_000) / 1_000)
}

type Figures = Pick<
  PublicPicture,
  'symbol' | 'side' | 'entry' | 'price' | 'priceName' | 'leverage' | 'result' | 'openMs'
>

/** `BTC long: +34.2% of its margin`. */
function titleOf({ symbol, side: towards, result, leverage }: Figures): Text {
  if (result === null) return phrase('share.unknown', { symbol, side: towards })
  const of = { symbol, side: towards, result: signedPercent(result) }
  return phrase(leverage === null ? 'share.of-entry' : 'share.of-margin', of)
}

/** `20x`, `entry $97,670`, `mark price $94,673`, `open for 3 d`; only what is known. */
function factsOf({ leverage, entry, price, priceName, openMs }: Figures): Text[] {
  return [
    ...(leverage === null ? [] : [`${leverage}x`]),
    ...(entry === null ? [] : [phrase('shown.entry', { price: priceFigure(entry) })]),
    ...(price === null
      ? []
      : [phrase('share.price', { name: priceName ?? 'mark', price: priceFigure(price) })]),
    ...(openMs === null ? [] : [phrase('shown.open-for', { age: age(openMs) })]),
  ]
}

function answer(report: CardReport, { now }: Reader): Message {
  switch (report.is) {
    case 'no-wallet':
      return noWallet()
    case 'elsewhere':
      return say(phrase('dialog.private', { command: 'card' }))
    case 'nothing-open':
      return nothingOpen(report, now)
    case 'which':
      return which(report, now)
    case 'card':
      return cardMessage(report, now)
  }
}

function nothingOpen({ symbol, missing }: Extract<CardReport, { is: 'nothing-open' }>, now: number): Message {
  const none = symbol === null ? phrase('share.none') : phrase('share.none.in', { symbol })
  return message([...blindItems(missing, now), ...(missing.length > 0 ? [] : [item('plain', none)])], {
    buttons: [button(phrase('shown.button.positions'), '/positions')],
  })
}

function which({ choices, missing }: Extract<CardReport, { is: 'which' }>, now: number): Message {
  const shown = choices.slice(0, ENTRIES_PER_PAGE)
  const left = choices.length - shown.length
  return message(
    [
      ...blindItems(missing, now),
      item('plain', phrase('share.which'), left === 0 ? [] : [phrase('share.more', { n: String(left) })]),
    ],
    {
      buttons: shown.map(({ symbol, side: towards, wallet, line }) =>
        button(phrase('shown.position.of', { symbol, side: towards, wallet }), line),
      ),
    },
  )
}

function cardMessage(
  { picture, line, isOff, missing }: Extract<CardReport, { is: 'card' }>,
  now: number,
): Message {
  const lines = [joined(factsOf(picture), ' · '), phrase(isOff ? 'chart.off' : 'share.follows')]
  const isAsked = picture.asFile === true || isOff
  return message([...blindItems(missing, now), item('plain', titleOf(picture), lines)], {
    buttons: isAsked ? [] : [button(phrase('share.button.file'), `${line} file`)],
    ...(isOff ? {} : { picture }),
  })
}

/** The picture follows an answer of its own: one in place of another would bring none. */
function button(label: Text, line: string): Button {
  return { label, line, replace: false }
}
