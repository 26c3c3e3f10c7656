import type { FailedPart } from '../../venue/record/lacking.ts'
import {
  doubt,
  type Identified,
  incompleteness,
  type MarketsAnswer,
  type OrdersAnswer,
  OTHER_ACCOUNTS,
  type PositionsAnswer,
  type SubAccount,
} from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Answered } from './gather.ts'

// One answer of several venues. A venue that is missing, or in doubt as a whole, is a failed part of its name.

export function joinMarkets(all: readonly Answered<MarketsAnswer>[]): MarketsAnswer {
  const answers = answersIn(all)
  return {
    markets: answers.flatMap(({ markets }) => markets),
    unusable: answers.flatMap(({ unusable }) => unusable),
    failedParts: all.flatMap((one) => (one.is === 'missing' ? [failed(one)] : one.answer.failedParts)),
    listings: answers.flatMap(({ listings }) => listings ?? []),
  }
}

/**
 * `accountsOf`: the accounts that a venue has named before. Each of them fails with its venue, so that its
 * positions are not taken for closed.
 */
export function joinPositions(
  all: readonly Answered<PositionsAnswer>[],
  accountsOf: (venue: string) => readonly string[],
): PositionsAnswer {
  const answers = answersIn(all)
  const orders = answers.flatMap(({ protectiveOrders }) => (protectiveOrders ? [protectiveOrders] : []))
  const unasked = answers.flatMap((answer) => answer.unasked ?? [])
  return {
    positions: answers.flatMap(({ positions }) => positions),
    accounts: answers.flatMap(({ accounts }) => accounts),
    // An element of an unknown account is in doubt with its venue.
    unusable: answers.flatMap((answer) => answer.unusable.filter(({ part }) => part !== null)),
    failedParts: all.flatMap((one) => failedIn(one, accountsOf(one.name))),
    ...(answers.length === all.length && answers.every((one) => one.isUnknown) && { isUnknown: true }),
    ...(unasked.length > 0 && { unasked }),
    ...(orders.length > 0 && { protectiveOrders: orders.flat() }),
    totalCount: null,
  }
}

function failedIn(one: Answered<PositionsAnswer>, known: readonly string[]): FailedPart[] {
  if (one.is === 'missing') return [failed(one), ...known.map((part) => ({ ...causeOf(one), part }))]
  const { positions, accounts, failedParts } = one.answer
  const others = failedParts.find(({ part }) => part === OTHER_ACCOUNTS)
  const isDoubted = doubt(one.answer) !== null
  if (!isDoubted && !others) return failedParts
  const why = others?.why ?? incompleteness(one.answer) ?? ''
  const cause = { ...others, why }
  const named = new Set([...positions, ...accounts].map(({ accountId }) => accountId))
  const lacking = isDoubted ? known : known.filter((account) => !named.has(account))
  return [
    { ...cause, part: one.name, isVenue: true },
    ...lacking.map((part) => ({ ...cause, part })),
    ...failedParts.filter((part) => part !== others && !lacking.includes(part.part)),
  ]
}

/** Orders have no failed parts: the orders of a missing venue are one element that cannot be used. */
export function joinOrders(all: readonly Answered<OrdersAnswer>[]): OrdersAnswer {
  const answers = answersIn(all)
  const missing = all.flatMap((one) =>
    one.is === 'missing' ? [{ what: `orders on ${one.name}`, why: one.why, part: one.name }] : [],
  )
  return {
    orders: answers.flatMap(({ orders }) => orders),
    unusable: [...answers.flatMap(({ unusable }) => unusable), ...missing],
    unasked: answers.flatMap(({ unasked }) => unasked),
  }
}

/** Null: one that did not answer may know the address. */
export function joinIdentified(all: readonly Answered<Identified>[]): Identified | null {
  const answers = answersIn(all)
  const holders = answers.filter((one) => one.is === 'holder')
  if (holders.length > 0) {
    const wallets = new Map<Wallet, SubAccount>()
    for (const one of holders.flatMap(({ subAccounts }) => subAccounts ?? [])) {
      const known = wallets.get(one.wallet)
      wallets.set(one.wallet, {
        ...{ wallet: one.wallet, name: known?.name ?? one.name, holds: one.holds || known?.holds === true },
      })
    }
    const subAccounts = [...wallets.values()]
    const isPartial = holders.some((one) => one.isPartial)
    return {
      is: 'holder',
      ...(subAccounts.length > 0 && { subAccounts }),
      ...(isPartial && { isPartial: true as const }),
    }
  }
  const agent = answers.find((one) => one.is === 'agent')
  if (agent) return agent
  return answers.length === all.length ? { is: 'unknown' } : null
}

function answersIn<T>(all: readonly Answered<T>[]): T[] {
  return all.flatMap((one) => (one.is === 'answer' ? [one.answer] : []))
}

type Missing = Extract<Answered<unknown>, { is: 'missing' }>

function failed(one: Missing): FailedPart {
  return { part: one.name, ...causeOf(one), isVenue: true }
}

function causeOf({ why, queued }: Missing): Omit<FailedPart, 'part'> {
  return { why, ...(queued && { queued: true }) }
}
