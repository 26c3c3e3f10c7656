import { type SubjectId, subjectKey } from '../../alert/subject-id.ts'
import type {
  AccountSubject,
  MarketSamples,
  WalletSubject,
  Subject,
  VenueSubject,
} from '../../alert/subject.ts'
import type { Account } from '../../venue/account.ts'
import { toNumber } from '../../venue/amount.ts'
import type { ClosedPosition } from '../../venue/closed-position.ts'
import { labelOf, notional, onBrokenScale, type Position } from '../../venue/position.ts'
import { OTHER_ACCOUNTS } from '../../venue/venue.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { figuresOf, lookAt, poolsOf, sharingOf, type WalletView } from '../memory/wallet-view.ts'
import type { Memory } from '../memory/memory.ts'
import { ENDED_LATELY_MS } from '../memory/wallets.ts'
import { isUnderNewName, priceSight, symbolOf } from '../memory/markets.ts'
import { walletLabel } from '../memory/rules.ts'
import {
  blindnessOf,
  isBlind,
  type EvaluationContext,
  positionsOf,
  pricesBehind,
  seenMs,
  viewOf,
  wallAt,
} from './context.ts'
import { type Monitor, walletsOfRule } from './monitors.ts'
import { ordersNow } from './subject-inputs.ts'

/** Returns the monitor's subject if it can be seen now; null freezes the monitor. */
export function seenSubject(
  look: EvaluationContext,
  monitor: Monitor,
  gone: readonly ClosedPosition[] = [],
): Subject | null {
  const { subject } = monitor.id
  if (subject.is === 'wallet') return walletSubject(look, monitor, subject.wallet, gone)
  if (subject.is === 'account') return accountSubject(look, monitor, subject)
  if (subject.is === 'venue') return venueSubject(look, monitor)
  const market = look.crossing ?? look.memory.markets.readings.get(subject.marketId)
  const prices = pricesBehind(look.memory, subject.marketId)
  if (!market || look.mono - market.mono > look.marketStaleMs || isBlind(look, prices)) return null
  const shared = {
    ...judgedNow(look, monitor),
    market: market.value,
    price: toNumber(market.value.price),
    marketAt: wallAt(look, market.mono),
  }
  if (subject.is === 'market') {
    const fundingRate = toNumber(market.value.fundingRatePerDay)
    const samples = samplesOf(look, subject.marketId)
    const positions = heldThere(look, monitor, subject.marketId)
    return { is: 'market', ...shared, fundingRate, samples, positions }
  }
  const held = viewOf(look, subject.wallet)?.held.get(subjectKey(subject))
  if (!held || held.missingSince !== null) return null
  const unseen = blindnessOf(look, subject.wallet, subject.accountId)?.since ?? null
  if (onBrokenScale(held.position, market.value.price)) return null
  const isOfBefore = held.seenMono <= look.memory.run.ranMono
  const before = held.seenMono === -Infinity ? 'restart' : 'stop'
  const remembered = isOfBefore && unseen === null ? before : false
  return {
    is: 'position',
    ...shared,
    // Events from the time when Perch was away are known once the wallet is read.
    awaySince: remembered ? null : shared.awaySince,
    position: held.position,
    positionAt: isOfBefore ? held.seenAt : wallAt(look, held.seenMono),
    unseenSince: unseen,
    remembered,
    ...ordersIn(look, monitor, subject.wallet, subject.marketId),
    label: labelOf(
      held.position,
      walletName(look, monitor, subject.wallet),
      positionsOf(look, subject.wallet),
    ),
  }
}

function accountSubject(
  look: EvaluationContext,
  monitor: Monitor,
  { wallet, accountId: pool }: OnAccount,
): AccountSubject | null {
  const view = viewOf(look, wallet)
  const seen = view && figuresOf(view, pool)
  if (!view || !seen) return null
  const sharing = sharingOf(view, pool)
  // The fate of a missing position is not known yet: its account may look better without it.
  if (sharing.length === 0 || sharing.some(({ missingSince }) => missingSince !== null)) return null
  const positions = sharing.map(({ position }) => ({
    position,
    symbol: symbolOf(look.memory, position.marketId),
    price: look.memory.markets.readings.get(position.marketId)?.value.price ?? null,
  }))
  const worth = ({ position, price }: (typeof positions)[number]) =>
    notional(position, price ?? position.entryPrice ?? 0n)
  const accountAt = wallAt(look, seen.seenMono)
  const dark = [pool, ...sharing.map(({ position }) => position.accountId)].flatMap(
    (accountId) => blindnessOf(look, wallet, accountId)?.since ?? [],
  )
  const own = lookAt(view, venueOf(pool, look.memory.run.venues)) ?? view
  const isLate = seen.seenMono < own.mono
  return {
    is: 'account',
    ...judgedNow(look, monitor),
    account: seen.account,
    name: nameOfAccount(view, walletName(look, monitor, wallet), pool),
    accountAt,
    unseenSince: dark.length > 0 ? Math.min(...dark) : isLate ? accountAt : null,
    positions: positions.toSorted((a, b) => worth(b) - worth(a)),
    toldBeside: look.warned?.has(monitor.key) ?? false,
  }
}

