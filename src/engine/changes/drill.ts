import type { Chat } from '../../people/chat.ts'
import { age } from '../../message/figure.ts'
import { item, type Message, message, type Text, words } from '../../message/message.ts'
import { drillName } from '../../people/delegation.ts'
import { DRILL_LIVES_MS, OWN_DRILL_EVERY_MS, rungBefore } from '../../people/drill.ts'
import { afterText, type Escalation, escalationChats } from '../../people/escalation.ts'
import type { Change } from '../../store/change.ts'
import type { Effect } from '../memory/effect.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { forAnother } from '../monitors/recipients.ts'
import { escalationOf } from '../notify/escalation.ts'
import { quietly, tell } from '../notify/notice.ts'
import { type Decided, doing, nothing } from './decided.ts'

type Of<Is extends Change['is']> = Extract<Change, { is: Is }>

/**
 * Sends a drill to every chat in which the person's critical alerts would ring. It rings like them, and goes behind the
 * alerts of everybody.
 */
export function drill({ memory, numbers, now }: EvaluationContext, { personId }: Of<'drill'>): Decided {
  const escalation = escalationOf(memory, personId)
  const { first } = escalation
  if (!first) return nothing(words('people.no-chat'))
  const before = memory.people.drills.get(personId) ?? null
  const places = escalationChats(escalation).map((chat) => {
    const label = labelOf(escalation, chat)
    const known = rungBefore(before, chat, now, first.id)
    const afterMs = chat.personId === personId ? OWN_DRILL_EVERY_MS : DRILL_LIVES_MS
    return known
      ? { rings: false, row: { ...known, label: words('drill.rung', { place: label, age: age(afterMs) }) } }
      : { rings: true, row: { rowId: ++numbers.row, chatId: chat.id, label } }
  })
  const rows = places.map(({ row }) => row)
  const sends = places.flatMap(({ rings, row: { rowId: id, chatId } }): Effect[] => {
    if (!rings) return []
    const at = { detectedAt: now, queuedAt: now, dueAt: now, expiresAt: now + DRILL_LIVES_MS }
    const delegateId = memory.people.chats.get(chatId)?.personId ?? personId
    const delegation = memory.people.delegatesOf.of(personId).get(delegateId)
    const said =
      delegateId === personId
        ? ownWords(chatId === first.id ? null : first)
        : wordsFor(delegation?.name ?? '', personId)
    const about = delegateId === personId ? [] : [drillName({ personId, delegateId })]
    const row = { ...{ id, chatId, message: said, alertIds: [], about }, ...at, reason: 'test' as const }
    return [
      { is: 'send', row: { ...row, urgency: 2, silent: false, note: null } },
      // It is there already: what one chat does not take is not copied to the other.
      { is: 'copied', rowId: id, at: now, copy: null },
    ]
  })
  return doing([...sends, { is: 'drill', drill: { personId, at: now, rows, acknowledged: null } }])
}

/** `blue (backup chat)`, `ntfy, after 15 min`, `@bob on red, after 31 min`. */
function labelOf({ first, steps }: Escalation, { id, address: { platform } }: Chat): Text {
  const step = steps.find(({ chats }) => chats.some((chat) => chat.id === id))
  if (id === first?.id) return platform
  if (!step || step.isFallback) return words('drill.place.backup', { platform })
  const when = afterText(step.from)
  return step.delegateId === null
    ? words('drill.place.after', { platform, when })
    : words('drill.place.backup-person', { name: step.name, platform, when })
}

function ownWords(before: Chat | null): Message {
  const why: Text =
    before === null
      ? words('drill.rings')
      : words('drill.rings.backup', { platform: before.address.platform })
  const acknowledge = { label: words('drill.button.acknowledge'), line: '/drill ack', replace: true }
  return message([item('critical', words('drill.title'), [why], [acknowledge])])
}

function wordsFor(name: string, personId: number): Message {
  const why = words('drill.rings.person', { name })
  const asked = item('critical', words('drill.title'), [why])
  const acknowledge = {
    label: words('drill.button.acknowledge'),
    line: `/drill ack P${personId}`,
    replace: true,
  }
  return message([{ ...forAnother(asked, name), buttons: [acknowledge] }])
}

/**
 * The first to acknowledge is the one who has woken up: the person, or a delegate who was rung. Every chat
 * that rang is told silently, but for the one that reads the answer.
 */
export function acknowledgeDrill(
  { memory, numbers, now }: EvaluationContext,
  { personId, byId, by, seenUntil, readIn }: Of<'drill-acknowledged'>,
): Decided {
  const known = memory.people.drills.get(personId)
  const isRung = known?.rows.some(({ chatId }) => memory.people.chats.get(chatId)?.personId === byId)
  const may = byId === personId || (isRung && memory.people.delegatesOf.of(personId).has(byId))
  if (!known || !may) return nothing(words('drill.none'))
  if (known.acknowledged) return doing([])
  // A place that rang for the drill just before is not rung again: its message counts.
  if (seenUntil < Math.min(known.at, now) - DRILL_LIVES_MS) return nothing(words('drill.earlier'))
  const done = item('plain', words('drill.acknowledged', { by, age: age(now - known.at) }))
  const told = known.rows.flatMap(({ chatId }): Effect[] => {
    const delegateId = memory.people.chats.get(chatId)?.personId
    if (delegateId === undefined || chatId === readIn) return []
    const whose = memory.people.delegatesOf.of(personId).get(delegateId)?.name ?? null
    if (delegateId !== personId && whose === null) return []
    const told = message([whose === null ? done : forAnother(done, whose)])
    return [quietly(tell(numbers, chatId, told, 'test', now))]
  })
  return doing([{ is: 'drill', drill: { ...known, acknowledged: { by, at: now } } }, ...told])
}
