import type { APIInteraction } from 'discord.js'

import { errorText } from '../../../src/lib/text/error-text.ts'
import { backoffMs } from '../../../src/lib/time/backoff.ts'
import { type Clock, createAlarm, waited } from '../../../src/runtime/clock.ts'
import type { Emit } from '../../../src/runtime/event.ts'
import type { Api } from '../send/api.ts'
import { createGatewayInfo, type GatewayInfo } from './gateway-info.ts'
import { createTurns } from './identify.ts'
import { createShard, RETRY, type Shard } from './shard.ts'
import { createStanding, type LongOutage, type Standing } from './standing.ts'

/** The connections on which Discord reports interactions: as many shards as Discord asks for. */
export interface Gateway {
  start(): void
  /** Lets go of all connections. */
  stop(): Promise<void>
}

interface GatewayWorld {
  token: string
  apiUrl: string
  api: Api
  clock: Clock
  emit: Emit
  random: () => number
  /** Around a change of the number of shards the same interaction may come twice. */
  hear(interaction: APIInteraction): void
  /** A session has begun. */
  ready(applicationId: string): void
  /** At every change: why not all servers are heard, or null. */
  reachable(why: string | null): void
  /** Nobody is heard, and only a change of the bot itself helps: trying again soon would be in vain. */
  hopeless(why: string): void
  /** Some shards have been down for long, or (null) all of `count` are up again. */
  outage?(long: LongOutage | null, count: number): void
  /** Discord lets no session begin for so long: all starts of the day are used. */
  usedUp?(total: number, ms: number): void
}

/** Shards of one count. */
interface Fleet {
  count: number
  shards: Shard[]
  standing: Standing
}

/** Events that were under way on the old connections: an interaction lives for three seconds. */
const HANDOVER_MS = 5_000
/** Discord wants about 1,000 servers in a shard and takes 2,500: twice as many shards are begun before that wall. */
const FEW = 2
const LOOK_MS = 24 * 60 * 60_000
/** A notice that is repeated at each attempt would be noise. */
const NOTICE_MS = 55 * 60_000

export function createGateway(world: GatewayWorld): Gateway {
  const { token, api, clock, emit, random, reachable } = world
  const stopping = new AbortController()
  const { signal } = stopping
  const ask = createGatewayInfo(api, clock, signal)
  const turns = createTurns(clock, emit)
  let running: Promise<void> | null = null
  let current: Fleet | null = null
  /** The last event of shards: how many are up, of how many. */
  let saidShards = ''
  /** Fleets of a smaller count, used until the new one is up. */
  let former: Fleet[] = []
  const ending = new Set<Promise<unknown>>()
  const hopeless = oncePerNotice(world.hopeless)
  const usedUp = oncePerNotice((total: number, ms: number) => world.usedUp?.(total, ms))
  const daily = createAlarm(clock, () => {
    info().catch(() => {})
    daily.set(LOOK_MS)
  })

  /** Every answer shows whether there should be more shards. */
  async function info(): Promise<GatewayInfo> {
    const found = await ask()
    if (current && found.shards >= FEW * current.count) renew(current, found)
    return found
  }

  /** Asks until there is an answer; null when stopped. */
  async function infoAtLast(failed: (why: string) => void): Promise<GatewayInfo | null> {
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        return await ask()
      } catch (error) {
        if (signal.aborted) break
        failed(errorText(error))
        await waited(clock, backoffMs(failures, random(), RETRY), signal)
      }
    }
    return null
  }

  function begin(first: GatewayInfo): Fleet {
    const count = first.shards
    const standing = createStanding({
      ...{ count, clock, isReported: current?.standing.isReported() ?? false },
      long: (outage) => world.outage?.(outage, count),
      back: () => world.outage?.(null, count),
    })
    const fleet: Fleet = { count, shards: [], standing }
    fleet.shards = Array.from({ length: count }, (_, id) =>
      createShard(
        {
          ...{ id, count, token, clock, emit, random, info, turns, usedUp },
          hear: world.hear,
          ready: world.ready,
          changed: (why) => moved(fleet, id, why),
          tooFew: () => tooFew(fleet),
        },
        first,
      ),
    )
    current = fleet
    for (const shard of fleet.shards) shard.start()
    return fleet
  }

  function moved(fleet: Fleet, id: number, why: string | null): void {
    fleet.standing.moved(id, why)
    if (fleet !== current || signal.aborted) return
    const { count, standing } = fleet
    reachable(standing.why())
    const up = standing.up()
    // A shard that is refused tries again twice a second, and a log of an outage has better to say.
    if (count > 1 && `${up}/${count}` !== saidShards) emit({ is: 'shards', platform: 'discord', up, count })
    saidShards = `${up}/${count}`
    if (standing.up() === count) endFormer()
  }

  /** New connections come up while the old ones are still used, so that no input is lost. */
  function renew(fleet: Fleet, found: GatewayInfo): void {
    if (fleet !== current || signal.aborted) return
    const text = `Discord asks for ${found.shards} shards: they replace ${fleet.count}`
    emit({ is: 'remark', where: 'discord', text })
    former.push(fleet)
    begin(found)
    fleet.standing.stop()
    for (const shard of fleet.shards) shard.retire()
  }

  function endFormer(): void {
    const over = former.flatMap(({ shards }) => shards)
    former = []
    if (over.length === 0) return
    const work = waited(clock, HANDOVER_MS, signal).then(() => Promise.all(over.map((one) => one.stop())))
    ending.add(work)
    void work.finally(() => ending.delete(work))
  }

  async function tooFew(fleet: Fleet): Promise<boolean> {
    const found = await infoAtLast(() => {})
    if (fleet !== current || !found) return true
    if (found.shards <= fleet.count) {
      const shards = found.shards === 1 ? 'one shard' : `${found.shards} shards`
      const why = `Discord wants this bot sharded further, and asks for ${shards} only`
      if (fleet.count === 1) hopeless(why)
      else emit({ is: 'trouble', where: 'discord', why })
      return false
    }
    renew(fleet, found)
    return true
  }

  /** Speaks at most once in an hour. */
  function oncePerNotice<T extends unknown[]>(speak: (...about: T) => void): (...about: T) => void {
    let spokeAt = -Infinity
    return (...about) => {
      if (clock.monotonic() - spokeAt < NOTICE_MS) return
      spokeAt = clock.monotonic()
      speak(...about)
    }
  }

  async function run(): Promise<void> {
    const first = await infoAtLast(reachable)
    if (!first) return
    begin(first)
    daily.set(LOOK_MS)
  }

  return {
    start: () => void (running ??= run()),
    async stop() {
      stopping.abort(new Error('stopping'))
      daily.off()
      await running
      const fleets = current ? [current, ...former] : former
      for (const { standing } of fleets) standing.stop()
      await Promise.all(fleets.flatMap(({ shards }) => shards.map((one) => one.stop())))
      await Promise.all(ending)
    },
  }
}
