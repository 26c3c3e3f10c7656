import { afterText, chainChats } from '../../chain.ts'
import type { Chain } from '../../chain.ts'
import type { Change } from '../../change.ts'
import type { Chat } from '../../chat.ts'
import { item, message } from '../../message.ts'
import type { Message, Text } from '../../message.ts'
import type { Effect } from '../effect.ts'
import { forAnother } from '../hearers.ts'
import type { Look } from '../look.ts'
import { chainOf } from '../chain.ts'
import { doing, nothing } from './decided.ts'
import type { Decided } from './decided.ts'

type Of<Is extends Change['is']> = Extract<Change, { is: Is }>

/** What rings later than this is no drill of anything. */
const LIVES_MS = 10 * 60_000

/** Through the outbox, as loud as what is critical, into every chat in which the person's criticals would ring. */
export function drill({ memory, now }: Look, { personId }: Of<'drill'>): Decided {
  const chain = chainOf(memory, personId)
  const { first } = chain
  if (!first) return nothing('I have no private chat with you yet: write to me there first.')
  const rows = chainChats(chain).map((chat) => ({
    ...{ rowId: ++memory.last.row, chatId: chat.id },
    label: labelOf(chain, chat),
  }))
  const sends = rows.flatMap(({ rowId: id, chatId }): Effect[] => {
    const at = { detectedAt: now, queuedAt: now, dueAt: now, expiresAt: now + LIVES_MS }
    const helperId = memory.chats.get(chatId)?.personId ?? personId
    const agreement = memory.helpersOf.of(personId).get(helperId)
    const said =
      helperId === personId
        ? words(chatId === first.id ? null : first)
        : wordsFor(agreement?.name ?? '', personId)
    const row = { id, chatId, message: said, alertIds: [], about: [], reason: 'test', ...at } as const
    return [
      { is: 'send', row: { ...row, urgency: 0, silent: false, alertIds: [], about: [], note: null } },
      // It is there already: what one chat does not take is not copied to the other.
      { is: 'copied', rowId: id, at: now, copy: null },
    ]
  })
  return doing([...sends, { is: 'drill', drill: { personId, at: now, rows, acknowledged: null } }])
}

/** `blue (fallback)`, `ntfy, after 15m`, `@bob on red, after 31m`. */
function labelOf({ first, steps }: Chain, { id, address: { platform } }: Chat): string {
  const step = steps.find(({ chats }) => chats.some((chat) => chat.id === id))
  if (id === first?.id || !step) return id === first?.id ? platform : `${platform} (fallback)`
  if (step.isFallback) return `${platform} (fallback)`
  const where = step.helperId === null ? platform : `${step.name} on ${platform}`
  return `${where}, ${afterText(step.from)}`
}

function words(before: Chat | null): Message {
  const why: Text =
    before === null
      ? 'Nothing has happened. What is critical rings like this.'
      : `Nothing has happened. This rings when ${before.address.platform} fails, or nobody acknowledges there.`
  const acknowledge = { label: 'Acknowledge drill', line: '/drill ack', replace: true }
  return message([
    item('critical', 'DRILL, nothing has happened: would this wake you?', [why], [acknowledge]),
  ])
}

function wordsFor(name: string, personId: number): Message {
  const why = `Nothing has happened. What is critical for ${name} rings like this when nobody there answers.`
  const asked = item('critical', 'DRILL, nothing has happened: would this wake you?', [why])
  const acknowledge = { label: 'Acknowledge drill', line: `/drill ack P${personId}`, replace: true }
  return message([{ ...forAnother(asked, name), buttons: [acknowledge] }])
}

/** Whoever is first is the one who has woken up: the person, or somebody who stands in for them and was rung. */
export function heedDrill({ memory, now }: Look, { personId, byId, by }: Of<'drill-heeded'>): Decided {
  const known = memory.drills.get(personId)
  const isRung = known?.rows.some(({ chatId }) => memory.chats.get(chatId)?.personId === byId)
  const may = byId === personId || (isRung && memory.helpersOf.of(personId).has(byId))
  if (!known || !may) return nothing('There was no drill. /drill plays one.')
  return known.acknowledged
    ? doing([])
    : doing([{ is: 'drill', drill: { ...known, acknowledged: { by, at: now } } }])
}
