import type { Rule } from '../../alert.ts'
import type { Write } from '../../store.ts'

/** What a change asked for by people or platforms does: decided on the memory as it is, done after the commit. */
export interface Decided {
  writes: Write[]
  apply(): void
  /** Rules that are new or other than before: they are judged at once. */
  rules: Rule[]
  /** A sentence why nothing is done; null when something is. */
  refused: string | null
}

export function nothing(refused: string | null = null): Decided {
  return { writes: [], rules: [], refused, apply() {} }
}

/** Several decisions as one: all of it is committed, or none. */
export function together(...all: Decided[]): Decided {
  return {
    writes: all.flatMap(({ writes }) => writes),
    rules: all.flatMap(({ rules }) => rules),
    refused: all.find(({ refused }) => refused !== null)?.refused ?? null,
    apply() {
      for (const { apply } of all) apply()
    },
  }
}
