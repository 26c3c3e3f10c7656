import { type GuardId, type GuardKey, guardKey, guardOf, ownerOf } from '../../alert/monitor.ts'
import { addressKey, identityKey, placeKey } from '../../message/address.ts'
import { mutedKey } from '../../people/mute.ts'
import type { Remembered } from '../../store/snapshot.ts'
import type { Account } from '../../venue/account.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { positionKey } from '../../venue/position.ts'
import type { OwnerReading } from '../../venue/reading.ts'
import { feedOf, MARKETS } from '../../venue/source.ts'
import type { Recorder } from '../recording/recorder.ts'
import type { KnownAccount } from '../recording/wallet-series.ts'
import type { Effect } from './effect.ts'
import { emptyMemory, type Memory, priceOf, sameShelves } from './memory.ts'
import {
  dropAgreement,
  dropChat,
  dropPerson,
  dropRule,
  dropState,
  dropWatch,
  endFiring,
  forget,
  listAccount,
  moveCopies,
  putAgreement,
  unlistChat,
  unlistSteps,
} from './removal.ts'
import { type OwnerView, recalledView } from './wallet-view.ts'

/** Every guard that anything is remembered of is on the roll. */
function known(memory: Memory, guard: GuardId): GuardKey {
  memory.guards.take(guard)
  return guardKey(guard)
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
  agreement: (memory, { agreement }) => putAgreement(memory, agreement),
  'agreement-gone': (memory, { personId, helperId }) => dropAgreement(memory, personId, helperId),
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
    memory.watches.put(watch.owner, watch.personId, watch)
    memory.watchesOf.put(watch.personId, watch.owner, watch)
  },
  unwatch: (memory, { personId, owner }) => dropWatch(memory, personId, owner),
  rule(memory, { rule }) {
    const before = memory.rules.get(rule.id)
    if (before && !sameShelves(before, rule)) dropRule(memory, before)
    memory.rules.set(rule.id, rule)
    memory.rulesOf.put(rule.personId, rule.id, rule)
    memory.rulesIn.put(rule.chatId, rule.id, rule)
    if (rule.owner !== null) memory.rulesOver.put(rule.owner, rule.id, rule)
    if (rule.market) memory.symbols.set(rule.market.id, rule.market.symbol)
    if (rule.market !== null || rule.owner === null)
      memory.rulesOn.put(rule.market?.id ?? null, rule.id, rule)
  },
  'rule-gone'(memory, { ruleId }) {
    const rule = memory.rules.get(ruleId)
    if (rule) dropRule(memory, rule)
  },
  state(memory, { row: { guard, state, value, params } }) {
    const key = known(memory, guard)
    endFiring(memory, key)
    memory.states.set(key, { state, value, params })
    const owner = ownerOf(guard)
    if (owner !== null) memory.statesOf.put(owner, key, true)
    memory.pending[state.is === 'pending' ? 'add' : 'delete'](key)
    if (state.is === 'firing') memory.firing.set(state.alertId, key)
  },
  'state-gone'(memory, { guard }) {
    const key = guardKey(guard)
    dropState(memory, key, guard)
    memory.values.delete(key)
  },
  memo: (memory, { row: { guard, memo } }) => void memory.memos.set(known(memory, guard), memo),
  'memo-gone': (memory, { guard }) => void memory.memos.delete(guardKey(guard)),
  alert: nothing,
  'alert-closed': (memory, { alertId }) => void memory.copies.delete(alertId),
  step: nothing,
  send: nothing,
  merged: nothing,
  copied(memory, { copy }) {
    for (const alertId of copy?.alertIds ?? []) {
      const key = memory.firing.get(alertId)
      // Nobody is owed the end of what is over already, and its own chat hears it anyway.
      if (key === undefined || guardOf(key).chatId === copy?.chatId) continue
      const chats = memory.copies.get(alertId) ?? new Set()
      memory.copies.set(alertId, chats.add(copy?.chatId ?? 0))
    }
  },
  owner(memory, { memory: kept }) {
    for (const [marketId, symbol] of Object.entries(kept.symbols)) memory.symbols.set(marketId, symbol)
    // In a run the view comes beside it; after a start this is all there is.
    if (!memory.owners.has(kept.owner)) memory.owners.put(recalledView(kept))
  },
  passed: (memory, { owner, position, price }) => memory.owners.pass(owner, position, price),
  'owner-gone'(memory, { owner }) {
    memory.owners.delete(owner)
    memory.orders.delete(owner)
    memory.danger.dropGroup(owner)
  },
  mute: (memory, { mute }) => memory.mutesIn.put(mute.chatId, mutedKey(mute.of), mute),
  'mute-gone': (memory, { chatId, of }) => memory.mutesIn.drop(chatId, of),
  held: (memory, { held }) => memory.heldIn.put(held.chatId, held.alertId, held),
  'held-gone': (memory, { chatId, alertId }) => memory.heldIn.drop(chatId, alertId),
  feed(memory, { row }) {
    memory.told.put(row.feed, row.chatId, row)
    memory.toldIn.put(row.chatId, row.feed, row)
    listAccount(memory, row.feed)
  },
  'feed-gone'(memory, { feed, chatId }) {
    memory.told.drop(feed, chatId)
    memory.toldIn.drop(chatId, feed)
    listAccount(memory, feed)
  },
  dark: (memory, { feed, since }) => void memory.dark.set(feed, since),
  drill: (memory, { drill }) => void memory.drills.set(drill.personId, drill),
  gap: nothing,
  'dark-gone': (memory, { feed }) => void memory.dark.delete(feed),
  input: nothing,
  alive: nothing,
  prune: nothing,
  past: nothing,
  judged(memory, { key, guard, value, danger, marketId, until, still = false, remembered }) {
    const slot = memory.guards.take(guard)
    memory.guards.rest(slot, still)
    if (!remembered) memory.unseen.delete(key)
    if (value === null) memory.values.delete(key)
    else memory.values.set(key, value)
    if (marketId !== null) memory.watchlist.arm(slot, marketId, until)
    const owner = ownerOf(guard)
    if (owner === null) return
    if (danger) memory.danger.put(owner, key, true)
    else memory.danger.drop(owner, key)
  },
  bounds: (memory, { slot, marketId, until }) => memory.watchlist.arm(slot, marketId, until),
  waits: (memory, { guard, marketId }) =>
    memory.watchlist.arm(memory.guards.take(guard), marketId, undefined),
  unconfirmed: (memory, { chatId, wait }) => memory.unconfirmed.put(chatId, wait.key, wait),
  'stop-told': (memory, { chatId }) => void memory.stopTold.add(chatId),
  settled: (memory, { chatId, key }) => memory.unconfirmed.drop(chatId, key),
  forgotten: (memory, { key, guard }) => forget(memory, key, guard),
  view(memory, { view }) {
    memory.owners.put(view)
    if (view.completeTick === view.tick) memory.unanswered = null
  },
  same(memory, { reading }) {
    memory.owners.renew(reading, (marketId) => priceOf(memory, marketId))
    memory.unanswered = null
  },
  orders: (memory, { owner, seen }) => void memory.orders.set(owner, seen),
  trouble(memory, { feed, why, tick }) {
    if (why !== null && feed.startsWith('owner/')) {
      const { sinceTick, feeds } = memory.unanswered ?? { sinceTick: tick, feeds: new Set() }
      memory.unanswered = { sinceTick, why, feeds: feeds.add(feed) }
    }
    // What an earlier run has tried in vain does not begin anew.
    const firstTick = (memory.dark.has(feed) ? memory.sight.get(feed)?.tick : null) ?? tick
    if (why === null) memory.trouble.delete(feed)
    else memory.trouble.set(feed, { why, sinceTick: memory.trouble.get(feed)?.sinceTick ?? firstTick })
  },
  seen(memory, { feed, at, tick }) {
    memory.sight.set(feed, { at, tick })
    memory.trouble.delete(feed)
    listAccount(memory, feed)
  },
  unwanted(memory, { feed }) {
    memory.sight.delete(feed)
    memory.trouble.delete(feed)
    memory.blind.delete(feed)
    memory.returned.delete(feed)
    listAccount(memory, feed)
  },
  blind(memory, { feed, since, why }) {
    memory.blind.set(feed, { since, why })
    memory.returned.delete(feed)
  },
  sighted(memory, { feed, tick }) {
    memory.blind.delete(feed)
    memory.returned.set(feed, tick)
    // Whether wallets are answered for is seen now.
    if (feed === MARKETS) memory.unanswered = null
  },
}

