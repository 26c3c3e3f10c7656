import type { LevelKind } from '../../alert.ts'
import { guardKey } from '../../guard.ts'
import type { Owner } from '../../owner.ts'
import type { Asked, Present } from '../../past.ts'
import { subjectOfPosition } from '../../subject.ts'
import type { SubjectId } from '../../subject.ts'
import { poolsOf } from '../accounts.ts'
import { positionsOf, viewOf } from '../look.ts'
import type { Look } from '../look.ts'
import { nameOfSubject } from '../subject-name.ts'
import { seenSubject } from '../subjects.ts'

/** How what a rule speaks of stands now: what it would tell first is first. What cannot be seen is counted. */
export function presentOf(
  look: Look,
  kind: LevelKind<unknown>,
  rule: Asked,
  wallets: readonly Owner[],
): { now: Present[]; unseen: number } {
  const subjects = subjectsOf(look, kind, rule, wallets)
  const all = subjects.flatMap((subject) => {
    const id = { chatId: rule.chatId, kind: kind.name, identity: kind.identity(rule.params), subject }
    const behind = { ...rule, id: 0, identity: id.identity, armedByWatch: false }
    const seen = seenSubject(look, {
      ...{ key: guardKey(id), id, kind, rules: [behind], params: rule.params, holdMs: rule.holdMs },
    })
    const verdict = seen ? kind.judge(rule.params, seen) : 'unknown'
    if (verdict === 'unknown') return []
    const about = nameOfSubject(look.memory, subject, rule.personId)
    return [
      { about, figure: kind.figure(verdict.value), tier: verdict.enter, room: kind.room(verdict.value) },
    ]
  })
  const now = all
    .toSorted((a, b) => b.tier - a.tier || a.room - b.room)
    .map(({ about, figure, tier }) => ({ about, figure, tier }))
  return { now, unseen: subjects.length - all.length }
}

function subjectsOf(
  look: Look,
  { on }: LevelKind<unknown>,
  { market, owner }: Asked,
  wallets: readonly Owner[],
): SubjectId[] {
  if (on === 'market' && owner === null) {
    const ids = market ? [market.id] : [...look.memory.markets.keys()]
    return ids.map((marketId) => ({ is: 'market', marketId }))
  }
  if (on === 'owner') return wallets.map((one) => ({ is: 'owner', owner: one }))
  if (on === 'account') {
    return wallets.flatMap((one) => {
      const view = viewOf(look, one)
      return (view ? poolsOf(view) : []).map(
        (accountId) => ({ is: 'account', owner: one, accountId }) as const,
      )
    })
  }
  const held = wallets
    .flatMap((one) => positionsOf(look, one))
    .filter(({ marketId }) => market === null || market.id === marketId)
  if (on === 'position') return held.map(subjectOfPosition)
  return [...new Set(held.map(({ marketId }) => marketId))].map((marketId) => ({ is: 'market', marketId }))
}
