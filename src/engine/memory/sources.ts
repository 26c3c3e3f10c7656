import { createGrouped, type Grouped } from '../../lib/data/grouped.ts'
import type { SourceRow } from '../../store/snapshot.ts'
import { type Source, type SourceKey, sourceOf } from '../../venue/source.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Law } from './effect.ts'

/** When each source was last seen, since when it fails, and the chats that were told. */
export interface Sources {
  /** Notices of outages, by source, then by chat; and by chat, then by source. */
  outageNotices: Grouped<SourceKey, number, SourceRow>
  outageNoticesByChat: Grouped<number, SourceKey, SourceRow>
  /** Accounts, margins and orders of each wallet that fail, or whose recovery some chat is still to be told. */
  accountSources: Grouped<Wallet, SourceKey, true>
  /** Since when a source was wanted and not seen, by earlier runs too. */
  failingSince: Map<SourceKey, number>
  /** When each source was last seen whole, or first wanted. */
  lastSuccess: Map<SourceKey, { at: number; mono: number }>
  /** Why the last look at a source failed, and when (monotonic) the first did since it was seen. */
  lastFailure: Map<SourceKey, { why: string; sinceMono: number }>
  /**
   * By venue: wallets whose looks have failed since it answered for any wallet. Since when (monotonic), and the last
   * cause.
   */
  walletOutages: Map<string | undefined, { sinceMono: number; why: string; sources: Set<SourceKey> }>
  blind: Map<SourceKey, { since: number; why: string }>
  /** Monotonic time at which a source was seen again after an outage. */
  recoveredAt: Map<SourceKey, number>
}

export function createSources(): Sources {
  return {
    outageNotices: createGrouped(),
    outageNoticesByChat: createGrouped(),
    accountSources: createGrouped(),
    failingSince: new Map(),
    lastSuccess: new Map(),
    lastFailure: new Map(),
    walletOutages: new Map(),
    blind: new Map(),
    recoveredAt: new Map(),
  }
}

type Kinds =
  | ('source' | 'source-gone' | 'dark' | 'dark-gone')
  | ('trouble' | 'seen' | 'unwanted' | 'outage' | 'recovered' | 'wallets-answered')
  | ('stood-still' | 'sources-shifted')

export const sourcesLaw: Law<Sources, Kinds> = {
  source(sources, { row }) {
    sources.outageNotices.put(row.source, row.chatId, row)
    sources.outageNoticesByChat.put(row.chatId, row.source, row)
    listAccount(sources, row.source)
  },
  'source-gone'(sources, { source, chatId }) {
    sources.outageNotices.drop(source, chatId)
    sources.outageNoticesByChat.drop(chatId, source)
    listAccount(sources, source)
  },
  dark: (sources, { source, since }) => void sources.failingSince.set(source, since),
  'dark-gone': (sources, { source }) => void sources.failingSince.delete(source),
  trouble(sources, { source, why, mono }) {
    const of = why !== null && source.startsWith('owner/') ? sourceOf(source) : null
    if (why !== null && of?.is === 'wallet') {
      const known = sources.walletOutages.get(of.venue) ?? { sinceMono: mono, sources: new Set() }
      const { sinceMono, sources: all } = known
      sources.walletOutages.set(of.venue, { sinceMono, why, sources: all.add(source) })
    }
    // A failure that an earlier run has seen already does not begin anew.
    const firstMono =
      (sources.failingSince.has(source) ? sources.lastSuccess.get(source)?.mono : null) ?? mono
    if (why === null) sources.lastFailure.delete(source)
    else
      sources.lastFailure.set(source, {
        why,
        sinceMono: sources.lastFailure.get(source)?.sinceMono ?? firstMono,
      })
  },
  seen(sources, { source, at, mono }) {
    sources.lastSuccess.set(source, { at, mono })
    sources.lastFailure.delete(source)
    listAccount(sources, source)
  },
  unwanted(sources, { source }) {
    sources.lastSuccess.delete(source)
    sources.lastFailure.delete(source)
    sources.blind.delete(source)
    sources.recoveredAt.delete(source)
    listAccount(sources, source)
  },
  outage(sources, { source, since, why }) {
    sources.blind.set(source, { since, why })
    sources.recoveredAt.delete(source)
  },
  recovered(sources, { source, mono }) {
    sources.blind.delete(source)
    sources.recoveredAt.set(source, mono)
    // Only the answers from now on say whether wallets are answered for.
    const of = sourceOf(source)
    if (of.is === 'markets') sources.walletOutages.delete(of.venue)
  },
  'wallets-answered': ({ walletOutages }, { venue }) => void walletOutages.delete(venue),
  // Nothing is missed while nobody looks.
  'stood-still'({ lastSuccess, lastFailure, walletOutages }, { sinceMono, ms }) {
    // The wall clock has whole milliseconds, also where the store keeps it.
    for (const [source, { at, mono }] of lastSuccess)
      lastSuccess.set(source, { at: Math.round(at + ms), mono: mono + ms })
    for (const [source, known] of lastFailure)
      lastFailure.set(source, { ...known, sinceMono: known.sinceMono + ms })
    for (const outage of walletOutages.values()) if (outage.sinceMono <= sinceMono) outage.sinceMono += ms
  },
  'sources-shifted'({ lastSuccess, blind }, { setMs }) {
    for (const [source, { at, mono }] of lastSuccess) lastSuccess.set(source, { at: at + setMs, mono })
    for (const [source, { since, why }] of blind) blind.set(source, { since: since + setMs, why })
  },
}

/** Returns the venue of a source. */
export function venueOfSource(source: Source, venues: readonly string[]): string | undefined {
  if (source.is === 'markets' || source.is === 'wallet' || source.is === 'orders') return source.venue
  if (source.is === 'market') return venueOf(source.marketId, venues)
  return venueOf(source.is === 'margin' ? source.pool : source.accountId, venues)
}

const ONLY_WHILE_THEY_FAIL = ['account/', 'margin/', 'orders/', 'twaps/']

/** Lists an account, a margin or orders while they fail, and until every chat that was told knows of the recovery. */
function listAccount(sources: Sources, key: SourceKey): void {
  // Hundreds of markets are seen with every reading: they are passed over before the key is taken apart.
  const source = ONLY_WHILE_THEY_FAIL.some((start) => key.startsWith(start)) ? sourceOf(key) : null
  if (source === null || !('wallet' in source)) return
  const isListed = sources.lastSuccess.has(key) || sources.outageNotices.of(key).size > 0
  if (isListed) sources.accountSources.put(source.wallet, key, true)
  else sources.accountSources.drop(source.wallet, key)
}
