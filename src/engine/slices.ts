import { chatOf, guardOf } from '../guard.ts'
import type { GuardKey } from '../guard.ts'
import { oneByOne } from '../lib/one-by-one.ts'
import { URGENCY } from './batch.ts'
import { judgeCrossed } from './confirming.ts'
import type { Decision } from './decision.ts'
import { guardNamed } from './guards.ts'
import type { Look } from './look.ts'
import { standIn } from './memory.ts'
import { tierOf } from './step.ts'
import { seenSubject } from './subjects.ts'
import type { Crossed, Turn } from './turn.ts'

/** What of one turn is said in one chat. */
interface Pile {
  chatId: number
  decided: Decision[]
  keys: GuardKey[]
}

/** Judging so many, and keeping what comes of it, takes some milliseconds: meanwhile nothing is sent. */
const AT_ONCE = 100

/** Keeps a turn part by part. One that cannot be kept does not swallow those behind it. */
export function inSlices(turn: Turn, keep: (part: Turn) => Promise<number>): Promise<number> {
  function* works() {
    for (const part of slices(turn)) {
      const isFound = part.learned.length > 0 || part.decisions.length > 0
      yield isFound ? () => keep(part) : breath
    }
  }
  return oneByOne(works())
}

/** Others have their turn. */
async function breath(): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve))
  return 0
}

/**
 * A turn in parts that are judged and kept one after the other, so that the first is sent while the last is judged. All of a chat is
 * in one part, since it is one message. What is critical comes as it is found, then what warns, then the rest; nearly
 * always there is one part. What was learned goes with the first that has something to say.
 */
export function* slices({ learned, decisions, crossed }: Turn): Generator<Turn & { crossed?: never }> {
  if (!crossed || crossed.keys.size <= AT_ONCE) {
    const judged = crossed ? judgedOf(crossed, [...crossed.keys]) : []
    return void (yield { learned, decisions: [...decisions, ...judged] })
  }
  let left = learned
  for (const piles of worstFirst(crossed, decisions)) {
    const judged = judgedOf(
      crossed,
      piles.flatMap(({ keys }) => keys),
    )
    const all = [...piles.flatMap(({ decided }) => decided), ...judged]
    yield { learned: all.length > 0 ? left : [], decisions: all }
    if (all.length > 0) left = []
  }
  if (left.length > 0) yield { learned: left, decisions: [] }
}

function* worstFirst(crossed: Crossed, decisions: readonly Decision[]): Generator<Pile[]> {
  const [critical, warning, other]: [Pile[], Pile[], Pile[]] = [[], [], []]
  let looked = 0
  for (const pile of pilesOf(crossed, decisions)) {
    const urgency = urgencyOf(crossed.look, pile)
    ;[critical, warning, other][Math.min(urgency, 2)]?.push(pile)
    looked += pile.keys.length
    if (looked < AT_ONCE) continue
    yield critical.splice(0)
    looked = 0
  }
  // Chats that were made one after the other lie beside one another in the store: a commit changes fewer of its pages.
  for (const piles of [critical, warning, other])
    yield* portions(piles.sort((one, other) => one.chatId - other.chatId))
}

function* portions(piles: readonly Pile[]): Generator<Pile[]> {
  let some: Pile[] = []
  let guards = 0
  for (const pile of piles) {
    some.push(pile)
    guards += pile.keys.length
    if (guards < AT_ONCE) continue
    yield some
    some = []
    guards = 0
  }
  if (some.length > 0) yield some
}

function pilesOf({ look, keys }: Crossed, decisions: readonly Decision[]): Iterable<Pile> {
  const piles = new Map<number, Pile>()
  const pileIn = (chatId: number): Pile => {
    const told = standIn(look.memory, chatId)
    const known = piles.get(told)
    if (known) return known
    const fresh = { chatId: told, decided: [], keys: [] }
    piles.set(told, fresh)
    return fresh
  }
  for (const decision of decisions) pileIn(decision.chatId).decided.push(decision)
  for (const key of keys) pileIn(chatOf(key)).keys.push(key)
  return piles.values()
}

/** Of what gets worse, or is said again: its words are found later, and its number is given then. */
function urgencyOf(look: Look, { decided, keys }: Pile): number {
  const known = decided.flatMap(({ said }) => said.map(({ severity }) => URGENCY[severity]))
  return Math.min(2, ...known, ...keys.map((key) => urgencyOfGuard(look, key)))
}

function urgencyOfGuard(look: Look, key: GuardKey): number {
  const guard = guardNamed(look, guardOf(key))
  if (guard?.kind.is !== 'level') return 2
  const { kind, params } = guard
  const subject = seenSubject(look, guard)
  const judgement = subject === null ? 'unknown' : kind.judge(params, subject)
  const stands = tierOf(look.memory.states.get(key)?.state ?? { is: 'ok' })
  const tier = Math.max(judgement === 'unknown' ? 0 : judgement.enter, stands)
  const isSaid = tier > stands || (look.again?.has(key) ?? false)
  return isSaid && tier > 0 ? URGENCY[kind.severity(params, tier)] : 2
}

function judgedOf({ look, readNow }: Crossed, keys: readonly GuardKey[]): Decision[] {
  const guards = keys.flatMap((key) => guardNamed(look, guardOf(key)) ?? [])
  return judgeCrossed(look, guards, readNow)
}
