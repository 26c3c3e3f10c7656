import type { NewId } from './ids.ts'
import { refusal } from './refusals.ts'

/** https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
export const KINDS = { text: 0, dm: 1, group: 3, announcement: 5, thread: 11, forum: 15 } as const
export type Kind = keyof typeof KINDS

/** https://docs.discord.com/developers/topics/permissions */
const BITS = {
  view: 1n << 10n,
  send: 1n << 11n,
  embed: 1n << 14n,
  attach: 1n << 15n,
  history: 1n << 16n,
  mentionEveryone: 1n << 17n,
  sendInThreads: 1n << 38n,
  pin: 1n << 51n,
} as const
const MANAGE_GUILD = 1n << 5n
export const ADMINISTRATOR = 1n << 3n
const USE_COMMANDS = 1n << 31n

export type Permissions = Record<keyof typeof BITS, boolean>

const ALL: Permissions = {
  view: true,
  send: true,
  embed: true,
  attach: true,
  history: true,
  mentionEveryone: true,
  sendInThreads: true,
  pin: true,
}

export interface User {
  id: string
  name: string
  bot: boolean
  /** Whether this user has installed the app for themselves. */
  installed: boolean
  /** Whether the bot may write to them: some close their direct messages, some block it. */
  open: boolean
  dm: Place | null
}

export interface Role {
  id: string
  name: string
  /** Whether anybody may mention it. */
  mentionable: boolean
}

export interface GuildState {
  id: string
  name: string
  hasBot: boolean
  places: Place[]
  members: Map<string, { user: User; permissions: bigint; roles: Role[] }>
  roles: Role[]
}

/** A channel, thread or direct message. */
export interface Place {
  id: string
  name: string
  kind: Kind
  guild: GuildState | null
  /** The channel that a thread belongs to. */
  parent: Place | null
  /** Who sees a direct message. */
  people: User[]
  removed: boolean
  /** What the bot may do there. */
  may: Permissions
}

export function createPlace(
  newId: NewId,
  place: Pick<Place, 'name' | 'kind'> & Partial<Omit<Place, 'may'>> & { may?: Partial<Permissions> },
): Place {
  return {
    id: newId(),
    guild: null,
    parent: null,
    people: [],
    removed: false,
    ...place,
    may: { ...ALL, ...place.may },
  }
}

export function memberPermissions({ manageServer }: { manageServer: boolean }): bigint {
  return asBits(ALL) | USE_COMMANDS | (manageServer ? MANAGE_GUILD : 0n)
}

export function asBits(may: Permissions): bigint {
  let bits = 0n
  for (const key of Object.keys(BITS) as (keyof Permissions)[]) if (may[key]) bits |= BITS[key]
  return bits
}

/** Throws what Discord answers when the bot may not see this place. */
export function mustSee(place: Place | undefined): Place {
  if (!place || place.removed) throw refusal('unknownChannel')
  if (place.guild && (!place.guild.hasBot || !place.may.view)) throw refusal('missingAccess')
  if (place.kind === 'group') throw refusal('missingAccess')
  return place
}

/** Throws what Discord answers when the bot may not post this there. */
export function mustPost(
  place: Place,
  what: { embeds: boolean; files: boolean; reply: boolean },
  guilds: Iterable<GuildState>,
): void {
  const { kind, may } = place
  if (kind === 'dm') return mustReach(place, guilds)
  if (kind === 'forum') throw refusal('noText')
  if (!(kind === 'thread' ? may.sendInThreads : may.send)) throw refusal('missingPermissions')
  if ((what.embeds && !may.embed) || (what.files && !may.attach)) throw refusal('missingPermissions')
  if (what.reply && !may.history) throw refusal('noHistory')
}

function mustReach({ people }: Place, guilds: Iterable<GuildState>): void {
  const [user] = people
  if (!user) throw refusal('closedToMessages')
  const mutual = [...guilds].some(({ hasBot, members }) => hasBot && members.has(user.id))
  if (!mutual && !user.installed) throw refusal('noMutualGuild')
  if (!user.open) throw refusal('closedToMessages')
}
