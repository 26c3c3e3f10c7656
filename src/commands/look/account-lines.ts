import { percent, usd } from '../../message/figure.ts'
import { type Item, item, joined, type Text, text } from '../../message/message.ts'
import type { Account } from '../../venue/account.ts'
import { toNumber } from '../../venue/amount.ts'
import { MAIN_DEX } from '../../venue/market.ts'
import type { Position } from '../../venue/position.ts'

/** The accounts of a wallet as they were read. */
export interface ShownAccounts {
  /** The label of the wallet. */
  wallet: string
  accounts: readonly Account[]
  positions: readonly Position[]
}

/** More would not fit an item: those with the highest margin ratio are shown. */
const MAX_SHOWN_ACCOUNTS = 4
/** More dexes than this are counted instead of named. */
const MAX_NAMED_DEXES = 3

/** One line for each account, or for all accounts that share their margin; null when nothing is known. */
export function accountsItem(all: readonly ShownAccounts[]): Item | null {
  const lines = all
    .flatMap((wallet) => shares(wallet).map((share) => ({ share, line: lineOf(wallet, share) })))
    .flatMap(({ share, line }) => (line === null ? [] : [{ ratio: ratioOf(share) ?? 0, line }]))
    .toSorted((a, b) => b.ratio - a.ratio)
  if (lines.length === 0) return null
  const title = lines.some(({ ratio }) => ratio > 0)
    ? text`Accounts: liquidated at a margin ratio of ${percent(1)}`
    : 'Accounts'
  const more = lines.length - MAX_SHOWN_ACCOUNTS
  return item('plain', title, [
    ...lines.slice(0, MAX_SHOWN_ACCOUNTS).map(({ line }) => line),
    ...(more > 0 ? [`and ${more} more`] : []),
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

/** `hedge in xyz: equity $2,140, margin ratio 12%, $400 withdrawable`; null when the venue gives no figure. */
function lineOf({ wallet, accounts }: ShownAccounts, share: Share): Text | null {
  const [{ equityUsd, withdrawableUsd, mode }] = share
  const ratio = ratioOf(share)
  const parts: Text[] = [
    ...(equityUsd === null ? [] : [text`equity ${usd(toNumber(equityUsd))}`]),
    ...(ratio === null ? [] : [text`margin ratio ${percent(ratio)}`]),
    ...(withdrawableUsd === null ? [] : [text`${usd(toNumber(withdrawableUsd))} withdrawable`]),
  ]
  if (parts.length === 0) return null
  const ids = share.map(({ accountId }) => accountId)
  const several = mode === 'single' && accounts.length > 1
  const names = ids.length > MAX_NAMED_DEXES ? `${ids.length} books` : `books ${ids.join(' + ')}`
  const [id = ''] = ids
  // Many wallets are labelled main as well, so the dex of the venue itself is not named.
  const place = several ? (id === MAIN_DEX ? '' : ` in ${id}`) : ids.length > 1 ? `, ${names}` : ''
  const kind = mode === 'single' ? '' : mode === 'unified' ? ' (unified)' : ' (portfolio margin)'
  return text`${wallet}${place}${kind}: ${joined(parts, ', ')}`
}
