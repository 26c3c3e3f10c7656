import { type MonitorId, type MonitorKey, monitorKey, monitorOf, walletOf } from '../../alert/monitor.ts'
import { addressKey, identityKey, placeKey } from '../../message/address.ts'
import { mutedKey } from '../../people/mute.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import type { Account } from '../../venue/account.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { positionKey } from '../../venue/position.ts'
import type { WalletReading } from '../../venue/reading.ts'
import { sourceOf, MARKETS } from '../../venue/source.ts'
import type { Recorder } from '../recording/recorder.ts'
import type { KnownAccount } from '../recording/wallet-series.ts'
import type { Effect } from './effect.ts'
import { emptyMemory, type Memory, priceOf, sameShelves } from './memory.ts'
import {
  dropDelegation,
  dropChat,
  dropPerson,
  dropRule,
  dropState,
  dropWatch,
  endFiring,
  forget,
  listAccount,
  moveCopies,
  putDelegation,
  unlistChat,
  unlistSteps,
} from './removal.ts'
import { type WalletView, restoredView } from './wallet-view.ts'

/** Every guard that anything is remembered of is on the roll. */
function known(memory: Memory, monitor: MonitorId): MonitorKey {
  memory.monitors.take(monitor)
  return monitorKey(monitor)
}

type Law = { [Is in Effect['is']]: (memory: Memory, effect: Extract<Effect, { is: Is }>) => void }

/** What is kept by the store alone. */
const nothing = () => {}