/** Changes memory by what the store has taken, and by what it need not take. */
export function apply(memory: Memory, effects: readonly Effect[]): void {
  for (const effect of effects) (LAW[effect.is] as (memory: Memory, effect: Effect) => void)(memory, effect)
  for (const effect of effects) record(memory, effect)
}

/** The memory of a start: everything that the store remembers, by the same law. */
export function createMemory(remembered: Remembered): Memory {
  const memory = emptyMemory(remembered)
  const { states, memos, feeds, copies } = remembered
  // One by one: of very many, what was only needed to read them is not there at the same time.
  const take = <T>(all: Iterable<T>, effectOf: (one: T) => Effect) => {
    for (const one of all) apply(memory, [effectOf(one)])
  }
  take(remembered.persons, (person) => ({ is: 'person', person }))
  take(remembered.chats, (chat) => ({ is: 'chat', chat }))
  take(remembered.codes, (code) => ({ is: 'code', code }))
  take(remembered.agreements, (agreement) => ({ is: 'agreement', agreement }))
  take(remembered.watches, (watch) => ({ is: 'watch', watch }))
  take(remembered.rules, (rule) => ({ is: 'rule', rule }))
  take(states, (row) => ({ is: 'state', row }))
  take(memos, (row) => ({ is: 'memo', row }))
  take(remembered.owners, (owner) => ({ is: 'owner', memory: owner }))
  take(feeds, (row) => ({ is: 'feed', row }))
  const copyOf = ({ alertId, chatId }: (typeof copies)[number]) => ({ alertIds: [alertId], chatId })
  take(copies, (one) => ({ is: 'copied', rowId: 0, at: 0, copy: copyOf(one) }))
  take(remembered.mutes, (mute) => ({ is: 'mute', mute }))
  take(remembered.held, (held) => ({ is: 'held', held }))
  take(remembered.drills, (drill) => ({ is: 'drill', drill }))
  take(remembered.dark, (row) => ({ is: 'dark', ...row }))
  // What somebody was told is blind is blind until it is seen.
  take(feeds, ({ feed, since, why }) => ({ is: 'blind', feed, since, why }))
  for (const { guard } of [...states, ...memos]) memory.unseen.add(guardKey(guard))
  return memory
}

