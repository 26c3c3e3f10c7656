import { errorText } from '../../lib/text/error-text.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { VenueCall } from '../../runtime/event.ts'
import { words } from '../../message/message.ts'
import type { Amount } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { type Asking, type MarketsAnswer, VenueError } from '../../venue/venue.ts'
import { unreadable } from '../http/reply.ts'
import type { Info } from './info.ts'
import { BUILDERS, inTime, isQueued, partsWithoutAnswer } from './rules/parts.ts'
import { type DexTimes, dexesToRead, isPollWanted, isPushed, retryAfterMs } from './rules/rotation.ts'
import { accountOf, type Dex, dexOf, type ListedDex } from './wire/dexes.ts'
import { type DexRead, type Terms, zip } from './wire/markets.ts'

/** The list of dexes changes every few weeks, and a wallet may open in a new one at once. */
const DEXES_EVERY_MS = 900_000
/** A dex or a market that the lists lack makes us read them again, at most this often. */
const UNLISTED_EVERY_MS = 30_000
/** Serves one market from the last read for this long: reading one costs as much as reading all. */
const FRESH_MS = 5_000

export interface Dexes {
  /** The dexes that builders have deployed. The list is cached, so not every poll reads it. */
  listedDexes(call: VenueCall, asking: Asking): Promise<ListedDex[]>
  /**
   * Reads one dex per poll: a second one would spend the weight that wallets need. The main dex and the
   * needed ones take turns; now and then comes one of the others.
   */
  markets(asking: Asking, needed: readonly string[]): Promise<MarketsAnswer>
  /** Takes pushed figures. `whole`: no poll could add anything. */
  tell(figures: readonly Figures[], needed: readonly string[]): { answer: MarketsAnswer; whole: boolean }
  /** A wallet holds this coin: if its dex's list lacks it, the list is read again. */
  holds(coin: string): void
  market(
    id: string,
    call: VenueCall,
    asking: Asking,
  ): Promise<{ market: Market; terms: Terms; listedDex: ListedDex | null }>
  /** The collateral token of a dex; null until the dex was read. */
  collateral(dex: Dex): number | null
  /** The tradable markets of each dex whose list was read. */
  tradable(): ReadonlyMap<Dex, readonly string[]>
}

/** The pushed figures of one dex: one context for each place of its list. */
interface Figures {
  dex: Dex
  contexts: readonly unknown[]
}

interface Listed {
  read: DexRead
  mono: number
  listMono: number
  /** When each market first looked delisted or resumed against its list, in monotonic ms. */
  turned: ReadonlyMap<string, number>
}

type Settled = PromiseSettledResult<DexRead>
const NEVER_READ: DexTimes = {
  ...{ triedMono: -Infinity, pushedMono: -Infinity, changed: false },
  ...{ failures: 0, againMono: -Infinity },
}

