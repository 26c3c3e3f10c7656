import type { Read, ReadResult } from '../command/context.ts'
import { remember } from '../lib/data/remember.ts'
import { together } from '../lib/flow/in-order.ts'
import type { Text } from '../message/message.ts'
import type { Clock, Reading } from '../runtime/clock.ts'
import type { BalancesAnswer } from '../venue/record/balances.ts'
import type { LedgerAnswer } from '../venue/record/ledger.ts'
import type { TwapsAnswer } from '../venue/record/twap.ts'
import type { Asking, Venue } from '../venue/venue.ts'
import type { Answered } from './asking.ts'

/** How old an answer may be, and how many are kept for when the venue does not answer. */
const KEPT = { balances: 300_000, twaps: 15_000, ledger: 10_000 }
const MANY = 300

type Records = Pick<Read, 'ledger' | 'balances' | 'twaps'>

/** The records that people ask for. An answer of some minutes ago is shown with its age. */
export function createRecordReads(world: {
  venue: Venue
  clock: Clock
  ask<T>(call: (asking: Asking) => Promise<T>): Promise<Answered<T>>
  causeOf(error: unknown): Text
}): Records {
  const { venue, clock, ask, causeOf } = world

  function kept<T>(maxAgeMs: number) {
    const last = new Map<string, Reading<T>>()
    const flights = together<ReadResult<T>>()
    return async (key: string, call: (asking: Asking) => Promise<T>): Promise<ReadResult<T>> => {
      const known = last.get(key)
      if (known && clock.monotonic() - known.mono <= maxAgeMs)
        return { is: 'read', reading: known, late: null }
      return flights.of(key, async () => {
        try {
          const { reading } = await ask(call)
          remember(last, key, reading, MANY)
          return { is: 'read', reading, late: null }
        } catch (error) {
          const why = causeOf(error)
          const before = last.get(key)
          return before ? { is: 'read', reading: before, late: why } : { is: 'unseen', why }
        }
      })
    }
  }

  const { ledger, balances, twaps } = venue
  const [ledgers, balancesOf, twapsOf] = [
    kept<LedgerAnswer>(KEPT.ledger),
    kept<BalancesAnswer>(KEPT.balances),
    kept<TwapsAnswer>(KEPT.twaps),
  ]
  return {
    ledger: ledger
      ? (wallet, asked) => ledgers(JSON.stringify([wallet, asked]), (asking) => ledger(wallet, asked, asking))
      : null,
    balances: balances ? (wallet) => balancesOf(wallet, (asking) => balances(wallet, asking)) : null,
    twaps: twaps ? (wallet) => twapsOf(wallet, (asking) => twaps(wallet, asking, true)) : null,
  }
}
