import { codePoints } from '../../message/fit.ts'
import { item, type Item, ITEM_CODE_POINTS, joined, type Text, text, words } from '../../message/message.ts'
import type { Amount } from '../../venue/amount.ts'
import { apartLines, isStill, money, partsOf } from '../../venue/record/money-words.ts'
import { type Earned, profitOf } from '../../venue/record/sums.ts'
import type { ClosesSeen } from './closes-seen.ts'
import type { MoneyReport } from './report.ts'
import type { MoneySpan } from './span.ts'

const NAMED = 4
/** Room for the lines that come behind the names of wallets. */
const NAMES_POINTS = ITEM_CODE_POINTS / 3

/** `Today`, `Since 1 Nov 00:00`, `Since 31 Dec 00:00 (2025)`. */
export function spanText({ is, since, year }: MoneySpan): Text {
  if (is !== 'since') return words('money.span', { span: is })
  const at = clock(since)
  return year === null
    ? words('money.span.since', { at })
    : words('money.span.since.year', { at, year: String(year) })
}

const clock = (time: number) => ({ time, as: 'clock' as const })

/** The answer in one item: at most nine lines for the usual person. */
export function moneyItem(report: MoneyReport): Item {
  const { span, total, wallets } = report
  const lines = [
    ...partLines(report),
    ...madeLines(span, total),
    ...(total === null ? [] : openLines(report)),
    ...bestLines(report),
    ...(wallets.length > 1 && total !== null && !isStill(total) ? [walletsText(wallets)] : []),
    ...(total === null ? [] : apartLines(total)),
    ...keptLines(report),
    ...seenLines(report),
    ...doubtLines(report),
  ]
  return item('plain', titleOf(report), lines)
}

/** All that counts: by the record, and the closes that were seen where there is none. */
function sumOf({ total, seen }: Pick<MoneyReport, 'total' | 'seen'>): Amount {
  return seen.reduce((sum, { usd }) => sum + usd, total === null ? 0n : profitOf(total))
}

function titleOf(report: MoneyReport): Text {
  const { total, seen, only, watchedSince } = report
  const span = spanText(report.span)
  const whose = only ?? whoseText(report)
  const isRead = total !== null || watchedSince !== null
  if (!isRead && seen.length === 0) return words('money.unread.title', { span })
  if (!isWhole(report)) return words('money.title', { span, usd: words('money.partly'), whose })
  const usd = money(sumOf(report))
  if (seen.length > 0) return words('money.about.title', { span, usd, whose })
  if (total === null) return words('money.no-record.title', { span, whose })
  return isStill(total)
    ? words('money.none.title', { span, whose })
    : words('money.title', { span, usd, whose })
}

/** Whether the sum has all that was asked for. */
export function isWhole({
  wallets,
  asked,
  watchedSince = null,
  silent,
}: Pick<MoneyReport, 'asked' | 'silent'> & {
  wallets: readonly unknown[]
  watchedSince?: number | null
}): boolean {
  return watchedSince !== null || (wallets.length === asked && silent.length === 0)
}

/** The sum of the wallets that were read: in the first line people would take it for the whole. */
function partLines(report: MoneyReport): Text[] {
  const { total, seen } = report
  if (isWhole(report) || (total === null && seen.length === 0)) return []
  const isNone = seen.length === 0 && total !== null && isStill(total)
  return [isNone ? words('money.read.none') : words('money.read', { usd: money(sumOf(report)) })]
}

/** No entry has the margin that is left at a liquidation, so the sum may be too good. */
function keptLines({ liquidated }: MoneyReport): Text[] {
  return liquidated.length === 0
    ? []
    : [words('money.kept', { wallets: liquidated.slice(0, NAMED).join(', ') })]
}

/** `3 wallets`, or how many of them were read. */
export function whoseText({
  wallets,
  asked,
  watchedSince = null,
}: Pick<MoneyReport, 'asked'> & { wallets: readonly unknown[]; watchedSince?: number | null }): Text {
  return watchedSince === null && wallets.length < asked
    ? words('money.wallets.some', { some: String(wallets.length), n: String(asked) })
    : words('money.wallets', { n: asked })
}

