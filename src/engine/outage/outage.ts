import type { Text } from '../../message/message.ts'
import { type FeedKey, feedKey, feedOf } from '../../venue/source.ts'
import { type Memory, nearDanger, walletLabel } from '../memory/memory.ts'
import { NAMED, ownersIn } from './last-known.ts'

/** Wallets that were last read this near to each other went dark in one outage: those near danger are told so soon. */
const ONE_OUTAGE_MS = 30_000

/** A wallet, one account of it, or its margin. */
export function isWallet(feed: FeedKey): boolean {
  return 'owner' in feedOf(feed)
}

/** The scope of an outage: what fails as well and is far from danger, so that it is told later. */
export function alsoFailing(memory: Memory, feed: FeedKey, chatId: number): Text[] {
  const told = feedOf(feed)
  if (told.is !== 'owner' || !nearDanger(memory, told.owner)) return []
  const failing = [...ownersIn(memory, chatId)].filter((owner) => {
    const other = feedKey({ is: 'owner', owner })
    return memory.trouble.has(other) && !memory.blind.has(other) && !nearDanger(memory, owner)
  })
  if (failing.length === 0) return []
  const personId = memory.chats.get(chatId)?.personId ?? 0
  const names = failing.slice(0, NAMED).map((owner) => walletLabel(memory, personId, owner))
  const more = failing.length > NAMED ? ` and ${failing.length - NAMED} more` : ''
  return [`also failing, far from danger: ${names.join(', ')}${more}`]
}

/** Whether this chat was rung for the outage that has taken a wallet far from danger: it is told without ringing again. */
export function outageIsKnown(memory: Memory, feed: FeedKey, chatId: number, since: number): boolean {
  const dark = feedOf(feed)
  if (!('owner' in dark) || nearDanger(memory, dark.owner)) return false
  return [...memory.toldIn.of(chatId)].some(([other, row]) => {
    const lasts = isWallet(other) && memory.blind.has(other)
    return lasts && since < row.since + ONE_OUTAGE_MS
  })
}
