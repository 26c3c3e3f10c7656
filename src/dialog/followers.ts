import { hash } from 'node:crypto'

import type { Glance, Holdings } from '../chat/holdings.ts'
import { createGrouped } from '../lib/data/grouped.ts'
import { errorText } from '../lib/text/error-text.ts'
import type { Identity } from '../message/address.ts'
import type { Person } from '../people/person.ts'
import { type Clock, createAlarm, createYield } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'

/** At most four times a second. */
const EVERY_MS = 250
/** Warnings of the same change go first: where many follow, they are told this much later for each. */
const EACH_LATER_MS = 0.05
const MOST_LATER_MS = 50
/** How long the others wait for their turn while many followers are told. */
const SLICE_MS = 0.5

interface Follower {
  by: Identity
  changed: Parameters<Holdings['follow']>[1]
  /** Whose glance it was that they know; null for somebody unknown. */
  personId: number | null
  /** A digest of the last glance that they know, without its time. The glance itself would live long, and cost more. */
  face: string | null
  toldMono: number
}

interface Followers extends Pick<Holdings, 'glance' | 'follow'> {
  /** Something of these people may have changed; of everybody if it is null. */
  nudge(personIds: Iterable<number> | null): void
  /** Nobody is told anything more. */
  stop(): void
  /** Resolves when nobody is being told. */
  idle(): Promise<void>
}

/** Tells people of each change of their glance. */
export function createFollowers(world: {
  clock: Clock
  emit: Emit
  personOf(by: Identity): Person | null
  glanceOf(person: Person): Glance
}): Followers {
  const { clock, emit, personOf, glanceOf } = world
  const followers = new Set<Follower>()
  const followersOf = createGrouped<number | null, Follower, Follower>()
  /** They were told too short a time ago. */
  const owed = new Set<Follower>()
  const alarm = createAlarm(clock, run)
  let changed: Set<number> | 'all' | null = null
  let running: Promise<void> | null = null
  let restsUntilMono = -Infinity

  function run(): void {
    running ??= sweeps()
  }

  /** Rests for as long as it has worked, so that very many followers take half of a processor at most. */
  async function sweeps(): Promise<void> {
    // Yields once: the engine does not wait for it, and changes that come together are told together.
    await Promise.resolve()
    while (followers.size > 0 && (changed !== null || dueMono() <= clock.monotonic())) {
      const startedMono = clock.monotonic()
      if (startedMono < restsUntilMono) break
      const whose = changed
      changed = null
      await sweep(whose)
      const endedMono = clock.monotonic()
      restsUntilMono = endedMono + (endedMono - startedMono)
    }
    // At once: a change that comes after the last look begins anew.
    running = null
    const nextMono = Math.max(changed === null ? dueMono() : restsUntilMono, restsUntilMono)
    if (followers.size > 0 && nextMono < Infinity) alarm.set(Math.max(nextMono - clock.monotonic(), 0))
  }

  function dueMono(): number {
    let first = Infinity
    for (const { toldMono } of owed) first = Math.min(first, toldMono + EVERY_MS)
    return first
  }

  async function sweep(whose: Set<number> | 'all' | null): Promise<void> {
    const breathe = createYield(clock, SLICE_MS)
    const owing = [...owed].map(({ personId }) => personId)
    const ids = whose === 'all' ? followersOf.groups() : [...(whose ?? []), ...owing]
    // One person after the other: no glance outlives its turn, so that memory is freed at little cost.
    for (const id of new Set(ids)) {
      await breathe()
      tellAll([...followersOf.valuesOf(id)], whose === 'all' || (id !== null && whose?.has(id) === true))
    }
  }

  /** Makes the glance once for all who follow the same person. Those who are owed one get it where nothing has changed since, too. */
  function tellAll(own: readonly Follower[], isChanged: boolean): void {
    const made = new Map<number, ReturnType<typeof facing>>()
    for (const one of own) {
      if (!followers.has(one)) continue
      const person = personOf(one.by)
      if (person === null) {
        end(one)
        tell(one, null, 'null')
        continue
      }
      if (person.id !== one.personId) {
        followersOf.drop(one.personId, one)
        followersOf.put(person.id, one, one)
        one.personId = person.id
      }
      if (!isChanged && !owed.has(one)) continue
      if (clock.monotonic() - one.toldMono < EVERY_MS) {
        owed.add(one)
        continue
      }
      owed.delete(one)
      const now = made.get(person.id) ?? facing(glanceOf(person))
      made.set(person.id, now)
      if (now.face === one.face) continue
      one.face = now.face
      one.toldMono = clock.monotonic()
      tell(one, now.glance, now.json)
    }
  }

  function tell(one: Follower, glance: Glance | null, json: string): void {
    try {
      one.changed(glance, json)
    } catch (error) {
      end(one)
      const why = errorText(error)
      emit({ is: 'trouble', where: 'follow', why, error })
    }
  }

  function end(one: Follower): void {
    followers.delete(one)
    followersOf.drop(one.personId, one)
    owed.delete(one)
  }

  function nudge(personIds: Iterable<number> | null): void {
    if (followers.size === 0) return
    const laterMs = Math.floor(Math.min(followers.size * EACH_LATER_MS, MOST_LATER_MS))
    if (changed === null) restsUntilMono = Math.max(restsUntilMono, clock.monotonic() + laterMs)
    if (personIds === null) changed = 'all'
    else if (changed !== 'all') changed = new Set([...(changed ?? []), ...personIds])
    run()
  }

  function glance(by: Identity): Glance | null {
    const person = personOf(by)
    return person && glanceOf(person)
  }

  return {
    glance,
    follow(by, changed) {
      const person = personOf(by)
      const face = person && facing(glanceOf(person)).face
      const one: Follower = { by, changed, personId: person?.id ?? null, face, toldMono: -Infinity }
      followers.add(one)
      followersOf.put(one.personId, one, one)
      // Somebody unknown is told so, and never before they know how to stop.
      if (person === null) {
        owed.add(one)
        run()
      }
      return () => end(one)
    },
    nudge,
    stop() {
      for (const one of followers) end(one)
      alarm.off()
    },
    async idle() {
      while (running) await running
    },
  }
}

/** The glance as JSON, and a digest of it without its time. */
function facing(glance: Glance): { glance: Glance; json: string; face: string } {
  const { at, ...rest } = glance
  const body = JSON.stringify(rest)
  return { glance, json: `{"at":${at},${body.slice(1)}`, face: hash('sha1', body, 'base64') }
}
