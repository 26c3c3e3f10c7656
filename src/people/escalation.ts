import type { Chat } from './chat.ts'

/** Where a person is told, and where what that chat does not take or nobody answers goes as well. */
export interface Escalation {
  first: Chat | null
  /** Why nothing reaches that one; null while it does. */
  wrong: string | null
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
  wrong: string | null
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

/** `at once`, `after 7m`. */
export function afterText(from: number): string {
  return from === 0 ? 'at once' : `after ${typedAfter(from)}`
}

/** Every chat that a critical alert rings in when nobody answers, the soonest first, each once. */
export function escalationChats({ first, other, steps }: Escalation): Chat[] {
  const all = [first, other, ...steps.flatMap(({ chats }) => chats)].flatMap((chat) => chat ?? [])
  return [...new Map(all.map((chat) => [chat.id, chat])).values()]
}

/** Why what is critical may reach nobody, a sentence each: to be read before the night, not in it. */
export function escalationTroubles(escalation: Escalation): string[] {
  const { first, steps, handovers } = escalation
  if (first === null)
    return ['I have no private chat with you: nothing of yours reaches you. Write to me there.']
  const lost = handovers.filter(({ wrong }) => wrong !== null)
  const isSaid = ({ delegateId }: EscalationStep) => lost.some((one) => one.delegateId === delegateId)
  const broken = steps.filter((step) => step.wrong !== null && !isSaid(step))
  return [
    ...lost.map(({ name, wrong }) => `It is handed over to ${name}, and nothing reaches them: ${wrong}.`),
    ...endOf(escalation, first),
    ...broken.map(({ name, from, wrong }) => `${name}, ${afterText(from)}: ${wrong}.`),
    ...onePlatform(escalation, first),
  ]
}

function endOf({ other, wrong, steps }: Escalation, first: Chat): string[] {
  const { platform } = first.address
  const broken = first.brokenBecause !== null
  const fails = broken ? `I cannot write to you on ${platform}` : wrong
  if (other !== null) {
    const instead = other.address.platform
    if (broken) return [`${fails}; ${instead} stands in.`]
    return fails === null ? [] : [`${fails}: ${instead} gets what is critical a minute late, the rest waits.`]
  }
  const next = steps.find(({ chats }) => chats.length > 0)
  const late = next ? `nobody is told before ${next.name}, ${afterText(next.from)}` : 'nothing stands in'
  if (fails !== null) return [`${fails}, and ${late}: /link adds a platform.`]
  return [
    next
      ? `If ${platform} fails, ${late}: /settings fallback.`
      : `If ${platform} fails, nothing stands in for it: /link adds a platform.`,
  ]
}

/** Many places behind one door. */
function onePlatform(escalation: Escalation, first: Chat): string[] {
  const { platform } = first.address
  const chats = escalationChats(escalation)
  return chats.length > 1 && chats.every(({ address }) => address.platform === platform)
    ? [`All of it goes over ${platform}: when that is down, nobody is told. /link adds a platform.`]
    : []
}

/** The chat that keeps a person's digest: of several, which is so when two became one person, the first. */
export function digestKeeper(chats: readonly Chat[]): Chat | undefined {
  return chats
    .filter((chat) => chat.private && chat.digest !== null)
    .reduce<Chat | undefined>((first, chat) => (first && first.id < chat.id ? first : chat), undefined)
}
