import { isOf, type Machine } from './machine.ts'
import type { Act, Arrival } from './platforms.ts'
import type { Reign } from './witness.ts'

/** One message that somebody must get. */
export interface Owed {
  chat: string
  about: string
  what: string
  /** The fault of the plan, counted from 1. */
  fault: number
}

export interface Verdict {
  owed: number
  lost: string[]
  /** Copies, where none of the two says of itself that it may be one. */
  unmarked: string[]
  /** Sent although nothing is a reason for it. */
  false: string[]
  /** Copies that are marked. */
  repeats: number
  reminders: number
  /** Messages that say the venue cannot be seen, or can be again. */
  sights: number
}

/** Compares what arrived with what is owed. Between two moves of a price everything owed has arrived, or is lost. */
export function judge(owed: readonly Owed[], arrivals: readonly Arrival[]): Verdict {
  const verdict: Verdict = {
    ...{ owed: owed.length, lost: [], unmarked: [], false: [], repeats: 0, reminders: 0, sights: 0 },
  }
  const keyOf = ({ chat, about }: { chat: string; about: string }) => `${chat}: ${about}`
  const heard = Map.groupBy(arrivals, keyOf)
  const promised = Map.groupBy(owed, keyOf)
  for (const key of new Set([...promised.keys(), ...heard.keys()]))
    walk(promised.get(key) ?? [], heard.get(key) ?? [], verdict)
  return verdict
}

function walk(owed: readonly Owed[], heard: readonly Arrival[], verdict: Verdict): void {
  const told = new Map<string, Arrival>()
  let next = 0
  for (const one of heard) {
    if (one.about.startsWith('sight')) {
      verdict.sights += 1
      continue
    }
    // The alert has a name of its own in each episode.
    const key = `${one.alert} ${one.what}`
    const first = told.get(key)
    if (first) {
      if (one.again) verdict.reminders += 1
      else if (first.marked || one.marked) verdict.repeats += 1
      else verdict.unmarked.push(wordsOf(one))
      continue
    }
    const at = owed.findIndex(({ what }, index) => index >= next && what === one.what)
    if (one.again || at < 0) {
      verdict.false.push(wordsOf(one))
      continue
    }
    for (const skipped of owed.slice(next, at)) verdict.lost.push(lossOf(skipped))
    told.set(key, one)
    next = at + 1
  }
  for (const one of owed.slice(next)) verdict.lost.push(lossOf(one))
}

function lossOf({ chat, about, what, fault }: Owed): string {
  return `fault ${fault}: person ${chat}: ${about}: ${what}`
}

function wordsOf({ chat, about, what, alert, sender, marked, text }: Arrival): string {
  return `person ${chat}: ${about}: ${what} (${alert}), from ${sender}${marked ? ', marked' : ''}: ${text.slice(0, 120)}`
}

/** A process that was let go on after another had taken over, until it ended. */
export interface Resumed {
  sender: string
  from: number
  to: number
}

/** A change of the leader is seen so late at most, and a request may be under way for so long. */
const GRACE_MS = 250

/** What was done by a process that did not lead: messages and the like, and how many requests to the venue by one that never has. */
export function intrudersOf(world: {
  machines: readonly Pick<Machine, 'name' | 'runs'>[]
  reigns: readonly Reign[]
  acts: readonly Act[]
  asked: readonly { name: string; at: number }[]
  resumed: readonly Resumed[]
}): { intruders: string[]; strangers: number } {
  const { machines, reigns, acts, asked, resumed } = world
  const terms = reigns.map(({ holder, epoch, at }) => ({
    ...{ at, epoch, name: machines.find(({ runs }) => runs.some((run) => isOf(holder, run)))?.name ?? null },
  }))

  /** Whether another machine had led for a while. */
  const isLate = (name: string, at: number) => {
    const term = terms.findLast((one) => one.at <= at - GRACE_MS)
    const now = terms.findLast((one) => one.at <= at)
    return term !== undefined && term.name !== null && term.name !== name && now?.name !== name
  }
  const isResumed = (sender: string, at: number) =>
    resumed.some((one) => one.sender === sender && at > one.from && at < one.to)

  /** A leader may go on to read the venue until it knows that it leads no more; a standby never asks. */
  const hasLed = ({ name, at }: { name: string; at: number }) => {
    const run = machines.find((one) => one.name === name)?.runs.findLast((one) => one.at <= at)
    return reigns.some((reign) => reign.at <= at + GRACE_MS && isOf(reign.holder, run))
  }

  const words = ({ sender, what, at }: Act, why: string) =>
    `${sender}: ${what} at ${Math.round(at)} ms, ${why}`
  return {
    intruders: acts.flatMap((act) => {
      if (isResumed(act.sender, act.at)) return [words(act, 'after it was let go on')]
      return isLate(act.sender, act.at) ? [words(act, 'while another one led')] : []
    }),
    strangers: asked.filter((one) => !hasLed(one)).length,
  }
}
