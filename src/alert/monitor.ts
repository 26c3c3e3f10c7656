import { escaped, unescaped } from '../lib/text/escape.ts'
import type { Wallet } from '../venue/wallet.ts'
import { type SubjectId, subjectKey, subjectOf } from './subject-id.ts'

/**
 * A monitor: one kind of alert, in one chat, about one subject. All rules of that kind and identity that
 * cover the subject there share it.
 */
export interface MonitorId {
  chatId: number
  kind: string
  /** See `identity` of a kind: rules with different identities have separate monitors. */
  identity: string
  subject: SubjectId
}

/** The wallet that a monitor is about; null for a market or the venue. */
export function walletOf({ subject }: MonitorId): Wallet | null {
  return 'wallet' in subject ? subject.wallet : null
}

/** The key of a monitor in maps. */
export type MonitorKey = string

export function monitorKey({ chatId, kind, identity, subject }: MonitorId): MonitorKey {
  return `${chatId}|${kind}|${escaped(identity)}|${subjectKey(subject)}`
}

/** Parses the chat alone, which is fast enough for many keys. */
export function chatOf(key: MonitorKey): number {
  return Number.parseInt(key, 10)
}

export function monitorOf(key: MonitorKey): MonitorId {
  const [chatId = '', kind = '', identity = '', subject = ''] = key.split('|')
  return { chatId: Number(chatId), kind, identity: unescaped(identity), subject: subjectOf(subject) }
}
