import type { DigestAhead } from '../../../people/digest.ts'
import type { Effect } from '../../memory/effect.ts'
import type { Memory } from '../../memory/memory.ts'
import { digestAt, digestWallets, zoneOf } from './digest.ts'
import { weeklyAt } from './weekly.ts'

const DAY_MS = 86_400_000
const SPAN_MS = { daily: DAY_MS, weekly: 7 * DAY_MS }
/** The money of a digest that was not read for longer is not made up for. */
const LONGEST_MS = 31 * DAY_MS

/** Finds the digests that come, with the money that they tell. */
export function digestsToCome(drawers: Pick<Memory, 'people' | 'rules'>) {
  const { people } = drawers
  return {
    hasDigests: () => people.digests.size + people.weeklies.size > 0,
    /** Those that are due until then (wall time) or late, the earliest first. */
    ahead(until: number): DigestAhead[] {
      const next = (ids: ReadonlySet<number>, which: DigestAhead['which']) =>
        [...ids].flatMap((chatId) => nextDigest(drawers, chatId, which, until) ?? [])
      return [...next(people.digests, 'daily'), ...next(people.weeklies, 'weekly')].toSorted(
        (a, b) => a.dueAt - b.dueAt,
      )
    },
    next: (chatId: number, which: DigestAhead['which']) => nextDigest(drawers, chatId, which),
  }
}

/** The next daily or weekly digest of a chat; null if none is due until then. */
function nextDigest(
  drawers: Pick<Memory, 'people' | 'rules'>,
  chatId: number,
  which: DigestAhead['which'],
  until = Infinity,
): DigestAhead | null {
  const chat = drawers.people.chats.get(chatId)
  const dueAt = which === 'daily' ? digestAt(drawers, chatId) : weeklyAt(drawers, chatId)
  if (!chat || dueAt === null || dueAt > until) return null
  const told = which === 'daily' ? chat.digest?.told?.moneyUntil : chat.weekly?.moneyUntil
  const since = Math.max(told ?? dueAt - SPAN_MS[which], dueAt - LONGEST_MS)
  return { chatId, which, since, dueAt, wallets: digestWallets(drawers, chatId), zone: zoneOf(drawers, chat) }
}

/** A wall clock that was days ahead must not keep digests for as long; one that was hours ahead must not repeat them. */
export function unkept({ people }: Pick<Memory, 'people'>, now: number): Effect[] {
  const isAhead = (one: { after: number } | null) => one !== null && one.after - now > DAY_MS
  return [...new Set([...people.digests, ...people.weeklies])].flatMap((chatId): Effect[] => {
    const chat = people.chats.get(chatId)
    if (!chat || !(isAhead(chat.digest) || isAhead(chat.weekly))) return []
    const digest = chat.digest && isAhead(chat.digest) ? { ...chat.digest, after: now } : chat.digest
    const weekly = chat.weekly && isAhead(chat.weekly) ? { ...chat.weekly, after: now } : chat.weekly
    return [{ is: 'chat', chat: { ...chat, digest, weekly } }]
  })
}
