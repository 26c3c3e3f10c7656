import type { AlertState } from '../../alert/alert-state.ts'
import type { Bounds } from '../../alert/alert.ts'
import { type MonitorId, type MonitorKey, monitorKey, monitorOf, walletOf } from '../../alert/monitor.ts'
import { marketIn, type SubjectId } from '../../alert/subject-id.ts'
import { createGrouped, type Grouped } from '../../lib/data/grouped.ts'
import { ints } from '../../lib/data/paged.ts'
import { createSlotHeap, type SlotHeap } from '../../lib/data/slot-heap.ts'
import type { Words } from '../../lib/data/words.ts'
import type { Write } from '../../store/store.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Effect, Law, ReadOnly, Unconfirmed } from './effect.ts'
import { createMonitorIndex, type MonitorIndex } from './monitor-index.ts'
import type { Run } from './run.ts'

/** The state of each monitor, and the figures that would change it. */
export interface Monitors {
  /** States other than ok, and of these the monitors that must hold before they fire. */
  states: Map<MonitorKey, State>
  pending: Set<MonitorKey>
  /** By the wallet that they are about. */
  statesOf: Grouped<Wallet, MonitorKey, true>
  memos: Map<MonitorKey, unknown>
  /** The monitor that fires each open alert. */
  firing: Map<number, MonitorKey>
  /**
   * Every monitor with a state, an event state or armed bounds; by chat, and by the wallet that it is about.
   */
  index: MonitorIndex
  monitorsIn: MonitorIndex['in']
  monitorsOf: MonitorIndex['of']
  /** By open alert: the chats that it was escalated to, beside its own. */
  escalatedTo: Map<number, Set<number>>
  /** The value last judged of monitors that are not ok. */
  values: Map<MonitorKey, number>
  thresholdIndex: ThresholdIndex
  /** By chat. */
  unconfirmed: Grouped<number, MonitorKey, Unconfirmed>
  /** Monitors that an earlier run has left, and that this one has not judged yet. */
  notEvaluatedYet: Set<MonitorKey>
  /** Monitors of each wallet that warn of a liquidation. */
  danger: Grouped<Wallet, MonitorKey, true>
}

export interface State {
  state: AlertState
  /** As of the last transition. */
  value: number
  params: unknown
}

export function createMonitors(words: Words): Monitors {
  const index = createMonitorIndex(words)
  return {
    states: new Map(),
    pending: new Set(),
    statesOf: createGrouped(),
    memos: new Map(),
    firing: new Map(),
    index,
    monitorsIn: index.in,
    monitorsOf: index.of,
    escalatedTo: new Map(),
    values: new Map(),
    thresholdIndex: createThresholdIndex(),
    unconfirmed: createGrouped(),
    notEvaluatedYet: new Set(),
    danger: createGrouped(),
  }
}

type Kinds =
  | ('state' | 'state-gone' | 'memo' | 'memo-gone' | 'alert-closed' | 'copied' | 'rows-moved')
  | ('judged' | 'bounds' | 'waits' | 'unconfirmed' | 'settled' | 'forgotten' | 'copies-gone' | 'danger-gone')
  | 'all-unevaluated'

