import type { Read, ReadResult } from '../../context.ts'
import type { Button } from '../../message.ts'
import { shortOwner } from '../../owner.ts'
import type { Owner } from '../../owner.ts'
import type { Watch } from '../../person.ts'
import type { Identified, PositionsAnswer } from '../../venue.ts'

/** Who an address is, asked only where its own answer leaves it open; null when nobody can say. */
export async function whoIs(
  read: Read,
  owner: Owner,
  found: ReadResult<PositionsAnswer>,
): Promise<Identified | null> {
  if (found.is === 'unseen' || found.late !== null) return null
  const { positions, accounts } = found.reading.value
  if (positions.length > 0) return null
  // Money is there: only its holder has any.
  if (accounts.some(({ equityUsd }) => equityUsd !== null && equityUsd > 0n)) return { is: 'holder' }
  return read.identify(owner, found.reading.tick)
}

/** What that means for whoever watches it, where nothing is open. */
export function identityLine(who: Identified | null, watches: readonly Watch[]): string {
  if (who === null) return 'The venue shows no open position there. If you expected one, check the address.'
  if (who.is === 'holder') return 'The venue knows this wallet. Nothing is open there at present.'
  if (who.is === 'unknown') {
    return 'The venue has never seen this address: check it. I watch it all the same, it may be new.'
  }
  const watch = watches.find(({ owner }) => owner === who.of)
  return watch
    ? `This address signs for ${watch.label}: its positions are there, and you watch that one already.`
    : `This address signs for ${shortOwner(who.of)}: its positions are there.`
}

/** Leads to where the positions are. */
export function identityButtons(who: Identified | null, watches: readonly Watch[]): Button[] {
  if (who?.is !== 'agent' || watches.some(({ owner }) => owner === who.of)) return []
  return [{ label: `Watch ${shortOwner(who.of)}`, line: `/watch ${who.of}`, replace: true }]
}
