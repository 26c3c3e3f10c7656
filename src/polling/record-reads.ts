import type { Read, ReadResult, View } from '../command/context.ts'
import { remember } from '../lib/data/remember.ts'
import { inOrder, together } from '../lib/flow/in-order.ts'
import { type Text, words } from '../message/message.ts'
import { type Clock, createAlarm, type Reading } from '../runtime/clock.ts'
import { positionKey } from '../venue/position.ts'
import type { BalancesAnswer } from '../venue/record/balances.ts'
import type { LedgerAnswer } from '../venue/record/ledger.ts'
import type { TwapsAnswer } from '../venue/record/twap.ts'
import { type Asking, type Venue, VenueError } from '../venue/venue.ts'
import type { Wallet } from '../venue/wallet.ts'
import type { Answered, AskedVenue, Patience } from './asking.ts'

/**
 * How old an answer may be, and how many are kept for when the venue does not answer. All balances of a wallet weigh about
 * 62, so those beside something else are older.
 */
const KEPT = { balances: 20_000, besideBalances: 300_000, twaps: 15_000, ledger: 10_000 }
const MANY = 300
/** An answer that lacks a part is shown again for this long: people press Refresh until it has all. */
const PARTLY_KEPT_MS = 10_000
/** Balances that are shown beside something else are waited for this long, and no longer where that takes longer. */
const BESIDE_MS = 1_300
/** They go on meanwhile, so that the next answer has them. Each wallet has this time of its own. */
const BESIDE: Patience = { patience: 'poll', limitMs: 15_000, priority: 'beside' }

/** A first read of a wallet's money takes several heavy requests, and people share the rate with wallets. */
const MONEY: Patience = { patience: 'person', limitMs: 20_000 }

type Records = Pick<Read, 'ledger' | 'ledgerAt' | 'balances' | 'twaps'>

/** How a record is read: an older one serves where it is young enough, and of the same state of the wallet. */
interface How<T> {
  maxAgeMs: number
  patience?: Patience
  state?: string
  took?: (answered: Answered<T>) => void
}

/** A venue that commands ask, and what takes its TWAPs: a rule hears of them by the poller, or sooner by a question. */
export interface RecordsVenue extends AskedVenue {
  tookTwaps(wallet: Wallet, reading: Reading<TwapsAnswer>): void
}

