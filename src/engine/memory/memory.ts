import { createWords } from '../../lib/data/words.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import { createRecorder } from '../recording/recorder.ts'
import { createMarkets, type Markets } from './markets.ts'
import { createMonitors, type Monitors } from './monitors.ts'
import { createPeople, type People } from './people.ts'
import type { Recording } from './recording.ts'
import { createRules, type Rules } from './rules.ts'
import { createRun, type Run } from './run.ts'
import { createSilences, type Silences } from './silences.ts'
import { createSources, type Sources } from './sources.ts'
import { createWallets, type Wallets } from './wallets.ts'

/**
 * The working set, in nine drawers: what the store remembers, and what is known beside it. Each drawer keeps its own
 * indexes, and its own part of the law alone changes it (apply.ts). Readings of prices are the exception.
 */
export interface Memory {
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

/** Returns the memory of a first start. */
export function emptyMemory(kept: Pick<Snapshot, 'last' | 'aliveAt' | 'pricesAt' | 'holes'>): Memory {
  // Monitors and wallets share one table of words: both name the same wallets and markets.
  const words = createWords()
  return {
    people: createPeople(),
    rules: createRules(),
    monitors: createMonitors(words),
    silences: createSilences(),
    wallets: createWallets(words),
    markets: createMarkets(kept),
    sources: createSources(),
    recording: createRecorder(),
    run: createRun(kept),
  }
}
