import type { Source } from '../venue/source.ts'
import type { VenueLoad } from '../venue/venue-load.ts'

/** How the bot stands, in figures that name nobody: asked for whenever somebody looks, and found without the disk. */
export interface Stats {
  people: number
  chats: number
  wallets: number
  rules: number
  /** What cannot be seen, by what it is. */
  blind: Readonly<Record<Source['is'], number>>
  /** By platform. */
  brokenChats: ReadonlyMap<string, number>
  /** Critical alerts that go on, and that nobody has acknowledged or snoozed. */
  unacknowledged: number
  /** How old the oldest look at a wallet is; null before each was read once. */
  oldestWalletMs: number | null
  venueLoad: VenueLoad
}
