import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

import type { Standby, Standing } from '../../runtime/standing.ts'
import type { TakeLead } from '../../store/lead.ts'
import { createCheckpointer } from './checkpoints/schedule.ts'
import { followCell } from './copy.ts'
import { FORM } from './encode.ts'
import { createCheckpoints } from './postgres/checkpoints.ts'
import { channelOf, createEntries } from './postgres/entries.ts'
import { createLeader } from './leader.ts'
import { createLease } from './postgres/lease.ts'
import { LinkDown, openLink } from './postgres/link.ts'
import { placeOf } from './place.ts'
import { createStandbys } from './postgres/standbys.ts'
import { makeTables } from './postgres/tables.ts'
import { holdTerm } from './term.ts'
import { pause } from '../../runtime/clock.ts'

const DOWN_MS = 1_000
const nobody = { leader: null, epoch: 0, behindSeconds: 0, standbys: [] }
const LONGEST_ANSWER_MS = 3_000

/** Follows the cell that DATABASE_URL names until this process leads it. */
export default (async ({ url, clock, emit, signal, venues = null }) => {
  const place = placeOf(url)
  const { cell, leaseMs } = place
  const name = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`
  let hear = Promise.withResolvers<void>()
  const heard = () => hear.resolve()
  // A renewal that fails is tried again within the life of the lease.
  const at = { server: place.server, answerMs: Math.min(leaseMs / 3, LONGEST_ANSWER_MS) }
  // A long append must not delay the renewal.
  const links = {
    keeping: openLink({ ...at, name: 'perch', channel: channelOf(cell), heard }),
    appending: openLink({ ...at, name: 'perch journal' }),
    copying: openLink({ ...at, name: 'perch copy', answerMs: LONGEST_ANSWER_MS }),
  }
  const closeLinks = async () => {
    await links.keeping.close()
    await links.appending.close()
    await links.copying.close()
  }
  const lease = createLease(links.keeping, { cell, name, leaseMs })
  const standbys = createStandbys(links.keeping, { cell, name, leaseMs, clock })
  const stands = (at: Omit<Standing, 'name'>) => emit({ is: 'standing', name, ...at })

  try {
    for (let isThere = false; !isThere;) {
      signal.throwIfAborted()
      try {
        await makeTables(links.keeping, cell, FORM)
        isThere = true
      } catch (error) {
        if (!(error instanceof LinkDown)) throw error
        stands({ role: 'waiting', ...nobody, why: error.message })
        await pause(clock, DOWN_MS, signal)
      }
    }
    const entries = createEntries(links.keeping, cell)
    const checkpoints = createCheckpoints(links.copying, cell)
    const checkpointer = createCheckpointer({ url, checkpoints, limits: place.limits, clock, emit })
    const waits = (why: string) => stands({ role: 'waiting', ...nobody, why })
    const { file, term } = await followCell(place, {
      ...{ lease, entries, checkpoints, leaseMs, clock, signal, venues, emit, waits },
      // A new one each time: one that nothing resolves would gather all that have waited for it.
      heard: () => (hear = Promise.withResolvers<void>()).promise,
      stands({ seq, ...at }) {
        stands({ ...at, standbys: [] })
        // One that waits could not lead.
        if (at.role !== 'standby') return
        standbys.report({ seq, behindSeconds: at.behindSeconds })
        checkpointer.follows({ seq, ...at })
      },
    }).finally(checkpointer.stop)
    try {
      let present: readonly Standby[] = []
      // A leader would only hear of itself.
      links.keeping.ask('UNLISTEN *').catch(() => {})
      const held = holdTerm({
        ...{ term, lease, leaseMs, clock },
        renewed(why) {
          const say = (others: readonly Standby[]) => {
            const role = why === null || held.holds() ? 'leader' : 'suspended'
            stands({ role, leader: name, epoch: term.epoch, behindSeconds: 0, standbys: others, why })
          }
          if (why === null) checkpointer.leads()
          // The next renewal waits for nothing. While nobody can say who is there, the last that were are.
          const sayLast = () => say(present)
          if (why === null) standbys.present().then((others) => say((present = others)), sayLast)
          else sayLast()
        },
      })
      return createLeader({
        ...{ file, term: held, clock, isFollowed: () => present.length > 0 },
        release: () => lease.release(term.epoch),
        entries: createEntries(links.appending, cell),
        async close() {
          await held.stop()
          // It ends by itself, where the server cannot do it.
          await lease.release(term.epoch).catch(() => {})
          await closeLinks()
          file.close()
        },
      })
    } catch (error) {
      file.close()
      throw error
    }
  } catch (error) {
    await closeLinks()
    throw error
  }
}) satisfies TakeLead
