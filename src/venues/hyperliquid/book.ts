/** The book of markets that is asked for; the venue's own has no name. */
export type Book = string | null

/** As it is called in what people read, and in an account's id. */
export function accountOf(book: Book): string {
  return book ?? 'main'
}

/** The book that a coin is in: `xyz:NVDA` names it. */
export function bookOf(coin: string): Book {
  const colon = coin.indexOf(':')
  return colon < 0 ? null : coin.slice(0, colon)
}

/** Spot pairs (`@142`, `PURR/USDC`) and shares in outcomes (`#12`) are in the same lists, and are no markets of ours. */
export function isPerpetual(coin: string): boolean {
  return !/^[@#+]|\//.test(coin)
}
