import { findMarket, marketsCalled } from '../market.ts'
import type { Market } from '../market.ts'
import { likely, OTHER, value, wrong } from './matched.ts'
import type { Match } from './matched.ts'

/** By its whole name (`xyz:NVDA`), or by what it is called in its book where no other book has one of that name. */
export function marketOf(
  word: string,
  markets: readonly Market[],
  unreadable: () => readonly string[],
): Match {
  const market = findMarket(markets, word)
  if (market) return value(market.id)
  // `$BTC`, `btc-usd`, `ETH/USDT`, `sol-perp`: other venues' ways to write it.
  const stripped = word.replace(/^[$#]/, '').replace(/[-/_]?(?:usd[ct]?|perp)$/i, '')
  const meant = stripped === word ? undefined : findMarket(markets, stripped)
  if (meant) return likely(meant.id)
  const called = [word, stripped].map((name) => marketsCalled(markets, name)).find(({ length }) => length > 0)
  if (called) {
    const [only, ...others] = called
    return only && others.length === 0
      ? likely(only.id)
      : { is: 'several', names: called.map(({ symbol }) => symbol) }
  }
  const dark = unreadable().find((symbol) =>
    [word, stripped].some((one) => symbol.toLowerCase() === one.toLowerCase()),
  )
  if (dark !== undefined) return wrong(`I cannot read the figures of ${dark} now. Try again shortly.`)
  return unreadBook(word, markets)
}

/** Where books come in turn, one that was not read yet is no reason to say that its markets do not exist. */
function unreadBook(word: string, markets: readonly Market[]): Match {
  const [, book = ''] = /^(\w+):\w/.exec(word) ?? []
  const inBooks = markets.some(({ accountId }) => accountId !== null)
  const known = markets.some((market) => market.book?.toLowerCase() === book.toLowerCase())
  return book === '' || !inBooks || known
    ? OTHER
    : wrong(
        `I have not read a book “${book}” yet. After a start that takes a few minutes: try again shortly.`,
      )
}
