import { setTimeout as sleep } from 'node:timers/promises'

import { tierAt } from './crowd.ts'
import { unequal } from './equality.ts'
import { isOf } from './machine.ts'
import type { Fault, Step } from './plan.ts'
import { lineOf, reasonOf } from './report.ts'
import { openStage, PATIENCE_MS } from './stage.ts'
import { strike } from './striking.ts'
import { intrudersOf, judge, type Owed, type Resumed, type Verdict } from './verdict.ts'

/** How one fault went; times in milliseconds from the fault, or from the return of PostgreSQL. */
export interface Row {
  number: number
  fault: Fault
  /** Until a process has taken the lease anew; null if the same one went on. */
  leadMs: number | null
  /** Until the first message that the new leader sent. */
  warnMs: number | null
  /** Until everything was told. */
  toldMs: number
  /** Until a command that was sent at that time was answered; null if nobody answered it. */
  answeredMs: number | null
  /** How the process ended that was let go on, and how long after. */
  resumed: { how: string; ms: number } | null
}

export interface Outcome extends Verdict {
  rows: Row[]
  epochs: number
  messages: number
  /** Differences between the two files, once the standby had caught up. */
  unequal: string[]
  /** Entries of the journal out of order. */
  disorder: string[]
  /** Messages, edits and answers of a process while another one led, and those of one that was let go on. */
  intruders: string[]
  /** Requests to the venue by a process that had never led. */
  strangers: number
  /** Ends that nothing explains. */
  crashes: string[]
  /** Leaders that could not renew their lease in time, though nothing was done to them. */
  lapses: number
  /** What did not come in time: a leader, a standby, an answer. */
  late: string[]
  seconds: number
  folder: string | null
}

const ARRIVAL_LIMIT_MS = 5_000
/** A command whose answer has not come so long after everything was told is answered by nobody. */
const ANSWER_LIMIT_MS = 10_000

