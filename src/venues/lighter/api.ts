import type { VenueCall } from '../../runtime/event.ts'
import { words } from '../../message/message.ts'
import type { Amount } from '../../venue/amount.ts'
import { type Asking, VenueError } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { type Ask, mayPass } from '../http/ask.ts'
import { isFields, unreadable, wordsIn } from '../http/reply.ts'
import { type AccountsRead, readAccounts } from './wire/accounts.ts'
import { type ListRead, readList, readRates } from './wire/markets.ts'

/** All accounts of an address. */
export type WalletRead = Omit<AccountsRead, 'cursor'>

/** Our requests. Each weighs 1, because without a token the venue counts requests. */
export interface Api {
  /** All accounts of an address; null if the venue does not know it. */
  accounts(wallet: Wallet, call: VenueCall, asking: Asking): Promise<WalletRead | null>
  list(call: VenueCall, asking: Asking): Promise<ListRead>
  /** The hourly funding rates by market id, as fractions. */
  rates(call: VenueCall, asking: Asking): Promise<Map<string, Amount>>
}

/** The venue's codes (https://apidocs.lighter.xyz/docs/data-structures-constants-and-errors). */
const OK = 200
const ACCOUNT_NOT_FOUND = 21_100
const TOO_MANY_REQUESTS = 23_000
/** Its firewall answers so beside 429 (https://apidocs.lighter.xyz/docs/rate-limits). */
const FIREWALL = 405

/** An address has one main account and as many sub-accounts as it wants. More pages than these are no answer. */
const MAX_PAGES = 20

export function isLimit(status: number, code: number | null): boolean {
  return status === FIREWALL || code === TOO_MANY_REQUESTS
}

export function createApi(ask: Ask, token: string | null): Api {
  const headers = ['accept', 'application/json', ...(token === null ? [] : ['authorization', token])]
  const get = <T>(call: VenueCall, path: string, asking: Asking, read: (body: unknown) => T): Promise<T> =>
    ask(
      {
        ...{ call, weight: 1, mayRepeat: mayPass },
        request: { method: 'GET', path: `/api/v1/${path}`, headers, body: null },
        read: (body) => read(accepted(body)),
      },
      asking,
    )

  return {
    async accounts(wallet, call, asking) {
      const all: WalletRead = { accounts: [], failed: [], unusable: [] }
      let after = ''
      for (let page = 0; page < MAX_PAGES; page++) {
        const path = `account?by=l1_address&value=${wallet}&active_only=true${after}`
        const read = await get(call, path, asking, (body) => readAccounts(body, wallet)).catch(unlessUnknown)
        if (read === null) return page === 0 ? null : all
        all.accounts.push(...read.accounts)
        all.failed.push(...read.failed)
        all.unusable.push(...read.unusable)
        if (read.cursor === null) return all
        after = `&cursor=${encodeURIComponent(read.cursor)}`
      }
      throw unreadable(`it has more than ${MAX_PAGES} pages of accounts`)
    },
    list: (call, asking) => get(call, 'orderBookDetails?filter=perp', asking, readList),
    rates: (call, asking) => get(call, 'funding-rates', asking, readRates),
  }
}

/** A failure may come with a status of 200, and say so in its body alone. */
function accepted(body: unknown): unknown {
  const code = isFields(body) ? body['code'] : undefined
  if (typeof code !== 'number' || code === OK) return body
  if (code === TOO_MANY_REQUESTS) {
    throw new VenueError({ is: 'limited', retryAfterMs: null }, words('cause.limited'))
  }
  const message = wordsIn(body)
  throw new VenueError(
    { is: 'refused', status: OK, message, code },
    message === null
      ? words('cause.refused', { status: String(code) })
      : words('cause.refused-with', { status: String(code), said: message }),
  )
}

function unlessUnknown(error: unknown): null {
  if (error instanceof VenueError && error.failure.is === 'refused') {
    if (error.failure.code === ACCOUNT_NOT_FOUND) return null
  }
  throw error
}
