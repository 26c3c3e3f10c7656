import { money, rounded } from './figures.ts'
import type { Account, Market, Position, Trade, TradeKind } from './state.ts'
import { allocate, liquidate, newPosition, trade } from './trading.ts'
import { accountsOf, addAccount, marketOf, type World } from './world.ts'

interface Opening {
  /** The position's from now on; the market's default where nothing was said. */
  leverage?: number
  /** Only of a position that is new. */
  margin?: 'cross' | 'isolated'
  /** The mark price unless told. */
  at?: number
  /** Whoever takes the other side; the house unless told. */
  against?: AccountHandle
  /** A liquidation or a deleveraging in place of a trade that somebody wanted. */
  kind?: TradeKind
}

/** One account, main or sub, as tests use it. */
export interface AccountHandle {
  /** EIP-55; all accounts of an address share it. */
  readonly address: string
  readonly index: number
  readonly state: Account
  /** A negative number is a withdrawal. */
  deposits(usd: number): void
  /** Trades so much of a perpetual, positive to buy, whatever that makes of the position. */
  trades(symbol: string, size: number, how?: Opening): Trade
  /** All of it, or so much. */
  closes(symbol: string, size?: number, how?: Opening): Trade
  /** A position that is simply there, as from a recording: without a trade. */
  holds(symbol: string, size: number, how: { entryQuote: number; leverage: number; allocated?: number }): void
  /** Into an isolated position, or out of it. */
  adds(symbol: string, usd: number): void
  /** A new sub-account of the same address. */
  sub(usd?: number): AccountHandle
}

/** The main account of that address, made when there is none. */
export function mainAccount(world: World, address: string, usd = 0): AccountHandle {
  const [known] = accountsOf(world, address)
  return handleOf(world, known ?? addAccount(world, address), usd)
}

function handleOf(world: World, state: Account, usd: number): AccountHandle {
  const tell = (markets: Market[] = []) =>
    world.tell({ is: 'changed', account: state, markets, trades: [], payments: [] })
  const held = (symbol: string): Position => {
    const found = state.positions.get(marketOf(world, symbol))
    if (!found || found.size === 0) throw new Error(`account ${state.index} holds no ${symbol}`)
    return found
  }
  const handle: AccountHandle = {
    ...{ address: state.address, index: state.index, state },
    deposits(added) {
      state.collateral = money(state.collateral + added)
      tell()
      liquidate(world, [state])
    },
    trades(symbol, size, { leverage, margin, at, against, kind } = {}) {
      const market = marketOf(world, symbol)
      if (size === 0 || rounded(size, market.sizeDecimals) !== size) {
        throw new Error(`${symbol} is traded in sizes of ${market.sizeDecimals} decimals, and not ${size}`)
      }
      const most = 10_000 / market.margins.least
      if (leverage !== undefined && leverage > most) {
        throw new Error(`${symbol} has a leverage of ${most} at most`)
      }
      const isolated = margin === undefined ? undefined : margin === 'isolated'
      const price = at ?? market.mark
      const done = trade(world, {
        ...{ market, size, price, taker: state, maker: against?.state, kind, leverage, isolated },
      })
      liquidate(world, against ? [state, against.state] : [state])
      return done
    },
    closes(symbol, size, how) {
      const now = held(symbol).size
      return handle.trades(symbol, -Math.sign(now) * (size ?? Math.abs(now)), how)
    },
    holds(symbol, size, { entryQuote, leverage, allocated }) {
      const market = marketOf(world, symbol)
      state.positions.set(market, {
        ...newPosition(market),
        ...{ size, sign: Math.sign(size), entryQuote, initialMargin: rounded(1 / leverage, 4) },
        ...{ isolated: allocated !== undefined, allocated: allocated ?? 0 },
      })
      tell([market])
    },
    adds(symbol, added) {
      const position = held(symbol)
      if (!position.isolated) throw new Error(`account ${state.index} holds no isolated ${symbol}`)
      allocate(state, position, added)
      tell([position.market])
      liquidate(world, [state])
    },
    sub: (first = 0) => handleOf(world, addAccount(world, state.address), first),
  }
  if (usd !== 0) handle.deposits(usd)
  return handle
}
