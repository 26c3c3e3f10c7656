import type { Rule } from '../../alert/alert.ts'
import type { Text } from '../../message/message.ts'
import type { Effect } from '../memory/effect.ts'
import type { Outcome } from '../monitors/turn.ts'

/**
 * The effects of a change that people or platforms ask for: decided on the present memory, committed as one.
 */
export interface Decided {
  effects: Effect[]
  acknowledged?: Outcome['acknowledged']
  /** Rules that are new or other than before, or that have to do more now: they are judged at once. */
  rules: Rule[]
  /** A sentence why nothing is done; null when something is. */
  refused: Text | null
}

export function nothing(refused: Text | null = null): Decided {
  return { effects: [], rules: [], refused }
}

export function doing(effects: Effect[], rules: Rule[] = []): Decided {
  return { effects, rules, refused: null }
}

/** Several decisions as one: all of it is kept, or none. */
export function together(...all: Decided[]): Decided {
  return {
    effects: all.flatMap(({ effects }) => effects),
    rules: all.flatMap(({ rules }) => rules),
    refused: all.find(({ refused }) => refused !== null)?.refused ?? null,
  }
}
