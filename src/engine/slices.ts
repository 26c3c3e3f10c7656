import { chatOf, guardOf } from '../guard.ts'
import type { GuardKey } from '../guard.ts'
import { oneByOne } from '../lib/one-by-one.ts'
import { URGENCY } from './batch.ts'
import { judgeCrossed } from './confirming.ts'
import type { Decision } from './decision.ts'
import { guardNamed } from './guards.ts'
import type { Look } from './look.ts'
import { standIn } from './memory.ts'
import type { Memory } from './memory.ts'
import { tierOf } from './step.ts'
import { seenSubject } from './subjects.ts'
import { decideAll } from './turn.ts'
import type { Crossed, Turn } from './turn.ts'

/** What of one turn is said in one chat, and in others that it stands in for. */
interface Pile {
  chatId: number
  /** Of feeds that are lost or found. */
  reported: Set<number>
  keys: Set<GuardKey>
}

/** What is kept together: all of it is decided. */
type Part = Pick<Turn, 'learned' | 'decisions'>

/** Judging so many, and keeping what comes of it, takes some milliseconds: meanwhile nothing is sent. */
const AT_ONCE = 100
/** So many are found and sorted by their chats in about as long. */
const SORTED_AT_ONCE = 2_000

const NOTHING: Part = { learned: [], decisions: [] }

/**
 * Keeps a turn part by part. One that cannot be kept does not swallow those behind it. `between` two parts others have
 * their turn.
 */
export function inSlices(
  memory: Memory,
  turn: Turn,
  keep: (part: Part) => Promise<number>,
  between: () => Promise<number>,
): Promise<number> {
  function* works() {
    let isFirst = true
    for (const part of slices(memory, turn)) {
      if (!isFirst) yield between
      isFirst = false
      const isFound = part.learned.length > 0 || part.decisions.length > 0
      yield isFound ? () => keep(part) : breath
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
 * A turn in parts that are decided and kept one after the other, so that the first is sent while the last is judged. All
 * of a chat is in one part, since it is one message. What is critical comes as it is found, then what warns, then the
 * rest; nearly always there is one part. Else what was learned is kept before: whatever comes between goes by it.
 */
export function* slices(memory: Memory, turn: Turn): Generator<Part> {
  const { learned, decisions, crossed, reports } = turn
  const keys = few(crossed?.keys ?? [])
  const chats = few(reports?.chats ?? [])
  if (keys.isAll && chats.isAll) {
    const told = reports ? decideAll({ ...reports, chats: chats.first }) : []
    const judged = crossed ? judgedOf(crossed, keys.first) : []
    return void (yield { learned, decisions: [...decisions, ...told, ...judged] })
  }
  yield { learned, decisions }
  const piles = new Map<number, Pile>()
  yield* sorted(memory, piles, keys.all(), chats.all())
  for (const some of worstFirst(piles.values(), crossed)) {
    const judged = crossed
      ? judgedOf(
          crossed,
          some.flatMap((pile) => [...pile.keys]),
        )
      : []
    const told = some.flatMap(({ reported }) => [...reported].flatMap((id) => reports?.decide(id) ?? []))
    yield { learned: [], decisions: [...told, ...judged] }
  }
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

/** Sorts them by the chats in which they are said, some at a time. */
function* sorted(
  memory: Memory,
  piles: Map<number, Pile>,
  keys: Iterable<GuardKey>,
  chats: Iterable<number>,
): Generator<Part> {
  const pileIn = (chatId: number): Pile => {
    const told = standIn(memory, chatId)
    const known = piles.get(told)
    if (known) return known
    const fresh = { chatId: told, reported: new Set<number>(), keys: new Set<GuardKey>() }
    piles.set(told, fresh)
    return fresh
  }
  let looked = 0
  for (const key of keys) {
    pileIn(chatOf(key)).keys.add(key)
    if (++looked % SORTED_AT_ONCE === 0) yield NOTHING
  }
  for (const chatId of chats) {
    pileIn(chatId).reported.add(chatId)
    if (++looked % SORTED_AT_ONCE === 0) yield NOTHING
  }
}

function* worstFirst(piles: Iterable<Pile>, crossed: Crossed | undefined): Generator<Pile[]> {
  const [critical, warning, other]: [Pile[], Pile[], Pile[]] = [[], [], []]
  let looked = 0
  for (const pile of piles) {
    const urgency = crossed ? urgencyOf(crossed.look, pile) : 1
    ;[critical, warning, other][urgency]?.push(pile)
    looked += sizeOf(pile)
    if (looked < AT_ONCE) continue
    yield critical.splice(0)
    looked = 0
  }
  // Chats that were made one after the other lie beside one another in the store: a commit changes fewer of its pages.
  for (const some of [critical, warning, other])
    yield* portions(some.sort((one, another) => one.chatId - another.chatId))
}

function* portions(piles: readonly Pile[]): Generator<Pile[]> {
  let some: Pile[] = []
  let size = 0
  for (const pile of piles) {
    some.push(pile)
    size += sizeOf(pile)
    if (size < AT_ONCE) continue
    yield some
    some = []
    size = 0
  }
  if (some.length > 0) yield some
}

function sizeOf({ keys, reported }: Pile): number {
  return keys.size + reported.size
}

/** 0 what is critical, 1 what warns, 2 the rest. What is said of feeds warns; of guards it is known before their words are. */
function urgencyOf(look: Look, { reported, keys }: Pile): number {
  let least = reported.size > 0 ? URGENCY.warning : URGENCY.info
  for (const key of keys) {
    if (least === URGENCY.critical) break
    least = Math.min(least, urgencyOfGuard(look, key)) as typeof least
  }
  return least
}

/** Of what gets worse, or is said again: its words are found later, and its number is given then. */
function urgencyOfGuard(look: Look, key: GuardKey): number {
  const guard = guardNamed(look, guardOf(key))
  if (guard?.kind.is !== 'level') return URGENCY.info
  const { kind, params } = guard
  const subject = seenSubject(look, guard)
  const judgement = subject === null ? 'unknown' : kind.judge(params, subject)
  const stands = tierOf(look.memory.states.get(key)?.state ?? { is: 'ok' })
  const tier = Math.max(judgement === 'unknown' ? 0 : judgement.enter, stands)
  const isSaid = tier > stands || (look.again?.has(key) ?? false)
  return isSaid && tier > 0 ? URGENCY[kind.severity(params, tier)] : URGENCY.info
}

function judgedOf({ look, readNow }: Crossed, keys: readonly GuardKey[]): Decision[] {
  const guards = keys.flatMap((key) => guardNamed(look, guardOf(key)) ?? [])
  return judgeCrossed(look, guards, readNow)
}