/** Remembers each dex as it was last read or pushed. */
export function createDexes({ info, clock }: { info: Info; clock: Clock }): Dexes {
  const dexes = new Map<Dex, Listed>()
  const known = new Map<Dex, DexTimes>()
  let listedDexes: { list: ListedDex[]; mono: number } | null = null
  let asked: Promise<ListedDex[]> | null = null
  let seldomMono = -Infinity
  /** The dexes that were pushed, also those that the list does not have yet. */
  const told = new Set<Dex>()
  let unlistedMono = -Infinity

  async function readDex(dex: Dex, call: VenueCall, asking: Asking): Promise<DexRead> {
    const read = await info.markets(dex, call, asking)
    dexes.set(dex, { read, mono: clock.monotonic(), listMono: clock.monotonic(), turned: turnedIn(dex) })
    note(dex, { changed: false, failures: 0, againMono: -Infinity })
    return read
  }

  async function listedDexesNow(call: VenueCall, asking: Asking): Promise<ListedDex[]> {
    if (listedDexes && clock.monotonic() - listedDexes.mono < DEXES_EVERY_MS) return listedDexes.list
    const before = asked
    // At a start many wallets ask for the list at once. If the first one gave up, ask again.
    const list = await (before?.catch(() => null) ?? null)
    if (list) return list
    asked = info.listedDexes(call, asking)
    try {
      listedDexes = { list: await asked, mono: clock.monotonic() }
      return listedDexes.list
    } catch (error) {
      if (listedDexes && !asking.signal.aborted) return listedDexes.list
      throw error
    } finally {
      asked = null
    }
  }

  function turnedIn(dex: Dex): ReadonlyMap<string, number> {
    return dexes.get(dex)?.turned ?? new Map()
  }

  function timesOf(dex: Dex): DexTimes {
    return known.get(dex) ?? NEVER_READ
  }

  function note(dex: Dex, news: Partial<DexTimes>): void {
    known.set(dex, { ...timesOf(dex), ...news })
  }

  function noteFailure(dex: Dex, why: unknown): void {
    // Our own budget had no turn for it: that is no fault of the dex.
    if (isQueued(why)) return
    const failures = timesOf(dex).failures + 1
    note(dex, { failures, againMono: clock.monotonic() + retryAfterMs(dex, failures) })
  }

  function isListed(dex: Dex): boolean {
    return dex === null || listedDexes?.list.some(({ name }) => name === dex) === true
  }

  /** Makes the list of dexes due when a push names one that it does not have. */
  function noteTold(names: readonly Dex[]): void {
    for (const dex of names) told.add(dex)
    const isNew = names.some((dex) => !isListed(dex))
    if (!listedDexes || !isNew || clock.monotonic() - unlistedMono < UNLISTED_EVERY_MS) return
    unlistedMono = clock.monotonic()
    listedDexes.mono = -Infinity
  }

  /** The main dex first, then the needed ones that exist. */
  function dexesOf(needed: readonly string[]): Dex[] {
    const named = new Set(needed.map(dexOf))
    const exists = (dex: Dex) => !listedDexes || told.has(dex) || isListed(dex)
    return [null, ...[...named].filter((dex) => dex !== null && exists(dex))]
  }

  const allDexes = (): Dex[] => (listedDexes ? [null, ...listedDexes.list.map(({ name }) => name)] : [])
  const now = () => ({ mono: clock.monotonic(), seldomMono })

  return {
    listedDexes: listedDexesNow,
    async markets(asking, needed) {
      const within = inTime(clock, asking)
      const turn = dexesToRead(dexesOf(needed), allDexes(), timesOf, now())
      if (turn.seldom) seldomMono = clock.monotonic()
      for (const dex of turn.dexes) note(dex, { triedMono: clock.monotonic() })
      const asked = turn.dexes.map((dex) => readDex(dex, 'markets', within()))
      const [listed, ...answers] = await Promise.allSettled([listedDexesNow('markets', within()), ...asked])
      const reads = turn.dexes.map((dex, place) => [dex, answers[place]] as [Dex, Settled])
      for (const [dex, each] of reads) if (each.status === 'rejected') noteFailure(dex, each.reason)
      // One failed dex of a builder must not make the venue look down, nor take the weight of a second read.
      const isMainSeen = isPushed(timesOf(null), clock.monotonic())
      if (reads.every(([dex, each]) => dex !== null && each.status === 'rejected') && !isMainSeen) {
        note(null, { triedMono: clock.monotonic() })
        const [main] = await Promise.allSettled([readDex(null, 'markets', within())])
        reads.push([null, main])
      }
      const failedParts = partsWithoutAnswer(
        reads.map(([each]) => accountOf(each)),
        reads.map(([, each]) => each),
        isMainSeen,
      )
      if (listed.status === 'rejected' && listedDexes === null) {
        failedParts.push({ part: BUILDERS, why: errorText(listed.reason) })
      }
      const whole = reads.flatMap(([, each]) => (each.status === 'fulfilled' ? [each.value] : []))
      return {
        markets: whole.flatMap(({ markets }) => markets),
        unusable: whole.flatMap(({ unusable }) => unusable),
        failedParts,
        listings: whole.flatMap(({ listing }) => listing ?? []),
      }
    },
    holds(coin) {
      const dex = dexOf(coin)
      const known = dexes.get(dex)
      if (!known || clock.monotonic() - known.listMono < UNLISTED_EVERY_MS) return
      const isKnown = known.read.universe.places.some(
        (place) => place.is === 'unusable' || place.value.name === coin,
      )
      // The venue has renamed a market or put another one in its place: the names are read again at once.
      if (!isKnown) note(dex, { changed: true, triedMono: -Infinity, pushedMono: -Infinity })
    },
    tell(figures, needed) {
      noteTold(figures.map(({ dex }) => dex))
      const parts = figures.map(({ dex, contexts }): MarketsAnswer => {
        const before = dexes.get(dex)
        if (!before) return unreadDex(dex, 'its list of markets is not read yet')
        try {
          const { turned: names, ...read } = zip(before.read.universe, contexts)
          if (isShuffled(before.read.markets, read.markets)) throw unreadable('its list may have changed')
          const turned = new Map(names.map((id) => [id, before.turned.get(id) ?? clock.monotonic()]))
          dexes.set(dex, { ...before, read: { ...before.read, ...read }, mono: clock.monotonic(), turned })
          // Drop its price until the list is read again. Then a halted market keeps its price and a delisted
          // one has none.
          const doubtful = new Set(names.filter((id) => (turned.get(id) ?? 0) >= before.listMono))
          const isMissed = needed.some((id) => doubtful.has(id))
          const changed = timesOf(dex).changed || turned.size > 0
          note(dex, { pushedMono: isMissed ? -Infinity : clock.monotonic(), changed })
          const markets = read.markets.filter(({ id }) => !doubtful.has(id))
          return { markets, unusable: read.unusable, failedParts: [] }
        } catch (error) {
          note(dex, { pushedMono: -Infinity, changed: true })
          return unreadDex(dex, errorText(error))
        }
      })
      return {
        answer: {
          markets: parts.flatMap((each) => each.markets),
          unusable: parts.flatMap((each) => each.unusable),
          failedParts: parts.flatMap((each) => each.failedParts),
        },
        whole: !isPollWanted(dexesOf(needed), allDexes(), timesOf, now()),
      }
    },
    async market(id, call, asking) {
      const within = inTime(clock, asking)
      const dex = dexOf(id)
      const listedDex =
        dex === null ? null : (await listedDexesNow(call, within())).find(({ name }) => name === dex)
      const known = dexes.get(dex)
      const fresh = known && clock.monotonic() - known.mono <= FRESH_MS ? known.read : null
      const read = fresh ?? (listedDex === undefined ? null : await readDex(dex, call, within()))
      const market = read?.markets.find((each) => each.id === id)
      const terms = read?.terms.get(id)
      if (!market || !terms) {
        throw new VenueError(
          { is: 'unreadable', why: 'it has no such market' },
          words('cause.no-market', { market: id.slice(0, 40) }),
        )
      }
      return { market, terms, listedDex: listedDex ?? null }
    },
    collateral: (dex) => dexes.get(dex)?.read.collateral ?? null,
    tradable: () => new Map([...dexes].map(([dex, { read }]) => [dex, read.tradable])),
  }
}

function unreadDex(dex: Dex, why: string): MarketsAnswer {
  return { markets: [], unusable: [], failedParts: [{ part: accountOf(dex), why }] }
}

/** A price that changes by this factor within a second counts as another market's price. */
const JUMP_FACTOR = 2n

/**
 * Guesses whether the list has changed its order: pushed figures have no names, and their number may stay the
 * same. One market may jump by itself, two at once hardly. In a crash many jump, but their prices of the day
 * before stay.
 */
function isShuffled(before: readonly Market[], after: readonly Market[]): boolean {
  const known = new Map(before.map((market) => [market.id, market]))
  const odd = after.filter((market) => {
    const was = known.get(market.id)
    if (was === undefined || !isAnother(was.price, market.price)) return false
    const [then, now] = [was.price24hAgo, market.price24hAgo]
    return then === null || now === null || isAnother(then, now)
  })
  return odd.length > 1
}

function isAnother(before: Amount, after: Amount): boolean {
  return after >= before * JUMP_FACTOR || before >= after * JUMP_FACTOR
}
