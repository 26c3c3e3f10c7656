import { walletOf } from '../../alert/monitor.ts'
import { marketIn } from '../../alert/subject-id.ts'
import {
  marketsSource,
  type Source,
  type SourceKey,
  sourceKey,
  sourceOf,
  walletSource,
} from '../../venue/source.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { answered } from '../evaluate/confirmation.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { priceSight } from '../memory/markets.ts'
import { nearDangerAt } from '../memory/monitors.ts'
import { isOwned } from '../memory/rules.ts'
import { venueOfSource } from '../memory/sources.ts'
import { isListed, MARKETS_OUTAGE_MS, pricesBehind } from '../monitors/context.ts'
import { orderRecipients } from '../monitors/subject-inputs.ts'
import type { Outcome } from '../monitors/turn.ts'
import { marginRecipients, marginsOf } from './account-sources.ts'
import { affectedChats, isKnownAt } from './audience.ts'
import { walletsIn } from './last-known.ts'
import { asOne, reportOutage, type Lost } from './outage-notices.ts'
import { isWallet } from './outage.ts'

/** How long a wallet may fail before people are told, from the first look on that failed when it was due. */
export const NEAR_WALLET_OUTAGE_MS = 30_000
const FAR_OWNER_DARK_MS = 180_000

/**
 * The part of its patience after which a failing wallet is told together with another one. In one outage each
 * wallet was last read at some other time.
 */
const NEARLY = 0.7

/** A dex without any failure is waited for this many times its patience: its turn comes after others. */
const TURNS = 3

export interface PollPeriods {
  marketPollMs: number
  walletPollMinMs: number
  walletPollMaxMs: number
}

/** How old the last complete read of a source may be, if it is read when it is due. */
export function patienceMs(
  drawers: Pick<Memory, 'monitors' | 'run'>,
  source: Source,
  periods: PollPeriods,
): number {
  const { everyMs, darkMs } = patience(drawers, source, periods)
  return everyMs + darkMs
}

function patience(
  drawers: Pick<Memory, 'monitors' | 'run'>,
  source: Source,
  periods: PollPeriods,
): { everyMs: number; darkMs: number } {
  if (!('wallet' in source)) return { everyMs: periods.marketPollMs, darkMs: MARKETS_OUTAGE_MS }
  if (source.is === 'orders') return { everyMs: 0, darkMs: FAR_OWNER_DARK_MS }
  return nearDangerAt(drawers, source.wallet, venueOfSource(source, drawers.run.venues))
    ? { everyMs: periods.walletPollMinMs, darkMs: NEAR_WALLET_OUTAGE_MS }
    : { everyMs: periods.walletPollMaxMs, darkMs: FAR_OWNER_DARK_MS }
}

/**
 * Returns from when on a source is dark. Prices are dark, for any reason, when they are too old. A wallet is
 * dark when its reads fail for too long. Null while no read has failed: a wallet that waits for its turn is
 * slow, not dark.
 */
function darkAt(
  drawers: Pick<Memory, 'monitors' | 'sources' | 'run'>,
  key: SourceKey,
  source: Source,
  periods: PollPeriods,
): number | null {
  const seen = drawers.sources.lastSuccess.get(key)
  if (!seen) return null
  const waits = 'wallet' in source && !drawers.sources.blind.has(key)
  const sinceMono = waits ? failingSince(drawers, key, source) : -Infinity
  if (sinceMono === null) return null
  const { everyMs, darkMs } = patience(drawers, source, periods)
  const dueMono = seen.mono + everyMs
  if (!waits) return dueMono + darkMs
  // While the venue was dark everybody knew that: a wallet is blind when looks at it go on failing after its return.
  const backMono = drawers.sources.recoveredAt.get(pricesOf(drawers, source)) ?? -Infinity
  return Math.max(dueMono, sinceMono, backMono) + darkMs
}

/** So many looks in a row at wallets, each at another one, are no matter of those alone. */
const MANY = 8

/**
 * Since when (monotonic) a venue answers for no wallet, and why: then those that wait for their turn are not seen
 * either. Null while it answers.
 */
export function unansweredBy(
  { sources: { walletOutages } }: Pick<Memory, 'sources'>,
  venue: string | undefined,
): { sinceMono: number; why: string } | null {
  const outage = walletOutages.get(venue)
  return outage && outage.sources.size >= MANY ? outage : null
}

