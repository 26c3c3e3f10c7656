import { z } from 'zod'

import { formatDecimal } from '../../../venue/amount.ts'
import { distance } from '../../../venue/position.ts'
import { good } from '../endpoints/endpoint.ts'
import type { Account } from '../exchange/account.ts'
import { fundingAt } from '../exchange/market.ts'
import { lineOf } from '../maths/line.ts'
import { plain } from '../wire/figures.ts'
import { accountState } from './accounts.ts'
import { door, type Stage } from './door.ts'

/** The most accounts that the door lists. */
const MAX_SHOWN_ACCOUNTS = 50

export const state = door({
  ...{ method: 'GET', path: '/_sim/state', body: z.null(), example: null },
  does: `market time, every market, the first ${MAX_SHOWN_ACCOUNTS} accounts with their positions, what the venue and its keepers have, the faults to come`,
  open(stage) {
    const { exchange, faults, unix } = stage
    const { nowSeconds, poolUsd, keepersUsd, depositedUsd } = exchange
    return good({
      marketTime: new Date(unix(nowSeconds) * 1000).toISOString(),
      nowSeconds,
      ...stage.about(),
      markets: [...exchange.markets.values()].map((market) => ({
        marketId: market.terms.id,
        symbol: market.terms.symbol,
        price: plain(market.indexPrice),
        fundingRatePerDay: plain(fundingAt(market, nowSeconds).rate),
      })),
      accounts: exchange.round.accounts
        .slice(0, MAX_SHOWN_ACCOUNTS)
        .map((account) => accountState(stage, account)),
      positions: exchange.round.accounts
        .slice(0, MAX_SHOWN_ACCOUNTS)
        .flatMap((account) => positionsOf(stage, account)),
      totalAccounts: exchange.accounts.size,
      poolUsd: formatDecimal(poolUsd),
      keepersUsd: formatDecimal(keepersUsd),
      depositedUsd: formatDecimal(depositedUsd),
      faults: faults.list(),
    })
  },
})

function positionsOf({ exchange }: Stage, account: Account) {
  return account.positions.map((held) => {
    const { market, size, avgEntryPrice } = held
    const line = lineOf(exchange.terms, account, held, exchange.nowSeconds)
    const [price, liquidationPrice] = [plain(market.indexPrice), line === null ? null : plain(line)]
    const side = size > 0n ? 'long' : 'short'
    return {
      ...{ owner: account.wallet, accountId: account.id, symbol: market.terms.symbol, size: plain(size) },
      ...{ price, entryPrice: plain(avgEntryPrice), liquidationPrice },
      distancePercent: liquidationPrice === null ? null : 100 * distance(side, price, liquidationPrice),
    }
  })
}
