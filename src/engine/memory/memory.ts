import { createWords } from '../../lib/data/words.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import { createRecorder } from '../recording/recorder.ts'
import type { ReadOnly } from './effect.ts'
import { createMarkets, type Markets } from './markets.ts'
import { createMonitors, type Monitors } from './monitors.ts'
import { createPeople, type People } from './people.ts'
import type { Recording } from './recording.ts'
import { createRules, type Rules } from './rules.ts'
import { createRun, type Run } from './run.ts'
import { createSilences, type Silences } from './silences.ts'
import { createSources, type Sources } from './sources.ts'
import { createWallets, type Wallets } from './wallets.ts'

/** The nine drawers, each with its own indexes. Only their laws see them like this (apply.ts). */
export interface Drawers {
  people: People
  rules: Rules
  monitors: Monitors
  silences: Silences
  wallets: Wallets
  markets: Markets
  sources: Sources
  recording: Recording
  run: Run
}

/** The working set: what the store remembers, and what is known beside it. Deciding reads it, and effects change it. */
export type Memory = { readonly [Name in keyof Drawers]: ReadOnly<Drawers[Name]> }

/** Returns the memory of a first start. `venues` are the names after the first. */
export function emptyMemory(
  kept: Pick<Snapshot, 'last' | 'aliveAt' | 'pricesAt' | 'holes'>,
  venues: readonly string[] = [],
): Drawers {
  // Monitors and wallets share one table of words: both name the same wallets and markets.
  const words = createWords()
  return {
    people: createPeople(),
    rules: createRules(),
    monitors: createMonitors(words),
    silences: createSilences(),
    wallets: createWallets(words, venues),
    markets: createMarkets(kept, venues),
    sources: createSources(),
    recording: createRecorder(),
    run: createRun(kept, venues),
  }
}
