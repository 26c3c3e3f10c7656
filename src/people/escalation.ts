import { type Text, words } from '../message/message.ts'
import type { Chat } from './chat.ts'

/** Where a person is told, and where what that chat does not take or nobody answers goes as well. */
export interface Escalation {
  first: Chat | null
  /** Why nothing reaches that one; null while it does. */
  wrong: Text | null
  /** The fallback for when it fails. Null without one. */
  other: Chat | null
  /** The soonest first. */
  steps: EscalationStep[]
  /** To whom it is handed over now: they are told at once. */
  handovers: EscalationStep[]
}

/** One place, or one person, that what is critical goes to as well. */
export interface EscalationStep {
  from: number
  /** `ntfy`, `@bob`. */
  name: string
  isFallback: boolean
  /** The delegate; null for a chat of the person's own. */
  delegateId: number | null
  /** Where that is told now; none while something is wrong with all of them. */
  chats: Chat[]
  /** Why it reaches nobody there, or not where it should; null while nothing is wrong. */
  wrong: Text | null
}

/** An alert that is told in a chat beside its own. */
export interface EscalatedTo {
  alertId: number
  chatId: number
  /** The first time there. */
  isNew: boolean
}

/**
 * Minutes between a critical alert and each of its unanswered rings: the alert itself, then its reminders.
 */
export const REPEATED_AFTER_MIN = [0, 1, 3, 7, 15, 31] as const

/** `now`, `7m`: as people type it. */
export function typedAfter(from: number): string {
  const minutes = REPEATED_AFTER_MIN[from] ?? REPEATED_AFTER_MIN.at(-1)
  return minutes === 0 ? 'now' : `${minutes}m`
}

function minutesOf(from: number): string {
  return String(REPEATED_AFTER_MIN[from] ?? REPEATED_AFTER_MIN.at(-1))
}

/** `at once`, `after 7 min`. */
export function afterText(from: number): Text {
  return from === 0 ? words('escalation.at-once') : words('escalation.after', { minutes: minutesOf(from) })
}

/** When critical alerts go to a step of the escalation: `at once`, `if nobody acknowledges for 7 min`. */
export function unansweredFor(from: number): Text {
  return from === 0
    ? words('escalation.at-once')
    : words('escalation.unanswered', { minutes: minutesOf(from) })
}

/** The label of a button that chooses such a time. */
export function afterLabel(from: number): Text {
  return from === 0
    ? words('escalation.button.at-once')
    : words('escalation.button.after', { minutes: minutesOf(from) })
}

/** Every chat that a critical alert rings in when nobody answers, the soonest first, each once. */
export function escalationChats({ first, other, steps }: Escalation): Chat[] {
  const all = [first, other, ...steps.flatMap(({ chats }) => chats)].flatMap((chat) => chat ?? [])
  return [...new Map(all.map((chat) => [chat.id, chat])).values()]
}

/** Why critical alerts may reach nobody, a sentence each: to be read before the night, not in it. */
export function escalationTroubles(escalation: Escalation): Text[] {
  const { first, steps, handovers } = escalation
  if (first === null) return [words('trouble.no-chat')]
  const lost = handovers.flatMap(({ name, delegateId, wrong: why }) =>
    why === null ? [] : [{ name, delegateId, why }],
  )
  const isSaid = ({ delegateId }: EscalationStep) => lost.some((one) => one.delegateId === delegateId)
  return [
    ...lost.map(({ name, why }) => words('trouble.handover', { name, why })),
    ...endOf(escalation, first),
    ...steps.flatMap((step) => {
      const { name, from, wrong } = step
      return wrong === null || isSaid(step)
        ? []
        : [words('trouble.step', { name, when: afterText(from), wrong })]
    }),
    ...onePlatform(escalation, first),
  ]
}

function endOf({ other, wrong: why, steps }: Escalation, first: Chat): Text[] {
  const { platform } = first.address
  const broken = first.brokenBecause !== null
  const wrong = broken ? words('trouble.unwritable', { platform }) : why
  if (other !== null) {
    const to = { platform: other.address.platform }
    if (wrong === null) return []
    return [broken ? words('trouble.covered', { wrong, ...to }) : words('trouble.late', { wrong, ...to })]
  }
  const next = steps.find(({ chats }) => chats.length > 0)
  const after = next && { name: next.name, when: afterText(next.from) }
  if (wrong !== null)
    return [after ? words('trouble.next', { wrong, ...after }) : words('trouble.alone', { wrong })]
  return [
    after ? words('trouble.backup-late', { platform, ...after }) : words('trouble.no-backup', { platform }),
  ]
}

/** Many places behind one door. */
function onePlatform(escalation: Escalation, first: Chat): Text[] {
  const { platform } = first.address
  const chats = escalationChats(escalation)
  return chats.length > 1 && chats.every(({ address }) => address.platform === platform)
    ? [words('trouble.one-platform', { platform })]
    : []
}

/** The chat that keeps a person's digest: of several, which is so when two became one person, the first. */
export function digestKeeper(
  chats: readonly Chat[],
  which: 'digest' | 'weekly' = 'digest',
): Chat | undefined {
  return chats
    .filter((chat) => chat.private && chat[which] !== null)
    .reduce<Chat | undefined>((first, chat) => (first && first.id < chat.id ? first : chat), undefined)
}
