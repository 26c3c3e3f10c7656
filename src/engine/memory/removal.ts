import type { Rule } from '../../alert/alert.ts'
import { type MonitorId, type MonitorKey, monitorOf, walletOf } from '../../alert/monitor.ts'
import type { Chat } from '../../chat/chat.ts'
import { addressKey, identityKey, placeKey } from '../../message/address.ts'
import type { Delegation } from '../../people/delegation.ts'
import type { Write } from '../../store/store.ts'
import { type SourceKey, sourceOf } from '../../venue/source.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Memory } from './memory.ts'

// What goes with something that is gone, wherever memory has put it.

export function endFiring(memory: Memory, key: MonitorKey): void {
  const state = memory.states.get(key)?.state
  // An alert that goes on under another chat's name is that one's now.
  if (state?.is === 'firing' && memory.firing.get(state.alertId) === key) memory.firing.delete(state.alertId)
}

/** It is ok, as far as anything is remembered of it. */
export function dropState(memory: Memory, key: MonitorKey, monitor: MonitorId): void {
  endFiring(memory, key)
  memory.states.delete(key)
  memory.pending.delete(key)
  const wallet = walletOf(monitor)
  if (wallet !== null) memory.statesOf.drop(wallet, key)
}

export function forget(memory: Memory, key: MonitorKey, monitor: MonitorId): void {
  dropState(memory, key, monitor)
  memory.memos.delete(key)
  memory.values.delete(key)
  memory.notEvaluatedYet.delete(key)
  memory.unconfirmed.drop(monitor.chatId, key)
  const slot = memory.monitors.slotOf(monitor)
  if (slot >= 0) memory.thresholdIndex.disarm(slot)
  memory.monitors.drop(monitor)
  const wallet = walletOf(monitor)
  if (wallet !== null) memory.danger.drop(wallet, key)
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
  for (const wallet of [...memory.watchesOf.of(personId).keys()]) dropWatch(memory, personId, wallet)
  for (const { hash, personId: maker } of memory.codes.values())
    if (maker === personId) memory.codes.delete(hash)
  for (const delegateId of [...memory.delegatesOf.of(personId).keys()])
    dropDelegation(memory, personId, delegateId)
  for (const helpedId of [...memory.coveredBy.of(personId).keys()]) dropDelegation(memory, helpedId, personId)
  unlistSteps(memory, personId)
  if (memory.operatorId === personId) memory.operatorId = null
  memory.drills.delete(personId)
  memory.persons.delete(personId)
}

export function dropChat(memory: Memory, chatId: number): void {
  const chat = memory.chats.get(chatId)
  if (!chat) return
  for (const rule of [...memory.rulesIn.of(chatId).values()]) dropRule(memory, rule)
  for (const [key, monitor] of [...memory.monitorsIn.of(chatId)]) forget(memory, key, monitor)
  for (const source of memory.outageNoticesByChat.of(chatId).keys()) memory.outageNotices.drop(source, chatId)
  memory.outageNoticesByChat.dropGroup(chatId)
  memory.mutesIn.dropGroup(chatId)
  memory.suppressedIn.dropGroup(chatId)
  moveCopies(memory, chatId, null)
  unlistChat(memory, chat)
  memory.chats.delete(chatId)
  memory.broken.delete(chatId)
  memory.digests.delete(chatId)
  memory.pins.delete(chatId)
}

/** Whoever was rung in the one chat hears of the end in the other; in an alert's own chat that is no copy. */
export function moveCopies(memory: Memory, from: number, to: number | null): void {
  for (const [alertId, chats] of memory.escalatedTo) {
    if (!chats.delete(from)) continue
    const key = memory.firing.get(alertId)
    if (to !== null && key !== undefined && monitorOf(key).chatId !== to) chats.add(to)
    if (chats.size === 0) memory.escalatedTo.delete(alertId)
  }
}

export function dropRule(memory: Memory, { id, personId, chatId, wallet, market }: Rule): void {
  memory.rules.delete(id)
  memory.rulesOf.drop(personId, id)
  memory.rulesIn.drop(chatId, id)
  if (wallet !== null) memory.rulesOver.drop(wallet, id)
  memory.rulesOn.drop(market?.id ?? null, id)
}

/** Nobody is named by the list of this person any more. */
export function unlistSteps(memory: Memory, personId: number): void {
  for (const { to } of memory.persons.get(personId)?.steps ?? [])
    if (to.is === 'person') memory.listing.drop(to.personId, personId)
}

export function putDelegation(memory: Memory, delegation: Delegation): void {
  const { personId, delegateId, handoverUntil } = delegation
  memory.delegatesOf.put(personId, delegateId, delegation)
  memory.coveredBy.put(delegateId, personId, delegation)
  if (handoverUntil === null) memory.handovers.drop(personId, delegateId)
  else memory.handovers.put(personId, delegateId, delegation)
}

export function dropDelegation(memory: Memory, personId: number, delegateId: number): void {
  memory.handovers.drop(personId, delegateId)
  memory.delegatesOf.drop(personId, delegateId)
  memory.coveredBy.drop(delegateId, personId)
}

export function dropWatch(memory: Memory, personId: number, wallet: Wallet): void {
  memory.watches.drop(wallet, personId)
  memory.watchesOf.drop(personId, wallet)
}

/** What the store lets go of with a guard's state and memo. An alert that it fires is closed. */
export function keptOf(memory: Memory, key: MonitorKey, monitor: MonitorId, now: number): Write[] {
  const state = memory.states.get(key)?.state
  return [
    ...(state ? [{ is: 'state-gone', monitor } as const] : []),
    ...(state?.is === 'firing' ? [{ is: 'alert-closed', alertId: state.alertId, at: now } as const] : []),
    ...(memory.memos.has(key) ? [{ is: 'memo-gone', monitor } as const] : []),
  ]
}

const ONLY_WHILE_THEY_FAIL = ['account/', 'margin/', 'orders/']

/** An account, a margin or orders are spoken of while they fail, and until everybody who was told is told of their return. */
export function listAccount(memory: Memory, key: SourceKey): void {
  // Most that is seen is markets, hundreds at every tick.
  const source = ONLY_WHILE_THEY_FAIL.some((start) => key.startsWith(start)) ? sourceOf(key) : null
  if (source === null || !('wallet' in source)) return
  const isListed = memory.lastSuccess.has(key) || memory.outageNotices.of(key).size > 0
  if (isListed) memory.accountSources.put(source.wallet, key, true)
  else memory.accountSources.drop(source.wallet, key)
}
