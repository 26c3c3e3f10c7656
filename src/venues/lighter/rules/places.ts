/** The purpose of a connection. Prices have one of their own, so that no account disturbs them. */
export type Purpose = 'market_stats' | 'account_all' | 'user_stats'

/** A subscription: `account_all/77`, or `market_stats/all`. */
export interface Channel {
  purpose: Purpose
  /** The index of an account, or `all`. */
  of: string
}

/** The same channel as one word, for maps and for the venue. */
export type ChannelKey = string

export function channelKey({ purpose, of }: Channel): ChannelKey {
  return `${purpose}/${of}`
}

/**
 * The most subscriptions of one connection. The venue allows 500, and 500 different accounts
 * (https://apidocs.lighter.xyz/docs/rate-limits).
 */
export const MOST_PER_CONNECTION = 400
/** The most subscriptions of all connections. The venue allows 5,000, and 5,000 different accounts. */
export const MOST_SUBSCRIPTIONS = 4_900

interface Place {
  id: number
  purpose: Purpose
  isOpen: boolean
  /** How many more subscriptions it takes. */
  free: number
}

/** The channels to subscribe to now, each on its connection, and the connections to open for the rest. */
interface Plan {
  ask: { channel: Channel; connection: number }[]
  open: Purpose[]
}

/**
 * Finds a place for each missing channel, the first ones first. `most`: how many may be asked for now. One
 * that finds room only on a connection that is still opening waits for it.
 */
export function planned(missing: Iterable<Channel>, places: readonly Place[], most: number): Plan {
  const plan: Plan = { ask: [], open: [] }
  const rooms = new Map<Purpose, Place[]>()
  let isWaiting = false
  const roomsOf = (purpose: Purpose) => {
    // Open ones first: a channel must not wait for one that opens while another has room.
    const some =
      rooms.get(purpose) ??
      places
        .filter((place) => place.purpose === purpose && place.free > 0)
        .map((place) => ({ ...place }))
        .toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen))
    rooms.set(purpose, some)
    return some
  }
  for (const channel of missing) {
    if (plan.ask.length >= most) break
    const some = roomsOf(channel.purpose)
    const [first] = some
    // Positions come before the figures of accounts, also while they wait for a connection.
    if (isWaiting && channel.purpose === 'user_stats') break
    if (first?.isOpen !== true && channel.purpose === 'account_all') isWaiting = true
    if (!first) {
      plan.open.push(channel.purpose)
      some.push({ id: -1, purpose: channel.purpose, isOpen: false, free: MOST_PER_CONNECTION - 1 })
      continue
    }
    if (first.isOpen) plan.ask.push({ channel, connection: first.id })
    first.free--
    if (first.free === 0) some.shift()
  }
  return plan
}
