import type { Source } from '../venue/source.ts'
import type { VenueLoad } from '../venue/venue-load.ts'

/** Anonymous figures about the bot's state. Found without the disk, so they can be asked for at any time. */
export interface Stats {
  people: number
  chats: number
  wallets: number
  rules: number
  /** How many sources cannot be seen, by type. */
  blind: Readonly<Record<Source['is'], number>>
  /** By platform. */
  brokenChats: ReadonlyMap<string, number>
  /** Firing critical alerts that nobody has acknowledged or snoozed. */
  unacknowledged: number
  /** The age of the oldest read of a wallet at each venue; a venue is missing before it has read each wallet once. */
  oldestWallets: readonly { venue: string | null; ms: number }[]
  /** The venues that are read, the first one first. */
  venueLoads: readonly VenueLoad[]
}