/** Two real programs share a cell through the faults of a plan. */
export async function failOver(
  plan: readonly Step[],
  how: {
    people: number
    members?: number
    leaseS: number
    progress(line: string): void
    enough(): boolean
    /** The folder stays, with both logs. */
    keeps: boolean
  },
): Promise<Outcome> {
  await using stage = await openStage(how)
  const { folder, crowd, postgres, venue, platforms, witness, machines, now, other, leading, comes } = stage
  const [first, second] = machines
  const began = now()
  const leaseMs = how.leaseS * 1_000

  const owed: Owed[] = []
  const rows: Row[] = []
  const found = {
    unequal: [] as string[],
    disorder: [] as string[],
    crashes: [] as string[],
    late: [] as string[],
  }
  const resumed: Resumed[] = []
  let lapses = 0
  const tiers = crowd.groups.map(() => 0)

  const speaker = platforms.stranger('speaker')
  /** Asks a question. The function that it returns says whether it was answered. */
  const asks = () => {
    const before = speaker.answers.length
    speaker.says('/positions')
    return () => speaker.answers.length > before
  }
  const kept = async (so: () => boolean, what: string, number: number) => {
    const came = await comes(() => {
      stage.supervise()
      return so()
    }, PATIENCE_MS)
    if (!came) found.late.push(`fault ${number}: ${what}`)
    return came
  }
  const ready = async (number: number) => {
    if (!(await stage.ready())) found.late.push(`fault ${number}: no leader and standby`)
  }

  for (const machine of machines) machine.start()
  if (!(await stage.ready())) throw new Error(`the two did not start, see ${folder}`)
  const firstArrival = platforms.arrivals.length

  for (const [index, step] of plan.entries()) {
    if (how.enough()) break
    const number = index + 1
    const leader = leading() ?? first
    const epoch = witness.reigns.at(-1)?.epoch ?? 0
    const from = platforms.arrivals.length
    const waiting = new Set<string>()
    let read = from
    const move = (moves: Step['before']) => {
      for (const { group, to } of moves) {
        const watched = crowd.groups[group]
        if (!watched) continue
        const was = tiers[group] ?? 0
        const tier = tierAt(to, was)
        tiers[group] = tier
        venue.moves(group, to)
        const what = tier > was ? `worse ${tier}` : tier === 0 ? 'clear' : `better ${tier}`
        for (const member of watched.members) {
          const one = { chat: String(member), about: `distance of ${watched.symbol} long`, what }
          owed.push({ ...one, fault: number })
          waiting.add(`${one.chat} ${one.about} ${one.what}`)
        }
      }
    }
    const isTold = () => {
      for (; read < platforms.arrivals.length; read++) {
        const one = platforms.arrivals[read]
        waiting.delete(`${one?.chat} ${one?.about} ${one?.what}`)
      }
      return waiting.size === 0
    }

    const isSend = step.fault.is.endsWith('in a send')
    if (!isSend) {
      move(step.before)
      await comes(() => platforms.arrivals.length >= from + step.arrivals || isTold(), ARRIVAL_LIMIT_MS)
      await sleep(step.afterMs)
    }
    let answered: () => boolean = () => true
    let answeredMs: number | null = null
    const struck = await strike(step.fault, {
      ...{ leader, standby: other(leader), postgres, platforms, leaseMs, now, comes },
      leads: (machine) => leading() === machine,
      hit() {
        if (isSend) move(step.before)
        move(step.after)
        if (!isSend) answered = asks()
      },
    })
    // Before it, the answer might have been the send that was spoilt.
    if (isSend) answered = asks()
    let resumption: Row['resumed'] = null
    if (struck.resumed !== null) {
      const { machine, run, at } = struck.resumed
      const end = () => machine.ends.find((one) => one.run === run)
      await comes(() => end() !== undefined, PATIENCE_MS)
      resumption = { how: end()?.how ?? 'goes on', ms: (end()?.at ?? now()) - at }
      resumed.push({ sender: machine.name, from: at, to: end()?.at ?? now() })
    }
    const isAnswered = () => {
      if (answeredMs === null && answered()) answeredMs = Math.max(now() - struck.since, 0)
      return answeredMs !== null
    }
    await kept(() => [isAnswered(), isTold()].at(-1) === true, 'not everything was told', number)
    const toldMs = now() - struck.since
    await comes(() => {
      stage.supervise()
      return isAnswered()
    }, ANSWER_LIMIT_MS)
    platforms.calm()
    await ready(number)

    const reign = witness.reigns.find(
      (one) => one.epoch > epoch && one.holder !== null && one.at > struck.since,
    )
    const heir = machines.find(({ runs }) => runs.some((run) => isOf(reign?.holder ?? null, run)))
    const sent = platforms.arrivals
      .slice(from)
      .find(({ at, sender }) => reign !== undefined && at > reign.at && sender === heir?.name)
    const row: Row = {
      ...{ number, fault: step.fault, toldMs, answeredMs, resumed: resumption },
      leadMs: reign ? reign.at - struck.since : null,
      warnMs: sent ? sent.at - struck.since : null,
    }
    rows.push(row)
    const unlike = await unequal(first.file, second.file)
    found.unequal.push(...unlike.map((one) => `fault ${number}: ${one}`))
    found.disorder.push(...(await witness.disorder()).map((one) => `fault ${number}: ${one}`))
    for (const machine of machines)
      for (const { run, how: end } of machine.ends.splice(0)) {
        const reason = reasonOf(end, step.fault)
        if (reason === 'lapse') lapses += 1
        if (reason === null) found.crashes.push(`fault ${number}: ${machine.name}, run ${run}: ${end}`)
      }
    how.progress(lineOf(row, unlike.length))
  }

  const verdict = judge(owed, platforms.arrivals.slice(firstArrival))
  const { intruders, strangers } = intrudersOf({
    machines,
    reigns: witness.reigns,
    acts: platforms.acts(),
    asked: venue.asked,
    resumed,
  })
  return {
    ...{ ...verdict, ...found, rows, intruders, strangers, lapses },
    ...{ epochs: witness.reigns.at(-1)?.epoch ?? 0, messages: platforms.arrivals.length - firstArrival },
    ...{ seconds: Math.round((now() - began) / 1_000), folder: how.keeps ? folder : null },
  }
}
