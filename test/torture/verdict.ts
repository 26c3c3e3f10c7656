import type { Heard } from './heard.ts'
import { type Owed, says } from './oracle.ts'

/** Something that must be told, and when the venue first served what shows it; null when it never did. */
export interface Due extends Owed {
  servedAt: number | null
}

/** What is wrong with one thing that was said or owed in a chat, and when that was seen. */
export interface Fault {
  chat: string
  about: string
  what: string
  /** The message; null where there is none. */
  text: string | null
  at: number
}

export interface Verdict {
  owed: number
  lost: Fault[]
  /** Said more than once, and marked as such. */
  doubled: Fault[]
  /** Said more than once without a mark. */
  unmarked: Fault[]
  /** Said although nothing that was served is a reason for it. */
  false: Fault[]
  /** From what was served to its arrival, in milliseconds, the quickest first. */
  lateMs: number[]
}

/** Compares what arrived with what is owed: all of it, in its order, once, and nothing else. */
export function judge(owed: readonly Due[], heard: readonly Heard[]): Verdict {
  const verdict: Verdict = { owed: owed.length, lost: [], doubled: [], unmarked: [], false: [], lateMs: [] }
  const keyOf = ({ chat, about }: { chat: string; about: string }) => `${chat}: ${about}`
  const arrivals = Map.groupBy(heard, keyOf)
  const promises = Map.groupBy(owed, keyOf)
  for (const key of new Set([...promises.keys(), ...arrivals.keys()]))
    walk(promises.get(key) ?? [], arrivals.get(key) ?? [], verdict)
  verdict.lateMs.sort((a, b) => a - b)
  return verdict
}

function walk(owed: readonly Due[], heard: readonly Heard[], verdict: Verdict): void {
  const heardBefore = new Set<string>()
  let lastHeard = ''
  let told = 0
  for (const one of heard) {
    const { about, alert, what, marked, again, at } = one
    const before = owed.slice(0, told)
    const wasSaid = before.some((other) => says(one, other))
    // What is critical is said again by the line at which it stands, also when it was worse before.
    const stood = before.some((other) => other.what.endsWith(what.replace('worse', '')))
    if (again && stood) continue
    const next = owed.findIndex((other, index) => index >= told && says(one, other))
    const last = before.at(-1)
    // A happening has an alert of its own, and so has each position: a line that is crossed again has that of its episode.
    const isSame = about.startsWith('distance') ? lastHeard === `${alert} ${what}` : heardBefore.has(alert)
    heardBefore.add(alert)
    lastHeard = `${alert} ${what}`
    const isRepeat = wasSaid && (marked || (last !== undefined && says(one, last)))
    if (isSame || (next !== told && isRepeat)) {
      verdict[marked ? 'doubled' : 'unmarked'].push(one)
      continue
    }
    if (next < 0) {
      verdict.false.push(one)
      continue
    }
    for (const skipped of owed.slice(told, next)) verdict.lost.push({ ...skipped, text: null, at })
    const servedAt = owed[next]?.servedAt ?? null
    if (servedAt !== null) verdict.lateMs.push(Math.max(at - servedAt, 0))
    told = next + 1
  }
  for (const one of owed.slice(told)) verdict.lost.push({ ...one, text: null, at: Infinity })
}
