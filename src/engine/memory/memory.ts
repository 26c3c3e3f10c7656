import type { AlertState } from '../../alert/alert-state.ts'
import type { Kind, Rule } from '../../alert/alert.ts'
import type { MonitorKey } from '../../alert/monitor.ts'
import type { Chat } from '../../chat/chat.ts'
import { createGrouped, type Grouped } from '../../lib/data/grouped.ts'
import { createWords } from '../../lib/data/words.ts'
import { type Address, addressKey, type Identity, identityKey } from '../../message/address.ts'
import type { Delegation } from '../../people/delegation.ts'
import type { Drill } from '../../people/drill.ts'
import type { Suppressed, Mute } from '../../people/mute.ts'
import type { Code, Person, Watch } from '../../people/person.ts'
import type { Reading } from '../../runtime/clock.ts'
import type { SourceRow, Hole, Snapshot } from '../../store/snapshot.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import type { SourceKey } from '../../venue/source.ts'
import { type Wallet, shortWallet } from '../../venue/wallet.ts'
import { createRecorder, type Recorder } from '../recording/recorder.ts'
import { createListedMarkets, type ListedMarkets } from './listings.ts'
import type { WalletsByMarket } from './market-holders.ts'
import { createMonitorIndex, type MonitorIndex } from './monitor-index.ts'
import {
  createFundingSamples,
  createPriceSamples,
  type FundingSamples,
  type PriceSamples,
} from './samples.ts'
import { createThresholdIndex, type ThresholdIndex } from './threshold-index.ts'
import type { SeenOrders } from './wallet-view.ts'
import { createWallets, type Wallets } from './wallets.ts'

/**
 * The working set: what the store remembers, and what is known beside it. `apply` alone changes it, but for prices,
 * samples and what is recorded of them, which are readings.
 */
