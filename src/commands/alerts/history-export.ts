import type { Alert } from '../../alert/alert.ts'
import type { SubjectId } from '../../alert/subject-id.ts'
import type { Chat } from '../../people/chat.ts'
import type { Context } from '../../command/context.ts'
import { csv, type CsvCell } from '../../lib/text/csv.ts'
import { item, type Message, message, say, words } from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import { type Amount, formatDecimal } from '../../venue/amount.ts'
import { realisedUsd } from '../../venue/close-outcome.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { endsIn, totalText } from '../money/closings.ts'

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
  const labels = new Map(watches.map(({ wallet, label }) => [wallet, label]))
  const places = new Map(chats.map((chat) => [chat.id, placeName(chat)]))
  const rows = alerts.map((alert): CsvCell[] => {
    const { id, kind, severity, title, openedAt, closedAt, closing } = alert
    const wallet = walletOf(alert.subject)
    return [
      ...[time(openedAt), time(closedAt), `A${id}`, kind, severity, title],
      ...[wallet && (labels.get(wallet) ?? null), wallet, places.get(alert.chatId) ?? null],
      ...[closing?.symbol ?? null, closing?.side ?? null, closing?.how ?? null],
      ...[time(closing?.endedAt), amount(closing?.size), amount(closing?.entryPrice)],
      ...[amount(closing?.exitPrice), amount(closing?.tradeUsd), amount(closing?.feesUsd)],
      ...[amount(closing && realisedUsd(closing)), amount(closing?.fundingUsd)],
      closing === null ? null : closing.estimate ? 'yes' : 'no',
    ]
  })
  return csv([COLUMNS, ...rows])
}

function walletOf(subject: SubjectId): Wallet | null {
  return 'wallet' in subject ? subject.wallet : null
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

/** Rows per read. Other work runs between two reads. */
const ALERTS_PER_READ = 500
/** Some five megabytes, which every platform takes. */
const MAX_EXPORTED_ALERTS = 20_000

/** A person's alerts as a file, as far back as they are kept. */
export async function historyExport({ person, recall, view, reader }: Context): Promise<Message> {
  const alerts: Alert[] = []
  for (let isMore = true; isMore && alerts.length < MAX_EXPORTED_ALERTS;) {
    const oldest = alerts.at(-1)
    const found = await recall.alerts(person.id, ALERTS_PER_READ, oldest ? { before: oldest.id } : {})
    alerts.push(...found)
    isMore = found.length === ALERTS_PER_READ
  }
  const [newest, oldest] = [alerts[0], alerts.at(-1)]
  if (!newest || !oldest) return say(words('history.file.none'))
  const ends = endsIn(alerts)
  const name = `perch-history-${new Date(reader.now).toISOString().slice(0, 10)}.csv`
  const text = historyFile(alerts, { watches: view.named(person.id), chats: view.chats(person.id) })
  const lines = [
    words('history.file.span', {
      from: { time: oldest.openedAt, as: 'clock' },
      until: { time: newest.openedAt, as: 'clock' },
    }),
    ...(ends.length === 0 ? [] : [totalText(ends)]),
    words('history.file.utc'),
    ...(alerts.length < MAX_EXPORTED_ALERTS ? [] : [words('history.file.more')]),
  ]
  return message([item('plain', words('history.file.title', { alerts: alerts.length }), lines)], {
    file: { name, text },
  })
}
