import { ChannelType, PermissionFlagsBits, Routes } from 'discord.js'

import type { ChatRights } from '../../../src/chat/conversation.ts'
import { remember } from '../../../src/lib/data/remember.ts'
import type { Address, Identity } from '../../../src/message/address.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Api } from './api.ts'
import { outcomeOf } from './outcome.ts'

/** The channels of people and places, and our rights there. */
export interface Channels {
  /** The channel to post to. Opens a person's direct messages if needed. Null if this is no address. */
  resolve(address: Address, signal?: AbortSignal): Promise<string | null>
  forget(address: Address): void
  /** How the last message there fared. */
  works(address: Address, does: boolean): void
  /** Takes the rights shown in an interaction: Discord shows them nowhere else. */
  sight(sighting: Sighting): void
  /** A person's direct messages are this channel. */
  knows(user: string, channel: string): void
  inspect(by: Identity, address: Address, signal: AbortSignal): Promise<ChatRights | null>
}

export interface Sighting {
  guild: string
  channel: string
  user: string
  mayConfigure: boolean
  /** The bot's rights as a bit field. */
  appPermissions: bigint
}

const PLATFORM = 'discord'
const HOME = 'user:'
const SNOWFLAKE = /^\d{15,21}$/

/** Channels that take messages. A forum takes them in its threads alone. */
const POSTABLE = new Set<number>([ChannelType.GuildText, ChannelType.GuildAnnouncement])
const THREADS = new Set<number>([
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
])

const { ViewChannel, SendMessages, SendMessagesInThreads, EmbedLinks } = PermissionFlagsBits

/** A right that was seen this long ago may be gone. */
const SIGHT_LASTS_MS = 15 * 60_000
const REMEMBERED = 10_000

export function homeOf(user: string): Address {
  return { platform: PLATFORM, chat: `${HOME}${user}`, thread: null }
}

export function channelAddress(channel: string): Address {
  return { platform: PLATFORM, chat: channel, thread: null }
}

export function createChannels(api: Api, clock: Clock): Channels {
  const direct = new Map<string, string>()
  const closed = new Map<string, true>()
  const rights = new Map<string, { mayConfigure: boolean; at: number }>()
  const ours = new Map<string, { permissions: bigint; at: number }>()

  const fresh = <T extends { at: number }>(found: T | undefined): T | null =>
    found && clock.monotonic() - found.at <= SIGHT_LASTS_MS ? found : null
  /** By Discord's names. Without a sighting, the test message will show it. */
  const missingRights = (id: string, isThread: boolean): string[] => {
    const seen = fresh(ours.get(id))
    const needs: [string, bigint][] = [
      ['View Channel', ViewChannel],
      isThread ? ['Send Messages in Threads', SendMessagesInThreads] : ['Send Messages', SendMessages],
      ['Embed Links', EmbedLinks],
    ]
    return seen ? needs.flatMap(([name, bit]) => ((seen.permissions & bit) === 0n ? [name] : [])) : []
  }
  return {
    async resolve({ chat }, signal) {
      if (!chat.startsWith(HOME)) return SNOWFLAKE.test(chat) ? chat : null
      const user = chat.slice(HOME.length)
      if (!SNOWFLAKE.test(user)) return null
      const known = direct.get(user)
      if (known !== undefined) return known
      const ask = { body: { recipient_id: user }, ...(signal ? { signal } : {}) }
      const { id } = (await api.bot('POST', Routes.userChannels(), ask)) as { id: string }
      remember(direct, user, id, REMEMBERED)
      return id
    },
    works({ chat }, does) {
      if (does) closed.delete(chat)
      else remember(closed, chat, true, REMEMBERED)
    },
    forget: ({ chat }) => void direct.delete(chat.slice(HOME.length)),
    knows: (user, channel) => remember(direct, user, channel, REMEMBERED),
    sight({ guild, channel, user, mayConfigure, appPermissions }) {
      const at = clock.monotonic()
      remember(rights, `${guild} ${user}`, { mayConfigure, at }, REMEMBERED)
      remember(ours, channel, { permissions: appPermissions, at }, REMEMBERED)
    },
    async inspect(by, { chat }, signal) {
      if (chat.startsWith(HOME)) {
        const own = homeOf(by.user)
        const title = 'direct messages'
        return chat === own.chat
          ? { address: own, title, mayConfigure: true, mayPost: !closed.has(chat) }
          : null
      }
      const id = /^(?:<#)?(\d{15,21})>?$/.exec(chat)?.[1]
      if (id === undefined) return null
      const found = await look(api, id, signal)
      if (!found?.guild_id) return null
      const isThread = THREADS.has(found.type)
      const missing = missingRights(id, isThread)
      return {
        address: channelAddress(id),
        title: `#${found.name ?? id}`,
        mayConfigure: fresh(rights.get(`${found.guild_id} ${by.user}`))?.mayConfigure ?? false,
        mayPost: (isThread || POSTABLE.has(found.type)) && missing.length === 0,
        ...(missing.length > 0 ? { missing } : {}),
      }
    },
  }
}

interface FoundChannel {
  type: number
  name?: string
  guild_id?: string
}

/** Null if we cannot see the channel. */
async function look(api: Api, id: string, signal: AbortSignal): Promise<FoundChannel | null> {
  try {
    return (await api.bot('GET', Routes.channel(id), { signal })) as FoundChannel
  } catch (error) {
    if (outcomeOf(error).is === 'gone') return null
    throw error
  }
}
