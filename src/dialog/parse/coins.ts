import { bareSymbol, type Market } from '../../venue/market.ts'

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

/** The listed market of a coin that is called by its name, such as `bitcoin`; null for any other word. */
export function coinCalled(word: string, markets: Iterable<Market>): Market | null {
  const symbol = SYMBOLS.get(word.toLowerCase())
  if (symbol === undefined) return null
  for (const market of markets) if (bareSymbol(market).toUpperCase() === symbol) return market
  return null
}