/** The prices that a source depends on: all prices of its venue. */
function pricesOf({ run: { venues } }: Pick<Memory, 'run'>, source: Source): SourceKey {
  return marketsSource(venueOfSource(source, venues))
}

/** Since when looks at it fail, or would: a look takes seconds where nothing is answered, and there are very many. */
function failingSince(drawers: Pick<Memory, 'sources'>, key: SourceKey, source: Source): number | null {
  const own = drawers.sources.lastFailure.get(key)?.sinceMono ?? Infinity
  const whole = source.is === 'wallet' ? unansweredBy(drawers, source.venue)?.sinceMono : undefined
  const sinceMono = Math.min(own, whole ?? Infinity)
  return Number.isFinite(sinceMono) ? sinceMono : null
}

/** From now on this should be seen; it is blind when it is not for too long. */
export function startWatching(
  drawers: Pick<Memory, 'sources'>,
  source: SourceKey,
  now: { at: number; mono: number },
): Effect[] {
  return drawers.sources.lastSuccess.has(source) ? [] : [{ is: 'seen', source, ...now }]
}

/** Ends the outages of earlier runs for sources that are seen, or that nobody watches any more. */
export function recovered(drawers: Pick<Memory, 'sources'>, observed: readonly Effect[]): Effect[] {
  return observed.flatMap((effect): Effect[] => {
    if (effect.is !== 'seen' && effect.is !== 'unwanted') return []
    const since = drawers.sources.failingSince.get(effect.source)
    // A sight at that very time only marks the start of watching: nothing was read.
    const isLit = since !== undefined && (effect.is === 'unwanted' || effect.at !== since)
    return isLit ? [{ is: 'dark-gone', source: effect.source }] : []
  })
}

/**
 * When a source is to be checked: a function of the present. Null when no rule rests on it, or nothing fails.
 */
export function lookAfter(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'sources' | 'run'>,
  key: SourceKey,
  periods: PollPeriods,
): number | null {
  const source = sourceOf(key)
  // Nothing fails at most of them, which is seen sooner than who wants them.
  const at = darkAt(drawers, key, source, periods)
  return at !== null && wanted(drawers, source) ? at : null
}

/** The sources whose deadline an effect may move. */
export function sourcesOf(effect: Effect, venues: readonly string[]): SourceKey[] {
  const market = (marketId: string | null) =>
    marketId === null ? [] : [sourceKey({ is: 'market', marketId })]
  const wallet = (of: Wallet | null) =>
    of === null ? [] : [undefined, ...venues].map((venue) => walletSource(of, venue))
  if (effect.is === 'seen' || effect.is === 'unwanted' || effect.is === 'trouble') return [effect.source]
  if (effect.is === 'watch') return wallet(effect.watch.wallet)
  if (effect.is === 'rule') return market(effect.rule.market?.id ?? null)
  if (effect.is === 'judged' || effect.is === 'waits' || effect.is === 'forgotten') {
    // A market may be delisted before its next reading: it is checked from its first monitor on.
    return [...wallet(walletOf(effect.monitor)), ...market(marketIn(effect.monitor.subject))]
  }
  if (effect.is !== 'view') return []
  const held = () => [...effect.view.held.values()].map(({ position }) => position.marketId)
  return (effect.entered ?? held()).flatMap(market)
}

/** The notices for overdue sources, also for chats that could not be told before. */
export function overdue(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'markets' | 'sources' | 'run'>,
  sources: readonly SourceKey[],
  periods: PollPeriods,
  now: { at: number; mono: number },
  /** The only chats that may have yet to hear of a source's outage; null where it may be any. */
  among: (source: SourceKey) => number[] | null = () => null,
): Outcome {
  const unwanted = sources.filter((source) => !wanted(drawers, sourceOf(source)))
  const dark = sources.filter((source) => {
    const at = lookAfter(drawers, source, periods)
    return at !== null && now.mono >= at && !hidden(drawers, source, periods, now)
  })
  const lost = [
    ...asOne(drawers, dark),
    ...failingToo(drawers, periods, now, dark).map((one) => [one] as const),
  ]
  const observed = unwanted.map((source): Effect => ({ is: 'unwanted', source }))
  if (lost.length === 0) return { observed, decisions: [] }
  const told = reportOutage(
    drawers,
    lost.map((group): Lost => {
      const known = group.map(among)
      const some = known.every((chats) => chats !== null) ? { among: new Set(known.flat()) } : {}
      return { sources: group, why: whyDark(drawers, group[0]), ...some }
    }),
    now.at,
  )
  return { observed: [...observed, ...told.observed], decisions: [], reports: told.reports }
}

