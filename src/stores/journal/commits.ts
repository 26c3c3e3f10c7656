import { type Clock, pause } from '../../runtime/clock.ts'
import {
  type DraftPart,
  type Draft,
  isDamaged,
  type JournaledFile,
  mayPass,
} from '../sqlite/journaled/file.ts'
import type { Operation } from '../sqlite/journaled/operations.ts'
import { encode } from './encode.ts'
import type { Appended, Entries } from './postgres/entries.ts'
import { LinkDown } from './postgres/link.ts'
import { positionOf } from './standby.ts'
import type { LeaderTerm } from './term.ts'

/** Does things to the file, each after it is in the journal. */
export interface Commits {
  /**
   * Calls that come while others are written are appended together. Rejects with the error of `work`, and when the journal can't
   * be written: then nothing has changed. It never ends when another process leads.
   */
  do<T>(work: (draft: Draft) => DraftPart<T>): Promise<T>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

interface Job {
  work: (draft: Draft) => DraftPart<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** So many are appended at once. */
const MAX_GROUP = 64
/** How long a commit waits for a lease that has run out: a process that was stopped learns meanwhile who leads. */
const VERDICT_MS = 4_000
/** The same while PostgreSQL stays away. */
const LATER_VERDICT_MS = 500
const AGAIN_MS = 50
/**
 * How long a group is tried while the lease is renewed, in lives of the lease: PostgreSQL may refuse this group alone. Much
 * shorter while an earlier one is in doubt.
 */
const APPEND_LIVES = 2
const [MAX_APPEND_MS, DOUBTFUL_APPEND_MS] = [30_000, 1_000]
/** A group ends with the operation that exceeds this: one that is too large for PostgreSQL takes few others with it. */
const MAX_GROUP_LETTERS = 1_000_000
/**
 * How long the file takes nothing before another Perch should lead, in lives of the lease. One on the same disk is known to be
 * full too by then.
 */
const REFUSED_LIVES = 2
/** How long an entry of the journal waits for a file that is full or locked. */
const FILE_PATIENCE_MS = 5_000

export function createCommits(world: {
  file: JournaledFile
  entries: Entries
  term: LeaderTerm
  clock: Clock
  /** Another process could lead now. */
  isFollowed(): boolean
}): Commits {
  const { file, entries, term, clock, isFollowed } = world
  const waiting: Job[] = []
  let working: Promise<void> | null = null
  /** A group may be in the journal although it was refused: nothing else is written before that is known. */
  let isDoubtful = false
  let isSuspended = false
  /** Since when the file has taken nothing. */
  let refusedMono: number | null = null

  /** The disk of another Perch may have room. Without one, people read that nothing can be kept. */
  function refused(error: unknown): void {
    refusedMono ??= clock.monotonic()
    if (clock.monotonic() - refusedMono < term.leaseMs * REFUSED_LIVES || !isFollowed()) return
    term.end(`its file takes nothing, and another Perch may lead: ${String(error)}`)
  }

  async function work(): Promise<void> {
    while (waiting.length > 0 && !term.isOver()) {
      const group = waiting.splice(0, MAX_GROUP)
      try {
        const patienceMs = isSuspended ? LATER_VERDICT_MS : VERDICT_MS
        isSuspended = !(await term.holdsWithin(patienceMs))
        if (isSuspended) throw new Error(NO_LEASE)
        if (isDoubtful) await settleDoubt()
        if (!term.isOver()) await perform(group)
      } catch (error) {
        file.drop()
        // Another Perch has a sound file.
        if (isDamaged(error)) term.end(DAMAGED)
        if (mayPass(error)) refused(error)
        if (!term.isOver()) for (const job of group) job.reject(error)
      }
    }
    // At once: a caller that was just answered may come with the next.
    working = null
  }

  async function perform(group: Job[]): Promise<void> {
    const draft = await file.draft()
    const done: { job: Job; value: unknown }[] = []
    const operations: Operation[] = []
    const texts: string[] = []
    for (const [place, job] of group.entries()) {
      if (texts.reduce((sum, { length }) => sum + length, 0) > MAX_GROUP_LETTERS) {
        waiting.unshift(...group.splice(place))
        break
      }
      try {
        const { value, operation } = job.work(draft)
        if (operation !== null) operations.push(operation)
        done.push({ job, value })
      } catch (error) {
        // A full disk may take the whole draft with it, and so those of the group that were done.
        if (!file.isDrafting() || isDamaged(error)) throw error
        job.reject(error)
      }
      // It is in the draft already: if it cannot be written, nor can the others.
      for (const operation of operations.slice(texts.length)) texts.push(encode(operation))
    }
    if (operations.length === 0) file.drop()
    else if (!(await keep(operations, texts))) return
    for (const { job, value } of done) job.resolve(value)
  }

  /** False if this process must end. */
  async function keep(operations: readonly Operation[], texts: readonly string[]): Promise<boolean> {
    const { epoch } = term
    const before = positionOf(file)
    const appended = await append({ epoch, seq: before.seq + 1, epochBefore: before.epoch }, texts)
    if (appended !== 'kept') {
      file.drop()
      term.end(WHY_OVER[appended])
      return false
    }
    const position = { ...before, seq: before.seq + operations.length, epoch }
    const untilMono = clock.monotonic() + FILE_PATIENCE_MS
    for (let isAgain = false; ; isAgain = true) {
      try {
        if (isAgain) await draftAnew(operations)
        file.keep(position)
        refusedMono = null
        return true
      } catch (error) {
        file.drop()
        if (!mayPass(error) || clock.monotonic() >= untilMono) {
          term.end(`the journal has an entry that the file cannot take: ${String(error)}`)
          return false
        }
      }
      await pause(clock, AGAIN_MS)
    }
  }

  async function draftAnew(operations: readonly Operation[]): Promise<void> {
    const draft = await file.draft()
    for (const operation of operations) draft.repeat(operation)
  }

  /** Appends until it is known whether it did, for as long as nobody else may lead. */
  async function append(at: Parameters<Entries['append']>[0], texts: readonly string[]): Promise<Appended> {
    let isUnsure = false
    const patienceMs = Math.min(term.leaseMs * APPEND_LIVES, MAX_APPEND_MS)
    const untilMono = clock.monotonic() + (isDoubtful ? DOUBTFUL_APPEND_MS : patienceMs)
    for (;;) {
      try {
        const appended = await entries.append(at, texts)
        return appended === 'taken' && (await isThere(at.seq, texts)) ? 'kept' : appended
      } catch (error) {
        isUnsure ||= error instanceof LinkDown
        if (!(error instanceof LinkDown) || !term.holds() || clock.monotonic() >= untilMono) {
          isDoubtful ||= isUnsure
          throw error
        }
        await pause(clock, AGAIN_MS)
      }
    }
  }

  /** An answer that got lost: the entries of these numbers are ours. */
  async function isThere(seq: number, texts: readonly string[]): Promise<boolean> {
    const there = await entries.between(seq, seq + texts.length - 1)
    return (
      there.length === texts.length &&
      there.every(({ epoch, text }, place) => epoch === term.epoch && text === texts[place])
    )
  }

  /** An entry that does nothing takes the number: the group in doubt can't be appended any more, or was. */
  async function settleDoubt(): Promise<void> {
    const nothing: Operation = { is: 'nothing' }
    await file.draft()
    if (await keep([nothing], [encode(nothing)])) isDoubtful = false
  }

  return {
    do<T>(what: (draft: Draft) => DraftPart<T>) {
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work: what, resolve: (value) => resolve(value as T), reject })
        working ??= work()
      })
    },
    async idle() {
      while (working !== null) await working
    },
  }
}

const DAMAGED = 'the local file is damaged: a start makes it anew'
const NO_LEASE = 'the lease of this Perch ran out and PostgreSQL cannot renew it'
const WHY_OVER = {
  fenced: 'another Perch leads this cell now',
  taken: 'the journal has an entry that this Perch has counted as not written',
  torn: 'the journal has lost its last entries: the database there is an older one',
}
