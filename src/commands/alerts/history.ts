import { z } from 'zod'

import type { Alert } from '../../alert/alert.ts'
import type { SubjectId } from '../../alert/subject-id.ts'
import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { item, joined, message, say, type Text, words } from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import { pageButtons, pageOf } from '../shared/pages.ts'
import { walletName } from '../shared/wallet-names.ts'
import { broughtText, endsIn, totalText } from './closings.ts'

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

/** Lists the last alerts, or the closed positions with their results. */
export default command({
  name: 'history',
  summary: words('menu.history'),
  examples: ['/history', '/history 2', '/history closed'],
  args: z.object({
    only: argument.choice(['closed', 'csv'], words('history.closed.asks'), CLOSED_NAMES).optional(),
    page: argument.page().default(1),
  }),
  async run({ person, recall, view }, { only, page: asked }) {
    if (only === 'csv') return message([item('plain', words('parse.history-file'))], { buttons: [FILE] })
    const alerts = await recall.alerts(person.id, MAX_LISTED_ALERTS, { ends: only === 'closed' })
    if (alerts.length === 0) return say(words(only === 'closed' ? 'history.none-closed' : 'history.none'))
    const watches = view.watches(person.id)
    const page = pageOf(alerts, asked, PAGE)
    const [newest] = page.shown
    const notes: Text[] = [
      ...(only === 'closed' ? [totalText(endsIn(alerts))] : []),
      words('alerts.page', { page: page.page, pages: page.pages }),
      words('history.why', { alert: newest?.id ?? 1 }),
      words('history.file'),
    ]
    return message(
      page.shown.map((alert) =>
        item('plain', `${alert.title}${walletText(alert.subject, watches)}`, [
          timesText(alert),
          ...brought(alert),
        ]),
      ),
      {
        footnote: joined(notes, ' · '),
        buttons: pageButtons(page, (to) => `/history ${only === undefined ? '' : `${only} `}${to}`),
      },
    )
  },
})

function timesText({ openedAt, closedAt, severity }: Alert): Text {
  const at = (time: number) => ({ time, as: 'clock' }) as const
  const began = { at: at(openedAt), severity }
  if (closedAt === null) return words('history.open', began)
  if (closedAt === openedAt) return words('history.once', began)
  return words('history.ended', { ...began, until: at(closedAt) })
}

/** The title of a danger alert does not say how its position closed. */
function brought({ closing, openedAt, closedAt }: Alert): Text[] {
  if (closing === null) return []
  const result = broughtText(closing)
  return [closedAt === openedAt ? result : words('history.how', { how: closing.how, result })]
}

/** Adds the wallet if the title lacks it. Market alerts have no wallet, and account alerts begin with it. */
function walletText(subject: SubjectId, watches: readonly Watch[]): string {
  const isNamed = !('wallet' in subject) || subject.is === 'account'
  return isNamed ? '' : ` · ${walletName(subject.wallet, watches)}`
}
