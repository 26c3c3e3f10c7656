import type { Context } from '../../command/context.ts'
import type { Watch } from '../../people/person.ts'
import { type Amount, fromNumber } from '../../venue/amount.ts'
import { type Earned, type Moved, profitOf, sumLedger } from '../../venue/record/sums.ts'
import type { LedgerEntry, LedgerFill } from '../../venue/record/ledger.ts'
import { readWallets } from '../shared/last-seen.ts'
import type { Missing } from '../shared/readings.ts'
import { referenceAmong } from '../shared/wallet-names.ts'
import { type ClosesSeen, closesSeen } from './closes-seen.ts'
import { openPnl, positionsThen } from './open-pnl.ts'
import { readRecords, type WalletRecord } from './records.ts'
import { lastOf, type MoneySpan } from './span.ts'

/** The profit of some wallets in a span, and all that moved beside it. Times are wall times, money is USD. */
export interface MoneyReport {
  is: 'money'
  span: MoneySpan
  /** Those whose record was read, in the order of the person's list. */
  wallets: readonly WalletMoney[]
  /** The sums of all of them; null where no record was read. */
  total: (Earned & Moved) | null
  /** The best first. */
  markets: readonly MarketMoney[]
  open: OpenChange | null
  /** Closes at venues without a record. */
  seen: readonly ClosesSeen[]
  /** The label of the wallet, if it is one alone, and its reference in a line, if it was asked for. */
  only: string | null
  reference: string | null
  /** The number of wallets that were asked about. */
  asked: number
  /** Null where venues show a record; else when the first of the wallets was watched. */
  watchedSince: number | null
  missing: readonly Missing[]
  unread: readonly string[]
  /** Venues of several that gave no answer. */
  silent: readonly string[]
  /** The labels of wallets that lost a whole position to a liquidation in the span. */
  liquidated: readonly string[]
}

interface WalletMoney {
  label: string
  profitUsd: Amount
  /** When its record begins; null where it reaches back to the beginning of the span. */
  wholeFrom: number | null
  unusable: number
}

interface MarketMoney extends Earned {
  symbol: string
  profitUsd: Amount
}

/** The open PnL at the end and at the beginning of a span; null where it is not known. */
interface OpenChange {
  now: Amount | null
  before: Amount | null
}

/** Prices of the past that are looked up for one answer. */
const MOST_PRICES = 30

/** Sums up the money of these wallets, and gives the records behind the sums. */
export async function moneyReport(
  context: Context,
  watches: readonly Watch[],
  { span, asked }: { span: MoneySpan; asked: Watch | null },
): Promise<{ report: MoneyReport; records: readonly WalletRecord[] }> {
  const { view, read, person, reader } = context
  const { since } = span
  const until = lastOf(span)
  const within = { since, until, dayStarts: [] }
  const found = await readRecords(context, watches, { since, of: ['fill', 'funding', 'transfer'] })
  const { records, missing, unread } = found
  const {
    markets,
    days: _days,
    ...sums
  } = sumLedger(
    records.flatMap(({ entries }) => entries),
    within,
  )
  const absent = read.ledger === null ? null : [...new Set(records.flatMap((one) => one.absent))]
  const seenSpan = { since, until: Math.min(until, reader.now) + 1 }
  const report: MoneyReport = {
    ...{ is: 'money', span, missing, unread, asked: watches.length },
    wallets: records.map(({ watch, entries, wholeFrom, unusable }) => ({
      label: watch.label,
      profitUsd: profitOf(sumLedger(entries, within)),
      wholeFrom: wholeFrom > since ? wholeFrom : null,
      unusable,
    })),
    total: records.length === 0 ? null : sums,
    markets: byMarket(markets, view.symbol),
    open: read.ledger === null ? null : await openChange(context, records, span),
    seen: absent?.length === 0 ? [] : await closesSeen(context, watches, seenSpan, absent),
    only: watches.length === 1 ? (watches[0]?.label ?? null) : null,
    reference: asked && referenceAmong(asked.wallet, view.watches(person.id)),
    watchedSince: read.ledger === null ? Math.min(...watches.map((one) => one.since)) : null,
    silent: [...new Set(records.flatMap((one) => one.silent.map(({ venue }) => venue)))],
    liquidated: records.flatMap(({ watch, entries }) =>
      entries.some((entry) => entry.at >= since && entry.at <= until && isLastOfLiquidation(entry))
        ? [watch.label]
        : [],
    ),
  }
  return { report, records }
}

/** Whether a liquidation left nothing of its position. */
function isLastOfLiquidation(entry: LedgerEntry): boolean {
  return entry.is === 'fill' && entry.how === 'liquidated' && entry.before + entry.size === 0n
}

function byMarket(markets: ReadonlyMap<string, Earned>, symbolOf: (id: string) => string): MarketMoney[] {
  return [...markets]
    .map(([id, earned]): MarketMoney => ({ ...earned, symbol: symbolOf(id), profitUsd: profitOf(earned) }))
    .toSorted((a, b) => (a.profitUsd < b.profitUsd ? 1 : a.profitUsd > b.profitUsd ? -1 : 0))
}

/** The change of the open PnL: positions from the fills since then, prices from Perch's record. */
async function openChange(
  context: Context,
  records: readonly WalletRecord[],
  { since, until }: MoneySpan,
): Promise<OpenChange | null> {
  const { wallets } = await readWallets(
    context,
    records.map(({ watch }) => watch),
  )
  const held = new Map(wallets.map((one) => [one.watch.wallet, one]))
  const prices = new Map(
    wallets.flatMap((one) => one.held.map(({ position, market }) => [position.marketId, market?.price])),
  )
  const at = async (time: number | null): Promise<Amount | null> => {
    const past = records.map(({ watch, entries, wholeFrom, absent, silent }) => {
      const own = held.get(watch.wallet)
      const isKnown = own?.isWhole === true && (time === null || wholeFrom <= time)
      if (!isKnown || (time !== null && absent.length + silent.length > 0)) return null
      const fills = entries.filter((one): one is LedgerFill => one.is === 'fill')
      const later = time === null ? [] : fills.filter((fill) => fill.at >= time)
      return positionsThen(own.answer.positions, later)
    })
    const positions = past.flatMap((one) => one ?? [])
    if (past.includes(null)) return null
    if (time === null) return openPnl(positions, (id) => prices.get(id) ?? null)
    const ids = [...new Set(positions.map(({ marketId }) => marketId))]
    if (ids.length > MOST_PRICES) return null
    const then = new Map<string, Amount | null>()
    for (const id of ids) then.set(id, fromNumber((await context.past.priceAt(id, time)) ?? NaN))
    return openPnl(positions, (id) => then.get(id) ?? null)
  }
  const [now, before] = [await at(until), await at(since)]
  const isNone = now === 0n && before === 0n && (until !== Number.MAX_SAFE_INTEGER || prices.size === 0)
  return isNone || records.length === 0 ? null : { now, before }
}
