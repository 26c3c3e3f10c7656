import {
  type APIInteraction,
  ApplicationCommandOptionType,
  InteractionContextType,
  InteractionType,
  MessageFlags,
  PermissionFlagsBits,
  SnowflakeUtil,
} from 'discord.js'

import type { Inbound } from '../../../src/chat/bot.ts'
import { legibleName } from '../../../src/lib/text/legible.ts'
import { isOther, startOf } from '../../../src/message/question.ts'
import { channelAddress, homeOf, type Sighting } from '../send/channels.ts'
import { tapped } from './buttons.ts'
import { argumentName, calledName } from './commands.ts'
import { languageOf } from '../../../src/words/words.ts'

/** An action of a person, free of Discord's shapes. */
export interface Asked {
  from: Inbound
  /** By these it is answered. */
  id: string
  token: string
  applicationId: string
  /** The guild, as the interaction showed it; null elsewhere. */
  sighting: Sighting | null
  /** The channel, when it is the direct messages with this person. */
  directChannel: string | null
  does:
    /** `mute`: the name of a role among the options whose mention notifies no member. */
    | {
        is: 'call'
        command: string
        args: Record<string, unknown>
        mute: string | null
        attached: Attached | null
      }
    /** `among`: other people read the button's message. */
    | { is: 'tap'; line: string; replace: boolean; among: boolean }
    /** A dialog for an answer of one's own opens; `title` is the question. */
    | { is: 'ask'; start: string; replace: boolean; title: string }
    | { is: 'type'; command: string; argument: string; typed: string }
    /** A button that we did not make. */
    | { is: 'nothing of ours' }
}

/**
 * Reads a raw interaction (https://docs.discord.com/developers/interactions/receiving-and-responding). Null: not for
 * us.
 */
export function readInteraction(raw: APIInteraction, now: number): Asked | null {
  const who = raw.member?.user ?? raw.user
  const user = who?.id
  const channel = raw.channel?.id
  const does = whatFor(raw)
  if (user === undefined || channel === undefined || !does) return null
  const alone = raw.guild_id === undefined && raw.context === InteractionContextType.BotDM
  const rights = BigInt(raw.member?.permissions ?? 0)
  const mayConfigure = (rights & (PermissionFlagsBits.ManageGuild | PermissionFlagsBits.Administrator)) !== 0n
  const home = homeOf(user)
  return {
    from: {
      id: raw.id,
      by: { platform: home.platform, user },
      // Discord takes no answer after three seconds, so a late input is not worked on at all.
      writtenAt: now,
      seenUntil: now - ageOfMessage(raw),
      // Anybody can take any display name, but a username is one person's alone.
      name: alone ? legibleName(who?.global_name ?? who?.username, user) : legibleName(who?.username, user),
      language: languageOf('locale' in raw ? raw.locale : null),
      chat: alone ? home : channelAddress(channel),
      home,
      private: alone,
      mayConfigure: alone || mayConfigure,
      whisper: true,
      answersApart: true,
    },
    id: raw.id,
    token: raw.token,
    applicationId: raw.application_id,
    sighting:
      raw.guild_id === undefined
        ? null
        : { guild: raw.guild_id, channel, user, mayConfigure, appPermissions: BigInt(raw.app_permissions) },
    directChannel: alone ? channel : null,
    does,
  }
}

/** How old the message of a button was when it was tapped, both by Discord's clock; 0 for anything else. */
function ageOfMessage(raw: APIInteraction): number {
  if (raw.type !== InteractionType.MessageComponent) return 0
  const { timestamp, edited_timestamp: edited } = raw.message
  const age = SnowflakeUtil.timestampFrom(raw.id) - Date.parse(edited ?? timestamp)
  return Number.isFinite(age) ? Math.max(age, 0) : 0
}

/** A file that somebody chose for a command (https://docs.discord.com/developers/resources/message#attachment-object). */
export interface Attached {
  url: string
  size: number
}

interface Option {
  name: string
  type: number
  value?: string | number | boolean
  focused?: boolean
  options?: Option[]
}

