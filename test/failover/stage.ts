import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { systemClock } from '../../src/runtime/clock.ts'
import openStore from '../../src/stores/journal/index.ts'
import { openPostgres, type Postgres } from '../support/postgres/server.ts'
import { cellUrl } from '../support/postgres/shared.ts'
import { type Crowd, crowdOf, writesOf } from './crowd.ts'
import { seqOf } from './equality.ts'
import { type Machine, openMachine } from './machine.ts'
import { openPlatforms, type Platforms } from './platforms.ts'
import { type FailoverVenue, openVenue } from './venue.ts'
import { openWitness, type Witness } from './witness.ts'

/** Two machines with one cell, and everything around them. The programs are not started yet. */
export interface Stage extends AsyncDisposable {
  readonly folder: string
  readonly crowd: Crowd
  readonly postgres: Postgres
  readonly venue: FailoverVenue
  readonly platforms: Platforms
  readonly witness: Witness
  readonly machines: readonly [Machine, Machine]
  now(): number
  other(machine: Machine): Machine
  /** The machine whose process holds the lease. */
  leading(): Machine | null
  /** Starts again what has ended, as a supervisor would. */
  supervise(): void
  /** Waits until this is so; false if it is not within the limit. */
  comes(so: () => boolean, limitMs?: number): Promise<boolean>
  /** Waits until one leads and the other has all that was written; false if that does not come. */
  ready(): Promise<boolean>
}

export const PATIENCE_MS = 120_000
const CELL = 'main'
const STEP_MS = 10
/** A process that ended is started again when another leads, or after so long. */
const RESTART_MS = 4_000

export async function openStage(how: {
  people: number
  members?: number
  leaseS: number
  /** The folder stays, with both logs. */
  keeps: boolean
}): Promise<Stage> {
  await using stack = new AsyncDisposableStack()
  const now = () => performance.now()
  const folder = await mkdtemp(join(tmpdir(), 'perch-failover-'))
  if (!how.keeps) stack.defer(() => rm(folder, { recursive: true, force: true }))
  const opened = await openPostgres()
  if ('lacks' in opened) throw new Error(opened.lacks)
  const postgres = stack.use(opened.server)
  const crowd = crowdOf(how.people, how.members)
  const venue = stack.use(await openVenue(crowd, now))
  const platforms = stack.use(await openPlatforms(crowd, ['a', 'b'], now))
  await settle()
  const witness = stack.use(await openWitness(postgres.url, CELL, now))
  const openOne = async (name: string) =>
    stack.use(
      await openMachine({
        ...{ name, folder, server: postgres.url, leaseS: how.leaseS, now },
        env: { ...platforms.envFor(name), ...venue.envFor(name) },
      }),
    )
  const machines = [await openOne('a'), await openOne('b')] as const
  const diedAt = new Map<string, number>()

  /** Puts the crowd into the cell. */
  async function settle(): Promise<void> {
    const url = cellUrl(postgres.url, CELL, join(folder, 'seed.sqlite'))
    const store = await openStore({ url, venues: [venue.identity], clock: systemClock() })
    for (const writes of writesOf(crowd, platforms.doors)) await store.memory.commit(writes)
    await store.admin.close()
  }

  const all = stack.move()
  const stage: Stage = {
    ...{ folder, crowd, postgres, venue, platforms, witness, machines, now },
    other: (machine) => (machine === machines[0] ? machines[1] : machines[0]),
    leading: () => machines.find((one) => one.is(witness.leader())) ?? null,
    supervise() {
      for (const machine of machines) {
        if (machine.isUp()) {
          diedAt.delete(machine.name)
          continue
        }
        const since = diedAt.get(machine.name) ?? now()
        diedAt.set(machine.name, since)
        if (stage.leading() === stage.other(machine) || now() - since > RESTART_MS) machine.start()
      }
    },
    async comes(so, limitMs = PATIENCE_MS) {
      for (const ends = now() + limitMs; now() < ends; await sleep(STEP_MS)) if (so()) return true
      return so()
    },
    async ready() {
      for (const ends = now() + PATIENCE_MS; now() < ends; await sleep(STEP_MS)) {
        stage.supervise()
        const leader = stage.leading()
        const last = await witness.last()
        if (leader === null || last === null) continue
        const standby = stage.other(leader)
        // The file of one that is just starting may hold all of it as well.
        const follows = (await witness.standbys()).some((name) => standby.is(name))
        if (follows && (seqOf(standby.file) ?? -1) >= last) return true
      }
      return false
    },
    [Symbol.asyncDispose]: () => all[Symbol.asyncDispose](),
  }
  return stage
}
