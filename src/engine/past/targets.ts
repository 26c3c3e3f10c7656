import type { Kind } from '../../alert.ts'
import type { Asked } from '../../past.ts'
import { subjectOf } from '../../subject.ts'
import type { SubjectId } from '../../subject.ts'
import { ownersOfRule } from '../guards.ts'
import type { Memory } from '../memory.ts'
import { nameOfSubject } from '../subject-name.ts'
import { heldIn } from './subjects-past.ts'
import type { Held } from './replay.ts'
import type { WalletRow } from './wallet-past.ts'

/** Something that a rule would have judged. */
export interface Target {
  about: string
  marketId: string
  /** When it was there; null where it always was. */
  held: Held[] | null
  subject: SubjectId
}

/** The wallets of which the past is asked for. */
export function walletsOf(memory: Memory, kind: Kind, rule: Asked) {
  const isNone = kind.on === 'market' && rule.owner === null
  return isNone ? [] : ownersOfRule(memory, { ...rule, id: 0, identity: '', armedByWatch: false })
}

/** What a rule speaks of, also what is not there any more: the last that was there first. */
export function targetsOf(
  memory: Memory,
  kind: Kind,
  { market, owner, personId }: Asked,
  rows: readonly (readonly WalletRow[])[],
): Target[] {
  const isMeant = (marketId: string) => market === null || market.id === marketId
  const about = (subject: SubjectId) => nameOfSubject(memory, subject, personId)
  if (kind.on === 'market' && owner === null) {
    const ids = market ? [market.id] : [...memory.markets.keys()]
    return ids.map((marketId) => {
      const subject: SubjectId = { is: 'market', marketId }
      return { about: about(subject), marketId, held: null, subject }
    })
  }
  const positions = rows.flatMap((one) =>
    [...heldIn(one)].flatMap(([key, held]): Target[] => {
      const subject = subjectOf(key)
      if (subject.is !== 'position' || !isMeant(subject.marketId)) return []
      return [{ about: about(subject), marketId: subject.marketId, held, subject }]
    }),
  )
  if (kind.on === 'position') return positions.toSorted((a, b) => lastOf(b) - lastOf(a))
  if (kind.on !== 'market') return []
  return [...Map.groupBy(positions, ({ marketId }) => marketId)].map(([marketId, same]) => {
    const subject: SubjectId = { is: 'market', marketId }
    return { about: about(subject), marketId, held: anyOf(same), subject }
  })
}

function lastOf({ held }: Target): number {
  const last = held?.at(-1)
  return last?.known ? Infinity : (last?.at ?? 0)
}

/** When at least one of them was there. */
function anyOf(all: readonly Target[]): Held[] {
  const changes = all
    .flatMap(({ held }, index) => (held ?? []).map((one) => ({ index, one })))
    .toSorted((a, b) => a.one.at - b.one.at)
  const now = new Map<number, Held>()
  const joined: Held[] = []
  for (const { index, one } of changes) {
    now.set(index, one)
    const known = [...now.values()].find((held) => held.known !== null)?.known ?? null
    if ((joined.at(-1)?.known === null) !== (known === null) || joined.length === 0)
      joined.push({ at: one.at, known, unseenSince: null })
  }
  return joined
}
