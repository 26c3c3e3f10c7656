import type { Bot, Inbound, SignIn } from '../chat/bot.ts'
import type { View } from '../command/context.ts'
import { createPerMinute } from '../lib/time/per-minute.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change, Changed } from '../store/change.ts'

/** A few wrong codes are old links. This many a minute are guesses. */
const WRONG_CODES_PER_MINUTE = 30

/**
 * Signs pages in and out. A wrong code never reaches the engine. A right code works also while somebody guesses: it has 60
 * bits and lives ten minutes, and else anybody could lock everybody out.
 */
export function createSessions(world: {
  view: Pick<View, 'opensPage' | 'person' | 'session'>
  clock: Clock
  emit: Emit
  change(change: Change): Promise<Changed>
}): Pick<Bot, 'signIn' | 'sessionName' | 'signOut'> {
  const { view, clock, emit, change } = world
  const slips = createPerMinute(WRONG_CODES_PER_MINUTE)
  const remarks = createPerMinute(1)

  /** Tells the operator of a flood of guesses once a minute. */
  function wrong(): false {
    const mono = clock.monotonic()
    if (!slips.allows('anybody', mono) && remarks.allows('operator', mono))
      emit({ is: 'remark', where: 'page', text: 'somebody tries to guess the code of a page' })
    return false
  }

  return {
    async signIn({ proof, user, name }: SignIn) {
      if (proof.is === 'code' && !view.opensPage(proof.code)) return wrong()
      if (proof.is === 'identity' && view.person(proof.by) === null) return false
      const { refused } = await change({ is: 'open-session', proof, as: 'page', user, name })
      return refused === null
    },
    sessionName: (by) => view.session(by)?.name ?? null,
    async signOut(by) {
      const session = view.session(by)
      if (session) await change({ is: 'end-sessions', personId: session.personId, ids: [session.id] })
    },
  }
}

/** The change as it is kept: a rule that an assistant sets bears its name, and only adds. So does a place named on a page. */
export function bySpeaker(change: Change, { by }: Pick<Inbound, 'by'>, view: Pick<View, 'session'>): Change {
  if (change.is !== 'rule' && change.is !== 'place') return change
  const session = view.session(by)
  const isNamed = session?.is === (change.is === 'rule' ? 'assistant' : 'page')
  return session && isNamed ? { ...change, setBy: session.name } : change
}
