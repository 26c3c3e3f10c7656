import type { Kind, Severity } from '../../alert/alert.ts'
import { monitorKey } from '../../alert/monitor.ts'
import { type SubjectId, subjectKey } from '../../alert/subject-id.ts'
import type { Firing, Pending } from '../../command/context.ts'
import type { Memory } from '../memory/memory.ts'
import { numbersAfter } from '../memory/run.ts'
import { privateChats } from '../memory/people.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { monitorNamed } from '../monitors/monitors.ts'
import { nameOfSubject } from '../monitors/subjects.ts'

/** The firing alerts of a chat, in no order. */
export function firingIn(
  drawers: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'run'
  >,
  kinds: readonly Kind[],
  chatId: number,
): Firing[] {
  return standingIn(drawers, kinds, chatId, 'firing').flatMap(({ kind, state, value, standing }) => {
    if (state.is !== 'firing') return []
    const severity = kind.is === 'level' ? kind.severity(standing.params, state.tier) : 'info'
    const headroom = kind.is === 'level' && value !== null ? kind.headroom(value) : null
    return [
      {
        ...standing,
        alertId: state.alertId,
        severity,
        value,
        headroom,
        acknowledgement: state.acknowledgement,
        isGone: isGone(drawers, standing.subject),
      },
    ]
  })
}

/** Whether one whole answer lacked the position. A second one decides how it ended. */
function isGone({ wallets }: Pick<Memory, 'wallets'>, subject: SubjectId): boolean {
  if (subject.is !== 'position') return false
  const held = wallets.views.get(subject.wallet)?.held.get(subjectKey(subject))
  return held !== undefined && held.missingSince !== null
}

/** The firing alerts of other people that were escalated to this delegate. */
export function helpingOf(
  drawers: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'run'
  >,
  kinds: readonly Kind[],
  delegateId: number,
): Firing[] {
  return [...drawers.people.coveredBy.of(delegateId).values()].flatMap(({ personId, name }) =>
    privateChats(drawers, personId)
      .flatMap(({ id }) => firingIn(drawers, kinds, id))
      .filter(({ alertId }) =>
        [...(drawers.monitors.escalatedTo.get(alertId) ?? [])].some(
          (id) => drawers.people.chats.get(id)?.personId === delegateId,
        ),
      )
      .map((one) => ({ ...one, about: `for ${name}: ${one.about}` })),
  )
}

/** The monitors of the chat whose hold time still runs. */
export function pendingIn(
  drawers: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'run'
  >,
  kinds: readonly Kind[],
  chatId: number,
): Pending[] {
  return standingIn(drawers, kinds, chatId, 'pending').flatMap(({ state, standing }) =>
    state.is === 'pending' ? [{ ...standing, leftMs: state.leftMs }] : [],
  )
}

function standingIn(
  drawers: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'run'
  >,
  kinds: readonly Kind[],
  chatId: number,
  is: 'firing' | 'pending',
) {
  const all = drawers.monitors.index.standingIn(chatId)
  if (all.length === 0) return []
  const look = lookAt(drawers, kinds)
  return all.flatMap((id) => {
    const key = monitorKey(id)
    const { state, params } = drawers.monitors.states.get(key) ?? {}
    if (state?.is !== is) return []
    const monitor = monitorNamed(look, id)
    if (!monitor) return []
    const { kind, subject } = id
    const ruleIds = monitor.rules.map((rule) => rule.id)
    const about = nameOfSubject(drawers, subject, monitor.rules[0].personId)
    const standing = { kind, params, ruleIds, subject, about, tier: state.tier, since: state.since }
    return [{ kind: monitor.kind, state, value: drawers.monitors.values.get(key) ?? null, standing }]
  })
}

/** No judgement is made here: only the names and parameters behind monitors are looked up. */
export function lookAt(
  drawers: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'run'
  >,
  kinds: readonly Kind[],
): EvaluationContext {
  return {
    ...{ memory: drawers, kinds, views: new Map(), seen: new Set(), numbers: numbersAfter(drawers) },
    ...{ now: 0, mono: 0, marketStaleMs: 0 },
  }
}

const LOUDNESS: Record<Severity, number> = { critical: 0, warning: 1, info: 2 }

/** As messages are ordered: by severity, then by the room that is left. */
export function worstFirst(a: Firing, b: Firing): number {
  return (
    LOUDNESS[a.severity] - LOUDNESS[b.severity] || (a.headroom ?? Infinity) - (b.headroom ?? Infinity) || 0
  )
}
