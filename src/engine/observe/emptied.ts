import type { WalletReading } from '../../venue/reading.ts'
import { type SourceKey, sourceOf, walletSource } from '../../venue/source.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Memory } from '../memory/memory.ts'
import type { Emptied } from '../memory/wallets.ts'
import { doubtful, type SeenPosition, type WalletView } from '../memory/wallet-view.ts'

/** How long one empty wallet waits for an answer that shows the positions of another wallet. */
const CONTROL_MS = 5_000
/** The engine believes a wallet's empty answers after this time. Milliseconds. */
const BELIEVED_AFTER_MS = 600_000
/** So many wallets are searched for one that holds positions: there are very many, and nearly all hold some. */
const SEARCHED = 200

/** The worth of an answer without positions, for a wallet that held some. */
export type Emptiness =
  /** It is evidence like any other. `isTimedOut`: only because nothing else was seen for too long. */
  | { is: 'believed'; after: Emptied | null; isTimedOut: boolean }
  /** The first such answer, or one before another wallet has been read. */
  | { is: 'waits'; sinceMono: number }
  /** The venue leaves out others as well. */
  | { is: 'doubted'; why: string }

/**
 * Judges an answer without positions, by other answers of the same venue alone. A venue in trouble may answer with empty
 * lists for everybody: then many wallets are empty at once. The answer then puts the venue in doubt, and is no news about
 * people. `isExplained` says whether a record, a filled order or the price itself speaks for the end of a position.
 */
export function emptinessOf(
  { wallets, rules }: Pick<Memory, 'wallets' | 'rules'>,
  before: WalletView | undefined,
  { wallet, venue, mono, value }: WalletReading,
  isExplained: (held: SeenPosition) => boolean,
): Emptiness {
  const source = walletSource(wallet, venue)
  const known = wallets.emptied.get(source) ?? null
  const believed = (isTimedOut: boolean): Emptiness => ({ is: 'believed', after: known, isTimedOut })
  const held = before ? judgedIn(before, value) : []
  if (value.positions.length > 0 || held.every(isExplained)) return believed(false)
  if (known === null) return { is: 'waits', sinceMono: mono }
  const sinceMs = mono - known.sinceMono
  // A venue forgets no address that held something.
  if (value.isUnknown && sinceMs < BELIEVED_AFTER_MS)
    return { is: 'doubted', why: 'it says that it does not know this address' }
  if ((wallets.shownMono.get(venue) ?? -Infinity) > known.sinceMono) return believed(false)
  if (sinceMs >= BELIEVED_AFTER_MS) return believed(true)
  const others = [...wallets.emptied].filter(
    ([other, { sinceMono }]) =>
      other !== source &&
      isAt(other, venue) &&
      isEvidence({ rules }, wallet, walletOfKey(other)) &&
      mono - sinceMono < BELIEVED_AFTER_MS,
  )
  if (others.length > 0)
    return { is: 'doubted', why: `it shows no positions of ${others.length + 1} wallets that held some` }
  if (otherHolder({ wallets, rules }, wallet, venue) === null) return believed(false)
  return sinceMs >= CONTROL_MS ? believed(true) : { is: 'waits', sinceMono: known.sinceMono }
}

/** The positions that the answer would have shown. It says nothing about accounts that could not be read. */
function judgedIn({ held }: WalletView, value: WalletReading['value']): SeenPosition[] {
  const { accounts } = doubtful(value, held)
  return [...held.values()].filter(({ position }) => !accounts.has(position.accountId))
}

/**
 * Returns the wallet to read when a guarded one is first shown as empty: its answer says whether the venue lists
 * anything.
 */
export function controlWallet(
  drawers: Pick<Memory, 'wallets' | 'rules'>,
  { wallet, venue, mono }: WalletReading,
): Wallet | null {
  if (drawers.rules.onlyFollowed.has(wallet)) return null
  const isFirst = drawers.wallets.emptied.get(walletSource(wallet, venue))?.sinceMono === mono
  return isFirst ? otherHolder(drawers, wallet, venue) : null
}

/** Doubts about wallets that people only follow do not hold up what is told of a guarded one. */
function isEvidence({ rules }: Pick<Memory, 'rules'>, wallet: Wallet, other: Wallet | null): boolean {
  return other !== null && (rules.onlyFollowed.has(wallet) || !rules.onlyFollowed.has(other))
}

function walletOfKey(key: SourceKey): Wallet | null {
  const source = sourceOf(key)
  return 'wallet' in source ? source.wallet : null
}

function isAt(key: SourceKey, venue: string | undefined): boolean {
  const source = sourceOf(key)
  return source.is === 'wallet' && source.venue === venue
}

function otherHolder(
  { wallets, rules }: Pick<Memory, 'wallets' | 'rules'>,
  wallet: Wallet,
  venue: string | undefined,
): Wallet | null {
  let left = SEARCHED
  for (const [other, view] of wallets.views.of(venue)) {
    if (left-- === 0) return null
    if (other === wallet || wallets.emptied.has(walletSource(other, venue)) || !rules.watches.has(other))
      continue
    if (!isEvidence({ rules }, wallet, other)) continue
    if (view.held.size > 0) return other
  }
  return null
}
