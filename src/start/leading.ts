import { existsSync } from 'node:fs'

import { fenceRequests } from '../net/fence.ts'
import { type Clock, endsWithin } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Standing } from '../runtime/standing.ts'
import { ALONE, type Lead, type Leadership, type TakeLead } from '../store/lead.ts'
import type { ForgetVenue, OpenStore } from '../store/store.ts'
import type { Config } from './config.ts'
import { entry } from './environment.ts'

/** Closing waits for PostgreSQL, which may be away. The lease ends by itself then. */
const CLOSE_LIMIT_MS = 2_000

/** The store of a process that may use it, though it is not opened yet. */
export interface TakenStore extends Leadership, Pick<Lead, 'forget' | 'open'> {
  /** Other processes may lead. */
  readonly isShared: boolean
  /** From now on the caller answers signals. Until then a signal lets go of the store and ends the process. */
  handOver(): void
  /** Lets another process lead, in bounded time: for a start that fails. */
  letGo(): Promise<void>
}

interface World {
  config: Config
  clock: Clock
  emit: Emit
  /** A venue is to be taken away: the store may have more of them than VENUE. */
  forgets: boolean
  /** Ends what runs beside a standby, and then the process. */
  stopped(): Promise<never>
  /** Ends the process at once: it may not lead any more, for this reason. */
  over(why: string): void
}

/** Returns the configured store. Where processes share it, waits until this one leads. */
export function takenStore(world: World): Promise<TakenStore> {
  const isShared = existsSync(new URL(`../stores/${world.config.store}/lead.ts`, import.meta.url))
  return isShared ? led(world) : Promise.resolve(ownStore(world))
}

/** One process has it to itself. */
function ownStore({ config: { store, database: url }, clock }: World): TakenStore {
  return {
    ...ALONE,
    isShared: false,
    forget: async (name, venues) =>
      (await entry<ForgetVenue>('../stores/', store, 'venues/forget.ts'))({ url, name, venues }),
    open: async (venues) => (await entry<OpenStore>('../stores/', store))({ url, venues, clock }),
    handOver: () => {},
    letGo: async () => {},
  }
}

async function led({ config, clock, emit, forgets, stopped, over }: World): Promise<TakenStore> {
  const takeLead = await entry<TakeLead>('../stores/', config.store, 'lead.ts')
  const stopping = new AbortController()
  const { signal } = stopping
  let lead: Lead | null = null
  let standing: Standing | null = null
  const noting: Emit = (event) => {
    if (event.is === 'standing') standing = event
    emit(event)
  }
  const letGo = async () => {
    if (lead !== null) await endsWithin(clock, CLOSE_LIMIT_MS, lead.close()).catch(() => {})
  }
  let finishing: Promise<never> | null = null
  const finish = () => (finishing ??= stopped())
  const end = (why: NodeJS.Signals) => {
    if (signal.aborted) return
    emit({ is: 'stopping', why })
    stopping.abort(new Error('stopping'))
    // A lead that is just being taken is let go below, unless PostgreSQL hangs.
    if (lead !== null) void letGo().then(finish)
    else clock.wakeAt(clock.monotonic() + CLOSE_LIMIT_MS, () => void finish())
  }
  // A standby asks nothing of anybody.
  fenceRequests(() => lead?.mayAlarm() ?? false)
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  warmUp(config)
  try {
    lead = await takeLead({
      ...{ url: config.database, clock, emit: noting, signal },
      ...(!forgets && { venues: config.venues }),
    })
  } catch (error) {
    if (!signal.aborted) throw error
    return finish()
  }
  void lead.over.then(over)
  if (signal.aborted) {
    await letGo()
    return finish()
  }
  const { holds, mayAlarm, forget, open } = lead
  return {
    ...{ isShared: true, holds, mayAlarm, forget, open, letGo },
    standing: () => standing,
    handOver() {
      process.off('SIGTERM', end)
      process.off('SIGINT', end)
    },
  }
}

/** Loads what a leader needs: a standby has the time for it. Nothing is opened, and errors come when it is. */
function warmUp({ venues, adapters }: Config): void {
  const names = venues.length > 1 ? [...venues, 'several'] : venues
  for (const name of names) entry('../venues/', name).catch(() => {})
  for (const name of adapters) entry('../../adapters/', name).catch(() => {})
}
