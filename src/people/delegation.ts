/** Somebody has agreed, once, to be told what is critical for somebody else; either of them can end it. */
export interface Delegation {
  /** The person whose alerts they are, and the name by which the delegate knows them. */
  personId: number
  name: string
  /** Who has agreed, and by which name the other one knows them. */
  delegateId: number
  delegateName: string
  /** Wall time. */
  at: number
  /** Until then (wall time) the delegate gets critical alerts at once; null while nothing is handed over. */
  handoverUntil: number | null
}

/** As many may have agreed for one person, and one person may have agreed for as many. */
export const MAX_DELEGATIONS = 10
/** Longer is no absence: the list of who is told is what is wanted. */
export const HANDOVER_AT_MOST_MS = 7 * 86_400_000

/** Those who are called this, with or without an `@`, however it is written; `P7` is one of them for certain. */
export function called<T extends { id: number; name: string }>(all: readonly T[], typed: string): T[] {
  const wanted = typed.trim().replace(/^@/, '').toLowerCase()
  const exact = all.filter(({ id }) => `p${id}` === wanted)
  return exact.length > 0 ? exact : all.filter(({ name }) => name.replace(/^@/, '').toLowerCase() === wanted)
}

type Pair = Pick<Delegation, 'personId' | 'delegateId'>

/** The notice of a handover is known by this name in the outbox. */
export function handoverName({ personId, delegateId }: Pair): string {
  return `handover/${personId}/${delegateId}`
}

/** A drill that rings a delegate is known by this one. */
export function drillName({ personId, delegateId }: Pair): string {
  return `drill/${personId}/${delegateId}`
}
