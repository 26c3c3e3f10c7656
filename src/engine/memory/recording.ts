import type { Account } from '../../venue/account.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { positionKey } from '../../venue/position.ts'
import type { WalletReading } from '../../venue/reading.ts'
import { sourceOf } from '../../venue/source.ts'
import type { Recorder } from '../recording/recorder.ts'
import type { KnownAccount } from '../recording/wallet-series.ts'
import type { Effect } from './effect.ts'
import type { Rules } from './rules.ts'
import type { WalletView } from './wallet-view.ts'
import type { Wallets } from './wallets.ts'

/** The minutes and hours of all that was seen, which a backtest reads. */
export type Recording = Recorder

const DIGITS = 10

/** Records each price of a market in which a wallet has a position, or for which there is a rule. */
export function recordMarket(
  known: { recording: Recording; wallets: Wallets; rules: Rules },
  market: Market,
  at: number,
): void {
  const figures = { at, price: toNumber(market.price), rate: toNumber(market.fundingRatePerDay) }
  const closely = known.wallets.walletsByMarket.has(market.id) || known.rules.rulesOn.has(market.id)
  known.recording.price(market.id, figures, closely)
}

/** Records what an effect shows. It is known from the moment on at which memory takes it. */
export function record({ recording }: { recording: Recording }, effect: Effect): void {
  if (effect.is === 'view') recordView(recording, effect.view)
  else if (effect.is === 'same') recordAnswer(recording, effect.reading)
  else if (effect.is === 'outage') {
    const source = sourceOf(effect.source)
    if (source.is === 'wallet') recording.unseen(source.wallet, effect.since, effect.at ?? effect.since)
  } else if (effect.is === 'wallet-gone') recording.forget(effect.wallet)
  else if (effect.is === 'past') recording.kept(effect)
}

/** Records the positions as they are judged, those that one answer lacks included. */
function recordView(
  recording: Recording,
  { wallet, held, accounts, at, mono, completeMono }: WalletView,
): void {
  if (!recording.takes(wallet)) return
  if (completeMono === mono) recording.unseen(wallet, null, at)
  const positions = [...held].map(
    ([key, { position, missingSince }]) => [key, { ...position, missing: missingSince !== null }] as const,
  )
  const ratios = [...accounts].map(
    ([id, { account, seenMono }]) => [id, accountOf(account, seenMono < mono)] as const,
  )
  recording.wallet(wallet, { positions: new Map(positions), accounts: new Map(ratios) }, at)
}

/** Records an answer that shows the positions of the answer before, and no accounts. */
function recordAnswer(recording: Recording, { wallet, value, at }: WalletReading): void {
  if (!recording.takes(wallet)) return
  const positions = value.positions.map(
    (position) => [positionKey(position), { ...position, missing: false }] as const,
  )
  recording.wallet(wallet, { positions: new Map(positions), accounts: null }, at)
}

/** Rounds to ten digits, as prices are. */
function accountOf({ pool, marginRatio }: Account, late: boolean): KnownAccount {
  return { pool, ratio: marginRatio === null ? null : Number(marginRatio.toPrecision(DIGITS)), late }
}
