import { chatOf, type MonitorId, type MonitorKey, monitorOf } from '../alert/monitor.ts'
import { ints } from '../lib/data/paged.ts'
import { oneByOne } from '../lib/flow/in-order.ts'
import type { Priority } from '../message/delivery.ts'
import { judgeCrossed } from './evaluate/confirmation.ts'
import { tierOf } from './evaluate/step.ts'
import type { Memory } from './memory/memory.ts'
import { type Numbers, numbersAfter } from './memory/run.ts'
import { fallbackOf } from './memory/people.ts'
import type { EvaluationContext } from './monitors/context.ts'
import type { Decision } from './monitors/decision.ts'
import { type Monitor, monitorNamed } from './monitors/monitors.ts'
import { seenSubject } from './monitors/subjects.ts'
import { type Crossed, decideAll, type DecidedTurn, type Outcome } from './monitors/turn.ts'
import { PRIORITY } from './notify/batch.ts'
import { StoreBusy } from '../store/store.ts'

type Found = Pick<Pile, 'keys' | 'slots'>

/** Judging so many, and keeping what comes of it, takes some milliseconds: meanwhile nothing is sent. */
const AT_ONCE = 100
/** A part ends sooner where it takes longer than this. To keep what was decided takes about as long again. */
const PART_MS = 8
/** But on a busy machine as well it has so many: each part waits for the disk. */
const AT_LEAST = 50
/** Before the others are found, so many of the furthest crossings are looked at, until so many chats are critical. */
const FURTHEST = 50
const FIRST = 10

/** More is to be found before anything is decided. */
const NOTHING: DecidedTurn = { observed: [], decisions: [] }
/** Others have their turn now: the next part is decided by what they have changed, and numbered after it. */
const OTHERS: DecidedTurn = { observed: [], decisions: [] }

/**
 * Keeps a turn part by part. One that cannot be kept does not swallow those behind it. `between` two parts others have
 * their turn.
 */
export function inChunks(
  drawers: Pick<Memory, 'people' | 'monitors' | 'run'>,
  turn: Outcome,
  keep: (part: DecidedTurn) => Promise<number>,
  between: () => Promise<number>,
  mono: () => number,
): Promise<number> {
  let isBusy = false
  const attempt = (part: DecidedTurn) =>
    keep(part).catch((error: unknown) => {
      isBusy = error instanceof StoreBusy
      throw error
    })
  function* works() {
    for (const part of chunks(drawers, turn, mono)) {
      // While the whole store is locked, no other part could be kept either.
      if (isBusy) return
      if (part === OTHERS) {
        yield between
        continue
      }
      const isFound = part.observed.length > 0 || part.decisions.length > 0
      yield isFound ? () => attempt(part) : breath
    }
  }
  return oneByOne(works())
}

/** The loop has its turn: what has arrived is taken in. */
async function breath(): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve))
  return 0
}

/**
 * Splits a turn into parts that are decided and committed one after the other: the first is sent while the last is
 * judged. All news of a chat is in one part, since it is one message. Critical alerts come as they are found, then
 * warnings, then the rest; nearly always there is one part. With several parts the observed effects are committed
 * first: everything that comes between goes by them. With them go the critical alerts that need not be looked for.
 * `mono` reads the monotonic clock: a part ends after some milliseconds.
 */
export function* chunks(
  drawers: Pick<Memory, 'people' | 'monitors' | 'run'>,
  turn: Outcome,
  mono: () => number,
): Generator<DecidedTurn> {
  const { crossed, reports, ...decided } = turn
  const keys = few(crossed?.keys ?? [])
  const slots = few(crossed?.slots ?? [])
  const chats = few(reports?.chats ?? [])
  const numbersBehind = () =>
    numbersAfter(drawers, [...decided.observed, ...decided.decisions.flatMap(({ effects }) => effects)])
  if (keys.isAll && slots.isAll && chats.isAll) {
    const told = reports ? decideAll({ ...reports, chats: chats.first }) : []
    const judged = crossed
      ? judgedOf(crossed, numbersBehind(), [{ keys: keys.first, slots: slots.first }])
      : []
    return void (yield { ...decided, decisions: [...decided.decisions, ...told, ...judged] })
  }
  // Monitors by name, and reports on sources, would have to be sorted first.
  const isBySlot = keys.first.length === 0 && chats.first.length === 0
  const first = crossed && isBySlot ? firstCritical(drawers, crossed, slots.first, mono) : []
  const judged = crossed ? judgedOf(crossed, numbersBehind(), first) : []
  yield { ...decided, decisions: [...decided.decisions, ...judged] }
  const done = new Set(first.flatMap(({ chats: those }) => those))
  const sorting = sortByChat(drawers, { keys: keys.all(), slots: slots.all(), reported: chats.all() }, done)
  let sorted = sorting.next()
  for (; !sorted.done; sorted = sorting.next()) yield NOTHING
  const piles = sorted.value
  for (const chatIds of worstFirst(piles, crossed, mono)) {
    yield NOTHING
    for (let at = 0; at < chatIds.length;) {
      yield OTHERS
      const [from, endsMono, numbers] = [at, mono() + PART_MS, numbersAfter(drawers)]
      const decisions: Decision[] = []
      for (let size = 0; at < chatIds.length && size < AT_ONCE; at++) {
        if (at >= from + AT_LEAST && mono() >= endsMono) break
        const pile = piles.of(chatIds[at] ?? -1)
        size += sizeOf(pile)
        for (const id of pile.reported) decisions.push(...(reports?.decide(id) ?? []))
        if (crossed) decisions.push(...judgedOf(crossed, numbers, [pile]))
      }
      yield { observed: [], decisions }
      // A commit that tells somebody gives the loop its turn.
      if (decisions.every(({ notices }) => notices.length === 0)) yield NOTHING
    }
  }
}

