import { percent, usd } from '../../message/figure.ts'
import { type Item, item, joined, type Text, text } from '../../message/message.ts'
import type { Account } from '../../venue/account.ts'
import { toNumber } from '../../venue/amount.ts'
import { MAIN_DEX } from '../../venue/market.ts'
import type { Position } from '../../venue/position.ts'

/** A wallet's accounts as they were read, by the label that it has. */
export interface ShownAccounts {
  wallet: string
  accounts: readonly Account[]
  positions: readonly Position[]
}

/** More of them would not fit an item; the nearest to their end are shown. */
const SHOWN = 4
/** More books than this are counted. */
const NAMED = 3

/** What covers the positions, one line for each account, or for all that share it; null where nothing is known. */
export function accountsItem(all: readonly ShownAccounts[]): Item | null {
  const lines = all
    .flatMap((wallet) => shares(wallet).map((share) => ({ share, line: lineOf(wallet, share) })))
    .flatMap(({ share, line }) => (line === null ? [] : [{ ratio: ratioOf(share) ?? 0, line }]))
    .toSorted((a, b) => b.ratio - a.ratio)
  if (lines.length === 0) return null
  const title = lines.some(({ ratio }) => ratio > 0)
    ? text`Accounts: liquidated at a margin ratio of ${percent(1)}`
    : 'Accounts'
  const more = lines.length - SHOWN
  return item('plain', title, [
    ...lines.slice(0, SHOWN).map(({ line }) => line),
    ...(more > 0 ? [`and ${more} more`] : []),
  ])
}

/** Accounts that are covered by the same: what they have is said once. */
type Share = readonly [Account, ...Account[]]

function shares({ accounts, positions }: ShownAccounts): Share[] {
  const found = new Map<string, [Account, ...Account[]]>()
  for (const account of accounts) {
    const holds = positions.some(({ accountId }) => accountId === account.accountId)
    // An account in which there is nothing says nothing about the others.
    if (!holds && (account.equityUsd ?? 0n) === 0n) continue
    const share = found.get(account.pool)
    if (share) share.push(account)
    else found.set(account.pool, [account])
  }
  return [...found.values()]
}

function ratioOf([{ marginRatio, maintenanceUsd }]: Share): number | null {
  // Of what is shared: where only isolated positions are held, it would be a zero that calms nobody rightly.
  return maintenanceUsd === 0n ? null : marginRatio
}

/** `hedge in xyz: equity $2,140, margin ratio 12 %, $400 withdrawable`; null where the venue says nothing of it. */
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
  const names = ids.length > NAMED ? `${ids.length} books` : `books ${ids.join(' + ')}`
  const [id = ''] = ids
  // A wallet is often called main as well: the venue's own book needs no name beside those that have one.
  const place = several ? (id === MAIN_DEX ? '' : ` in ${id}`) : ids.length > 1 ? `, ${names}` : ''
  const kind = mode === 'single' ? '' : mode === 'unified' ? ' (unified)' : ' (portfolio margin)'
  return text`${wallet}${place}${kind}: ${joined(parts, ', ')}`
}
