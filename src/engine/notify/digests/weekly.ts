import { dayIn, daysSinceMonday, nextWeekly } from '../../../lib/time/calendar.ts'
import { bounded } from '../../../message/fit.ts'
import { type Item, item, type Text, words } from '../../../message/message.ts'
import type { DailySummary, DigestMoney, MoneyOf, MoneyRead, WeeklyDigest } from '../../../people/digest.ts'
import { digestKeeper } from '../../../people/escalation.ts'
import type { HistoryStore } from '../../../store/store.ts'
import { apartLines, isStill, money, partsOf } from '../../../venue/record/money-words.ts'
import { profitOf } from '../../../venue/record/sums.ts'
import type { Memory } from '../../memory/memory.ts'
import { privateChats } from '../../memory/people.ts'
import type { EvaluationContext } from '../../monitors/context.ts'
import { silent } from '../../monitors/decision.ts'
import type { Outcome } from '../../monitors/turn.ts'
import { digestWallets, firedText, LATE_MS, zoneOf } from './digest.ts'
import { moneyDoubts, untilText } from './money-lines.ts'

const WEEK_MS = 7 * 86_400_000
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** When a chat's next weekly digest is due (wall time). Null: never. */
export function weeklyAt(drawers: Pick<Memory, 'people'>, chatId: number): number | null {
  const chat = drawers.people.chats.get(chatId)
  if (!chat?.weekly) return null
  if (chat.private && digestKeeper(privateChats(drawers, chat.personId), 'weekly')?.id !== chatId) return null
  return nextWeekly(chat.weekly, chat.weekly.after, zoneOf(drawers, chat))
}

/** A weekly digest that is due, with the alerts that the store knows; null when it is not due any more. */
export async function weeklyTurn(
  { dailySummary }: Pick<HistoryStore, 'dailySummary'>,
  moneyOf: MoneyOf,
  look: EvaluationContext,
  chatId: number,
): Promise<Outcome | null> {
  const { memory, now } = look
  const dueAt = weeklyAt(memory, chatId)
  const asked = memory.people.chats.get(chatId)
  if (!asked?.weekly || dueAt === null || dueAt > now) return null
  const own = asked.private ? privateChats(memory, asked.personId) : [asked]
  const preferred = memory.people.persons.get(asked.personId)?.defaultChat
  const to = own.find(({ id }) => id === preferred) ?? asked
  const read = moneyOf(chatId, 'weekly')
  const since = read.is === 'read' ? read.money.since : now - WEEK_MS
  const alerts = await dailySummary(
    own.map(({ id }) => id),
    since,
  )
  // The setting may have changed while the store answered.
  const keeper = memory.people.chats.get(chatId)
  if (!keeper?.weekly) return null
  const zone = zoneOf(memory, keeper)
  const hasWallets = digestWallets(memory, chatId).length > 0
  const told = weeklyItem({
    read,
    alerts,
    since,
    zone,
    hasWallets,
    lateFrom: now - dueAt < LATE_MS ? null : dueAt,
  })
  const decision = silent(to.id, [
    { is: 'chat', chat: { ...keeper, weekly: after(keeper.weekly, read, { dueAt, zone, now }) } },
  ])
  decision.notices = [
    {
      ...{ reason: 'digest', severity: 'info', quiet: true, alertIds: [], order: 0 },
      ...{ item: bounded(told), about: `weekly/${keeper.id}` },
    },
  ]
  return { observed: [], decisions: [decision] }
}

/** One that was missed for weeks is told once. */
function after(
  weekly: WeeklyDigest,
  read: MoneyRead,
  { dueAt, zone, now }: { dueAt: number; zone: string; now: number },
): WeeklyDigest {
  let last = dueAt
  for (let next = nextWeekly(weekly, last, zone); next <= now; next = nextWeekly(weekly, next, zone))
    last = next
  return { ...weekly, after: last, moneyUntil: read.is === 'read' ? read.money.until : weekly.moneyUntil }
}

interface Week {
  read: MoneyRead
  alerts: DailySummary
  since: number
  zone: string
  hasWallets: boolean
  /** When it was due, if it is late. */
  lateFrom: number | null
}

function weeklyItem(week: Week): Item {
  const { read, alerts, since, lateFrom, zone } = week
  const from = { time: since, as: 'clock' } as const
  const lines: Text[] = [
    ...(lateFrom === null ? [] : [words('digest.late', { at: { time: lateFrom, as: 'clock' } as const })]),
    ...(read.is === 'read' && !isStill(read.money.sums)
      ? [words('money.made', { since: from, ...partsOf(read.money.sums) }), ...dayLines(read.money, zone)]
      : []),
    ...(read.is === 'read'
      ? [...apartLines(read.money.sums), ...moneyDoubts(read.money), untilText(read.money)]
      : []),
    words('weekly.alerts', { since: from, fired: firedText(alerts) }),
  ]
  return item('plain', titleOf(week), lines)
}

function titleOf({ read, hasWallets }: Week): Text {
  if (!hasWallets) return words('weekly.no-wallet.title')
  if (read.is === 'unread') return words('weekly.unread.title')
  if (read.is === 'hidden') return words('weekly.title')
  const { sums, wallets } = read.money
  return isStill(sums)
    ? words('weekly.none.title')
    : words('weekly.made.title', { usd: money(profitOf(sums)), n: wallets.all })
}

/** The best and the worst day, where there are two at least. */
function dayLines({ days }: DigestMoney, zone: string): Text[] {
  const sorted = days.toSorted((a, b) => (a.profitUsd < b.profitUsd ? 1 : a.profitUsd > b.profitUsd ? -1 : 0))
  const [best, worst] = [sorted[0], sorted.at(-1)]
  if (!best || !worst || best === worst) return []
  const dayOf = ({ since }: { since: number }) => WEEKDAYS[daysSinceMonday(dayIn(since, zone))] ?? 'mon'
  return [
    words('weekly.days', {
      ...{ best: dayOf(best), most: money(best.profitUsd) },
      ...{ worst: dayOf(worst), least: money(worst.profitUsd) },
    }),
  ]
}
