import type { Alert } from '../../alert.ts'
import { formatDecimal } from '../../amount.ts'
import type { Amount } from '../../amount.ts'
import type { Chat } from '../../chat.ts'
import { realisedUsd } from '../../closing.ts'
import { csv } from '../../lib/csv.ts'
import type { CsvCell } from '../../lib/csv.ts'
import type { Owner } from '../../owner.ts'
import type { Watch } from '../../person.ts'
import type { SubjectId } from '../../subject.ts'

const COLUMNS = [
  ...['told_at', 'over_at', 'alert', 'kind', 'severity', 'title', 'wallet', 'address', 'chat', 'symbol'],
  ...['side', 'how', 'ended_at', 'size', 'entry_price', 'exit_price', 'trade_usd', 'fees_usd'],
  ...['realised_usd', 'funding_usd', 'estimate'],
]

/**
 * Alerts as a table for a sheet: amounts to their last digit, times in UTC. An empty cell is not known; `realised_usd` is
 * `trade_usd` without `fees_usd`, as far as those are known, and `funding_usd` is in no other column.
 */
export function historyFile(
  alerts: readonly Alert[],
  { watches, chats }: { watches: readonly Watch[]; chats: readonly Chat[] },
): string {
  const labels = new Map(watches.map(({ owner, label }) => [owner, label]))
  const places = new Map(chats.map((chat) => [chat.id, placeName(chat)]))
  const rows = alerts.map((alert): CsvCell[] => {
    const { id, kind, severity, title, openedAt, closedAt, closing } = alert
    const owner = ownerOf(alert.subject)
    return [
      ...[time(openedAt), time(closedAt), `A${id}`, kind, severity, title],
      ...[owner && (labels.get(owner) ?? null), owner, places.get(alert.chatId) ?? null],
      ...[closing?.symbol ?? null, closing?.side ?? null, closing?.how ?? null],
      ...[time(closing?.endedAt), amount(closing?.size), amount(closing?.entryPrice)],
      ...[amount(closing?.exitPrice), amount(closing?.tradeUsd), amount(closing?.feesUsd)],
      ...[amount(closing && realisedUsd(closing)), amount(closing?.fundingUsd)],
      closing === null ? null : closing.estimate ? 'yes' : 'no',
    ]
  })
  return csv([COLUMNS, ...rows])
}

function ownerOf(subject: SubjectId): Owner | null {
  return 'owner' in subject ? subject.owner : null
}

function placeName({ title, private: own, address: { platform, chat } }: Chat): string {
  return `${own ? 'private' : (title ?? chat)} (${platform})`
}

function time(at: number | null | undefined): CsvCell {
  return at === null || at === undefined ? null : { bare: new Date(at).toISOString() }
}

function amount(of: Amount | null | undefined): CsvCell {
  return of === null || of === undefined ? null : { bare: formatDecimal(of) }
}
