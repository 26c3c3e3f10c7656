import { escaped, unescaped } from './lib/escape.ts'
import type { Owner } from './owner.ts'
import { keyOfSide, side } from './position.ts'
import type { Position, Side } from './position.ts'

/** What is judged, by its name alone; the readings about it are a `Subject` (alert.ts). */
export type SubjectId =
  | { is: 'position'; owner: Owner; accountId: string; marketId: string; side: Side }
  | { is: 'market'; marketId: string }
  | { is: 'owner'; owner: Owner }

/** As one word for the store and for maps, whatever a market's id holds: `market/100`, `owner/0x…`, `0x…/1/100/long`. */
export function subjectKey(subject: SubjectId): string {
  if (subject.is === 'market') return `market/${escaped(subject.marketId)}`
  return subject.is === 'owner' ? `owner/${subject.owner}` : keyOfSide(subject, subject.side)
}

/** What a word of `subjectKey` names. */
export function subjectOf(key: string): SubjectId {
  const [first = '', second = '', third = '', fourth = ''] = key.split('/')
  if (first === 'market') return { is: 'market', marketId: unescaped(second) }
  if (first === 'owner') return { is: 'owner', owner: second as Owner }
  const [accountId, marketId] = [unescaped(second), unescaped(third)]
  return { is: 'position', owner: first as Owner, accountId, marketId, side: fourth as Side }
}

export function subjectOfPosition(position: Position): SubjectId {
  const { owner, accountId, marketId } = position
  return { is: 'position', owner, accountId, marketId, side: side(position) }
}
