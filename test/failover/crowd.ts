import type { Write } from '../../src/store/store.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { aChat, aPerson, aRule, aWatch } from '../support/fixtures.ts'
import { CLEAR_BAND, LINES } from '../torture/oracle.ts'

/** People who watch one wallet, which holds one long position in a market of its own. */
export interface Group {
  wallet: Wallet
  label: string
  symbol: string
  marketId: string
  /** Places in `Crowd.people`. */
  members: readonly number[]
}

export interface Member {
  /** Counted from 0; its row has one more. */
  place: number
  platform: 'telegram' | 'discord'
  group: number
}

export interface Crowd {
  people: readonly Member[]
  groups: readonly Group[]
}

/** Where somebody is reached. */
export interface Door {
  user: string
  chat: string
}

/** Where a price stands: far away, within the third line, or within the last one. */
export type Level = 'calm' | 'near' | 'brink'

export const LIQUIDATION = 70
export const PRICES: Readonly<Record<Level, number>> = { calm: 100, near: 73, brink: 71 }

/** So few that their messages take about a second. */
const MEMBERS = 25
/** One in so many is on Discord. */
const DISCORD_EACH = 5
const LETTERS = 26
const PER_COMMIT = 500

export function crowdOf(people: number, members = MEMBERS): Crowd {
  const groups = Array.from({ length: Math.ceil(people / members) }, (_, n): Group => {
    const letters = [Math.floor(n / LETTERS) % LETTERS, n % LETTERS].map((at) => String.fromCharCode(65 + at))
    return {
      wallet: `0x7${(n + 1).toString(16).padStart(39, '0')}`,
      label: `w${n}`,
      symbol: `P${letters.join('')}`,
      marketId: String((n + 1) * 100),
      members: Array.from({ length: Math.min(members, people - n * members) }, (__, at) => n * members + at),
    }
  })
  const platformOf = (place: number) => (place % DISCORD_EACH === 4 ? 'discord' : 'telegram')
  return {
    groups,
    people: Array.from({ length: people }, (_, place) => ({
      ...{ place, platform: platformOf(place), group: Math.floor(place / members) },
    })),
  }
}

/** What a store holds of them once they have all come: in pieces, each for one commit. */
export function* writesOf(crowd: Crowd, doors: readonly Door[]): Generator<Write[]> {
  let writes: Write[] = []
  for (const { place, platform, group } of crowd.people) {
    const [id, door, watched] = [place + 1, doors[place], crowd.groups[group]]
    if (!door || !watched) throw new Error(`person ${place} has no door or group`)
    const identities = [{ platform, user: door.user }]
    const params = { tiers: [...LINES] }
    writes.push(
      {
        is: 'person',
        person: aPerson({
          ...{ id, operator: false, identities, defaultChat: id, detail: 'full', pictures: 'off' },
        }),
      },
      {
        is: 'chat',
        chat: aChat({ id, personId: id, address: { platform, chat: door.chat, thread: null } }),
      },
      {
        is: 'watch',
        watch: aWatch({ personId: id, wallet: watched.wallet, label: watched.label, since: 0 }),
      },
      { is: 'rule', rule: aRule({ id, personId: id, chatId: id, params, armedByWatch: true, holdMs: 0 }) },
    )
    if (writes.length < PER_COMMIT) continue
    yield writes
    writes = []
  }
  if (writes.length > 0) yield writes
}

/** The highest line that a price is within, by the written rules alone. */
export function tierAt(level: Level, before: number): number {
  const distance = (PRICES[level] - LIQUIDATION) / PRICES[level]
  const enter = LINES.filter((line) => distance <= line).length
  const stay = LINES.filter((line) => distance <= line * (1 + CLEAR_BAND)).length
  return Math.max(enter, Math.min(before, stay))
}
