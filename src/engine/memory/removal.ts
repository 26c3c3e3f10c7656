import type { Rule } from '../../alert/alert.ts'
import { type GuardId, type GuardKey, guardOf, ownerOf } from '../../alert/monitor.ts'
import type { Chat } from '../../chat/chat.ts'
import { addressKey, identityKey, placeKey } from '../../message/address.ts'
import type { Agreement } from '../../people/delegation.ts'
import type { Write } from '../../store/store.ts'
import { type FeedKey, feedOf } from '../../venue/source.ts'
import type { Owner } from '../../venue/wallet.ts'
import type { Memory } from './memory.ts'

// What goes with something that is gone, wherever memory has put it.

export function endFiring(memory: Memory, key: GuardKey): void {
  const state = memory.states.get(key)?.state
  // An alert that goes on under another chat's name is that one's now.
  if (state?.is === 'firing' && memory.firing.get(state.alertId) === key) memory.firing.delete(state.alertId)
}

/** It is ok, as far as anything is remembered of it. */
export function dropState(memory: Memory, key: GuardKey, guard: GuardId): void {
  endFiring(memory, key)
  memory.states.delete(key)
  memory.pending.delete(key)
  const owner = ownerOf(guard)
  if (owner !== null) memory.statesOf.drop(owner, key)
}

export function forget(memory: Memory, key: GuardKey, guard: GuardId): void {
  dropState(memory, key, guard)
  memory.memos.delete(key)
  memory.values.delete(key)
  memory.unseen.delete(key)
  memory.unconfirmed.drop(guard.chatId, key)
  const slot = memory.guards.slotOf(guard)
  if (slot >= 0) memory.watchlist.disarm(slot)
  memory.guards.drop(guard)
  const owner = ownerOf(guard)
  if (owner !== null) memory.danger.drop(owner, key)
}

export function unlistChat(memory: Memory, { id, address, personId }: Chat): void {
  memory.chatAt.delete(addressKey(address))
  memory.chatsIn.drop(placeKey(address), id)
  memory.chatsOf.drop(personId, id)
}

/** Everything of theirs. */
export function dropPerson(memory: Memory, personId: number): void {
  for (const one of memory.persons.get(personId)?.identities ?? []) memory.personBy.delete(identityKey(one))
  for (const chatId of [...memory.chatsOf.of(personId).keys()]) dropChat(memory, chatId)
  for (const rule of [...memory.rulesOf.of(personId).values()]) dropRule(memory, rule)
  for (const owner of [...memory.watchesOf.of(personId).keys()]) dropWatch(memory, personId, owner)
  for (const { hash, personId: maker } of memory.codes.values())
    if (maker === personId) memory.codes.delete(hash)
  for (const helperId of [...memory.helpersOf.of(personId).keys()]) dropAgreement(memory, personId, helperId)
  for (const helpedId of [...memory.helpedBy.of(personId).keys()]) dropAgreement(memory, helpedId, personId)
  unlistSteps(memory, personId)
  if (memory.operatorId === personId) memory.operatorId = null
  memory.drills.delete(personId)
  memory.persons.delete(personId)
}

export function dropChat(memory: Memory, chatId: number): void {
  const chat = memory.chats.get(chatId)
  if (!chat) return
  for (const rule of [...memory.rulesIn.of(chatId).values()]) dropRule(memory, rule)
  for (const [key, guard] of [...memory.guardsIn.of(chatId)]) forget(memory, key, guard)
  for (const feed of memory.toldIn.of(chatId).keys()) memory.told.drop(feed, chatId)
  memory.toldIn.dropGroup(chatId)
  memory.mutesIn.dropGroup(chatId)
  memory.heldIn.dropGroup(chatId)
  moveCopies(memory, chatId, null)
  unlistChat(memory, chat)
  memory.chats.delete(chatId)
  memory.broken.delete(chatId)
  memory.digests.delete(chatId)
  memory.pins.delete(chatId)
}

/** Whoever was rung in the one chat hears of the end in the other; in an alert's own chat that is no copy. */
export function moveCopies(memory: Memory, from: number, to: number | null): void {
  for (const [alertId, chats] of memory.copies) {
    if (!chats.delete(from)) continue
    const key = memory.firing.get(alertId)
    if (to !== null && key !== undefined && guardOf(key).chatId !== to) chats.add(to)
    if (chats.size === 0) memory.copies.delete(alertId)
  }
}

export function dropRule(memory: Memory, { id, personId, chatId, owner, market }: Rule): void {
  memory.rules.delete(id)
  memory.rulesOf.drop(personId, id)
  memory.rulesIn.drop(chatId, id)
  if (owner !== null) memory.rulesOver.drop(owner, id)
  memory.rulesOn.drop(market?.id ?? null, id)
}

/** Nobody is named by the list of this person any more. */
export function unlistSteps(memory: Memory, personId: number): void {
  for (const { to } of memory.persons.get(personId)?.steps ?? [])
    if (to.is === 'person') memory.listing.drop(to.personId, personId)
}

export function putAgreement(memory: Memory, agreement: Agreement): void {
  const { personId, helperId, handedUntil } = agreement
  memory.helpersOf.put(personId, helperId, agreement)
  memory.helpedBy.put(helperId, personId, agreement)
  if (handedUntil === null) memory.handed.drop(personId, helperId)
  else memory.handed.put(personId, helperId, agreement)
}

export function dropAgreement(memory: Memory, personId: number, helperId: number): void {
  memory.handed.drop(personId, helperId)
  memory.helpersOf.drop(personId, helperId)
  memory.helpedBy.drop(helperId, personId)
}

export function dropWatch(memory: Memory, personId: number, owner: Owner): void {
  memory.watches.drop(owner, personId)
  memory.watchesOf.drop(personId, owner)
}

/** What the store lets go of with a guard's state and memo. An alert that it fires is closed. */
export function keptOf(memory: Memory, key: GuardKey, guard: GuardId, now: number): Write[] {
  const state = memory.states.get(key)?.state
  return [
    ...(state ? [{ is: 'state-gone', guard } as const] : []),
    ...(state?.is === 'firing' ? [{ is: 'alert-closed', alertId: state.alertId, at: now } as const] : []),
    ...(memory.memos.has(key) ? [{ is: 'memo-gone', guard } as const] : []),
  ]
}

const ONLY_WHILE_THEY_FAIL = ['account/', 'margin/', 'orders/']

/** An account, a margin or orders are spoken of while they fail, and until everybody who was told is told of their return. */
export function listAccount(memory: Memory, key: FeedKey): void {
  // Most that is seen is markets, hundreds at every tick.
  const feed = ONLY_WHILE_THEY_FAIL.some((start) => key.startsWith(start)) ? feedOf(key) : null
  if (feed === null || !('owner' in feed)) return
  const isListed = memory.sight.has(key) || memory.told.of(key).size > 0
  if (isListed) memory.accountFeeds.put(feed.owner, key, true)
  else memory.accountFeeds.drop(feed.owner, key)
}
