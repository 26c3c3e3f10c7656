import type { Registered } from './commands.ts'
import { asBits, type GuildState, KINDS, type Place, type User } from './guilds.ts'
import type { Message } from './messages.ts'
import type { Json } from './refusals.ts'
import type { World } from './world.ts'

const iso = (ms: number) => new Date(ms).toISOString()
const LONG_AGO = '2020-01-01T00:00:00.000000+00:00'

export function userJson({ id, name, bot }: User): Json {
  return {
    id,
    username: name,
    global_name: bot ? null : name,
    discriminator: '0',
    avatar: null,
    avatar_decoration_data: null,
    bot,
    public_flags: 0,
  }
}

export function memberJson(guild: GuildState, user: User): Json {
  const member = guild.members.get(user.id)
  if (!member) throw new Error(`${user.name} is not in ${guild.name}`)
  return {
    user: userJson(user),
    roles: member.roles.map(({ id }) => id),
    permissions: member.permissions.toString(),
    joined_at: LONG_AGO,
    nick: null,
    avatar: null,
    deaf: false,
    mute: false,
    flags: 0,
    pending: false,
    premium_since: null,
    communication_disabled_until: null,
  }
}

export function channelJson(place: Place): Json {
  const { id, name, kind, guild, parent, people } = place
  const all = { id, type: KINDS[kind], flags: 0, last_message_id: null }
  if (!guild) return { ...all, recipients: people.map(userJson), ...(kind === 'group' ? { name } : {}) }
  const inGuild = { ...all, name, guild_id: guild.id, parent_id: parent?.id ?? null, rate_limit_per_user: 0 }
  if (kind !== 'thread') {
    return { ...inGuild, position: 0, permission_overwrites: [], topic: null, nsfw: false }
  }
  const metadata = {
    archived: false,
    auto_archive_duration: 1440,
    archive_timestamp: LONG_AGO,
    locked: false,
  }
  return { ...inGuild, owner_id: guild.id, member_count: 1, message_count: 0, thread_metadata: metadata }
}

export function appPermissions(place: Place): string {
  return asBits(place.may).toString()
}

export function commandJson({ app }: World, { id, version, guildId, spec }: Registered): Json {
  return {
    type: 1,
    nsfw: false,
    default_member_permissions: null,
    dm_permission: true,
    ...spec.json,
    id,
    version,
    application_id: app.id,
    contexts: spec.contexts,
    integration_types: spec.integrationTypes,
    ...(guildId ? { guild_id: guildId } : {}),
  }
}

export function messageJson(world: World, message: Message): Json {
  const { id, place, content, embeds, rows, attachments, flags, nonce, replyTo, interactionId } = message
  const interaction = interactionId ? world.interactions.get(interactionId) : undefined
  return {
    id,
    type: replyTo ? 19 : interaction?.type === 2 && message.origin === 'answer' ? 20 : 0,
    channel_id: place.id,
    author: userJson(world.bot),
    content,
    timestamp: iso(message.wall),
    edited_timestamp: message.editedAt === null ? null : iso(message.editedAt),
    tts: false,
    pinned: false,
    mention_everyone: message.pings.some((said) => said === '@everyone' || said === '@here'),
    mentions: [],
    mention_roles: [],
    attachments: attachments.map(({ id, filename, size, type }) => ({
      id,
      filename,
      size,
      content_type: type,
      url: `http://127.0.0.1/attachments/${id}/${filename}`,
      proxy_url: `http://127.0.0.1/attachments/${id}/${filename}`,
    })),
    embeds: embeds.map(({ json }) => json),
    components: rows.map(({ json }) => json),
    flags: flags | (message.thinking ? 128 : 0),
    ...(nonce === null ? {} : { nonce }),
    ...(replyTo ? { message_reference: { type: 0, channel_id: place.id, message_id: replyTo } } : {}),
    ...(interaction
      ? {
          webhook_id: world.app.id,
          application_id: world.app.id,
          interaction_metadata: {
            id: interaction.id,
            type: interaction.type,
            user: userJson(interaction.user),
            authorizing_integration_owners: interaction.owners,
          },
        }
      : {}),
  }
}
