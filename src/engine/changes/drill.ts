import type { Change } from '../../change.ts'
import type { Chat } from '../../chat.ts'
import { item, message } from '../../message.ts'
import type { Text } from '../../message.ts'
import type { Effect } from '../effect.ts'
import type { Look } from '../look.ts'
import { chainOf } from '../chain.ts'
import { doing, nothing } from './decided.ts'
import type { Decided } from './decided.ts'

type Of<Is extends Change['is']> = Extract<Change, { is: Is }>

/** What rings later than this is no drill of anything. */
const LIVES_MS = 10 * 60_000

/** Through the outbox, as loud as what is critical, into every chat in which the person would hear of it. */
export function drill({ memory, now }: Look, { personId }: Of<'drill'>): Decided {
  const { first, other } = chainOf(memory, personId)
  if (!first) return nothing('I have no private chat with you yet: write to me there first.')
  const rows = [first, other].flatMap((chat) => (chat ? [{ rowId: ++memory.last.row, chatId: chat.id }] : []))
  const sends = rows.flatMap(({ rowId: id, chatId }): Effect[] => {
    const at = { detectedAt: now, queuedAt: now, dueAt: now, expiresAt: now + LIVES_MS }
    const said = words(chatId === first.id ? null : first)
    const row = { id, chatId, message: said, alertIds: [], about: [], reason: 'test', ...at } as const
    return [
      { is: 'send', row: { ...row, urgency: 0, silent: false, alertIds: [], about: [], note: null } },
      // It is there already: what one chat does not take is not copied to the other.
      { is: 'copied', rowId: id, at: now, copy: null },
    ]
  })
  return doing([...sends, { is: 'drill', drill: { personId, at: now, rows, acknowledged: null } }])
}

function words(before: Chat | null) {
  const why: Text =
    before === null
      ? 'Nothing has happened. What is critical rings like this.'
      : `Nothing has happened. This rings when ${before.address.platform} fails, or nobody acknowledges there.`
  const acknowledge = { label: 'Acknowledge drill', line: '/drill ack', replace: true }
  return message([
    item('critical', 'DRILL, nothing has happened: would this wake you?', [why], [acknowledge]),
  ])
}

/** Whoever is first is the one who has woken up. */
export function heedDrill({ memory, now }: Look, { personId, by }: Of<'drill-heeded'>): Decided {
  const known = memory.drills.get(personId)
  if (!known) return nothing('There was no drill. /drill plays one.')
  return known.acknowledged
    ? doing([])
    : doing([{ is: 'drill', drill: { ...known, acknowledged: { by, at: now } } }])
}
