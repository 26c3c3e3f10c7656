import type { Registry } from 'prom-client'

import { among, COMMITTERS, committerOf, reasonOf, turnOf } from './labels.ts'
import { instruments, SECOND_MS, SHORT_S } from './heard.ts'
import type { About, Heard } from './heard.ts'

const GUARDS = [0, 1, 3, 10, 30, 100, 300, 1_000, 10_000, 100_000]

/** What the engine does with what it reads, and whether it can be kept. */
export function hearEngine(registry: Registry, { kinds }: About): Heard {
  const { counter, gauge, histogram } = instruments(registry)
  const kindOf = among(kinds)
  const turns = histogram('perch_turn_seconds', 'A turn of the engine, with its commits.', SHORT_S, ['of'])
  // Present from the start, so that prices of which none was ever judged are seen.
  turns.zero({ of: 'markets' })
  const failed = counter('perch_turns_failed_total', 'Turns that could not be decided or kept.')
  const judged = counter('perch_judged_guards_total', 'Guards judged, by what the turn took in.', ['of'])
  const crossed = histogram(
    'perch_tick_crossed_guards',
    'Guards that one market tick touched the bounds of, and that were judged for it.',
    GUARDS,
  )
  const transitions = counter('perch_transitions_total', 'Changes of alerts, by kind and reason.', [
    'kind',
    'reason',
  ])
  const commits = histogram('perch_commit_seconds', 'Commits to the disk, by who commits.', SHORT_S, ['of'])
  const unkept = counter('perch_commits_failed_total', 'Commits that failed, by who commits.', ['of'])
  for (const who of COMMITTERS) unkept.inc({ of: who }, 0)
  const failing = gauge('perch_store_failing', '1 while nothing can be kept.')
  return {
    turn: ({ of: tookIn, judged: many, ms }) => {
      const of = turnOf(tookIn)
      turns.observe({ of }, ms / SECOND_MS)
      judged.inc({ of }, many)
      if (tookIn === 'markets') crossed.observe(many)
    },
    'turn-failed': () => failed.inc(),
    transition: ({ kind, reason }) => transitions.inc({ kind: kindOf(kind), reason: reasonOf(reason) }),
    commit: ({ of: who, ms, ok }) => {
      const of = committerOf(who)
      commits.observe({ of }, ms / SECOND_MS)
      if (!ok) unkept.inc({ of })
    },
    store: ({ why }) => failing.set(why === null ? 0 : 1),
  }
}
