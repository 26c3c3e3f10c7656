import { guardKey, guardOf } from '../guard.ts'
import type { GuardKey } from '../guard.ts'
import { positionKey } from '../position.ts'
import { subjectKey } from '../subject.ts'
import { poolOf, sharingOf } from './accounts.ts'
import type { Decision } from './decision.ts'
import type { Guard } from './guards.ts'
import { viewOf } from './look.ts'
import type { Look } from './look.ts'
import { judgeAll } from './turn.ts'

const WARNS: ReadonlySet<string> = new Set(['entered', 'worse'])

/**
 * Accounts are judged after their positions: where one of those is warned of in the same message, what there is to do
 * is said there, and not twice.
 */
export function judgeAccounts(look: Look, guards: readonly Guard[], before: readonly Decision[]): Decision[] {
  const own = guards.filter(({ kind }) => kind.on === 'account')
  return judgeAll({ ...look, warned: warnedIn(look, own, before) }, own)
}

/** The guards of an account of which a position is warned of in their chat. */
function warnedIn(look: Look, guards: readonly Guard[], before: readonly Decision[]): Set<GuardKey> {
  const warned = before.flatMap(({ chatId, said }) =>
    said.flatMap(({ reason, severity, about }) => {
      if (!WARNS.has(reason) || severity === 'info') return []
      const { subject } = guardOf(about)
      const view = subject.is === 'position' ? viewOf(look, subject.owner) : undefined
      if (subject.is !== 'position' || !view) return []
      const pool = poolOf(view, subject.accountId)
      const key = subjectKey(subject)
      const shares =
        pool !== null && sharingOf(view, pool).some(({ position }) => positionKey(position) === key)
      return shares ? [{ chatId, owner: subject.owner, pool }] : []
    }),
  )
  const keys = warned.flatMap(({ chatId, owner, pool }) =>
    guards
      .filter(({ id }) => id.chatId === chatId)
      .map(({ id }) => guardKey({ ...id, subject: { is: 'account', owner, accountId: pool } })),
  )
  return new Set(keys)
}