function whyDark(drawers: Pick<Memory, 'sources' | 'markets'>, source: SourceKey): string {
  const { markets } = drawers
  const of = sourceOf(source)
  const { is } = of
  const market = of.is === 'market' ? markets.readings.get(of.marketId) : undefined
  // The last list of its dex had it, and no later one was read.
  const isLate = market !== undefined && isListed({ markets }, market)
  const absent = is === 'market' && !isLate ? 'the venue does not list it' : 'no answer'
  const whole = of.is === 'wallet' ? drawers.sources.walletOutages.get(of.venue)?.why : null
  return drawers.sources.lastFailure.get(source)?.why ?? whole ?? absent
}

/** More wallets than this are not looked for in one outage: there are other turns. */
const MOST_TOO = 500

/** Wallets and accounts that fail as well and would be told soon in the same chats: those of one outage are told together. */
function failingToo(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'markets' | 'sources' | 'run'>,
  periods: PollPeriods,
  now: { at: number; mono: number },
  dark: readonly SourceKey[],
): SourceKey[] {
  const lost = new Set(dark.filter((source) => isWallet(source) && !drawers.sources.blind.has(source)))
  const known = lost.size
  const looked = new Set<number>()
  const wallets = new Set<Wallet>()
  for (const source of lost) {
    for (const chatId of affectedChats(drawers, source)) {
      if (looked.has(chatId)) continue
      looked.add(chatId)
      for (const wallet of walletsIn(drawers, chatId)) {
        if (wallets.has(wallet)) continue
        wallets.add(wallet)
        for (const one of [
          ...drawers.wallets.views.venues.map((venue) => walletSource(wallet, venue)),
          ...drawers.sources.accountSources.of(wallet).keys(),
        ])
          if (!drawers.sources.blind.has(one) && isNearlyDark(drawers, one, periods, now)) lost.add(one)
      }
    }
    if (lost.size > known + MOST_TOO) break
  }
  return [...lost].slice(known)
}

function isNearlyDark(
  drawers: Pick<Memory, 'rules' | 'monitors' | 'wallets' | 'markets' | 'sources' | 'run'>,
  source: SourceKey,
  periods: PollPeriods,
  now: { mono: number },
): boolean {
  return darkness(drawers, source, periods, now.mono) >= NEARLY && !hidden(drawers, source, periods, now)
}

/** The part of its patience that is over. */
function darkness(
  drawers: Pick<Memory, 'monitors' | 'sources' | 'run'>,
  key: SourceKey,
  periods: PollPeriods,
  mono: number,
): number {
  const source = sourceOf(key)
  const at = darkAt(drawers, key, source, periods)
  return at === null ? 0 : 1 - (at - mono) / patienceMs(drawers, source, periods)
}

/** A source is wanted while somebody's rules rest on it. Nobody is told of one that is only followed. */
function wanted(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'run'>,
  source: Source,
): boolean {
  if (source.is === 'markets') return true
  if (source.is === 'wallet')
    return isOwned(drawers, source.wallet) && isKnownAt(drawers, source.wallet, source.venue)
  if (source.is === 'account') {
    const doubted = drawers.wallets.views.get(source.wallet)?.failedParts.get(source.accountId)
    return isOwned(drawers, source.wallet) && doubted?.holds === true
  }
  if (source.is === 'margin') {
    const view = drawers.wallets.views.get(source.wallet)
    const isHeard = marginRecipients(drawers, source.wallet).size > 0
    return isHeard && view !== undefined && marginsOf(view).has(source.pool)
  }
  if (source.is === 'orders') return orderRecipients(drawers, source.wallet, source.of).size > 0
  const {
    monitors: { thresholdIndex },
    wallets: { walletsByMarket: holders },
    rules: { rulesOn },
  } = drawers
  const { marketId } = source
  return thresholdIndex.watches(marketId) || holders.has(marketId) || rulesOn.has(marketId)
}

/**
 * One outage is one message: a dark venue hides the sources that depend on it, a dark wallet hides its parts.
 */