export const monitorsLaw: Law<Monitors, Kinds> = {
  state(monitors, { row: { monitor, state, value, params } }) {
    const key = indexed(monitors, monitor)
    endFiring(monitors, key)
    monitors.states.set(key, { state, value, params })
    monitors.index.stand(monitors.index.slotOf(monitor), state.is !== 'ok')
    const wallet = walletOf(monitor)
    if (wallet !== null) monitors.statesOf.put(wallet, key, true)
    monitors.pending[state.is === 'pending' ? 'add' : 'delete'](key)
    if (state.is === 'firing') monitors.firing.set(state.alertId, key)
  },
  'state-gone'(monitors, { monitor }) {
    const key = monitorKey(monitor)
    dropState(monitors, key, monitor)
    monitors.values.delete(key)
  },
  memo: (monitors, { row: { monitor, memo } }) => void monitors.memos.set(indexed(monitors, monitor), memo),
  'memo-gone': (monitors, { monitor }) => void monitors.memos.delete(monitorKey(monitor)),
  'alert-closed': (monitors, { alertId }) => void monitors.escalatedTo.delete(alertId),
  copied(monitors, { copy }) {
    for (const alertId of copy?.alertIds ?? []) {
      const key = monitors.firing.get(alertId)
      // No chat is owed the end of a closed alert, and an alert's own chat hears it anyway.
      if (key === undefined || monitorOf(key).chatId === copy?.chatId) continue
      const chats = monitors.escalatedTo.get(alertId) ?? new Set()
      monitors.escalatedTo.set(alertId, chats.add(copy?.chatId ?? 0))
    }
  },
  'rows-moved': (monitors, { from, to }) => moveCopies(monitors, from, to),
  'copies-gone': (monitors, { chatId }) => moveCopies(monitors, chatId, null),
  judged(monitors, { key, monitor, value, danger, marketId, until, still = false, remembered }) {
    const slot = monitors.index.take(monitor)
    monitors.index.rest(slot, still)
    if (!remembered) monitors.notEvaluatedYet.delete(key)
    if (value === null) monitors.values.delete(key)
    else monitors.values.set(key, value)
    if (marketId !== null) monitors.thresholdIndex.arm(slot, marketId, until)
    const wallet = walletOf(monitor)
    if (wallet === null) return
    if (danger) monitors.danger.put(wallet, key, true)
    else monitors.danger.drop(wallet, key)
  },
  bounds: (monitors, { slot, marketId, until }) => monitors.thresholdIndex.arm(slot, marketId, until),
  waits: (monitors, { monitor, marketId }) =>
    monitors.thresholdIndex.arm(monitors.index.take(monitor), marketId, undefined),
  unconfirmed: (monitors, { chatId, wait }) => monitors.unconfirmed.put(chatId, wait.key, wait),
  settled: (monitors, { chatId, key }) => monitors.unconfirmed.drop(chatId, key),
  forgotten(monitors, { key, monitor }) {
    dropState(monitors, key, monitor)
    monitors.memos.delete(key)
    monitors.values.delete(key)
    monitors.notEvaluatedYet.delete(key)
    monitors.unconfirmed.drop(monitor.chatId, key)
    const slot = monitors.index.slotOf(monitor)
    if (slot >= 0) monitors.thresholdIndex.disarm(slot)
    monitors.index.drop(monitor)
    const wallet = walletOf(monitor)
    if (wallet !== null) monitors.danger.drop(wallet, key)
  },
  'danger-gone': (monitors, { wallet }) => monitors.danger.dropGroup(wallet),
  'all-unevaluated'(monitors) {
    return [...new Set([...monitors.states.keys(), ...monitors.memos.keys()])].flatMap((key): Effect[] => {
      monitors.notEvaluatedYet.add(key)
      const monitor = monitorOf(key)
      const marketId = marketIn(monitor.subject)
      return marketId === null ? [] : [{ is: 'waits', key, monitor, marketId }]
    })
  },
}

/** Every monitor with a state or an event state is in the index. */
function indexed({ index }: Monitors, monitor: MonitorId): MonitorKey {
  index.take(monitor)
  return monitorKey(monitor)
}

function endFiring({ states, firing }: Monitors, key: MonitorKey): void {
  const state = states.get(key)?.state
  // An alert that has moved to the monitor of another chat stays there.
  if (state?.is === 'firing' && firing.get(state.alertId) === key) firing.delete(state.alertId)
}

/** A monitor without a state is ok. */
function dropState(monitors: Monitors, key: MonitorKey, monitor: MonitorId): void {
  endFiring(monitors, key)
  monitors.states.delete(key)
  monitors.pending.delete(key)
  const slot = monitors.index.slotOf(monitor)
  if (slot >= 0) monitors.index.stand(slot, false)
  const wallet = walletOf(monitor)
  if (wallet !== null) monitors.statesOf.drop(wallet, key)
}

