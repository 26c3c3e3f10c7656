import type { Kind } from '../alert.ts'
import { createGrouped } from '../lib/grouped.ts'
import { createWords } from '../lib/words.ts'
import type { Remembered } from '../remembered.ts'
import { createGuardRoll } from './guard-roll.ts'
import type { Memory } from './memory.ts'
import { createOwners } from './owners.ts'
import { createRecorder } from './past/recorder.ts'
import { createRates } from './rates.ts'
import { createRoster } from './roster.ts'
import { createSamples } from './samples.ts'
import { createWatchlist } from './watchlist.ts'

/** Before anything is remembered. */
export function emptyMemory(kept: Pick<Remembered, 'last' | 'aliveAt' | 'pricesAt' | 'holes'>): Memory {
  const words = createWords()
  const guards = createGuardRoll(words)
  const owners = createOwners(words)
  return {
    persons: new Map(),
    operatorId: null,
    personBy: new Map(),
    chats: new Map(),
    chatAt: new Map(),
    chatsIn: createGrouped(),
    chatsOf: createGrouped(),
    broken: new Set(),
    digests: new Set(),
    pins: new Set(),
    codes: new Map(),
    helpersOf: createGrouped(),
    helpedBy: createGrouped(),
    handed: createGrouped(),
    listing: createGrouped(),
    watches: createGrouped(),
    watchesOf: createGrouped(),
    rules: new Map(),
    rulesOf: createGrouped(),
    rulesIn: createGrouped(),
    rulesOver: createGrouped(),
    rulesOn: createGrouped(),
    states: new Map(),
    pending: new Set(),
    statesOf: createGrouped(),
    memos: new Map(),
    firing: new Map(),
    guards,
    guardsIn: guards.in,
    guardsOf: guards.of,
    owners,
    holders: owners.holders,
    told: createGrouped(),
    toldIn: createGrouped(),
    accountFeeds: createGrouped(),
    mutesIn: createGrouped(),
    heldIn: createGrouped(),
    drills: new Map(),
    dark: new Map(),
    copies: new Map(),
    markets: new Map(),
    platforms: null,
    onAccounts: new Set(),
    onOrders: new Set(),
    orders: new Map(),
    marketsAt: null,
    lists: { sinceTick: -Infinity, lastTick: new Map() },
    pricesAt: kept.pricesAt,
    symbols: new Map(),
    holes: [...kept.holes],
    samples: createSamples(),
    past: createRecorder(),
    rates: createRates(),
    roster: createRoster(),
    values: new Map(),
    watchlist: createWatchlist(),
    unconfirmed: createGrouped(),
    unseen: new Set(),
    danger: createGrouped(),
    sight: new Map(),
    trouble: new Map(),
    unanswered: null,
    blind: new Map(),
    returned: new Map(),
    ranTick: -Infinity,
    stopTold: new Set(),
    aliveAt: kept.aliveAt,
    last: { ...kept.last },
  }
}

/** What this run has opened and knows how to judge. */
export function ofThisRun(
  kinds: readonly Kind[],
  platforms: readonly string[],
): Pick<Memory, 'platforms' | 'onAccounts' | 'onOrders'> {
  const named = (some: readonly Kind[]) => new Set(some.map(({ name }) => name))
  return {
    platforms: new Set(platforms),
    onAccounts: named(kinds.filter(({ on }) => on === 'account')),
    onOrders: named(kinds.filter(({ reads }) => reads === 'orders')),
  }
}