interface FirstPile extends Found {
  /** The chats whose crossings these are. */
  chats: readonly number[]
}

/**
 * Some chats with critical alerts, found by the furthest crossings and by some others: they are told before all are found
 * and sorted. The rest of a chat's news is found by its own monitors.
 */
function firstCritical(
  drawers: Pick<Memory, 'people' | 'monitors' | 'run'>,
  crossed: Crossed,
  others: readonly number[],
  mono: () => number,
): FirstPile[] {
  const { ahead } = crossed
  const { index } = drawers.monitors
  const looked = new Set<number>()
  const piles: FirstPile[] = []
  const endsMono = mono() + PART_MS
  for (const slot of ahead ? [...ahead.furthest(FURTHEST), ...others] : []) {
    const told = fallbackOf(drawers, index.chatAt(slot))
    if (looked.has(told)) continue
    if (piles.length >= FIRST || (looked.size > 0 && mono() >= endsMono)) break
    looked.add(told)
    const chats = chatsToldIn(drawers, told)
    const slots = chats.flatMap(index.slotsIn).filter((one) => ahead?.has(one))
    const pile = { reported: NOTHING_NAMED.reported, keys: [], slots, chats }
    if (urgencyOf(crossed, pile) === PRIORITY.critical) piles.push(pile)
  }
  return piles
}

/** The chat itself, and those of its person that are told there since they don't work. */
function chatsToldIn(drawers: Pick<Memory, 'people' | 'run'>, told: number): number[] {
  const { chats, chatsOf } = drawers.people
  const others = chatsOf.keysOf(chats.get(told)?.personId ?? -1)
  return [told, ...[...others].filter((id) => id !== told && fallbackOf(drawers, id) === told)]
}

/** The first of them, each once: all where they are few. */
function few<T>(values: Iterable<T>): { first: T[]; isAll: boolean; all(): Iterable<T> } {
  const first = new Set<T>()
  const walk = values[Symbol.iterator]()
  let isAll = false
  while (!isAll && first.size <= AT_ONCE) {
    const { done, value } = walk.next()
    if (done) isAll = true
    else first.add(value)
  }
  function* all(): Generator<T> {
    yield* first
    for (let next = walk.next(); !next.done; next = walk.next()) yield next.value
  }
  return { first: [...first], isAll, all }
}

/** Chats by urgency: those with critical alerts as they are found, and then the others. */
function* worstFirst(
  piles: ByChat,
  crossed: Crossed | undefined,
  mono: () => number,
): Generator<ArrayLike<number>> {
  const [critical, warning, other]: [number[], number[], number[]] = [[], [], []]
  let [looked, endsMono] = [0, mono() + PART_MS]
  for (const chatId of piles.chats()) {
    const urgency = crossed ? urgencyOf(crossed, piles.of(chatId)) : PRIORITY.warning
    ;[critical, warning, other][urgency]?.push(chatId)
    looked++
    if ((looked < AT_ONCE || mono() < endsMono) && critical.length < AT_ONCE) continue
    yield critical.splice(0)
    looked = 0
    endsMono = mono() + PART_MS
  }
  // Chats that were made one after the other lie beside one another in the store: a commit changes fewer of its pages.
  for (const some of [critical, warning, other]) yield Int32Array.from(some).sort()
}

function sizeOf({ reported, keys, slots }: Pile): number {
  return reported.size + keys.length + slots.length
}

/**
 * 0 for critical alerts, 1 for warnings, 2 for the rest. Reports on sources are warnings. The priority of a
 * monitor is known before its words are.
 */
function urgencyOf({ look }: Crossed, pile: Pile): Priority {
  let least: Priority = pile.reported.size > 0 ? PRIORITY.warning : PRIORITY.info
  for (const monitor of monitorsIn(look, [pile])) {
    if (least === PRIORITY.critical) break
    least = Math.min(least, priorityOfMonitor(look, monitor)) as Priority
  }
  return least
}