/** What each kind of effect does to memory; the store does the same with those that are writes. */
const LAW: Law = {
  person(memory, { person }) {
    for (const one of memory.persons.get(person.id)?.identities ?? [])
      memory.personBy.delete(identityKey(one))
    unlistSteps(memory, person.id)
    for (const { to } of person.steps)
      if (to.is === 'person') memory.listing.put(to.personId, person.id, true)
    for (const one of person.identities) memory.personBy.set(identityKey(one), person.id)
    if (person.operator) memory.operatorId = person.id
    memory.persons.set(person.id, person)
  },
  'person-gone': (memory, { personId }) => dropPerson(memory, personId),
  code: (memory, { code }) => void memory.codes.set(code.hash, code),
  'code-gone': (memory, { hash }) => void memory.codes.delete(hash),
  delegation: (memory, { delegation }) => putDelegation(memory, delegation),
  'delegation-gone': (memory, { personId, delegateId }) => dropDelegation(memory, personId, delegateId),
  chat(memory, { chat }) {
    const before = memory.chats.get(chat.id)
    if (before) unlistChat(memory, before)
    memory.chats.set(chat.id, chat)
    memory.broken[chat.brokenBecause === null ? 'delete' : 'add'](chat.id)
    memory.digests[chat.digest === null ? 'delete' : 'add'](chat.id)
    memory.pins[chat.pin === null ? 'delete' : 'add'](chat.id)
    memory.chatAt.set(addressKey(chat.address), chat.id)
    memory.chatsIn.put(placeKey(chat.address), chat.id, chat)
    memory.chatsOf.put(chat.personId, chat.id, chat)
  },
  'chat-gone': (memory, { chatId }) => dropChat(memory, chatId),
  'rows-moved': (memory, { from, to }) => moveCopies(memory, from, to),
  watch(memory, { watch }) {
    memory.watches.put(watch.wallet, watch.personId, watch)
    memory.watchesOf.put(watch.personId, watch.wallet, watch)
  },
  unwatch: (memory, { personId, wallet }) => dropWatch(memory, personId, wallet),
  rule(memory, { rule }) {
    const before = memory.rules.get(rule.id)
    if (before && !sameShelves(before, rule)) dropRule(memory, before)
    memory.rules.set(rule.id, rule)
    memory.rulesOf.put(rule.personId, rule.id, rule)
    memory.rulesIn.put(rule.chatId, rule.id, rule)
    if (rule.wallet !== null) memory.rulesOver.put(rule.wallet, rule.id, rule)
    if (rule.market) memory.symbols.set(rule.market.id, rule.market.symbol)
    if (rule.market !== null || rule.wallet === null)
      memory.rulesOn.put(rule.market?.id ?? null, rule.id, rule)
  },
  'rule-gone'(memory, { ruleId }) {
    const rule = memory.rules.get(ruleId)
    if (rule) dropRule(memory, rule)
  },
  state(memory, { row: { monitor, state, value, params } }) {
    const key = known(memory, monitor)
    endFiring(memory, key)
    memory.states.set(key, { state, value, params })
    const wallet = walletOf(monitor)
    if (wallet !== null) memory.statesOf.put(wallet, key, true)
    memory.pending[state.is === 'pending' ? 'add' : 'delete'](key)
    if (state.is === 'firing') memory.firing.set(state.alertId, key)
  },
  'state-gone'(memory, { monitor }) {
    const key = monitorKey(monitor)
    dropState(memory, key, monitor)
    memory.values.delete(key)
  },
  memo: (memory, { row: { monitor, memo } }) => void memory.memos.set(known(memory, monitor), memo),
  'memo-gone': (memory, { monitor }) => void memory.memos.delete(monitorKey(monitor)),
  alert: nothing,
  'alert-closed': (memory, { alertId }) => void memory.escalatedTo.delete(alertId),
  step: nothing,
  send: nothing,
  coalesced: nothing,
  copied(memory, { copy }) {
    for (const alertId of copy?.alertIds ?? []) {
      const key = memory.firing.get(alertId)
      // Nobody is owed the end of what is over already, and its own chat hears it anyway.
      if (key === undefined || monitorOf(key).chatId === copy?.chatId) continue
      const chats = memory.escalatedTo.get(alertId) ?? new Set()
      memory.escalatedTo.set(alertId, chats.add(copy?.chatId ?? 0))
    }
  },
  wallet(memory, { memory: kept }) {
    for (const [marketId, symbol] of Object.entries(kept.symbols)) memory.symbols.set(marketId, symbol)
    // In a run the view comes beside it; after a start this is all there is.
    if (!memory.wallets.has(kept.wallet)) memory.wallets.put(restoredView(kept))
  },
  passed: (memory, { wallet, position, price }) => memory.wallets.pass(wallet, position, price),
  'wallet-gone'(memory, { wallet }) {
    memory.wallets.delete(wallet)
    memory.orders.delete(wallet)
    memory.danger.dropGroup(wallet)
  },
  mute: (memory, { mute }) => memory.mutesIn.put(mute.chatId, mutedKey(mute.of), mute),
  'mute-gone': (memory, { chatId, of }) => memory.mutesIn.drop(chatId, of),
  suppressed: (memory, { held }) => memory.suppressedIn.put(held.chatId, held.alertId, held),
  'suppressed-gone': (memory, { chatId, alertId }) => memory.suppressedIn.drop(chatId, alertId),
  source(memory, { row }) {
    memory.outageNotices.put(row.source, row.chatId, row)
    memory.outageNoticesByChat.put(row.chatId, row.source, row)
    listAccount(memory, row.source)
  },
  'source-gone'(memory, { source, chatId }) {
    memory.outageNotices.drop(source, chatId)
    memory.outageNoticesByChat.drop(chatId, source)
    listAccount(memory, source)
  },
  dark: (memory, { source, since }) => void memory.failingSince.set(source, since),
  drill: (memory, { drill }) => void memory.drills.set(drill.personId, drill),
  gap: nothing,
  'dark-gone': (memory, { source }) => void memory.failingSince.delete(source),
  input: nothing,
  alive: nothing,
  prune: nothing,
  past: nothing,
  judged(memory, { key, monitor, value, danger, marketId, until, still = false, remembered }) {
    const slot = memory.monitors.take(monitor)
    memory.monitors.rest(slot, still)
    if (!remembered) memory.notEvaluatedYet.delete(key)
    if (value === null) memory.values.delete(key)
    else memory.values.set(key, value)
    if (marketId !== null) memory.thresholdIndex.arm(slot, marketId, until)
    const wallet = walletOf(monitor)
    if (wallet === null) return
    if (danger) memory.danger.put(wallet, key, true)
    else memory.danger.drop(wallet, key)
  },
  bounds: (memory, { slot, marketId, until }) => memory.thresholdIndex.arm(slot, marketId, until),
  waits: (memory, { monitor, marketId }) =>
    memory.thresholdIndex.arm(memory.monitors.take(monitor), marketId, undefined),
  unconfirmed: (memory, { chatId, wait }) => memory.unconfirmed.put(chatId, wait.key, wait),
  'suspension-told': (memory, { chatId }) => void memory.suspensionTold.add(chatId),
  settled: (memory, { chatId, key }) => memory.unconfirmed.drop(chatId, key),
  forgotten: (memory, { key, monitor }) => forget(memory, key, monitor),
  view(memory, { view }) {
    memory.wallets.put(view)
    if (view.completeMono === view.mono) memory.walletOutage = null
  },
  same(memory, { reading }) {
    memory.wallets.renew(reading, (marketId) => priceOf(memory, marketId))
    memory.walletOutage = null
  },
  orders: (memory, { wallet, seen }) => void memory.orders.set(wallet, seen),
  trouble(memory, { source, why, mono }) {
    if (why !== null && source.startsWith('owner/')) {
      const { sinceMono, sources } = memory.walletOutage ?? { sinceMono: mono, sources: new Set() }
      memory.walletOutage = { sinceMono, why, sources: sources.add(source) }
    }
    // What an earlier run has tried in vain does not begin anew.
    const firstMono = (memory.failingSince.has(source) ? memory.lastSuccess.get(source)?.mono : null) ?? mono
    if (why === null) memory.lastFailure.delete(source)
    else
      memory.lastFailure.set(source, {
        why,
        sinceMono: memory.lastFailure.get(source)?.sinceMono ?? firstMono,
      })
  },
  seen(memory, { source, at, mono }) {
    memory.lastSuccess.set(source, { at, mono })
    memory.lastFailure.delete(source)
    listAccount(memory, source)
  },
  unwanted(memory, { source }) {
    memory.lastSuccess.delete(source)
    memory.lastFailure.delete(source)
    memory.blind.delete(source)
    memory.recoveredAt.delete(source)
    listAccount(memory, source)
  },
  outage(memory, { source, since, why }) {
    memory.blind.set(source, { since, why })
    memory.recoveredAt.delete(source)
  },
  recovered(memory, { source, mono }) {
    memory.blind.delete(source)
    memory.recoveredAt.set(source, mono)
    // Whether wallets are answered for is seen now.
    if (source === MARKETS) memory.walletOutage = null
  },
}

