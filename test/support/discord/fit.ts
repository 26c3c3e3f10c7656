import { KINDS, type Place } from './guilds.ts'
import type { Json } from './refusals.ts'
import {
  ATTACHMENT,
  BOOLEAN,
  CHANNEL,
  INTEGER,
  LONGEST_STRING,
  NUMBER,
  type Option,
  ROLE,
  STRING,
  USER,
} from './validate/options.ts'
import { channelJson, memberJson, userJson } from './wire.ts'
import type { World } from './world.ts'

/** What a test gives for an option: a person, a channel or a role go by their ids, or by their names. */
export type Given = string | number | boolean | { id: string }

export type Resolved = Record<
  'users' | 'members' | 'channels' | 'roles' | 'attachments',
  Record<string, Json>
>

/** The value as it goes to the bot; throws where Discord's input would not take it. */
export function fitValue(
  world: World,
  place: Place,
  what: string,
  option: Option,
  given: Given,
  resolved: Resolved,
): string | number | boolean {
  switch (option.type) {
    case STRING:
      return fitString(what, option, given)
    case INTEGER:
    case NUMBER:
      return fitNumber(what, option, given)
    case BOOLEAN: {
      const value = typeof given === 'string' ? { true: true, false: false }[given] : given
      if (typeof value !== 'boolean') throw new Error(`${what} is true or false, not "${shown(given)}"`)
      return value
    }
    case USER:
      return fitUser(world, place, what, given, resolved)
    case CHANNEL:
      return fitChannel(place, what, option, given, resolved)
    case ATTACHMENT:
      return fitFile(world, what, given, resolved)
    case ROLE: {
      const role = place.guild?.roles.find((role) => isMeant(role, given))
      if (!role) throw new Error(`${what}: no role ${shown(given)} here`)
      const { id, name, mentionable } = role
      const rest = {
        color: 0,
        hoist: false,
        position: 1,
        permissions: '0',
        managed: false,
        mentionable,
      }
      resolved.roles[id] = { id, name, ...rest, flags: 0 }
      return id
    }
    default:
      throw new Error(`${what}: the stand-in does not know options of type ${option.type}`)
  }
}

const shown = (given: Given) => (typeof given === 'object' ? given.id : String(given))

const isMeant = ({ id, name }: { id: string; name: string }, given: Given) =>
  shown(given) === id || shown(given).replace(/^[@#]/, '') === name

function fitString(what: string, { choices, json }: Option, given: Given): string {
  if (typeof given === 'object') throw new Error(`${what} is a text`)
  const value = String(given)
  const least = typeof json['min_length'] === 'number' ? json['min_length'] : 0
  const most = typeof json['max_length'] === 'number' ? json['max_length'] : LONGEST_STRING
  if (value === '') throw new Error(`${what} is empty, which Discord does not send`)
  if (value.length < least || value.length > most) {
    throw new Error(`${what} has ${value.length} characters; ${least} to ${most} are allowed`)
  }
  return String(chosen(what, choices, value))
}

function fitNumber(what: string, { type, choices, json }: Option, given: Given): number {
  const value = typeof given === 'string' ? Number(given || Number.NaN) : given
  if (typeof value !== 'number' || Number.isNaN(value))
    throw new Error(`${what} is a number, not "${shown(given)}"`)
  if (type === INTEGER && !Number.isInteger(value)) throw new Error(`${what} is a whole number, not ${value}`)
  const { min_value: least, max_value: most } = json
  if (typeof least === 'number' && value < least)
    throw new Error(`${what} is at least ${least}, not ${value}`)
  if (typeof most === 'number' && value > most) throw new Error(`${what} is at most ${most}, not ${value}`)
  return Number(chosen(what, choices, value))
}

function chosen(what: string, choices: Option['choices'], value: string | number): string | number {
  if (choices.length === 0) return value
  const choice = choices.find((one) => one.value === value || one.name === value)
  if (!choice)
    throw new Error(`${what} is one of ${choices.map(({ name }) => name).join(', ')}, not "${value}"`)
  return choice.value
}

function fitUser(world: World, { guild }: Place, what: string, given: Given, resolved: Resolved): string {
  const user = [...world.users.values()].find((one) => isMeant(one, given))
  if (!user) throw new Error(`${what}: there is no user ${shown(given)}`)
  resolved.users[user.id] = userJson(user)
  if (guild?.members.has(user.id)) {
    const { user: _user, ...member } = memberJson(guild, user)
    resolved.members[user.id] = member
  }
  return user.id
}

function fitChannel(
  { guild }: Place,
  what: string,
  option: Option,
  given: Given,
  resolved: Resolved,
): string {
  const place = guild?.places.find((one) => !one.removed && isMeant(one, given))
  if (!place) throw new Error(`${what}: there is no channel ${shown(given)} here`)
  const types = option.json['channel_types']
  if (Array.isArray(types) && !types.includes(KINDS[place.kind])) {
    throw new Error(`${what}: #${place.name} is a ${place.kind} channel, which the option does not take`)
  }
  resolved.channels[place.id] = { ...channelJson(place), permissions: '0' }
  return place.id
}

/** https://docs.discord.com/developers/resources/message#attachment-object */
function fitFile(world: World, what: string, given: Given, resolved: Resolved): string {
  const id = shown(given)
  const file = world.files.get(id)
  if (!file) throw new Error(`${what}: no file ${id} was sent`)
  const url = file.says?.url ?? `${world.origin()}/ephemeral-attachments/${id}/${file.name}`
  resolved.attachments[id] = {
    ...{ id, filename: file.name, size: file.says?.size ?? file.content.length, url, proxy_url: url },
    ...{ content_type: 'application/json', ephemeral: true },
  }
  return id
}
