import { percent, usd } from '../../message/figure.ts'
import { type Item, item, joined, type Text, words } from '../../message/message.ts'
import type { Account } from '../../venue/account.ts'
import { toNumber } from '../../venue/amount.ts'
import { MAIN_DEX } from '../../venue/market.ts'
import type { Position } from '../../venue/position.ts'
import { venueNameOf } from '../../venue/venue-name.ts'
import { accountMark, isNumbered } from '../../venue/wallet.ts'
import { accountPlace } from '../shared/venues/by-venue.ts'

/** The accounts of a wallet as they were read. */
export interface ShownAccounts {
  /** The label of the wallet. */
  wallet: string
  accounts: readonly Account[]
  positions: readonly Position[]
  /** The names of several venues; left out for one. */
  venues?: readonly string[]
}

/** Among other things, two accounts are enough: those with the highest margin ratio. */
const FEW = 2
const MANY = 6
/** More dexes than this are counted instead of named. */
const MAX_NAMED_DEXES = 3

/** One line for each account, or for all accounts that share their margin; null when nothing is known. */
export function accountsItem(all: readonly ShownAccounts[], how: 'few' | 'many'): Item | null {
  const lines = all
    .flatMap((wallet) => shares(wallet).map((share) => ({ share, line: lineOf(wallet, share, how) })))
    .flatMap(({ share, line }) => (line === null ? [] : [{ ratio: ratioOf(share) ?? 0, line }]))
    .toSorted((a, b) => b.ratio - a.ratio)
  if (lines.length === 0) return null
  const title = lines.some(({ ratio }) => ratio > 0)
    ? words('shown.accounts.ratio', { limit: percent(1) })
    : words('shown.accounts')
  const most = how === 'few' ? FEW : MANY
  const more = lines.length - most
  return item('plain', title, [
    ...lines.slice(0, most).map(({ line }) => line),
    ...(more > 0 ? [words('shown.more', { n: String(more) })] : []),
  ])
}

/** Accounts that share their margin. */
type Share = readonly [Account, ...Account[]]

function shares({ accounts, positions }: ShownAccounts): Share[] {
  const found = new Map<string, [Account, ...Account[]]>()
  for (const account of accounts) {
    const holds = positions.some(({ accountId }) => accountId === account.accountId)
    // An empty account tells nothing about the others.
    if (!holds && (account.equityUsd ?? 0n) === 0n) continue
    const share = found.get(account.pool)
    if (share) share.push(account)
    else found.set(account.pool, [account])
  }
  return [...found.values()]
}

function ratioOf([{ marginRatio, maintenanceUsd }]: Share): number | null {
  // The ratio covers the shared margin. With isolated positions alone it is zero, which would calm people wrongly.
  return maintenanceUsd === 0n ? null : marginRatio
}

/** `hedge in xyz: margin 12% · equity $2,140 · $400 free`; null when the venue gives no figure. */
function lineOf(shown: ShownAccounts, share: Share, how: 'few' | 'many'): Text | null {
  const [{ equityUsd, withdrawableUsd, mode }] = share
  const ratio = ratioOf(share)
  const parts: Text[] = [
    ...(ratio === null ? [] : [words('shown.account.ratio', { ratio: percent(ratio) })]),
    ...(equityUsd === null ? [] : [words('shown.account.equity', { usd: usd(toNumber(equityUsd)) })]),
    ...(withdrawableUsd === null || how === 'few'
      ? []
      : [words('shown.account.free', { usd: usd(toNumber(withdrawableUsd)) })]),
  ]
  if (parts.length === 0) return null
  return words('shown.because', { what: nameOf(shown, share, mode), why: joined(parts, ' · ') })
}

function nameOf(shown: ShownAccounts, share: Share, mode: Account['mode']): Text {
  const { wallet, accounts, venues = [] } = shown
  const ids = share.map(({ accountId }) => accountId)
  const [id = ''] = ids
  // A venue that did not answer shows no account: its remembered positions say that the wallet is there.
  const known = [...shares(shown).map(([one]) => one), ...shown.positions]
  const held = new Set(known.map(({ accountId }) => venueNameOf(accountId, venues)))
  if (held.size > 1) {
    const place = [...new Set(ids.map((one) => accountPlace(one, venues)))].join(' + ')
    const isAlone =
      shares(shown).filter(([{ accountId }]) => accountPlace(accountId, venues) === place).length === 1
    const dex = isAlone ? place : `${place} ${accountMark(id)}`
    return withMode(words('shown.account.in', { wallet, dex }), mode)
  }
  const isOneOfSeveral = mode === 'single' && accounts.length > 1
  // Many wallets are labelled main as well, so the dex of the venue itself is not named.
  const place = isOneOfSeveral
    ? id === MAIN_DEX
      ? wallet
      : words('shown.account.in', { wallet, dex: dexName(id, venues) })
    : ids.length > MAX_NAMED_DEXES
      ? words('shown.account.books', { wallet, n: String(ids.length) })
      : ids.length > 1
        ? words('shown.account.in', { wallet, dex: ids.join(' + ') })
        : wallet
  return withMode(place, mode)
}

function withMode(place: Text, mode: Account['mode']): Text {
  if (mode === 'single') return place
  return words(mode === 'unified' ? 'shown.account.unified' : 'shown.account.portfolio', { name: place })
}

/** `xyz`, or the number of an account, with its venue where there are several. */
function dexName(id: string, venues: readonly string[]): string {
  if (!isNumbered(id)) return id
  return venues.length > 0 ? `${accountPlace(id, venues)} ${accountMark(id)}` : accountMark(id)
}