interface Invoked {
  name: string
  options?: Option[]
  resolved?: {
    roles?: Record<string, { name: string; mentionable: boolean }>
    attachments?: Record<string, Attached>
  }
}

/**
 * Returns the name of a role that a mention cannot notify. Such a role is not mentionable and we lack the right to
 * mention everyone, or it is @everyone, whose id is the server's
 * (https://docs.discord.com/developers/topics/permissions#role-object).
 */
function muteRole(
  { type, value }: Option,
  roles: Record<string, { name: string; mentionable: boolean }>,
  { guild_id: guild, app_permissions: ours }: APIInteraction,
): string | null {
  const role = type === ROLE ? roles[String(value)] : undefined
  if (!role) return null
  if (value === guild) return EVERYONE
  return role.mentionable || (BigInt(ours) & PermissionFlagsBits.MentionEveryone) !== 0n ? null : role.name
}

function whatFor(raw: APIInteraction): Asked['does'] | null {
  if (raw.type === InteractionType.MessageComponent) {
    const [chosen] = 'values' in raw.data ? raw.data.values : []
    const tap = tapped(chosen ?? raw.data.custom_id)
    if (tap && isOther(tap))
      return { is: 'ask', start: startOf(tap.line), replace: tap.replace, title: titleOf(raw.message) }
    return tap ? { is: 'tap', ...tap, among: isAmong(raw, raw.message) } : { is: 'nothing of ours' }
  }
  if (raw.type === InteractionType.ModalSubmit) {
    const tap = tapped(raw.data.custom_id)
    const line = `${tap?.line} ${typedIn(raw.data.components)}`
    return tap
      ? {
          is: 'tap',
          line,
          replace: tap.replace && raw.message !== undefined,
          among: isAmong(raw, raw.message),
        }
      : { is: 'nothing of ours' }
  }
  if (
    raw.type !== InteractionType.ApplicationCommand &&
    raw.type !== InteractionType.ApplicationCommandAutocomplete
  ) {
    return null
  }
  const { name, options: given = [], resolved } = raw.data as Invoked
  const sub = given.find(({ type }) => type === SUBCOMMAND)
  const options = sub ? (sub.options ?? []) : given
  const command = calledName(name, sub?.name ?? null)
  if (raw.type === InteractionType.ApplicationCommand) {
    const file = options.find(({ type }) => type === FILE)
    return {
      is: 'call',
      command,
      attached: resolved?.attachments?.[String(file?.value)] ?? null,
      args: Object.fromEntries(
        options.flatMap((one) => (one === file ? [] : [[argumentName(one.name), one.value]])),
      ),
      mute:
        options.map((one) => muteRole(one, resolved?.roles ?? {}, raw)).find((one) => one !== null) ?? null,
    }
  }
  const focused = options.find((one) => one.focused)
  return focused
    ? { is: 'type', command, argument: argumentName(focused.name), typed: String(focused.value ?? '') }
    : null
}

/** Whether other people read the message. */
function isAmong(raw: APIInteraction, message: { flags?: number } | undefined): boolean {
  return raw.context !== InteractionContextType.BotDM && ((message?.flags ?? 0) & EPHEMERAL) === 0
}

/** The question in a message, which may stand below a reason and above a note. */
function titleOf({ content, embeds }: { content: string; embeds: readonly { title?: string }[] }): string {
  const lines = content.split('\n').filter((line) => line !== '')
  const asks = lines.findLast((line) => line.includes('?'))
  return asks?.replace(/\?.*$/, '?') ?? lines.at(-1) ?? embeds.at(-1)?.title ?? ''
}

/** The words in the one field of a dialog. */
function typedIn(components: readonly unknown[]): string {
  const [first] = components as { component?: { value?: string } }[]
  return first?.component?.value?.replace(/\s+/g, ' ').trim() ?? ''
}

const EPHEMERAL: number = MessageFlags.Ephemeral
const ROLE: number = ApplicationCommandOptionType.Role
export const EVERYONE = '@everyone'
const FILE: number = ApplicationCommandOptionType.Attachment
const SUBCOMMAND: number = ApplicationCommandOptionType.Subcommand