/** The records that people ask for. An answer of some minutes ago is shown with its age. */
export function createRecordReads(world: {
  venue: Venue
  venues: readonly RecordsVenue[]
  clock: Clock
  view: Pick<View, 'positions'>
  ask<T>(call: (asking: Asking) => Promise<T>, patience?: Patience): Promise<Answered<T>>
  causeOf(error: unknown): Text
  /** These are sub-accounts of that wallet. */
  learned(master: Wallet, subAccounts: readonly { wallet: Wallet }[]): void
}): Records {
  const { venue, venues, clock, view, ask, causeOf, learned } = world
  const oneByOne = inOrder()

  function kept<T>(isWhole: (value: T) => boolean = () => true) {
    const last = new Map<string, { reading: Reading<T>; state: string }>()
    const flights = together<ReadResult<T>>()
    const lastOr = (key: string, why: Text, waits: boolean): ReadResult<T> => {
      const before = last.get(key)?.reading
      const cause = before
        ? { is: 'read' as const, reading: before, late: why }
        : { is: 'unseen' as const, why }
      return waits ? { ...cause, waits } : cause
    }
    const read = async (
      key: string,
      call: (asking: Asking) => Promise<T>,
      { maxAgeMs, patience, state = '', took }: How<T>,
    ): Promise<ReadResult<T>> => {
      const known = last.get(key)
      const keptMs = known && !isWhole(known.reading.value) ? Math.min(PARTLY_KEPT_MS, maxAgeMs) : maxAgeMs
      if (known && known.state === state && clock.monotonic() - known.reading.mono <= keptMs)
        return { is: 'read', reading: known.reading, late: null }
      // Nobody who asks for it waits for one that is read beside something else.
      return flights.of(`${patience?.priority ?? ''} ${key}`, async () => {
        // One after the other: half of each would be no use.
        const asked = patience ? oneByOne(patience.priority ?? '', () => ask(call, patience)) : ask(call)
        try {
          const answered = await asked
          const { reading } = answered
          took?.(answered)
          remember(last, key, { reading, state }, MANY)
          return { is: 'read', reading, late: null }
        } catch (error) {
          return lastOr(key, causeOf(error), error instanceof VenueError && error.failure.is === 'queued')
        }
      })
    }
    return { read, lastOr }
  }

  /** The result, or `late` where it takes longer than `beside`, and longer than a moment. */
  async function soonWith<T>(beside: Promise<unknown>, result: Promise<T>, late: () => T): Promise<T> {
    const [moment, first] = [Promise.withResolvers<void>(), Promise.withResolvers<T>()]
    const alarm = createAlarm(clock, () => moment.resolve())
    alarm.set(BESIDE_MS)
    result.then(first.resolve, first.reject)
    void Promise.allSettled([moment.promise, beside]).then(() => first.resolve(late()))
    return first.promise.finally(() => alarm.off())
  }

  /** The last known size of each position: balances from before a trade or a liquidation are too old at once. */
  function stateOf(wallet: Wallet): string {
    const sizes = view.positions(wallet)?.value.map((one) => `${positionKey(one)} ${one.size}`) ?? []
    return sizes.toSorted().join()
  }

  const { ledger, balances, twaps } = venue
  const [ledgers, balancesOf, twapsOf] = [
    kept<LedgerAnswer>(),
    kept<BalancesAnswer>(({ failedParts }) => failedParts.length === 0),
    kept<TwapsAnswer>(),
  ]

  function readBalances(read: NonNullable<Venue['balances']>): NonNullable<Records['balances']> {
    return async (wallet, beside, how) => {
      const state = stateOf(wallet)
      const maxAgeMs = beside && how !== 'young' ? KEPT.besideBalances : KEPT.balances
      const call = async (asking: Asking) => {
        const answer = await read(wallet, asking)
        learned(wallet, answer.subAccounts)
        return answer
      }
      if (!beside) return balancesOf.read(wallet, call, { maxAgeMs, state })
      return soonWith(beside, balancesOf.read(wallet, call, { maxAgeMs, state, patience: BESIDE }), () =>
        balancesOf.lastOr(wallet, words('holdings.not-in-time'), true),
      )
    }
  }

  async function askTwaps(wallet: Wallet, call: (asking: Asking) => Promise<TwapsAnswer>) {
    const took = ({ reading: { value }, of }: Answered<TwapsAnswer>) => {
      // The poller's own read says what is missing.
      if (value.unusable.length > 0) return
      for (const one of venues) if (one.venue.twaps) one.tookTwaps(wallet, { value, ...of(one) })
    }
    return twapsOf.read(wallet, call, { maxAgeMs: KEPT.twaps, took })
  }

  const ledgerAsked = new Map<Wallet, number>()

  function readLedger(read: NonNullable<Venue['ledger']>): NonNullable<Records['ledger']> {
    return (wallet, asked) => {
      // Also where it fails: else a wallet that cannot be read would come before all others each time.
      remember(ledgerAsked, wallet, clock.now(), MANY)
      const key = JSON.stringify([wallet, asked])
      return ledgers.read(key, (asking) => read(wallet, asked, asking), {
        ...{ maxAgeMs: KEPT.ledger, patience: MONEY },
      })
    }
  }

  return {
    ledger: ledger ? readLedger(ledger) : null,
    ledgerAt: (wallet) => ledgerAsked.get(wallet) ?? null,
    balances: balances ? readBalances(balances) : null,
    twaps: twaps ? (wallet) => askTwaps(wallet, (asking) => twaps(wallet, asking, true)) : null,
  }
}
