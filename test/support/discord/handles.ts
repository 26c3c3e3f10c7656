import { type Channel, channelHandle } from './channels.ts'
import type { Gateway } from './gateway.ts'
import {
  createPlace,
  type GuildState,
  type Kind,
  memberPermissions,
  type Permissions,
  type Role,
  type User,
} from './guilds.ts'
import { type Person, personHandle } from './people.ts'
import { isOfShard } from './sessions.ts'
import type { World } from './world.ts'

type ChannelKind = Exclude<Kind, 'dm' | 'group'>

/** A guild ("server") as tests use it. */
export interface Guild {
  readonly id: string
  readonly name: string
  /** The channel of that name, made when it is not there. */
  channel(
    name: string,
    how?: { kind?: ChannelKind; permissions?: Partial<Permissions>; parent?: { id: string } },
  ): Channel
  /** The member of that name, who joins when they are not there. */
  member(name: string, how?: { manageServer?: boolean; roles?: readonly { id: string }[] }): Person
  role(name: string, how?: { mentionable?: boolean }): Role
  /** Throws the bot out: 50001 from then on. */
  kicks(): void
  invites(): void
}

export function userOf(world: World, name: string): User {
  const known = [...world.users.values()].find((user) => user.name === name && !user.bot)
  if (known) return known
  const user: User = { id: world.newId(), name, bot: false, installed: false, open: true, dm: null }
  world.users.set(user.id, user)
  return user
}

export function guildOf(world: World, gateway: Gateway, name: string, shard: number | null): Guild {
  const known = [...world.guilds.values()].find((one) => one.name === name)
  const guild = known ?? newGuild(world, name, shard === null ? null : [shard, gateway.shards()])
  return {
    id: guild.id,
    name,
    channel(name, { kind = 'text', permissions = {}, parent } = {}) {
      const known = guild.places.find((place) => place.name === name && !place.removed)
      if (known) {
        known.may = { ...known.may, ...permissions }
        return channelHandle(world, known)
      }
      const above = parent ? (world.places.get(parent.id) ?? null) : null
      const place = createPlace(world.newId, { name, kind, guild, may: permissions, parent: above })
      guild.places.push(place)
      world.places.set(place.id, place)
      return channelHandle(world, place)
    },
    member(name, { manageServer, roles = [] } = {}) {
      const user = userOf(world, name)
      const known = guild.members.get(user.id)
      if (!known || manageServer !== undefined || roles.length > 0) {
        guild.members.set(user.id, {
          user,
          permissions:
            manageServer === undefined && known
              ? known.permissions
              : memberPermissions({ manageServer: manageServer ?? false }),
          roles: guild.roles.filter(({ id }) => roles.some((role) => role.id === id)),
        })
      }
      return personHandle(world, gateway, user, guild)
    },
    role(name, { mentionable = true } = {}) {
      const known = guild.roles.find((role) => role.name === name)
      if (known) return known
      const role = { id: world.newId(), name, mentionable }
      guild.roles.push(role)
      return role
    },
    kicks: () => void (guild.hasBot = false),
    invites: () => void (guild.hasBot = true),
  }
}

function newGuild(world: World, name: string, shard: [number, number] | null): GuildState {
  const id = shard === null ? world.newId() : idOfShard(world.newId(), shard)
  const guild: GuildState = {
    id,
    name,
    hasBot: true,
    places: [],
    members: new Map(),
    // https://docs.discord.com/developers/topics/permissions#role-object: everybody's role has the guild's id.
    roles: [{ id, name: '@everyone', mentionable: false }],
  }
  world.guilds.set(guild.id, guild)
  return guild
}

/** An id of this shard, made some milliseconds earlier. */
function idOfShard(newest: string, shard: [number, number]): string {
  const [, shards] = shard
  const ids = Array.from({ length: shards }, (_, ms) => String(BigInt(newest) - (BigInt(ms) << 22n)))
  const id = ids.find((one) => isOfShard(shard, one))
  if (id === undefined) throw new Error(`there is no shard ${shard.join('/')}`)
  return id
}