function venueSubject(look: EvaluationContext, monitor: Monitor): VenueSubject | null {
  const {
    markets: { readings: markets, listedMarkets },
  } = look.memory
  const { marketsAt } = priceSight(look.memory, look.read?.venue)
  if (!marketsAt) return null
  return {
    is: 'venue',
    ...judgedNow(look, monitor),
    dexes: listedMarkets.dexes(),
    marketsAt: wallAt(look, marketsAt.mono),
    market: (id) => markets.get(id)?.value,
    held: (marketId) => heldThere(look, monitor, marketId),
  }
}

type OnAccount = Extract<SubjectId, { is: 'account' }>

function walletSubject(
  look: EvaluationContext,
  monitor: Monitor,
  wallet: Wallet,
  gone: readonly ClosedPosition[],
): WalletSubject | null {
  const view = viewOf(look, wallet)
  // Failed and incomplete reads reach no event kind: they neither count nor reset. An account that fails
  // stays as it was.
  if (!view || view.completeMono === null || view.completeMono !== view.mono) return null
  return {
    is: 'wallet',
    ...judgedNow(look, monitor),
    ...(look.read && ofRead(look, look.read)),
    wallet,
    label: walletName(look, monitor, wallet),
    positionAt: wallAt(look, view.mono),
    ...(look.memory.run.venues.length > 0 && {
      shownAt: (key) => wallAt(look, view.held.get(key)?.seenMono ?? -Infinity),
    }),
    // All positions, also those outside the rules' scopes: the scopes limit only the notices, not the state.
    positions: [...view.held.values()].map(({ position }) => position),
    missing: [...view.held].flatMap(([key, { missingSince }]) => (missingSince === null ? [] : [key])),
    ...ordersIn(look, monitor, wallet),
    ...(look.twaps && { twaps: { all: look.twaps.value.twaps, at: wallAt(look, look.twaps.mono) } }),
    accounts: accountsOf(view),
    failedParts: [...view.failedParts.keys()],
    gone: [...gone],
    taken: look.taken ?? [],
    hasRecords: (accountId) =>
      look.memory.run.showsCloseRecords.has(venueOf(accountId, look.memory.run.venues)),
    reducing: [...view.reduced.keys()],
    returned: returnedIn(look, wallet, view),
    renamed: renamedIn(look, wallet, view),
    market: (id) => look.memory.markets.readings.get(id)?.value,
    symbol: (id) => symbolOf(look.memory, id),
  }
}

/** Returns the figures of a wallet that follow from the venue at which it was read. */
function ofRead(
  { memory: { run } }: EvaluationContext,
  { venue, isFirst, awaySince }: NonNullable<EvaluationContext['read']>,
): Pick<WalletSubject, 'isFirst'> & Partial<Pick<WalletSubject, 'awaySince'>> {
  const isThere = (accountId: string) =>
    accountId === OTHER_ACCOUNTS || venueOf(accountId, run.venues) === venue
  return { ...(isFirst && { isFirst: isThere }), ...(awaySince !== null && { awaySince }) }
}

/** Positions that this turn shows again with the entry and the time of one that had ended lately. */
function returnedIn({ memory: { wallets }, mono }: EvaluationContext, wallet: Wallet, { held }: WalletView) {
  if (wallets.endedLately.size === 0) return []
  const before = wallets.views.get(wallet)?.held
  return [...held].flatMap(([key, { position }]) => {
    const ended = wallets.endedLately.get(key)
    if (!ended || before?.has(key) || mono - ended.atMono > ENDED_LATELY_MS) return []
    const { entryPrice, openedAt, size } = ended.position
    const isSame =
      entryPrice === position.entryPrice && openedAt === position.openedAt && size === position.size
    // Without a time, somebody may have opened the very same once more.
    return isSame && (openedAt !== null || ended.isUnrecorded) ? [key] : []
  })
}