export interface Memory {
  persons: Map<number, Person>
  operatorId: number | null
  /** By `identityKey`. */
  personBy: Map<string, number>
  chats: Map<number, Chat>
  /** By `addressKey`. */
  chatAt: Map<string, number>
  /** By `placeKey`. */
  chatsIn: Grouped<string, number, Chat>
  /** By person. */
  chatsOf: Grouped<number, number, Chat>
  /** Those that cannot be written to, those that have a digest, and those that have a message kept up to date. */
  broken: Set<number>
  digests: Set<number>
  pins: Set<number>
  /** By their hash. */
  codes: Map<string, Code>
  /** By whose alerts they are, then by who has agreed; and the other way round. */
  delegatesOf: Grouped<number, number, Delegation>
  coveredBy: Grouped<number, number, Delegation>
  /** Those of them that are handed over now, until that has been ended. */
  handovers: Grouped<number, number, Delegation>
  /** Whose list names somebody: by whoever is named. */
  listing: Grouped<number, number, true>
  /** By owner, then by person; and the other way round. */
  watches: Grouped<Wallet, number, Watch>
  watchesOf: Grouped<number, Wallet, Watch>
  rules: Map<number, Rule>
  /** By person, by chat, by the wallet and by the market that they name, and under no market those that name neither. */
  rulesOf: Grouped<number, number, Rule>
  rulesIn: Grouped<number, number, Rule>
  rulesOver: Grouped<Wallet, number, Rule>
  rulesOn: Grouped<string | null, number, Rule>
  /** Those that are not ok, and those of them that have to hold. */
  states: Map<MonitorKey, State>
  pending: Set<MonitorKey>
  /** By the owner that they are about. */
  statesOf: Grouped<Wallet, MonitorKey, true>
  memos: Map<MonitorKey, unknown>
  /** The guard that fires each open alert. */
  firing: Map<number, MonitorKey>
  /** Every guard with a state, a memo or an armed bound; by chat, and by the owner that it is about. */
  monitors: MonitorIndex
  monitorsIn: MonitorIndex['in']
  monitorsOf: MonitorIndex['of']
  /** The one that was read longest ago is first. */
  wallets: Wallets
  walletsByMarket: WalletsByMarket
  /** Chats that were told that a feed cannot be seen; and by chat, of which feeds. */
  outageNotices: Grouped<SourceKey, number, SourceRow>
  outageNoticesByChat: Grouped<number, SourceKey, SourceRow>
  /** Of each owner those of its accounts that fail, or of whose return somebody has yet to hear. */
  accountSources: Grouped<Wallet, SourceKey, true>
  /** By chat, then by `mutedKey`; and by alert. */
  mutesIn: Grouped<number, string, Mute>
  suppressedIn: Grouped<number, number, Suppressed>
  /** By person. */
  drills: Map<number, Drill>
  /** Since when a feed was wanted and not seen by the runs before this one too. */
  failingSince: Map<SourceKey, number>
  /** By alert that is open: the chats that were rung for it beside its own. */
  escalatedTo: Map<number, Set<number>>
  // From here on nothing is kept: it is seen again after a start.
  markets: Map<string, Reading<Market>>
  /** Those that this run has opened: nobody reads the others. Null where that is not known. */
  platforms: ReadonlySet<string> | null
  /** Kinds that judge what covers positions, by their names. */
  onAccounts: ReadonlySet<string>
  /** Kinds that are judged by orders, by their names; and the orders of those whom such rules speak of. */
  onOrders: ReadonlySet<string>
  orders: Map<Wallet, SeenOrders>
  /** Of the last good answer; null before the first. */
  marketsAt: { at: number; mono: number } | null
  /** Since when (monotonic) lists come without a hole, and when the last one about each book came: they take turns. */
  lists: { sinceMono: number; lastMono: Map<string | null, number> }
  /** Of the last prices of an earlier run, as wall time; null when there was none. */
  pricesAt: number | null
  /** What markets are called, as far as anybody has seen them. */
  symbols: Map<string, string>
  /** The last stretches of time in which no prices were seen, as wall times. */
  holes: Hole[]
  priceSamples: PriceSamples
  /** What was seen, for whoever asks what a rule would have done. */
  past: Recorder
  fundingSamples: FundingSamples
  listedMarkets: ListedMarkets
  /** The value last judged of what is not ok. */
  values: Map<MonitorKey, number>
  thresholdIndex: ThresholdIndex
  /** By chat. */
  unconfirmed: Grouped<number, MonitorKey, Unconfirmed>
  /** Guards that an earlier run left behind and that this one has not looked at yet. */
  notEvaluatedYet: Set<MonitorKey>
  /** Guards of each owner that warn of a liquidation. */
  danger: Grouped<Wallet, MonitorKey, true>
  /** When each feed was last seen whole, or first wanted. */
  lastSuccess: Map<SourceKey, { at: number; mono: number }>
  /** Why the last look at a feed failed, and when (monotonic) the first did since it was seen. */
  lastFailure: Map<SourceKey, { why: string; sinceMono: number }>
  /** Wallets at which looks have failed since one was answered last: since when (monotonic), and why the last one. */
  walletOutage: { sinceMono: number; why: string; sources: Set<SourceKey> } | null
  blind: Map<SourceKey, { since: number; why: string }>
  /** Monotonic time at which a feed that was blind was seen again. */
  recoveredAt: Map<SourceKey, number>
  /** When (monotonic) this process last ran before its last stop: what was asked for until then is as good as of an earlier run. */
  ranMono: number
  /** Where it is told that this process was stopped, while that is not told everywhere; null: it is kept. */
  suspensionTold: Set<number | null>
  /** When an earlier run was last alive; null when there was none. */
  aliveAt: number | null
  /** The highest numbers given out. What could not be kept gives its own back, but where one behind it was kept: that leaves a gap. */
  last: Snapshot['last']
}

export interface State {
  state: AlertState
  /** Of the last transition. */
  value: number
  params: unknown
}

export function walletLabel(memory: Memory, personId: number, wallet: Wallet): string {
  return memory.watches.of(wallet).get(personId)?.label ?? shortWallet(wallet)
}

export function symbolOf({ symbols }: Pick<Memory, 'symbols'>, marketId: string): string {
  return symbols.get(marketId) ?? (/^\d+$/.test(marketId) ? `market ${marketId}` : marketId)
}

export function priceOf(memory: Memory, marketId: string): number | null {
  const market = memory.markets.get(marketId)
  return market ? toNumber(market.value.price) : null
}

export function chatAt(memory: Memory, address: Address): Chat | undefined {
  return memory.chats.get(memory.chatAt.get(addressKey(address)) ?? -1)
}

export function personOf(memory: Memory, identity: Identity): Person | undefined {
  return memory.persons.get(memory.personBy.get(identityKey(identity)) ?? -1)
}

export function nearDanger(memory: Memory, wallet: Wallet): boolean {
  return memory.danger.has(wallet)
}

/** The chat itself while it works; else, for a private one, the person's other chat that does. */
export function fallbackOf(memory: Memory, chatId: number): number {
  if (!memory.broken.has(chatId)) return chatId
  const chat = memory.chats.get(chatId)
  return chat?.private ? (otherChat(memory, chat) ?? chatId) : chatId
}

/**
 * Where the person of a chat can be told as well, on a platform that is open: for a private chat their fallback first,
 * for a bound one their preferred chat. Nowhere, when they want none.
 */
