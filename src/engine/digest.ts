import type { Chat } from '../chat.ts'
import { digestKeeper } from '../chain.ts'
import { nextTime } from '../lib/daytime.ts'
import type { Owner } from '../owner.ts'
import type { Effect } from './effect.ts'
import type { Look } from './look.ts'
import { privateChats } from './memory.ts'
import type { Memory } from './memory.ts'
import { ownersIn } from './standings.ts'

const DAY_MS = 24 * 3_600_000

/** What a digest speaks of. */
export interface Scope {
  /** Where it is told. */
  chat: Chat
  /** Where its alerts are told. */
  chatIds: number[]
  owners: Owner[]
  zone: string
  since: number
  dueAt: number
}

/** When a chat's next digest is due (wall time): a function of what was told last. Null: never. */
export function digestAt(memory: Memory, chatId: number): number | null {
  const chat = memory.chats.get(chatId)
  if (!chat?.digest) return null
  if (chat.private && digestKeeper(privateChats(memory, chat.personId))?.id !== chatId) return null
  return nextTime(chat.digest.minute, chat.digest.after, zoneOf(memory, chat))
}

/** A wall clock that was days ahead must not keep a digest for as long; one that was hours ahead must not repeat it. */
export function unkept({ chats, digests }: Memory, now: number): Effect[] {
  return [...digests].flatMap((chatId): Effect[] => {
    const chat = chats.get(chatId)
    return chat?.digest && chat.digest.after - now > DAY_MS
      ? [{ is: 'chat', chat: { ...chat, digest: { ...chat.digest, after: now } } }]
      : []
  })
}

/** Of a digest that is due now; null when it is not. */
export function scopeOf({ memory, now }: Look, keeperId: number): Scope | null {
  const dueAt = digestAt(memory, keeperId)
  const keeper = memory.chats.get(keeperId)
  if (!keeper || dueAt === null || dueAt > now) return null
  const own = keeper.private ? privateChats(memory, keeper.personId) : [keeper]
  const preferred = memory.persons.get(keeper.personId)?.defaultChat
  const told = keeper.digest?.told?.at ?? keeper.digest?.after ?? now
  return {
    chat: own.find(({ id }) => id === preferred) ?? keeper,
    chatIds: own.map(({ id }) => id),
    owners: keeper.private
      ? [...memory.watchesOf.of(keeper.personId).keys()]
      : [...ownersIn(memory, keeper.id)],
    zone: zoneOf(memory, keeper),
    // One that could not be told is made up for; a day is the least.
    since: Math.min(told, now - DAY_MS),
    dueAt,
  }
}

/** The last time at which it was due: one that is told late is not told again at the same time of the same day. */
export function lastDue({ dueAt, zone }: Scope, minute: number, now: number): number {
  let at = Math.max(dueAt, now - 2 * DAY_MS)
  for (let next = nextTime(minute, at, zone); next <= now; next = nextTime(minute, next, zone)) at = next
  return at
}

function zoneOf({ persons }: Memory, { personId }: Chat): string {
  return persons.get(personId)?.zone ?? 'UTC'
}