const DIGITS = 10

/** Each price of a market counts where somebody is in it or has a rule for it. */
export function recordMarket({ past, holders, rulesOn }: Memory, market: Market, at: number): void {
  const figures = { at, price: toNumber(market.price), rate: toNumber(market.fundingRatePerDay) }
  past.price(market.id, figures, holders.has(market.id) || rulesOn.has(market.id))
}

/** What memory takes is what was known from then on. */
export function record({ past }: Memory, effect: Effect): void {
  if (effect.is === 'view') recordView(past, effect.view)
  else if (effect.is === 'same') recordAnswer(past, effect.reading)
  else if (effect.is === 'blind') {
    const feed = feedOf(effect.feed)
    if (feed.is === 'owner') past.unseen(feed.owner, effect.since, effect.at ?? effect.since)
  } else if (effect.is === 'owner-gone') past.forget(effect.owner)
  else if (effect.is === 'past') past.kept(effect)
}

/** What is held as it is judged: with what one answer lacks. */
function recordView(past: Recorder, { owner, held, accounts, at, tick, completeTick }: OwnerView): void {
  if (!past.takes(owner)) return
  if (completeTick === tick) past.unseen(owner, null, at)
  const known = [...held].map(
    ([key, { position, missingSince }]) => [key, { ...position, missing: missingSince !== null }] as const,
  )
  const beside = [...accounts].map(
    ([id, { account, seenTick }]) => [id, accountOf(account, seenTick < tick)] as const,
  )
  past.wallet(owner, { positions: new Map(known), accounts: new Map(beside) }, at)
}

/** The same of an answer that shows what was held, and nothing beside it. */
function recordAnswer(past: Recorder, { owner, value, at }: OwnerReading): void {
  if (!past.takes(owner)) return
  const known = value.positions.map(
    (position) => [positionKey(position), { ...position, missing: false }] as const,
  )
  past.wallet(owner, { positions: new Map(known), accounts: null }, at)
}

/** Of ten digits, as prices are. */
function accountOf({ pool, marginRatio }: Account, late: boolean): KnownAccount {
  return { pool, ratio: marginRatio === null ? null : Number(marginRatio.toPrecision(DIGITS)), late }
}