/** The parts of the sum, and when the span began: the title of `since` has that already. */
function madeLines({ is, since, until }: MoneySpan, total: Earned | null): Text[] {
  // Midnight of the next day would read as the beginning of the same one.
  const [from, to] = [clock(since), until === null ? null : clock(until - 1)]
  if (total === null || isStill(total)) {
    if (is === 'since') return []
    return to === null
      ? [words('money.looked', { since: from })]
      : [words('money.looked.over', { since: from, until: to })]
  }
  const parts = partsOf(total)
  if (is === 'since') return [words('money.market', parts)]
  return to === null
    ? [words('money.made', { ...parts, since: from })]
    : [words('money.made.over', { ...parts, since: from, until: to })]
}

function openLines({ open, span }: MoneyReport): Text[] {
  if (open === null) return []
  const isOver = span.until !== null
  const { now, before } = open
  if (now === null) return [words('money.open.unknown')]
  if (before === null)
    return isOver
      ? [words('money.open.unknown')]
      : [words('money.open.now', { now: money(now), at: clock(span.since) })]
  const of = { change: money(now - before), now: money(now) }
  return [isOver ? words('money.open.over', of) : words('money.open', { ...of, span: span.is })]
}

/** The best and the worst market, where there are two at least. */
function bestLines({ markets }: MoneyReport): Text[] {
  const [best, worst] = [markets[0], markets.at(-1)]
  if (!best || !worst || best === worst) return []
  const of = ({ symbol, profitUsd }: { symbol: string; profitUsd: Amount }) => ({
    symbol,
    usd: money(profitUsd),
  })
  return [joined([words('money.best', of(best)), words('money.worst', of(worst))], ' · ')]
}

function walletsText(wallets: MoneyReport['wallets']): Text {
  const parts: Text[] = []
  for (const { label, profitUsd } of wallets.slice(0, NAMED)) {
    const more = text`${label} ${money(profitUsd)}`
    if (codePoints(joined([...parts, more], ' · ')) <= NAMES_POINTS) parts.push(more)
  }
  const left = wallets.length - parts.length
  return joined([...parts, ...(left > 0 ? [words('money.more', { n: String(left) })] : [])], ' · ')
}

function seenLines({ seen, watchedSince, span }: MoneyReport): Text[] {
  const since =
    watchedSince !== null && watchedSince > span.since
      ? [words('money.seen.since', { at: clock(watchedSince) })]
      : []
  if (seen.length === 0) return watchedSince === null ? [] : [words('money.seen.none'), ...since]
  return [...seen.flatMap(seenText), ...since]
}

function seenText({ venue, closes, usd, unknown, estimated }: ClosesSeen): Text[] {
  const said =
    venue === null
      ? words('money.seen.alone', { n: closes })
      : words('money.seen', { venue, n: closes, usd: money(usd) })
  const doubt = { estimated: String(estimated), unknown: String(unknown) }
  return unknown + estimated === 0 ? [said] : [said, words('money.seen.doubt', doubt)]
}

/** Lines about parts of the record that are missing or do not count. */
export function doubtLines({
  wallets,
  total,
  silent,
  unread,
}: Pick<MoneyReport, 'total' | 'silent' | 'unread'> & {
  wallets: readonly Pick<MoneyReport['wallets'][number], 'label' | 'wholeFrom' | 'unusable'>[]
}): Text[] {
  const short = wallets.flatMap(({ label, wholeFrom }) =>
    wholeFrom === null ? [] : [words('money.part', { wallet: label, at: clock(wholeFrom) })],
  )
  const unusable = wallets.flatMap(({ label, unusable: n }) =>
    n === 0 ? [] : [words('money.unusable', { n, wallet: label })],
  )
  const more = short.length - 2
  return [
    ...short.slice(0, 2),
    ...(more > 0 ? [words('money.more', { n: String(more) })] : []),
    ...unusable.slice(0, 1),
    ...(total !== null && total.unknownFees > 0
      ? [words('money.unknown-fees', { n: total.unknownFees })]
      : []),
    ...silent.map((venue) => words('money.silent', { venue })),
    ...(unread.length === 0 ? [] : [words('money.unread', { wallets: unread.slice(0, NAMED).join(', ') })]),
  ]
}
