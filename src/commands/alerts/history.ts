import { z } from 'zod'

import type { Alert } from '../../alert/alert.ts'
import type { SubjectId } from '../../alert/subject-id.ts'
import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import { item, joined, type Message, message, say, type Text, words } from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import type { CloseOutcome } from '../../venue/close-outcome.ts'
import { pageButtons, pageOf } from '../shared/pages.ts'
import { walletName } from '../shared/wallet-names.ts'
import { broughtText, endsIn, totalText } from '../money/closings.ts'

const PAGE = 9
/** As far back as anybody turns pages; `/export history` has the rest. */
const MAX_LISTED_ALERTS = 180

const CLOSED_NAMES = new Map([
  ['pnl', 'closed'],
  ['positions', 'closed'],
  ['file', 'csv'],
  ['download', 'csv'],
  ['export', 'csv'],
] as const)
const FILE = { label: words('history.button.file'), line: '/export history', replace: true }

/** The last alerts of a person. Times are wall times. */
interface HistoryReport {
  is: 'history'
  /** The newest first, on all pages. */
  alerts: readonly PastAlert[]
  /** The page that was asked for. */
  page: number
  /** The closes among them, each once; null where all alerts were asked for. */
  ends: readonly CloseOutcome[] | null
}

interface PastAlert extends Pick<
  Alert,
  'id' | 'kind' | 'title' | 'severity' | 'openedAt' | 'closedAt' | 'closing'
> {
  /** The label of its wallet, where the title lacks it. */
  wallet: string | null
}

type Found = { is: 'file' } | { is: 'none'; of: 'alerts' | 'closes' } | HistoryReport

/** Lists the last alerts, or the closed positions with their results. */
export default lookCommand({
  name: 'history',
  summary: words('menu.history'),
  examples: ['/history', '/history 2', '/history closed'],
  reach: 'assistant',
  args: z.object({
    only: argument.choice(['closed', 'csv'], words('history.closed.asks'), CLOSED_NAMES).optional(),
    page: argument.page().default(1),
  }),
  async ask({ person, recall, view }, { only, page }): Promise<Found> {
    if (only === 'csv') return { is: 'file' }
    const alerts = await recall.alerts(person.id, MAX_LISTED_ALERTS, { ends: only === 'closed' })
    if (alerts.length === 0) return { is: 'none', of: only === 'closed' ? 'closes' : 'alerts' }
    const watches = view.named(person.id)
    return {
      is: 'history',
      alerts: alerts.map(({ id, kind, title, severity, openedAt, closedAt, closing, subject }) => ({
        ...{ id, kind, title, severity, openedAt, closedAt, closing },
        wallet: walletOf(subject, watches),
      })),
      page,
      ends: only === 'closed' ? endsIn(alerts) : null,
    }
  },
  words: answer,
})

function answer(found: Found): Message {
  if (found.is === 'file') return message([item('plain', words('parse.history-file'))], { buttons: [FILE] })
  if (found.is === 'none') return say(words(found.of === 'closes' ? 'history.none-closed' : 'history.none'))
  const { alerts, ends } = found
  const page = pageOf(alerts, found.page, PAGE)
  const [newest] = page.shown
  const notes: Text[] = [
    ...(ends === null ? [] : [totalText(ends)]),
    words('alerts.page', { page: page.page, pages: page.pages }),
    words('history.why', { alert: newest?.id ?? 1 }),
    words('history.file'),
  ]
  return message(
    page.shown.map((alert) =>
      item('plain', alert.wallet === null ? alert.title : `${alert.title} · ${alert.wallet}`, [
        timesText(alert),
        ...brought(alert),
      ]),
    ),
    {
      footnote: joined(notes, ' · '),
      buttons: pageButtons(page, (to) => `/history ${ends === null ? '' : 'closed '}${to}`),
    },
  )
}

function timesText({ openedAt, closedAt, severity }: PastAlert): Text {
  const at = (time: number) => ({ time, as: 'clock' }) as const
  const began = { at: at(openedAt), severity }
  if (closedAt === null) return words('history.open', began)
  if (closedAt === openedAt) return words('history.once', began)
  return words('history.ended', { ...began, until: at(closedAt) })
}

/** The title of a danger alert does not say how its position closed. */
function brought({ closing, openedAt, closedAt }: PastAlert): Text[] {
  if (closing === null) return []
  const result = broughtText(closing)
  return [closedAt === openedAt ? result : words('history.how', { how: closing.how, result })]
}

/** Market alerts have no wallet, and the titles of account alerts begin with it. */
function walletOf(subject: SubjectId, watches: readonly Watch[]): string | null {
  const isNamed = !('wallet' in subject) || subject.is === 'account'
  return isNamed ? null : walletName(subject.wallet, watches)
}
