import { escaped, unescaped } from '../lib/text/escape.ts'
import type { Wallet } from '../venue/wallet.ts'
import { type SubjectId, subjectKey, subjectOf } from './subject-id.ts'

/**
 * What is judged and remembered: one kind of alert, in one chat, about one subject. All rules of that kind and
 * identity that cover the subject there stand behind it together.
 */
export interface MonitorId {
  chatId: number
  kind: string
  /** See `identity` of a kind: rules that differ in it stand side by side. */
  identity: string
  subject: SubjectId
}

/** The owner that a guard is about; null for a market or the venue, which are nobody's. */
export function walletOf({ subject }: MonitorId): Wallet | null {
  return 'wallet' in subject ? subject.wallet : null
}

/** As one word, for maps. */
export type MonitorKey = string

export function monitorKey({ chatId, kind, identity, subject }: MonitorId): MonitorKey {
  return `${chatId}|${kind}|${escaped(identity)}|${subjectKey(subject)}`
}

/** The chat alone, for whoever has many. */
export function chatOf(key: MonitorKey): number {
  return Number.parseInt(key, 10)
}

export function monitorOf(key: MonitorKey): MonitorId {
  const [chatId = '', kind = '', identity = '', subject = ''] = key.split('|')
  return { chatId: Number(chatId), kind, identity: unescaped(identity), subject: subjectOf(subject) }
}
