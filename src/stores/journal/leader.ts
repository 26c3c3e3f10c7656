import { type Clock, endsWithin } from '../../runtime/clock.ts'
import type { Lead } from '../../store/lead.ts'
import type { Store } from '../../store/store.ts'
import type { JournaledFile } from '../sqlite/journaled/file.ts'
import { createCommits } from './commits.ts'
import type { Entries } from './postgres/entries.ts'
import type { LeaderTerm } from './term.ts'

/** A process that must end does so after this time, whether it could let go of its lease or not. */
const RELEASE_MS = 500

/** The process that leads: what it writes goes to the journal first. `close` ends what this was made of. */
export function createLeader(world: {
  file: JournaledFile
  entries: Entries
  term: LeaderTerm
  clock: Clock
  /** Another process could lead now. */
  isFollowed(): boolean
  /** Lets another process lead at once. */
  release(): Promise<void>
  close(): Promise<void>
}): Lead {
  const { file, term } = world
  const { reads } = file
  const commits = createCommits(world)
  let closing: Promise<void> | null = null
  const close = () => (closing ??= commits.idle().then(world.close))

  const store: Store = {
    memory: {
      ...reads.memory,
      commit: (writes, sending) => commits.do((draft) => draft.commit(writes, sending)),
    },
    outbox: {
      ...reads.outbox,
      async round(turn) {
        const isNeeded = turn.settled.length > 0 || reads.mayTake(turn)
        return isNeeded ? commits.do((draft) => draft.round(turn)) : []
      },
      interrupted: (at) => commits.do((draft) => draft.recover(at)),
    },
    history: {
      ...reads.history,
      async deliveryStatus(rowIds) {
        // Somebody who hears of a send asks at once how it ended: that is being written.
        await commits.do(() => ({ value: undefined, operation: null })).catch(() => {})
        return reads.history.deliveryStatus(rowIds)
      },
    },
    recording: reads.recording,
    admin: {
      ...reads.admin,
      async check() {
        const trouble = file.trouble()
        // The journal has all of it: a start makes the file anew.
        if (trouble !== null) term.end(trouble.why)
        return trouble?.why ?? null
      },
      secret: async () => file.secret() ?? commits.do((draft) => draft.secret()),
      close,
    },
  }

  return {
    epoch: term.epoch,
    // Another process may lead as soon as the lease is let go.
    holds: () => closing === null && term.holds(),
    mayAlarm: () => closing === null && term.mayAlarm(),
    over: term.over.then(async (why) => {
      // Where another process leads already, this changes nothing.
      await endsWithin(
        world.clock,
        RELEASE_MS,
        world.release().catch(() => {}),
      )
      return why
    }),
    forget: (name, venues) => commits.do((draft) => draft.forget(name, venues)),
    async open(venues) {
      await commits.do((draft) => draft.claim(venues))
      return store
    },
    close,
  }
}
