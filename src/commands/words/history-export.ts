import type { Alert } from '../../alert.ts'
import type { Context } from '../../context.ts'
import { item, message, say } from '../../message.ts'
import type { Message } from '../../message.ts'
import { endsIn, totalText } from './closings.ts'
import { historyFile } from './history-file.ts'
import { count } from './pages.ts'

/** Read at once: between two of them everything else has its turn. */
const AT_ONCE = 500
/** Some five megabytes, which every platform takes. */
const MOST = 20_000

/** A person's alerts as a file, as far back as they are kept. */
export async function historyExport({ person, recall, view, reader }: Context): Promise<Message> {
  const alerts: Alert[] = []
  for (let isMore = true; isMore && alerts.length < MOST;) {
    const oldest = alerts.at(-1)
    const found = await recall.history(person.id, AT_ONCE, oldest ? { before: oldest.id } : {})
    alerts.push(...found)
    isMore = found.length === AT_ONCE
  }
  const [newest, oldest] = [alerts[0], alerts.at(-1)]
  if (!newest || !oldest) return say('Nothing has fired for you yet: there is no history to give.')
  const ends = endsIn(alerts)
  const name = `perch-history-${new Date(reader.now).toISOString().slice(0, 10)}.csv`
  const text = historyFile(alerts, { watches: view.watches(person.id), chats: view.chats(person.id) })
  const lines = [
    [
      'from ',
      { time: oldest.openedAt, as: 'clock' },
      ' to ',
      { time: newest.openedAt, as: 'clock' },
    ] as const,
    ...(ends.length === 0 ? [] : [totalText(ends)]),
    'Times in it are UTC. An empty cell is not known; it is no zero.',
    ...(alerts.length < MOST ? [] : ['There are more: these are the newest.']),
  ]
  return message([item('plain', `${count(alerts.length, 'alert')}, as CSV`, lines)], { file: { name, text } })
}
