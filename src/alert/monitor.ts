import { escaped, unescaped } from '../lib/text/escape.ts'
import type { Owner } from '../venue/wallet.ts'
import { type SubjectId, subjectKey, subjectOf } from './subject-id.ts'

/**
 * What is judged and remembered: one kind of alert, in one chat, about one subject. All rules of that kind and
 * identity that cover the subject there stand behind it together.
 */
export interface GuardId {
  chatId: number
  kind: string
  /** See `identity` of a kind: rules that differ in it stand side by side. */
  identity: string
  subject: SubjectId
}

/** The owner that a guard is about; null for a market or the venue, which are nobody's. */
export function ownerOf({ subject }: GuardId): Owner | null {
  return 'owner' in subject ? subject.owner : null
}

/** As one word, for maps. */
export type GuardKey = string

export function guardKey({ chatId, kind, identity, subject }: GuardId): GuardKey {
  return `${chatId}|${kind}|${escaped(identity)}|${subjectKey(subject)}`
}

/** The chat alone, for whoever has many. */
export function chatOf(key: GuardKey): number {
  return Number.parseInt(key, 10)
}

export function guardOf(key: GuardKey): GuardId {
  const [chatId = '', kind = '', identity = '', subject = ''] = key.split('|')
  return { chatId: Number(chatId), kind, identity: unescaped(identity), subject: subjectOf(subject) }
}
