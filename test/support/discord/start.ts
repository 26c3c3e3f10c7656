import { randomBytes } from 'node:crypto'

import type { Gateway } from './gateway.ts'
import type { Place, User } from './guilds.ts'
import type { Interaction } from './interactions.ts'
import type { Json } from './refusals.ts'
import { appPermissions, channelJson, memberJson, userJson } from './wire.ts'
import type { World } from './world.ts'

/** What a person may upload without a subscription: 10 MiB. */
const ATTACHMENT_LIMIT_BYTES = 10 * 1024 * 1024

type Start = Pick<Interaction, 'type' | 'what' | 'user' | 'place' | 'owners'> &
  Partial<Pick<Interaction, 'message' | 'focused'>> & { data: Json; context: number; messageJson?: Json }

/** Makes an interaction and hands it to the bot. */
export function start(world: World, gateway: Gateway, how: Start): Interaction {
  const { type, what, user, place, owners, message = null, focused = null } = how
  const id = world.newId()
  const interaction: Interaction = {
    id,
    type,
    what,
    user,
    place,
    owners,
    message,
    focused,
    token: randomBytes(60).toString('base64url'),
    versions: message?.former.length ?? 0,
    at: world.clock.monotonic(),
    delivered: true,
    ackedAt: null,
    callback: null,
    original: null,
    followUps: [],
    choices: null,
    modal: null,
    guildInstalled: '0' in owners,
  }
  world.interactions.set(id, interaction)
  const said = payload(world, interaction, how)
  interaction.delivered = gateway.dispatch('INTERACTION_CREATE', said, place.guild?.id ?? null)
  world.news.happened({ is: 'interaction', interaction })
  return interaction
}

/** Everything that discord.js reads of an interaction, and what else Discord sends. */
function payload(world: World, { id, token, type, owners }: Interaction, how: Start): Json {
  const { user, place, data, context, messageJson } = how
  return {
    id,
    token,
    type,
    data,
    context,
    application_id: world.app.id,
    version: 1,
    ...who(place, user),
    channel_id: place.id,
    locale: 'en-US',
    app_permissions: appPermissions(place),
    entitlements: [],
    entitlement_sku_ids: [],
    authorizing_integration_owners: owners,
    attachment_size_limit: ATTACHMENT_LIMIT_BYTES,
    ...(messageJson ? { message: messageJson } : {}),
  }
}

function who(place: Place, user: User): Json {
  const { guild } = place
  if (!guild) return { user: userJson(user), channel: channelJson(place) }
  const member = memberJson(guild, user)
  return {
    member,
    guild_id: guild.id,
    guild: { id: guild.id, locale: 'en-US', features: [] },
    guild_locale: 'en-US',
    channel: { ...channelJson(place), permissions: member['permissions'] },
  }
}