/** The priority of a monitor that gets worse or is repeated: its words and its number come later. */
function priorityOfMonitor(look: EvaluationContext, monitor: Monitor): Priority {
  if (monitor.kind.is !== 'level') return PRIORITY.info
  const { key, kind, params } = monitor
  const subject = seenSubject(look, monitor)
  const judgement = subject === null ? 'unknown' : kind.judge(params, subject)
  const stands = tierOf(look.memory.monitors.states.get(key)?.state ?? { is: 'ok' })
  const tier = Math.max(judgement === 'unknown' ? 0 : judgement.enter, stands)
  const isSaid = tier > stands || (look.again?.has(key) ?? false)
  return isSaid && tier > 0 ? PRIORITY[kind.severity(params, tier)] : PRIORITY.info
}

function judgedOf({ look, readNow }: Crossed, numbers: Numbers, piles: readonly Found[]): Decision[] {
  return judgeCrossed({ ...look, numbers }, monitorsIn(look, piles), readNow)
}

/** Each once. */
function monitorsIn(look: EvaluationContext, piles: readonly Found[]): Monitor[] {
  const all = new Map<MonitorKey, Monitor>()
  const add = (id: MonitorId) => {
    const monitor = monitorNamed(look, id)
    if (monitor) all.set(monitor.key, monitor)
  }
  for (const { keys, slots } of piles) {
    for (const key of keys) add(monitorOf(key))
    for (const slot of slots) add(look.memory.monitors.index.at(slot))
  }
  return [...all.values()]
}

/** The findings of one turn for one chat, and for the chats that it is told in place of. */
interface Pile {
  /** The chats, among these, that are told of lost or found sources. */
  reported: ReadonlySet<number>
  /** Monitors by key, and monitors by slot. One may be in both. */
  keys: readonly MonitorKey[]
  slots: readonly number[]
}

export interface ByChat {
  /** Each once. */
  chats(): Generator<number>
  of(chatId: number): Pile
}

/** So many are found and sorted in some milliseconds. */
const SORTED_AT_ONCE = 10_000

/** The findings without a slot: nearly always few. */
interface Named {
  reported: Set<number>
  keys: MonitorKey[]
}

const NOTHING_NAMED: Named = { reported: new Set(), keys: [] }

/**
 * Sorts the findings by the chats where they are told. A slot stays a number until its chat is looked at. To
 * write the keys of very many takes longer than everything else before the first message. Yields now and
 * then, so that others have the loop; nothing may be changed meanwhile. Chats that are `done` are left out.
 */
export function* sortByChat(
  drawers: Pick<Memory, 'people' | 'monitors' | 'run'>,
  found: { keys: Iterable<MonitorKey>; slots: Iterable<number>; reported: Iterable<number> },
  done: ReadonlySet<number>,
): Generator<void, ByChat> {
  const named = new Map<number, Named>()
  /** One more than the slot that came last in a chat, and by slot the one before it there; 0 is none. */
  const [lastIn, before] = [ints(), ints()]
  const chatOfSlot = ints()
  const chatIds: number[] = []
  let looked = 0
  for (const slot of found.slots) {
    const chatId = drawers.monitors.index.chatAt(slot)
    if (done.has(chatId)) continue
    const told = fallbackOf(drawers, chatId)
    const last = lastIn.get(told)
    if (last === 0) chatIds.push(told)
    lastIn.set(told, slot + 1)
    before.set(slot, last)
    chatOfSlot.set(slot, chatId)
    if (++looked % SORTED_AT_ONCE === 0) yield
  }
  const namedIn = (chatId: number): Named => {
    const told = fallbackOf(drawers, chatId)
    const known = named.get(told) ?? { reported: new Set(), keys: [] }
    named.set(told, known)
    return known
  }
  for (const key of found.keys) {
    namedIn(chatOf(key)).keys.push(key)
    if (++looked % SORTED_AT_ONCE === 0) yield
  }
  for (const chatId of found.reported) {
    namedIn(chatId).reported.add(chatId)
    if (++looked % SORTED_AT_ONCE === 0) yield
  }
  /** Somebody may have taken one back meanwhile, and its number may be another's. */
  const isStill = (slot: number) =>
    drawers.monitors.thresholdIndex.armed(slot) &&
    drawers.monitors.index.chatAt(slot) === chatOfSlot.get(slot)
  return {
    *chats() {
      yield* chatIds
      for (const chatId of named.keys()) if (lastIn.get(chatId) === 0) yield chatId
    },
    of(chatId) {
      const slots: number[] = []
      for (let last = lastIn.get(chatId); last > 0; last = before.get(last - 1))
        if (isStill(last - 1)) slots.push(last - 1)
      return { ...(named.get(chatId) ?? NOTHING_NAMED), slots: slots.toReversed() }
    },
  }
}
