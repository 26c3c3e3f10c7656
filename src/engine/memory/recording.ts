import type { Account } from '../../venue/account.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { positionKey } from '../../venue/position.ts'
import type { WalletReading } from '../../venue/reading.ts'
import { sourceOf } from '../../venue/source.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Recorder } from '../recording/recorder.ts'
import type { KnownAccount } from '../recording/wallet-series.ts'
import type { Effect } from './effect.ts'
import type { Rules } from './rules.ts'
import type { WalletView } from './wallet-view.ts'
import type { Wallets } from './wallets.ts'

/** The minutes and hours of all that was seen, which a backtest reads. */
export type Recording = Recorder

const DIGITS = 10

interface Known {
  recording: Recording
  wallets: Wallets
  rules: Rules
}

/** Records each price of a market in which a wallet has a position, or for which there is a rule. */
function recordMarket(known: Known, market: Market, at: number): void {
  const figures = { at, price: toNumber(market.price), rate: toNumber(market.fundingRatePerDay) }
  const closely = known.wallets.walletsByMarket.has(market.id) || known.rules.rulesOn.has(market.id)
  known.recording.price(market.id, figures, closely)
}

type Records = { [Is in Effect['is']]?: (known: Known, effect: Extract<Effect, { is: Is }>) => void }

/** By kind of effect: what the recording keeps of it. */
const RECORDS: Records = {
  view: ({ recording }, { view, venue }) => recordView(recording, recordId(view.wallet, venue), view),
  same: ({ recording }, { reading }) => recordAnswer(recording, reading),
  outage({ recording }, { source: key, since, at = since }) {
    const source = sourceOf(key)
    if (source.is === 'wallet') recording.unseen(recordId(source.wallet, source.venue), since, at)
  },
  prices(known, { markets, at }) {
    for (const market of markets) recordMarket(known, market, at)
  },
  'prices-seen'({ recording }, { hole, venue }) {
    // The gaps of another venue show by its own prices.
    if (hole && venue === undefined) recording.dark(hole.since, hole.until)
  },
  slept: ({ recording }, { since, until }) => recording.dark(since, until),
  'wallet-gone'({ recording, wallets }, { wallet }) {
    for (const venue of wallets.views.venues) recording.forget(recordId(wallet, venue))
  },
  'recording-found': ({ recording }, { pieces }) => recording.resume(pieces),
  'recording-due': ({ recording }, { at, much }) => recording.turn(at, much),
  past: ({ recording }, write) => recording.kept(write),
}

/** Returns the id of a wallet's recording at a venue: each venue has its own gaps. */
export function recordId(wallet: Wallet, venue: string | undefined): string {
  return venue === undefined ? wallet : `${wallet}/${venue}`
}

/** Records what an effect shows. It is known from the moment on at which memory takes it. */
export function record(known: Known, effect: Effect): void {
  const take = RECORDS[effect.is] as ((known: Known, effect: Effect) => void) | undefined
  take?.(known, effect)
}

/** Records the positions as they are judged, those that one answer lacks included. */
function recordView(
  recording: Recording,
  id: string,
  { held, accounts, at, mono, completeMono }: WalletView,
): void {
  if (!recording.takes(id)) return
  if (completeMono === mono) recording.unseen(id, null, at)
  const positions = [...held].map(
    ([key, { position, missingSince }]) => [key, { ...position, missing: missingSince !== null }] as const,
  )
  const ratios = [...accounts].map(
    ([name, { account, seenMono }]) => [name, accountOf(account, seenMono < mono)] as const,
  )
  recording.wallet(id, { positions: new Map(positions), accounts: new Map(ratios) }, at)
}

/** Records an answer that shows the positions of the answer before, and no accounts. */
function recordAnswer(recording: Recording, { wallet, venue, value, at }: WalletReading): void {
  const id = recordId(wallet, venue)
  if (!recording.takes(id) || recording.again(id, value.positions, at)) return
  const positions = value.positions.map(
    (position) => [positionKey(position), { ...position, missing: false }] as const,
  )
  recording.wallet(id, { positions: new Map(positions), accounts: null }, at)
}

/** Rounds to ten digits, as prices are. */
function accountOf({ pool, marginRatio }: Account, late: boolean): KnownAccount {
  return { pool, ratio: marginRatio === null ? null : Number(marginRatio.toPrecision(DIGITS)), late }
}
