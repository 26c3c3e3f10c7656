import { magnitude, multiply, ONE } from '../../amount.ts'
import type { Exchange } from './exchange/state.ts'
import { submit } from './exchange/submit.ts'
import type { Wallet } from './wallets.ts'

/** Far below the price: one rests, and one runs out at once. */
const RESTING = [
  { at: 70n, share: 2n, seconds: 30 * 86_400 },
  { at: 60n, share: 4n, seconds: 1 },
]

/** The limit orders that a wallet left in the market of its first position. */
export function leaveOrders(exchange: Exchange, wallet: Wallet | undefined): void {
  const held = wallet?.account.positions[0]
  if (!wallet || !held) return
  for (const { at, share, seconds } of RESTING)
    submit(exchange, {
      ...{ is: 'limit', accountId: wallet.account.id, marketId: held.market.terms.id },
      sizeDelta: magnitude(held.size) / share,
      price: multiply(held.market.indexPrice, (at * ONE) / 100n),
      expiresAtSeconds: exchange.nowSeconds + seconds,
      ...{ takeProfit: null, stopLoss: null },
    })
}
