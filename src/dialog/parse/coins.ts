import { findMarket, type Market, marketsCalled, sameCoinElsewhere } from '../../venue/market.ts'
import { symbolAt, symbolWithin, venueOf } from '../../venue/venue-name.ts'

/** The names of coins, by the symbols that venues list. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  BTC: ['bitcoin', 'bitcoins', 'xbt'],
  ETH: ['ethereum', 'ether', 'etherium'],
  SOL: ['solana'],
  XRP: ['ripple'],
  DOGE: ['dogecoin'],
  ADA: ['cardano'],
  LTC: ['litecoin'],
  AVAX: ['avalanche'],
  LINK: ['chainlink'],
  DOT: ['polkadot'],
  BNB: ['binancecoin'],
  HYPE: ['hyperliquid'],
  ARB: ['arbitrum'],
  OP: ['optimism'],
  TON: ['toncoin'],
  TRX: ['tron'],
  APT: ['aptos'],
  ATOM: ['cosmos'],
  UNI: ['uniswap'],
  XMR: ['monero'],
  PEPE: ['pepecoin'],
  SHIB: ['shiba'],
  POL: ['polygon', 'matic'],
}
const SYMBOLS: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([symbol, names]) => names.map((name) => [name, symbol] as const)),
)

/** Whether a word is the name of a coin, or the symbol of a well-known one. */
export function isCoin(word: string): boolean {
  return SYMBOLS.has(word.toLowerCase()) || (word.length > 2 && word.toUpperCase() in NAMES)
}

/** All listed markets, and the names of several venues, the first one first. */
export interface Nameable {
  markets: readonly Market[]
  venues: readonly string[]
}

/** The market that a word names, or the markets that it may mean. */
type Named =
  | {
      is: 'market'
      market: Market
      /** Whether the word is its symbol. */
      isExact: boolean
      /** The markets of the same coin at other venues; null if there are none, or if the word names the venue or the dex. */
      elsewhere: readonly Market[] | null
    }
  | { is: 'several'; markets: readonly Market[] }

/**
 * Finds a market by its full name (`xyz:NVDA`, `lighter:ETH`, `hyperliquid:ETH`), or by its name within a dex. A bare
 * name means the first venue that lists it. It may mean each of several dexes there.
 */
export function marketNamed(typed: string, { markets, venues }: Nameable): Named | null {
  const [first, ...others] = venues
  const within = first === undefined ? null : symbolWithin(first, typed)
  const there = within === null ? markets : markets.filter(({ id }) => venueOf(id, others) === undefined)
  const word = within ?? typed
  const stripped = withoutQuote(word)
  const isFull = others.length === 0 || within !== null || word.includes(':')
  const one = (market: Market, isExact: boolean): Named => {
    return {
      is: 'market',
      market,
      isExact,
      elsewhere: isFull ? null : sameCoinElsewhere(market, markets, venues),
    }
  }
  // A delisted market must not hide a market of that name at another venue.
  const isMeant = ({ delisted }: Market) => !delisted || isFull
  const exact = findMarket(there, word)
  if (exact && isMeant(exact)) return one(exact, true)
  const quoted = stripped === word ? undefined : findMarket(there, stripped)
  if (quoted && isMeant(quoted)) return one(quoted, false)
  for (const name of [word, stripped]) {
    const called = marketsCalled(there, name, within === null ? venues : [])
    const [only, ...more] = called
    if (only) return more.length === 0 ? one(only, false) : { is: 'several', markets: called }
    // `xyz:NVDA` of a later venue, which writes it behind its own name.
    const later = others.map((venue) => findMarket(there, symbolAt(venue, name))).find((market) => market)
    if (later) return one(later, false)
  }
  return exact ? one(exact, true) : null
}

/** Takes the signs off that other venues write: `$BTC`, `btc-usd`, `ETH/USDT`, `sol-perp`. */
export function withoutQuote(word: string): string {
  return word.replace(/^[$#]/, '').replace(/[-/_]?(?:usd[ct]?|perp)$/i, '')
}

/** The listed market of a coin that is called by its name, such as `bitcoin`; null for any other word. */
export function coinCalled(typed: string, { markets, venues }: Nameable): Market | null {
  const place = typed.slice(0, typed.lastIndexOf(':') + 1)
  const symbol = SYMBOLS.get(typed.slice(place.length).toLowerCase())
  const named = symbol === undefined ? null : marketNamed(place + symbol, { markets, venues })
  return named?.is === 'market' ? named.market : (named?.markets[0] ?? null)
}
