import { firstGraphemes, legible, legibleName } from '../../lib/text/legible.ts'
import { identityKey } from '../../message/address.ts'
import { words } from '../../message/message.ts'
import type { Code } from '../../people/person.ts'
import {
  APP_LIVES_MS,
  ASSISTANT_LIVES_MS,
  MAX_SESSIONS,
  PAGE_LIVES_MS,
  type Session,
} from '../../people/session.ts'
import type { Change } from '../../store/change.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { sessionsOf } from '../memory/people.ts'
import type { Numbers } from '../memory/run.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import type { Outcome } from '../monitors/turn.ts'
import { INVALID, validCode } from './codes.ts'
import { type Decided, doing, nothing } from './decided.ts'

type People = Pick<Memory, 'people'>
type Of<Is extends Change['is']> = Extract<Change, { is: Is }>

/** Longer names are cut: they stand in lists and in the trail of an alert. A browser names itself, as anybody likes. */
const NAME_LENGTH = 60

/** A page or an assistant is signed in. Its code is used up by the same commit, so that it opens one page. */
export function openSession(
  drawers: People,
  numbers: Numbers,
  { proof, as, user, name }: Of<'open-session'>,
  now: number,
): Decided {
  const shown = shownBy(drawers, proof, now)
  // A digest that is known already is no new secret: nobody takes a session over.
  if (shown === null || drawers.people.sessions.has(user)) return nothing(INVALID)
  const { personId, via, livesMs, code, whose } = shown
  const own = sessionsOf(drawers, personId).filter(({ is }) => is === as)
  const owner = legibleName(whose, '')
  const called = legible(name).trim()
  const full = owner === '' ? called : `${owner} (${called})`
  const short = firstGraphemes(full, NAME_LENGTH, NAME_LENGTH)
  // As /assistant reads names: case makes no difference.
  if (as === 'assistant' && own.some((one) => one.name.toLowerCase() === short.toLowerCase()))
    return nothing(words('change.session.named', { name: short }))
  const tooMany = own
    .toSorted((a, b) => a.until - b.until)
    .slice(0, Math.max(own.length + 1 - MAX_SESSIONS, 0))
  if (as === 'assistant' && tooMany.length > 0)
    return nothing(words('change.session.full', { most: String(MAX_SESSIONS) }))
  const session: Session = {
    ...{ id: ++numbers.session, personId, is: as, user, name: short },
    ...{ via, since: now, until: now + livesMs },
  }
  return doing([
    ...(code ? [{ is: 'code-gone', hash: code.hash } as const] : []),
    ...tooMany.map((one) => ({ is: 'session-gone', user: one.user }) as const),
    { is: 'session', session },
  ])
}

/** Who has shown who they are, how, and for how long that is good. `whose`: the name of the person, where it is known. */
interface Shown extends Pick<Session, 'personId' | 'via'> {
  livesMs: number
  whose: string | null
  code?: Code
}

/** Null if nobody has. */
function shownBy(drawers: People, proof: Of<'open-session'>['proof'], now: number): Shown | null {
  const { people } = drawers
  if (proof.is === 'person') {
    const { personId } = proof
    return people.persons.has(personId)
      ? { personId, via: 'token', livesMs: ASSISTANT_LIVES_MS, whose: null }
      : null
  }
  if (proof.is === 'code') {
    const code = validCode(drawers, proof.code, now)
    if (code?.is !== 'page' || !people.persons.has(code.personId)) return null
    return { personId: code.personId, via: 'code', livesMs: PAGE_LIVES_MS, whose: code.name, code }
  }
  // Not by another session: a page opens no further one.
  const personId = people.personBy.get(identityKey(proof.by))
  return personId === undefined
    ? null
    : { personId, via: proof.by.platform, livesMs: APP_LIVES_MS, whose: proof.name }
}

/** Ends sessions of this person; those of others stay. */
export function endSome(drawers: People, { personId, ids }: Of<'end-sessions'>): Decided {
  const over = sessionsOf(drawers, personId).filter(({ id }) => ids.includes(id))
  return doing(over.map(({ user }) => ({ is: 'session-gone', user })))
}

/** When the next session ends by itself (wall time); null while there is none. */
export function sessionOver({ people }: People): number | null {
  const ends = [...people.sessions.values()].map(({ until }) => until)
  return ends.length === 0 ? null : ends.reduce((first, end) => Math.min(first, end))
}

/** Ends what is over. Nobody is told: the page says so when it is opened. */
export function endSessions({ memory, now }: Pick<EvaluationContext, 'memory' | 'now'>): Outcome {
  const over = [...memory.people.sessions.values()].filter(({ until }) => until <= now)
  return { observed: over.map(({ user }) => ({ is: 'session-gone', user })), decisions: [] }
}

/** Whether the end that comes next may be another one with it. */
export function isOfSession({ is }: Effect): boolean {
  return is === 'session' || is === 'session-gone' || is === 'person-gone'
}