export function otherChat(memory: Memory, chat: Chat): number | null {
  const { defaultChat = null, fallbackChat = null } = memory.persons.get(chat.personId) ?? {}
  if (chat.id === defaultChat && fallbackChat === null) return null
  const preferred = chat.private ? [fallbackChat, defaultChat] : [defaultChat, fallbackChat]
  const own = privateChats(memory, chat.personId).map(({ id }) => id)
  const works = (id: number | null) => {
    const there = memory.chats.get(id ?? -1)
    const isOpen = there && (memory.platforms?.has(there.address.platform) ?? true)
    return isOpen && there.private && there.id !== chat.id && there.brokenBecause === null
  }
  return [...preferred, ...own].find(works) ?? null
}

export function privateChats(memory: Memory, personId: number): Chat[] {
  return [...memory.chatsOf.of(personId).values()].filter((chat) => chat.private)
}

/** Whether what one finds a rule by is the same of both. */
export function sameShelves(a: Rule, b: Rule): boolean {
  return (
    a.personId === b.personId &&
    a.chatId === b.chatId &&
    a.wallet === b.wallet &&
    a.market?.id === b.market?.id
  )
}

/** Before anything is remembered. */
export function emptyMemory(kept: Pick<Snapshot, 'last' | 'aliveAt' | 'pricesAt' | 'holes'>): Memory {
  const words = createWords()
  const monitors = createMonitorIndex(words)
  const wallets = createWallets(words)
  return {
    persons: new Map(),
    operatorId: null,
    personBy: new Map(),
    chats: new Map(),
    chatAt: new Map(),
    chatsIn: createGrouped(),
    chatsOf: createGrouped(),
    broken: new Set(),
    digests: new Set(),
    pins: new Set(),
    codes: new Map(),
    delegatesOf: createGrouped(),
    coveredBy: createGrouped(),
    handovers: createGrouped(),
    listing: createGrouped(),
    watches: createGrouped(),
    watchesOf: createGrouped(),
    rules: new Map(),
    rulesOf: createGrouped(),
    rulesIn: createGrouped(),
    rulesOver: createGrouped(),
    rulesOn: createGrouped(),
    states: new Map(),
    pending: new Set(),
    statesOf: createGrouped(),
    memos: new Map(),
    firing: new Map(),
    monitors,
    monitorsIn: monitors.in,
    monitorsOf: monitors.of,
    wallets,
    walletsByMarket: wallets.holders,
    outageNotices: createGrouped(),
    outageNoticesByChat: createGrouped(),
    accountSources: createGrouped(),
    mutesIn: createGrouped(),
    suppressedIn: createGrouped(),
    drills: new Map(),
    failingSince: new Map(),
    escalatedTo: new Map(),
    markets: new Map(),
    platforms: null,
    onAccounts: new Set(),
    onOrders: new Set(),
    orders: new Map(),
    marketsAt: null,
    lists: { sinceMono: -Infinity, lastMono: new Map() },
    pricesAt: kept.pricesAt,
    symbols: new Map(),
    holes: [...kept.holes],
    priceSamples: createPriceSamples(),
    past: createRecorder(),
    fundingSamples: createFundingSamples(),
    listedMarkets: createListedMarkets(),
    values: new Map(),
    thresholdIndex: createThresholdIndex(),
    unconfirmed: createGrouped(),
    notEvaluatedYet: new Set(),
    danger: createGrouped(),
    lastSuccess: new Map(),
    lastFailure: new Map(),
    walletOutage: null,
    blind: new Map(),
    recoveredAt: new Map(),
    ranMono: -Infinity,
    suspensionTold: new Set(),
    aliveAt: kept.aliveAt,
    last: { ...kept.last },
  }
}

/** What this run has opened and knows how to judge. */
export function ofThisRun(
  kinds: readonly Kind[],
  platforms: readonly string[],
): Pick<Memory, 'platforms' | 'onAccounts' | 'onOrders'> {
  const named = (some: readonly Kind[]) => new Set(some.map(({ name }) => name))
  return {
    platforms: new Set(platforms),
    onAccounts: named(kinds.filter(({ on }) => on === 'account')),
    onOrders: named(kinds.filter(({ reads }) => reads === 'orders')),
  }
}

/** A danger that a price shows on an old position, while a fresh read of its owner is under way. Nothing of it is kept. */
export interface Unconfirmed {
  key: MonitorKey
  tier: number
  /** The figures that crossed the worst of it: it is judged by them, wherever the price has gone meanwhile. */
  market: Reading<Market>
  untilMono: number
  /** The read has ended, one way or the other. */
  answered: boolean
}