/** Changes memory by what the store has taken, and by what it need not take. */
export function apply(memory: Memory, effects: readonly Effect[]): void {
  for (const effect of effects) (LAW[effect.is] as (memory: Memory, effect: Effect) => void)(memory, effect)
  for (const effect of effects) record(memory, effect)
}

/** The memory of a start: everything that the store remembers, by the same law. */
export function createMemory(remembered: Snapshot): Memory {
  const memory = emptyMemory(remembered)
  const { states, memos, sources, escalatedTo } = remembered
  // One by one: of very many, what was only needed to read them is not there at the same time.
  const take = <T>(all: Iterable<T>, effectOf: (one: T) => Effect) => {
    for (const one of all) apply(memory, [effectOf(one)])
  }
  take(remembered.persons, (person) => ({ is: 'person', person }))
  take(remembered.chats, (chat) => ({ is: 'chat', chat }))
  take(remembered.codes, (code) => ({ is: 'code', code }))
  take(remembered.delegations, (delegation) => ({ is: 'delegation', delegation }))
  take(remembered.watches, (watch) => ({ is: 'watch', watch }))
  take(remembered.rules, (rule) => ({ is: 'rule', rule }))
  take(states, (row) => ({ is: 'state', row }))
  take(memos, (row) => ({ is: 'memo', row }))
  take(remembered.wallets, (wallet) => ({ is: 'wallet', memory: wallet }))
  take(sources, (row) => ({ is: 'source', row }))
  const copyOf = ({ alertId, chatId }: (typeof escalatedTo)[number]) => ({ alertIds: [alertId], chatId })
  take(escalatedTo, (one) => ({ is: 'copied', rowId: 0, at: 0, copy: copyOf(one) }))
  take(remembered.mutes, (mute) => ({ is: 'mute', mute }))
  take(remembered.held, (held) => ({ is: 'suppressed', held }))
  take(remembered.drills, (drill) => ({ is: 'drill', drill }))
  take(remembered.failingSince, (row) => ({ is: 'dark', ...row }))
  // What somebody was told is blind is blind until it is seen.
  take(sources, ({ source, since, why }) => ({ is: 'outage', source, since, why }))
  for (const { monitor } of [...states, ...memos]) memory.notEvaluatedYet.add(monitorKey(monitor))
  return memory
}

const DIGITS = 10

/** Each price of a market counts where somebody is in it or has a rule for it. */
export function recordMarket(
  { past, walletsByMarket: holders, rulesOn }: Memory,
  market: Market,
  at: number,
): void {
  const figures = { at, price: toNumber(market.price), rate: toNumber(market.fundingRatePerDay) }
  past.price(market.id, figures, holders.has(market.id) || rulesOn.has(market.id))
}

/** What memory takes is what was known from then on. */
export function record({ past }: Memory, effect: Effect): void {
  if (effect.is === 'view') recordView(past, effect.view)
  else if (effect.is === 'same') recordAnswer(past, effect.reading)
  else if (effect.is === 'outage') {
    const source = sourceOf(effect.source)
    if (source.is === 'wallet') past.unseen(source.wallet, effect.since, effect.at ?? effect.since)
  } else if (effect.is === 'wallet-gone') past.forget(effect.wallet)
  else if (effect.is === 'past') past.kept(effect)
}

/** What is held as it is judged: with what one answer lacks. */
function recordView(past: Recorder, { wallet, held, accounts, at, mono, completeMono }: WalletView): void {
  if (!past.takes(wallet)) return
  if (completeMono === mono) past.unseen(wallet, null, at)
  const known = [...held].map(
    ([key, { position, missingSince }]) => [key, { ...position, missing: missingSince !== null }] as const,
  )
  const beside = [...accounts].map(
    ([id, { account, seenMono }]) => [id, accountOf(account, seenMono < mono)] as const,
  )
  past.wallet(wallet, { positions: new Map(known), accounts: new Map(beside) }, at)
}

/** The same of an answer that shows what was held, and nothing beside it. */
function recordAnswer(past: Recorder, { wallet, value, at }: WalletReading): void {
  if (!past.takes(wallet)) return
  const known = value.positions.map(
    (position) => [positionKey(position), { ...position, missing: false }] as const,
  )
  past.wallet(wallet, { positions: new Map(known), accounts: null }, at)
}

/** Of ten digits, as prices are. */
function accountOf({ pool, marginRatio }: Account, late: boolean): KnownAccount {
  return { pool, ratio: marginRatio === null ? null : Number(marginRatio.toPrecision(DIGITS)), late }
}
