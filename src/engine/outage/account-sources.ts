import { accountSource, type SourceKey, sourceOf, marginSource, walletSource } from '../../venue/source.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { figuresOf, poolOf, type SeenAt, sharing, type WalletView } from '../memory/wallet-view.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { rulesOverWallet } from '../monitors/monitors.ts'

/**
 * The effects of an answer of one venue that is complete but for some accounts: which of them fail, and which are seen
 * again. An account is a source of its own only while it fails.
 */
export function accountsOf(
  drawers: Pick<Memory, 'wallets' | 'sources' | 'run'>,
  view: WalletView,
  venue: string | undefined,
): { seen: SourceKey[]; observed: Effect[] } {
  const { wallet, at, mono, failedParts } = view
  const { venues } = drawers.run
  const failing = [...failedParts].flatMap(([accountId, { why, holds, queued }]): Effect[] => {
    const source = accountSource(wallet, accountId)
    if (!holds || queued) return []
    return [
      ...missed(drawers, view, venue, source),
      { is: 'trouble', source, why, mono },
      // A start does not begin the patience anew.
      ...(isNew(drawers, wallet, venue, source) ? [{ is: 'dark', source, since: at } as const] : []),
    ]
  })
  const seen = [...drawers.sources.accountSources.of(wallet).keys()].filter((source) => {
    const account = sourceOf(source)
    if (account.is !== 'account' || failedParts.has(account.accountId)) return false
    return venueOf(account.accountId, venues) === venue
  })
  return { seen, observed: [...failing, ...seen.map((source): Effect => ({ is: 'seen', source, at, mono }))] }
}

/** From now on it is missed: since it was seen, or the wallet was seen whole, or since an earlier run has missed it. */
function missed(
  drawers: Pick<Memory, 'sources'>,
  { wallet, at, mono }: WalletView,
  venue: string | undefined,
  source: SourceKey,
  seen: { at: number; mono: number } | null = null,
): Effect[] {
  if (drawers.sources.lastSuccess.has(source)) return []
  const lastSeen = seen ?? drawers.sources.lastSuccess.get(walletSource(wallet, venue)) ?? { at, mono }
  const since = Math.min(
    drawers.sources.blind.get(source)?.since ?? drawers.sources.failingSince.get(source) ?? lastSeen.at,
    lastSeen.at,
  )
  return [{ is: 'seen', source, at: since, mono: lastSeen.mono - (lastSeen.at - since) }]
}

/** Whether it fails from the first look of this run on, and no earlier run has missed it. */
function isNew(
  drawers: Pick<Memory, 'wallets' | 'sources'>,
  wallet: Wallet,
  venue: string | undefined,
  source: SourceKey,
): boolean {
  const isFirstLook = (drawers.wallets.views.at(wallet, venue)?.completeMono ?? null) === null
  return isFirstLook && !drawers.sources.lastSuccess.has(source) && !drawers.sources.failingSince.has(source)
}

/**
 * Stops watching the sources that are seen again, where every chat that was told of their outage now hears of
 * the return.
 */
export function stopWatchingNow(
  drawers: Pick<Memory, 'sources'>,
  seen: readonly SourceKey[],
  told: readonly Effect[],
): Effect[] {
  return seen.flatMap((source): Effect[] => {
    const hears = told.filter((effect) => effect.is === 'source-gone' && effect.source === source)
    return hears.length >= drawers.sources.outageNotices.of(source).size ? [{ is: 'unwanted', source }] : []
  })
}

/** An unsolicited answer may lack figures that the next read has. */
const UNASKED_MS = 60_000

/** Chats that are to be warned of the margin of a wallet. */
export function marginRecipients(
  drawers: Pick<Memory, 'people' | 'rules' | 'run'>,
  wallet: Wallet,
): Set<number> {
  const rules = rulesOverWallet(drawers, wallet).filter(({ kind }) => drawers.run.onAccounts.has(kind))
  return new Set(rules.map(({ chatId }) => chatId))
}

/**
 * When the ratio of each shared margin was last known, by pool. An account whose pool is not known has its
 * own entry, which is null.
 */
export function marginsOf(view: WalletView): Map<string, SeenAt | null> {
  const read = sharing(view).filter(({ position }) => !view.failedParts.has(position.accountId))
  return new Map(
    read.map(({ position: { accountId } }) => {
      const pool = poolOf(view, accountId)
      return [pool ?? accountId, pool === null ? null : (figuresOf(view, pool)?.known ?? null)]
    }),
  )
}

/** For an answer whose positions can be relied on: which margin ratios are missing, and which are back. */
export function marginSourcesOf(
  drawers: Pick<Memory, 'people' | 'rules' | 'sources' | 'run'>,
  view: WalletView,
  venue: string | undefined,
  unsolicited: boolean,
): { seen: SourceKey[]; observed: Effect[] } {
  const { wallet, at, mono } = view
  const isHeard = marginRecipients(drawers, wallet).size > 0
  const missing = [...(isHeard ? marginsOf(view) : [])].flatMap(([pool, known]) => {
    const source = marginSource(wallet, pool)
    const isLate =
      !unsolicited ||
      drawers.sources.lastSuccess.has(source) ||
      mono - (known?.mono ?? -Infinity) >= UNASKED_MS
    return known?.mono !== mono && isLate ? [{ source, known }] : []
  })
  const failing = missing.flatMap(({ source, known }): Effect[] => [
    ...missed(drawers, view, venue, source, known),
    // Looks have failed since the last one that had it.
    { is: 'trouble', source, why: 'the venue does not say it', mono: known?.mono ?? mono },
  ])
  const seen = [...drawers.sources.accountSources.of(wallet).keys()].filter((source) => {
    const margin = sourceOf(source)
    if (margin.is !== 'margin' || venueOf(margin.pool, drawers.run.venues) !== venue) return false
    return !missing.some((one) => one.source === source)
  })
  return { seen, observed: [...failing, ...seen.map((source): Effect => ({ is: 'seen', source, at, mono }))] }
}
