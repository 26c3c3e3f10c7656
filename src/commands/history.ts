import { z } from 'zod'

import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { item, message, say } from '../message.ts'
import type { Watch } from '../person.ts'
import type { SubjectId } from '../subject.ts'
import { pageButtons, pageOf } from './words/pages.ts'
import { walletName } from './words/wallets.ts'

const PAGE = 9
/** As far back as anybody turns pages. */
const MOST = 180

/** Lists the last alerts. */
export default command({
  name: 'history',
  summary: 'lists your last alerts',
  examples: ['/history', '/history 2'],
  args: z.object({ page: argument.page().default(1) }),
  async run({ person, recall, view }, { page: asked }) {
    const alerts = await recall.history(person.id, MOST)
    if (alerts.length === 0) return say('Nothing has fired for you yet.')
    const watches = view.watches(person.id)
    const page = pageOf(alerts, asked, PAGE)
    return message(
      page.shown.map(({ title, subject, openedAt, closedAt, severity }) =>
        item('plain', `${title}${walletText(subject, watches)}`, [
          [
            { time: openedAt, as: 'clock' },
            `, ${severity}`,
            ...(closedAt === null
              ? [', still open']
              : closedAt === openedAt
                ? []
                : [', ended ', { time: closedAt, as: 'clock' } as const]),
          ],
        ]),
      ),
      {
        footnote: `page ${page.page} of ${page.pages}; /why A${page.shown[0]?.id ?? 1} shows its trail`,
        buttons: pageButtons(page, (to) => `/history ${to}`),
      },
    )
  },
})

/** What the title does not say: that of a market has no wallet, that of an account begins with it. */
function walletText(subject: SubjectId, watches: readonly Watch[]): string {
  const isNamed = !('owner' in subject) || subject.is === 'account'
  return isNamed ? '' : ` · ${walletName(subject.owner, watches)}`
}