/** A chat that takes over the rows of another one hears the end of their alerts. In an alert's own chat that is no copy. */
function moveCopies({ escalatedTo, firing }: Monitors, from: number, to: number | null): void {
  for (const [alertId, chats] of escalatedTo) {
    if (!chats.delete(from)) continue
    const key = firing.get(alertId)
    if (to !== null && key !== undefined && monitorOf(key).chatId !== to) chats.add(to)
    if (chats.size === 0) escalatedTo.delete(alertId)
  }
}

/**
 * Returns the writes that remove a monitor's state and event state from the store. They close the alert that
 * it fires.
 */
export function keptOf(
  { monitors: { states, memos } }: { monitors: ReadOnly<Monitors> },
  key: MonitorKey,
  monitor: MonitorId,
  now: number,
): Write[] {
  const state = states.get(key)?.state
  return [
    ...(state ? [{ is: 'state-gone', monitor } as const] : []),
    ...(state?.is === 'firing' ? [{ is: 'alert-closed', alertId: state.alertId, at: now } as const] : []),
    ...(memos.has(key) ? [{ is: 'memo-gone', monitor } as const] : []),
  ]
}

export function nearDanger({ monitors }: { monitors: ReadOnly<Monitors> }, wallet: Wallet): boolean {
  return monitors.danger.has(wallet)
}

/** Whether the wallet is near danger at one venue. */
export function nearDangerAt(
  { monitors, run: { venues } }: { monitors: ReadOnly<Monitors>; run: ReadOnly<Run> },
  wallet: Wallet,
  venue: string | undefined,
): boolean {
  if (venues.length === 0 || !monitors.danger.has(wallet)) return monitors.danger.has(wallet)
  for (const key of monitors.danger.of(wallet).keys())
    if (isOfVenue(monitorOf(key).subject, venue, venues)) return true
  return false
}

/** Returns the venue of a subject; the first one for a wallet and for the list of markets. */
export function venueOfSubject(subject: SubjectId, venues: readonly string[]): string | undefined {
  if (venues.length === 0) return undefined
  if ('accountId' in subject) return venueOf(subject.accountId, venues)
  return 'marketId' in subject ? venueOf(subject.marketId, venues) : undefined
}

/** Whether a reading of this venue tells of a subject. Each one tells of the wallet, and of the list of markets. */
export function isOfVenue(subject: SubjectId, venue: string | undefined, venues: readonly string[]): boolean {
  if (subject.is === 'wallet' || subject.is === 'venue') return true
  return venueOfSubject(subject, venues) === venue
}

/**
 * Finds the verdicts that a market's next figures can change. Two heaps per market and measure hold the
 * bounds of all armed slots, so that a price change costs only the bounds that it crosses. The slot numbers
 * are those of the monitor index.
 */
export interface ThresholdIndex {
  /** Replaces what the slot was armed with. Without bounds it is judged on every reading of the market. */
  arm(slot: number, marketId: string, until: Bounds | undefined): void
  disarm(slot: number): void
  /** The slots whose bounds the figures touch or pass. They stay armed as they are until armed anew. */
  crossed(marketId: string, figures: Figures): number[]
  /** Those whose bounds lie furthest behind, at most so many on each side of each measure; none without bounds. */
  furthest(marketId: string, figures: Figures, most: number): number[]
  /** Whether the slot is among those that the figures of its market cross. */
  isCrossed(slot: number, figuresOf: (marketId: string) => Figures | undefined): boolean
  armed(slot: number): boolean
  /** How many figures the slot is judged at; null where it is judged at each of them, or at none. */
  boundsOf(slot: number): number | null
  /** Whether anything is armed there. */
  watches(marketId: string): boolean
}

type Figures = Record<Bounds['of'], number>

interface BoundHeaps {
  /** By −bound: the highest lower bound is first. */
  below: SlotHeap
  above: SlotHeap
}
interface Entry {
  marketId: string
  /** Its number in `entries`. */
  number: number
  price: BoundHeaps
  fundingRate: BoundHeaps
  /** Slots without bounds. */
  always: Set<number>
  armed: number
}

/**
 * How a slot is armed: not at all, without bounds, or `BOUNDED` plus the place of its measure in the list.
 */
const [UNARMED, ALWAYS, BOUNDED] = [0, 1, 2]
const MEASURES = ['price', 'fundingRate'] as const
const NOBODY: ReadonlySet<number> = new Set()

