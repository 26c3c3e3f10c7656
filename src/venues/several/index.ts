import type { Market } from '../../venue/market.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Asking, JoinVenues, Venue, VenuePart } from '../../venue/venue.ts'
import { type Answered, gather } from './gather.ts'
import { joinIdentified, joinMarkets, joinOrders, joinPositions } from './joined.ts'
import { createOnlooker, type Onlooker } from './onlooker.ts'
import { firstPart, namedPart } from './part.ts'
import { joinBalances, joinLedgers, joinTwaps } from './records.ts'

/** A person's next question follows the last one within this time. */
const SILENT_MS = 5_000

/** Makes one venue of several. Each goes on by itself; what people ask comes from all of them. */
export default (({ venues, clock }) => {
  const [first, ...rest] = venues
  if (first === undefined) throw new Error('there is no venue')
  const others = rest.map(({ name }) => name)
  const monotonic = () => clock.monotonic()
  const onlookers = new Map<string, Onlooker>()
  /** The venues that gave no answer when all were asked last, and when. */
  const silent = new Map<string, { error: unknown; mono: number }>()
  const parts = venues.map(({ name, opened: { venue } }, place): VenuePart => {
    const onlooker = createOnlooker(venue.identify, monotonic)
    onlookers.set(name, onlooker)
    return {
      name,
      venue: place === 0 ? firstPart(venue, others, onlooker) : namedPart(name, venue, onlooker),
    }
  })

  /** The part that this id belongs to. */
  function partOf(id: string): VenuePart {
    const name = venueOf(id, others) ?? first?.name
    const part = parts.find((one) => one.name === name)
    if (!part) throw new Error(`there is no venue for ${id}`)
    return part
  }

  /** One call at one venue. */
  function at<T>(
    { name, venue }: VenuePart,
    asking: Asking,
    call: (venue: Venue, asking: Asking) => Promise<T>,
  ): Promise<T> {
    return call(venue, asking.at?.(name) ?? asking)
  }

  /** The same call at all venues that can answer it. */
  async function everywhere<T>(
    asking: Asking,
    call: (venue: Venue) => ((asking: Asking) => Promise<T>) | null,
  ): Promise<Answered<T>[]> {
    const questions = parts.flatMap(({ name, venue }) => {
      const ask = call(venue)
      return ask ? [{ name, ask }] : []
    })
    const all = await gather(clock, asking, questions)
    for (const one of all) {
      if (one.is === 'answer') silent.delete(one.name)
      else silent.set(one.name, { error: one.error, mono: clock.monotonic() })
    }
    return all
  }

  /** One market, for a person who has waited for this venue already: it is not waited for again. */
  async function market(id: string, asking: Asking): Promise<Market> {
    const part = partOf(id)
    const known = silent.get(part.name)
    if (asking.patience === 'person' && known && clock.monotonic() - known.mono < SILENT_MS) throw known.error
    return at(part, asking, (one, own) => one.market(id, own))
  }

  /** The names of the venues that do not show this. */
  const without = (what: 'ledger' | 'balances' | 'twaps') =>
    parts.flatMap(({ name, venue }) => (venue[what] ? [] : [name]))
  const shows = (what: 'ledger' | 'balances' | 'twaps') => without(what).length < parts.length
  const canAny = (what: 'closeRecords' | 'identify') => parts.some(({ venue }) => venue[what] !== null)

  const venue: Venue = {
    limits: { allowed: null },
    showsAccounts: parts.some((part) => part.venue.showsAccounts),
    ...(parts.every((part) => part.venue.showsOrders === false) && { showsOrders: false as const }),
    markets: async (asking, needed) =>
      joinMarkets(await everywhere(asking, (one) => (own) => one.markets(own, needed))),
    market,
    async positions(wallet, asking) {
      const all = await everywhere(asking, (one) => (own) => one.positions(wallet, own))
      return joinPositions(all, (name) => onlookers.get(name)?.accountsOf(wallet) ?? [])
    },
    orders: async (wallet, states, asking) =>
      joinOrders(await everywhere(asking, (one) => (own) => one.orders(wallet, states, own))),
    orderOutcomes: null,
    preview: async (draft, asking) =>
      at(partOf(draft.marketId), asking, (one, own) => one.preview(draft, own)),
    closeRecords: canAny('closeRecords')
      ? async (wallet, since, asking) => {
          const all = await everywhere(
            asking,
            ({ closeRecords }) => closeRecords && ((own) => closeRecords(wallet, since, own)),
          )
          return all.flatMap((one) => (one.is === 'answer' ? one.answer : []))
        }
      : null,
    identify: canAny('identify')
      ? async (wallet, asking, isFunded) => {
          const all = await everywhere(
            asking,
            ({ identify }) => identify && ((own) => identify(wallet, own, isFunded)),
          )
          const known = joinIdentified(all)
          if (known) return known
          throw all.find((one) => one.is === 'missing')?.error
        }
      : null,
    ...(shows('ledger') && {
      async ledger(wallet, asked, asking) {
        const all = await everywhere(asking, ({ ledger }) =>
          ledger ? (own) => ledger(wallet, asked, own) : null,
        )
        return joinLedgers(all, without('ledger'))
      },
    }),
    ...(shows('balances') && {
      async balances(wallet, asking) {
        const all = await everywhere(asking, ({ balances }) =>
          balances ? (own) => balances(wallet, own) : null,
        )
        return joinBalances(all, without('balances'))
      },
    }),
    ...(shows('twaps') && {
      async twaps(wallet, asking, withFills) {
        const all = await everywhere(asking, ({ twaps }) =>
          twaps ? (own) => twaps(wallet, own, withFills) : null,
        )
        return joinTwaps(all)
      },
    }),
    push: null,
    parts,
  }
  return {
    venue,
    simulated: venues.some(({ opened }) => opened.simulated),
    identity: venues.map(({ opened }) => opened.identity).join(', '),
    introduction: venues.flatMap(({ opened }) => opened.introduction),
    endsBot: venues.some(({ opened }) => opened.endsBot),
    async close() {
      await Promise.all(venues.map(({ opened }) => opened.close()))
    },
  }
}) satisfies JoinVenues