function hidden(
  drawers: Pick<Memory, 'rules' | 'monitors' | 'wallets' | 'markets' | 'sources' | 'run'>,
  source: SourceKey,
  periods: PollPeriods,
  { mono }: { mono: number },
): boolean {
  const of = sourceOf(source)
  if (of.is === 'markets') return false
  if (drawers.sources.blind.has(pricesOf(drawers, of))) return true
  const venue = venueOfSource(of, drawers.run.venues)
  if (of.is === 'account' || of.is === 'margin' || of.is === 'orders')
    return isDark(drawers, walletSource(of.wallet, venue), periods, mono)
  if (of.is !== 'market') return false
  return !isMissed(drawers, of.marketId, periods, mono) || isEnding(drawers, of.marketId)
}

/** Whether all that is held there is missing from its wallets: how it ended is told instead, or its new name. */
function isEnding(
  { wallets: { walletsByMarket, views } }: Pick<Memory, 'wallets'>,
  marketId: string,
): boolean {
  const holders = [...walletsByMarket.of(marketId).keys()]
  if (holders.length === 0) return false
  return holders.every((wallet) =>
    [...(views.get(wallet)?.held.values() ?? [])].every(
      ({ position, missingSince }) => position.marketId !== marketId || missingSince !== null,
    ),
  )
}

/** Whether a wallet is blind, or fails and will be soon. */
function isDark(
  drawers: Pick<Memory, 'monitors' | 'sources' | 'run'>,
  wallet: SourceKey,
  periods: PollPeriods,
  mono: number,
): boolean {
  if (drawers.sources.blind.has(wallet)) return true
  return darkness(drawers, wallet, periods, mono) >= NEARLY
}

/**
 * A market is missing only if a newer list lacks it: one of its dex, or those of other dexes for long enough.
 */
function isMissed(
  drawers: Pick<Memory, 'monitors' | 'markets' | 'sources' | 'run'>,
  marketId: string,
  periods: PollPeriods,
  mono: number,
): boolean {
  const seenMono = drawers.sources.lastSuccess.get(sourceKey({ is: 'market', marketId }))?.mono ?? mono
  const prices = pricesBehind(drawers, marketId)
  const listsMono = drawers.sources.lastSuccess.get(prices)?.mono ?? -Infinity
  if (mono - listsMono > 2 * periods.marketPollMs || listsMono <= seenMono) return false
  const market = drawers.markets.readings.get(marketId)
  if (market === undefined || !isListed(drawers, market)) return true
  // Its dex is read after others, and when the venue is back. Late lists are no excuse for ever.
  const source = { is: 'market', marketId } as const
  const patience = patienceMs(drawers, source, periods)
  const backMono = Math.max(seenMono, drawers.sources.recoveredAt.get(prices) ?? -Infinity)
  const { sinceMono } = priceSight(drawers, venueOf(marketId, drawers.run.venues))
  const fails = drawers.sources.lastFailure.has(sourceKey(source)) && mono - sinceMono >= patience
  return fails || mono - backMono >= TURNS * patience
}

/** A read of a source has failed, or did not show all of it. */
export function failing(
  drawers: Pick<Memory, 'monitors' | 'wallets' | 'sources' | 'run'>,
  source: Source,
  why: string,
  { at, mono }: { at: number; mono: number },
): Effect[] {
  const key = sourceKey(source)
  const trouble: Effect = { is: 'trouble', source: key, why, mono }
  // Only the run before knows the positions of a wallet that this run has not read: its next try may come in
  // time.
  if (source.is === 'wallet') {
    const { wallet, venue } = source
    const isRead = drawers.wallets.views.at(wallet, venue)?.mono !== -Infinity
    return [trouble, ...(isRead ? answered(drawers, wallet, venue) : [])]
  }
  if (source.is !== 'orders' || drawers.sources.lastSuccess.has(key)) return [trouble]
  // Orders are spoken of only while they fail: from the first such look on they are missed, whichever run had it.
  const since = Math.min(
    drawers.sources.blind.get(key)?.since ?? drawers.sources.failingSince.get(key) ?? at,
    at,
  )
  return [{ is: 'seen', source: key, at: since, mono: mono - (at - since) }, trouble]
}

/** The event stream's entries for sources that this turn has lost or found. */
export function sightings(drawers: Pick<Memory, 'sources'>, { observed }: Outcome, now: number) {
  return observed.flatMap((effect) => {
    if (effect.is === 'outage') return { is: 'outage', source: effect.source, why: effect.why } as const
    if (effect.is !== 'recovered') return []
    const blindMs = now - (drawers.sources.blind.get(effect.source)?.since ?? now)
    return { is: 'recovered', source: effect.source, blindMs } as const
  })
}
