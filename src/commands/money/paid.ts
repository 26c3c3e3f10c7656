import type { Context } from '../../command/context.ts'
import type { SpanText } from '../../lib/time/span-text.ts'
import {
  item,
  type Message,
  message,
  type Reader,
  say,
  type Text,
  text,
  words,
} from '../../message/message.ts'
import type { Amount } from '../../venue/amount.ts'
import { money } from '../../venue/record/money-words.ts'
import type { LedgerEntry } from '../../venue/record/ledger.ts'
import { sumLedger } from '../../venue/record/sums.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { go } from '../shared/pages.ts'
import { coinName } from '../shared/venues/coin.ts'
import { blindItems, type Missing } from '../shared/readings.ts'
import { NO_WALLET, type NoWallet, noWallet, referenceAmong } from '../shared/wallet-names.ts'
import { doubtLines, isWhole, spanText, whoseText } from './pnl-lines.ts'
import { readRecords } from './records.ts'
import { lastOf, type MoneySpan, spanOf, TODAY } from './span.ts'

const MOST_MARKETS = 6

/** The funding that some wallets really paid and received in a span: USD. */
export interface PaidReport {
  is: 'paid'
  span: MoneySpan
  /** The one coin that was asked for. */
  symbol: string | null
  paidUsd: Amount
  receivedUsd: Amount
  /** The dearest first; negative was paid. */
  markets: readonly { symbol: string; usd: Amount }[]
  wallets: readonly { label: string; usd: Amount; wholeFrom: number | null; unusable: number }[]
  /** The number of wallets that were asked about, and how many venues show no such record. */
  asked: number
  absent: readonly string[]
  /** The reference of the wallet that was asked for. */
  reference: string | null
  missing: readonly Missing[]
  unread: readonly string[]
  silent: readonly string[]
}

export type Paid = PaidReport | NoWallet | { is: 'no-time' } | { is: 'elsewhere' } | { is: 'no-record' }

/** Reads the payments of funding by the venue's record. */
export async function paidFunding(
  context: Context,
  {
    market,
    time = TODAY,
    wallet,
  }: {
    /** The ids of one coin; left out: all markets. */
    market?: readonly string[] | undefined
    time?: SpanText | undefined
    wallet?: Wallet | undefined
  },
): Promise<Paid> {
  const { view, person, reader, from, read } = context
  // Rates are for everybody to read, payments are private.
  if (!from.private && !from.whisper) return { is: 'elsewhere' }
  const all = view.watches(person.id)
  const watches = all.filter((one) => wallet === undefined || one.wallet === wallet)
  if (watches.length === 0) return NO_WALLET
  const span = spanOf(time, { now: reader.now, zone: person.zone })
  if (span === null) return { is: 'no-time' }
  if (read.ledger === null) return { is: 'no-record' }
  const found = await readRecords(context, watches, { since: span.since, of: ['funding'] })
  const { missing, unread } = found
  const isMeant = (one: LedgerEntry) =>
    market === undefined || ('marketId' in one && market.includes(one.marketId))
  const records = found.records.map((one) => ({ ...one, entries: one.entries.filter(isMeant) }))
  const within = { since: span.since, until: lastOf(span), dayStarts: [] }
  const sums = sumLedger(
    records.flatMap(({ entries }) => entries),
    within,
  )
  return {
    ...{ is: 'paid', span, missing, unread, asked: watches.length },
    symbol: market === undefined ? null : coinName(view, market),
    paidUsd: sums.fundingPaidUsd,
    receivedUsd: sums.fundingReceivedUsd,
    markets: [...sums.markets]
      .map(([id, one]) => ({ symbol: view.symbol(id), usd: one.fundingReceivedUsd - one.fundingPaidUsd }))
      .toSorted((a, b) => (a.usd < b.usd ? -1 : a.usd > b.usd ? 1 : 0)),
    wallets: records.map(({ watch, entries, wholeFrom, unusable }) => {
      const own = sumLedger(entries, within)
      return {
        ...{ label: watch.label, usd: own.fundingReceivedUsd - own.fundingPaidUsd, unusable },
        wholeFrom: wholeFrom > span.since ? wholeFrom : null,
      }
    }),
    absent: [...new Set(records.flatMap((one) => one.absent))],
    silent: [...new Set(records.flatMap((one) => one.silent.map(({ venue }) => venue)))],
    reference: wallet === undefined ? null : referenceAmong(wallet, all),
  }
}

export function paidAnswer(found: Paid, { now }: Reader): Message {
  if (found.is === 'no-wallet') return noWallet()
  if (found.is === 'elsewhere') return say(words('dialog.private', { command: 'funding paid' }))
  if (found.is === 'no-time') return say(words('money.later'))
  if (found.is === 'no-record') return say(words('paid.no-record'))
  const { span, symbol, paidUsd, receivedUsd, markets, wallets, absent, reference } = found
  const left = markets.length - MOST_MARKETS
  const net = money(receivedUsd - paidUsd)
  const lines: Text[] = [
    ...(isWhole(found) || wallets.length === 0 ? [] : [words('money.read', { usd: net })]),
    ...(paidUsd === 0n && receivedUsd === 0n
      ? []
      : [words('paid.sums', { paid: money(-paidUsd), received: money(receivedUsd) })]),
    ...(symbol === null ? markets : [])
      .slice(0, MOST_MARKETS)
      .map(({ symbol, usd }) => text`${symbol} ${money(usd)}`),
    ...(left > 0 && symbol === null ? [words('money.more', { n: String(left) })] : []),
    ...absent.map((venue) => words('paid.absent', { venue })),
    ...doubtLines({ ...found, total: null }),
  ]
  const whose = found.asked === 1 ? (wallets[0]?.label ?? '') : whoseText(found)
  const title =
    wallets.length === 0
      ? words('paid.unread.title', { span: spanText(span) })
      : words('paid.title', {
          span: spanText(span),
          what: symbol === null ? words('paid.all') : words('paid.coin', { symbol }),
          usd: isWhole(found) ? net : words('money.partly'),
          whose,
        })
  const others = (['day', 'week', 'month'] as const).filter((period) => period !== span.typed)
  const behind = [symbol, reference].flatMap((one) => (one === null ? [] : [` ${one}`])).join('')
  return message([item('plain', title, lines), ...blindItems(found.missing, now)], {
    buttons: [
      ...(isWhole(found) ? [] : [go(words('shown.button.refresh'), `/funding paid ${span.typed}${behind}`)]),
      ...others.map((period) => go(words(`money.button.${period}`), `/funding paid ${period}${behind}`)),
    ],
  })
}
