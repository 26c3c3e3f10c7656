import { setTimeout as sleep } from 'node:timers/promises'

import type { Postgres } from '../support/postgres/server.ts'
import type { Machine } from './machine.ts'
import type { Fault } from './plan.ts'
import type { Platforms } from './platforms.ts'

/** What a fault did, as far as only it can know. */
export interface Strike {
  /** From when the next leader's time counts: PostgreSQL cannot give a lease while it is away. */
  since: number
  /** A process that was let go on. */
  resumed: { machine: Machine; run: number; at: number } | null
}

const DELAY_LEASES = 2.5
const SEND_LIMIT_MS = 20_000
const END_LIMIT_MS = 15_000

/** Brings the fault about, and ends it. `hit` is called at the moment of the fault. */
export async function strike(
  fault: Fault,
  world: {
    leader: Machine
    standby: Machine
    postgres: Postgres
    platforms: Platforms
    leaseMs: number
    now: () => number
    hit(): void
    /** Waits until this is so; false if it is not within the limit. */
    comes(so: () => boolean, limitMs: number): Promise<boolean>
    /** This machine leads. */
    leads(machine: Machine): boolean
  },
): Promise<Strike> {
  const { leader, standby, postgres, platforms, leaseMs, now, comes, leads } = world

  const hits = (): Strike => {
    const since = now()
    world.hit()
    return { since, resumed: null }
  }
  /** The leader goes on when the other leads, at the earliest after so many lives of a lease. */
  const goesOn = async (began: Strike, leases: number): Promise<Strike> => {
    await sleep(Math.max(began.since + leases * leaseMs - now(), 0))
    await comes(() => leads(standby), 3 * leaseMs)
    const resumed = { machine: leader, run: leader.runs.length, at: now() }
    leader.signal('SIGCONT')
    return { ...began, resumed }
  }
  const inSend = async (how: Parameters<Platforms['spoilsNextSend']>[0], signal: NodeJS.Signals) => {
    const met = platforms.spoilsNextSend(how, DELAY_LEASES * leaseMs)
    world.hit()
    await comes(met, SEND_LIMIT_MS)
    leader.signal(signal)
    return { since: now(), resumed: null }
  }
  const machineOf = (role: 'leader' | 'standby') => (role === 'leader' ? leader : standby)

  switch (fault.is) {
    case 'kill':
      leader.signal('SIGKILL')
      return hits()
    case 'stop':
      leader.signal('SIGSTOP')
      return goesOn(hits(), fault.leases)
    case 'kill in a send': {
      const began = await inSend(fault.how, 'SIGKILL')
      await comes(() => leads(standby), 3 * leaseMs)
      return began
    }
    case 'stop in a send':
      return goesOn(await inSend(fault.how, 'SIGSTOP'), fault.leases)
    case 'kill both': {
      leader.signal('SIGKILL')
      const began = hits()
      await comes(() => leads(standby), 3 * leaseMs)
      standby.signal('SIGKILL')
      leader.start()
      return { ...began, since: now() }
    }
    case 'SIGTERM': {
      leader.signal('SIGTERM')
      const began = hits()
      await comes(() => !leader.isUp(), END_LIMIT_MS)
      return began
    }
    case 'SIGTERM without PostgreSQL': {
      await postgres.signal('SIGINT')
      leader.signal('SIGTERM')
      const began = hits()
      await comes(() => !leader.isUp(), END_LIMIT_MS)
      await postgres.start()
      return { ...began, since: now() }
    }
    case 'kill the standby':
      standby.signal('SIGKILL')
      return hits()
    case 'stop the standby': {
      standby.signal('SIGSTOP')
      const began = hits()
      await sleep(fault.leases * leaseMs)
      standby.signal('SIGCONT')
      return began
    }
    case 'PostgreSQL restarts': {
      const began = hits()
      await postgres.signal(fault.signal)
      await sleep(fault.awayMs)
      await postgres.start()
      return { ...began, since: now() }
    }
    case 'PostgreSQL hangs': {
      leader.line.hold('both')
      standby.line.hold('both')
      const began = hits()
      await sleep(fault.leases * leaseMs)
      leader.line.goOn()
      standby.line.goOn()
      return { ...began, since: now() }
    }
    case 'line cut':
      machineOf(fault.to).line.cut(fault.half ? 'half' : undefined)
      return hits()
    case 'line away': {
      const { line } = machineOf(fault.to)
      await line.away()
      const began = hits()
      await sleep(fault.leases * leaseMs)
      await line.back()
      return began
    }
    case 'line silent': {
      const { line } = machineOf(fault.to)
      line.hold(fault.direction)
      const began = hits()
      await sleep(fault.leases * leaseMs)
      line.goOn()
      return began
    }
  }
}