export function createThresholdIndex(): ThresholdIndex {
  const markets = new Map<string, Entry>()
  const entries: Entry[] = []
  const entryOfSlot = ints()
  const armedWith = ints()
  const places = { below: ints(), above: ints() }

  const bounds = (): BoundHeaps => ({
    below: createSlotHeap(places.below),
    above: createSlotHeap(places.above),
  })
  const entryOf = (marketId: string): Entry => {
    const known = markets.get(marketId)
    if (known) return known
    const fresh: Entry = {
      marketId,
      number: entries.length,
      price: bounds(),
      fundingRate: bounds(),
      always: new Set<number>(),
      armed: 0,
    }
    markets.set(marketId, fresh)
    entries.push(fresh)
    return fresh
  }
  const lift = (slot: number) => {
    const entry = entries[entryOfSlot.get(slot)]
    if (!entry || armedWith.get(slot) === UNARMED) return
    entry.armed--
    const measure = MEASURES[armedWith.get(slot) - BOUNDED]
    if (measure === undefined) return void entry.always.delete(slot)
    entry[measure].below.delete(slot)
    entry[measure].above.delete(slot)
  }
  /** Where the slot is armed from now on; lifted from where it was, unless that is the same. */
  const place = (slot: number, entry: Entry, kind: number) => {
    if (armedWith.get(slot) === kind && entryOfSlot.get(slot) === entry.number) return
    lift(slot)
    entryOfSlot.set(slot, entry.number)
    armedWith.set(slot, kind)
    entry.armed++
  }
  return {
    arm(slot, marketId, until) {
      const entry = entryOf(marketId)
      place(slot, entry, until === undefined ? ALWAYS : MEASURES.indexOf(until.of) + BOUNDED)
      if (until === undefined) return void entry.always.add(slot)
      const { below, above } = entry[until.of]
      if (until.below === undefined) below.delete(slot)
      else below.set(slot, -until.below)
      if (until.above === undefined) above.delete(slot)
      else above.set(slot, until.above)
    },
    disarm(slot) {
      lift(slot)
      armedWith.set(slot, UNARMED)
    },
    crossed(marketId, figures) {
      const entry = markets.get(marketId)
      if (!entry) return []
      const found = [...entry.always]
      for (const measure of MEASURES) {
        const fallen = entry[measure].below.upTo(-figures[measure])
        const risen = entry[measure].above.upTo(figures[measure])
        for (const slot of fallen) found.push(slot)
        // A bound that is touched from both sides is in both.
        const both = fallen.length > 0 && risen.length > 0 ? new Set(fallen) : NOBODY
        for (const slot of risen) if (!both.has(slot)) found.push(slot)
      }
      return found
    },
    furthest(marketId, figures, most) {
      const entry = markets.get(marketId)
      if (!entry) return []
      const found = MEASURES.flatMap((measure) => [
        ...entry[measure].below.lowest(-figures[measure], most),
        ...entry[measure].above.lowest(figures[measure], most),
      ])
      return [...new Set(found)]
    },
    isCrossed(slot, figuresOf) {
      const entry = entries[entryOfSlot.get(slot)]
      const kind = armedWith.get(slot)
      const figures = entry && kind !== UNARMED ? figuresOf(entry.marketId) : undefined
      if (!entry || !figures) return false
      const measure = MEASURES[kind - BOUNDED]
      if (measure === undefined) return true
      const { below, above } = entry[measure]
      const isFallen = places.below.get(slot) > 0 && below.priorityOf(slot) <= -figures[measure]
      return isFallen || (places.above.get(slot) > 0 && above.priorityOf(slot) <= figures[measure])
    },
    armed: (slot) => armedWith.get(slot) !== UNARMED,
    boundsOf(slot) {
      if (armedWith.get(slot) < BOUNDED) return null
      return (places.below.get(slot) > 0 ? 1 : 0) + (places.above.get(slot) > 0 ? 1 : 0)
    },
    watches: (marketId) => (markets.get(marketId)?.armed ?? 0) > 0,
  }
}