/** Positions that this turn shows first, in place of one that is missing. */
function renamedIn({ memory }: EvaluationContext, wallet: Wallet, { held }: WalletView) {
  const missing = [...held.values()].filter(({ missingSince }) => missingSince !== null)
  if (missing.length === 0) return []
  const before = memory.wallets.views.get(wallet)?.held
  return [...held].flatMap(([key, { position }]) =>
    !before?.has(key) && missing.some((one) => isUnderNewName(memory, one, position)) ? [key] : [],
  )
}

/** Null for kinds that do not read orders. */
function ordersIn(
  look: EvaluationContext,
  { kind }: Monitor,
  wallet: Wallet,
  marketId?: string,
): Pick<WalletSubject, 'orders' | 'ordersAt' | 'listedAt'> {
  const seen = kind.reads === 'orders' ? ordersNow(look, wallet, marketId) : null
  return seen ?? { orders: null, ordersAt: null }
}

function accountsOf({ accounts, mono, looks }: WalletView): Account[] {
  if (looks) return [...looks.values()].flatMap(accountsOf)
  const all: Account[] = []
  for (const { account, seenMono } of accounts.values()) if (seenMono === mono) all.push(account)
  return all
}

function judgedNow({ memory, now }: EvaluationContext, { key }: Monitor) {
  return { now, awaySince: memory.monitors.notEvaluatedYet.has(key) ? memory.run.aliveAt : null }
}

/** The wallet's label as the maker of one of these rules knows it. */
function walletName({ memory }: EvaluationContext, { rules }: Monitor, wallet: Wallet): string {
  const maker = rules.find(({ personId }) => memory.rules.watches.of(wallet).has(personId)) ?? rules[0]
  return walletLabel(memory, maker.personId, wallet)
}

function heldThere(
  look: EvaluationContext,
  monitor: Monitor,
  marketId: string,
): { position: Position; label: string }[] {
  const wallets = new Set(monitor.rules.flatMap((rule) => walletsOfRule(look.memory, rule)))
  return [...wallets].flatMap((wallet) =>
    positionsOf(look, wallet)
      .filter((position) => position.marketId === marketId)
      .map((position) => ({
        position,
        label: labelOf(position, walletName(look, monitor, wallet), positionsOf(look, wallet)),
      })),
  )
}

/** This run's samples of a market, computed on demand: most kinds do not use them. */
function samplesOf(look: EvaluationContext, marketId: string): MarketSamples {
  const { memory, now, mono } = look
  return {
    rates: (ms) =>
      memory.markets.fundingSamples
        .of(marketId)
        .filter((one) => one.mono >= mono - ms)
        .map((one) => ({ rate: one.rate, at: wallAt(look, one.mono) })),
    range(ms) {
      const range = memory.markets.priceSamples.range(marketId, mono - ms)
      if (range === null) return null
      const { low, high, knownMono } = range
      const known = wallAt(look, knownMono)
      return {
        low: { price: low.price, at: wallAt(look, low.mono) },
        high: { price: high.price, at: wallAt(look, high.mono) },
        darkMs: Math.max(ms - (known >= now ? 0 : seenMs(look, marketId, known)), 0),
      }
    },
  }
}

/** `BTC short · main`, `BTC`, `main`, `main · xyz`. */
export function nameOfSubject(
  drawers: Pick<Memory, 'rules' | 'wallets' | 'markets'>,
  subject: SubjectId,
  personId: number,
): string {
  if (subject.is === 'market') return symbolOf(drawers, subject.marketId)
  if (subject.is === 'venue') return 'the venue'
  const label = walletLabel(drawers, personId, subject.wallet)
  if (subject.is === 'wallet') return label
  if (subject.is === 'account')
    return nameOfAccount(drawers.wallets.views.get(subject.wallet), label, subject.accountId)
  const held = drawers.wallets.views.get(subject.wallet)?.held.values() ?? []
  const own = labelOf(
    subject,
    label,
    [...held].map(({ position }) => position),
  )
  return `${symbolOf(drawers, subject.marketId)} ${subject.side} · ${own}`
}

/** An account is named beside its wallet where that is not the only one in use. One of a named venue has its name. */
export function nameOfAccount(view: WalletView | undefined, label: string, pool: string): string {
  const venues = [...(view?.looks?.keys() ?? [])].filter((venue) => venue !== undefined)
  const venue = venueOf(pool, venues)
  const own = view && lookAt(view, venue)
  const others = own ? poolsOf(own).filter((one) => one !== pool) : []
  if (others.length > 0) return `${label} · ${pool}`
  return venue === undefined ? label : `${label} · ${venue}`
}
