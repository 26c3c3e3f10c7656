import { inOrder } from '../../../lib/flow/in-order.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { LedgerAnswer, LedgerAsked } from '../../../venue/record/ledger.ts'
import { type Asking, VenueError } from '../../../venue/venue.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import type { Info } from '../info.ts'
import { unreadable } from '../../http/reply.ts'
import { aborted } from '../../http/request.ts'
import { inTime } from '../rules/parts.ts'
import { isFresh } from './freshness.ts'
import { createList, type List } from './list.ts'
import { type Source, sourcesOf } from './sources.ts'

/** The most pages that one call reads. */
const MOST_PAGES = 40
/** Lists are kept for later calls: of so many wallets, and of fewer if they have more elements than this. */
const MOST_WALLETS = 500
const MOST_ELEMENTS = 200_000

/**
 * Reads what moved a wallet's money. Each list of the venue is read page by page, the newest part first, and kept, so
 * that the next call reads only what is new. If the time of a call is over, the answer is whole from a later time on.
 */
export function createLedger(world: {
  info: Info
  clock: Clock
  /** Since when every public trade is heard, in monotonic ms; null if some may have been missed. */
  heardSince: () => number | null
}): {
  read(wallet: Wallet, asked: LedgerAsked, asking: Asking): Promise<LedgerAnswer>
  /** Takes a public trade of an address (in lower case). */
  traded(user: string): void
} {
  const { info, clock, heardSince } = world
  const sources = sourcesOf(info)
  const kept = new Map<Wallet, Map<Source, List>>()
  /** When the last trade of a kept wallet was heard, by its address in lower case. */
  const tradedMono = new Map<string, number>()
  /** Wallets whose last call had no time for all lists. */
  const unfinished = new Set<Wallet>()
  const queue = inOrder()

  function listsOf(wallet: Wallet, of: LedgerAsked['of']): { source: Source; list: List }[] {
    const lists = kept.get(wallet) ?? new Map<Source, List>()
    // The newest entry of the map is the last to be forgotten.
    kept.delete(wallet)
    kept.set(wallet, lists)
    return sources.flatMap((source) => {
      if (!of.includes(source.of)) return []
      const list = lists.get(source) ?? createList(source, wallet)
      lists.set(source, list)
      return [{ source, list }]
    })
  }

  function forget(): void {
    const counts = [...kept].map(([wallet, lists]) => ({ wallet, count: countOf(lists) }))
    let count = counts.reduce((sum, one) => sum + one.count, 0)
    for (const one of counts) {
      if (kept.size <= MOST_WALLETS && count <= MOST_ELEMENTS) return
      kept.delete(one.wallet)
      tradedMono.delete(one.wallet.toLowerCase())
      unfinished.delete(one.wallet)
      count -= one.count
    }
  }

  async function read(wallet: Wallet, asked: LedgerAsked, asking: Asking): Promise<LedgerAnswer> {
    if (asking.signal.aborted) throw aborted(asking.signal.reason)
    const [now, mono] = [clock.now(), clock.monotonic()]
    const address = wallet.toLowerCase()
    const circumstances = {
      ...{ now, mono, isUnfinished: unfinished.has(wallet), heardSince: heardSince() },
      tradedMono: tradedMono.get(address) ?? mono,
    }
    if (!tradedMono.has(address)) tradedMono.set(address, -Infinity)
    const all = listsOf(wallet, asked.of)
    for (const { source, list } of all)
      list.begin(asked.since, now, mono, (last) => isFresh(source.of, last, circumstances))
    const lists = all.map(({ list }) => list)
    const failure = await readPages(lists, inTime(clock, asking))
    if (failure === null) unfinished.delete(wallet)
    else unfinished.add(wallet)
    const froms = lists.map((list) => list.wholeFrom())
    if (froms.includes(null)) throw failure ?? unreadable('more has happened lately than can be read at once')
    const elements = lists
      .flatMap((list) => list.elements())
      .filter(({ at }) => at >= asked.since && at <= asked.until)
    for (const list of lists) list.trim()
    forget()
    return {
      entries: uniqueOf(elements.flatMap(({ entry }) => entry ?? [])).toSorted((a, b) => a.at - b.at),
      wholeFrom: Math.max(asked.since, ...froms.map((from) => from ?? asked.since)),
      unusable: elements.flatMap(({ unusable }) => unusable ?? []),
    }
  }

  return {
    read: (wallet, asked, asking) => queue(wallet, () => read(wallet, asked, asking)),
    traded(user) {
      if (tradedMono.has(user)) tradedMono.set(user, clock.monotonic())
    },
  }
}

/** Reads a page of each list in turn. Returns why it stopped early; null if all was read, or as much as one call reads. */
async function readPages(lists: readonly List[], rest: () => Asking): Promise<VenueError | null> {
  let left = lists
  for (let pages = 0; left.length > 0 && pages < MOST_PAGES;) {
    const more: List[] = []
    for (const list of left) {
      try {
        if (await list.advance(rest())) more.push(list)
      } catch (error) {
        if (!(error instanceof VenueError) || error.failure.is === 'aborted') throw error
        return error
      }
      pages += 1
    }
    left = more
  }
  return null
}

/** A fill of a TWAP may be in both lists. */
function uniqueOf<T extends { id: string; is: string }>(entries: readonly T[]): T[] {
  return [...new Map(entries.map((entry) => [`${entry.is} ${entry.id}`, entry])).values()]
}

function countOf(lists: ReadonlyMap<Source, List>): number {
  return [...lists.values()].reduce((sum, list) => sum + list.elements().length, 0)
}
