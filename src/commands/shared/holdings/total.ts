import { type Text, words } from '../../../message/message.ts'
import type { Account } from '../../../venue/account.ts'
import type { Amount } from '../../../venue/amount.ts'
import type { BalancesAnswer } from '../../../venue/record/balances.ts'
import { venueNameOf } from '../../../venue/venue-name.ts'
import type { Wallet } from '../../../venue/wallet.ts'

/** A part of the total, in the order in which people read it. */
export const PARTS = ['perps', 'spot', 'vaults', 'staking', 'subs'] as const
export type Part = (typeof PARTS)[number]

/** The worth of a wallet, in USD. */
export interface Total {
  /** The label of the wallet. */
  wallet: string
  parts: Readonly<Record<Part, Amount>>
  /** False: neither its balances nor its accounts were read, so nothing is known of its worth. */
  isKnown: boolean
  /** Parts that this leaves out. */
  lacking: readonly Lacking[]
}

export type Lacking =
  /** Without `why` it simply failed. */
  | { is: 'unread'; part: Part | 'all' | 'other'; why: Text | null }
  | { is: 'venue'; name: string }
  /** Nobody quotes them, or (`isUnread`) their prices could not be read. */
  | { is: 'no-price'; tokens: readonly string[]; isUnread: boolean }

/** A wallet, as it was read. */
export interface WalletRead {
  wallet: string
  /** As they were read with its positions; empty if they were not. */
  accounts: readonly Account[]
  balances: { is: 'read'; value: BalancesAnswer } | { is: 'unseen'; why: Text }
}

/**
 * Adds up a wallet. Accounts that came with the positions are newer than balances, so their equity is taken. Where spot is
 * collateral, a pool's equity is counted once. `venues` are the names of several venues, `own` the watched wallets: a
 * sub-account among them counts as a wallet.
 */
export function totalOf(held: WalletRead, venues: readonly string[], own: ReadonlySet<Wallet>): Total {
  const { wallet, accounts } = held
  const read = held.balances.is === 'read' ? held.balances.value : null
  const balances = read && !isOutdated(read, accounts, venues) ? read : null
  const equities = equitiesOf(balances?.perps ?? [], accounts)
  const pools = new Map<string, Amount>()
  for (const { accountId, pool, mode, equityUsd } of accounts) {
    // With portfolio margin, an account shows its own token alone.
    if (equityUsd === null || (mode === 'portfolio' && (balances || accountId !== pool))) continue
    if (mode !== 'single') pools.set(pool, equityUsd)
  }
  const spot = balances?.spot ?? []
  const open = (balances?.subAccounts ?? []).filter((one) => !own.has(one.wallet))
  const collateral = spot.filter(({ pool }) => pool !== null && !pools.has(pool))
  const parts = {
    perps: sum([...equities.values(), ...pools.values(), ...collateral.map(({ usd }) => usd ?? 0n)]),
    spot: sum(spot.flatMap(({ usd, pool }) => (pool === null ? (usd ?? []) : []))),
    vaults: sum((balances?.vaults ?? []).map(({ equityUsd }) => equityUsd)),
    staking: balances?.staking?.usd ?? 0n,
    subs: sum(open.map(({ equityUsd }) => equityUsd ?? 0n)),
  }
  const priceless = [...spot.filter(({ pool }) => pool === null), ...collateral].filter(
    ({ usd }) => usd === null,
  )
  const tokens = [
    ...priceless.map(({ token }) => token),
    ...(balances?.staking && balances.staking.usd === null ? [balances.staking.token] : []),
    ...open.flatMap(({ unpriced }) => unpriced),
  ]
  const isUnread = balances?.failedParts.some(({ part }) => part === 'prices') === true
  return {
    wallet,
    parts,
    isKnown: balances !== null || equities.size + pools.size > 0,
    lacking: [
      ...(balances
        ? unreadOf(balances)
        : [unread('all', held.balances.is === 'unseen' ? held.balances.why : null)]),
      ...(open.some(({ equityUsd }) => equityUsd === null) ? [unread('subs')] : []),
      ...(tokens.length > 0 ? [{ is: 'no-price', tokens: [...new Set(tokens)], isUnread } as const] : []),
    ],
  }
}

/** The equity of each account that has its own, by its id. `accounts` came with the positions, and replace what balances say. */
export function equitiesOf(
  perps: BalancesAnswer['perps'],
  accounts: readonly Account[],
): ReadonlyMap<string, Amount> {
  const live = accounts.flatMap(({ accountId, mode, equityUsd }) =>
    mode === 'single' && equityUsd !== null ? [[accountId, equityUsd] as const] : [],
  )
  return new Map([...perps.map(({ accountId, equityUsd }) => [accountId, equityUsd] as const), ...live])
}

/** The account’s mode has changed since: what was spot then is collateral now, or the other way round. */
function isOutdated(
  { perps, spot }: BalancesAnswer,
  accounts: readonly Account[],
  venues: readonly string[],
): boolean {
  const modeAt = new Map(accounts.map(({ accountId, mode }) => [venueNameOf(accountId, venues), mode]))
  const isShared = (id: string) => {
    const mode = modeAt.get(venueNameOf(id, venues))
    return mode === undefined ? null : mode !== 'single'
  }
  return (
    perps.some(({ accountId }) => isShared(accountId) === true) ||
    spot.some(({ pool }) => pool !== null && isShared(pool) === false)
  )
}

function unread(part: Extract<Lacking, { is: 'unread' }>['part'], why: Text | null = null): Lacking {
  return { is: 'unread', part, why }
}

function unreadOf({ failedParts, unusable }: BalancesAnswer): Lacking[] {
  const [venues, others] = [
    failedParts.filter((one) => one.isVenue),
    failedParts.filter((one) => !one.isVenue),
  ]
  // Tokens without a price are named.
  const parts = others.flatMap(({ part }) => (part === 'prices' ? [] : (NAMES.get(part) ?? 'other')))
  const isWaiting = (part: Part | 'other') =>
    part !== 'other' &&
    others.filter((one) => NAMES.get(one.part) === part).every(({ queued }) => queued === true)
  return [
    ...[...new Set([...parts, ...(unusable.length > 0 ? (['other'] as const) : [])])].map((part) =>
      unread(part, isWaiting(part) ? words('holdings.not-in-time') : null),
    ),
    ...venues.map(({ part }) => ({ is: 'venue', name: part }) as const),
  ]
}

const NAMES = new Map<string, Part>([...PARTS.map((part) => [part, part] as const), ['sub-accounts', 'subs']])

/** All wallets together. */
export function sumOf(totals: readonly Total[]): Total['parts'] {
  const all = (part: Part) => sum(totals.map(({ parts }) => parts[part]))
  return {
    ...{ perps: all('perps'), spot: all('spot'), vaults: all('vaults') },
    ...{ staking: all('staking'), subs: all('subs') },
  }
}

export function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce((all, amount) => all + amount, 0n)
}
