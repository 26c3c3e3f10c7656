import type { Registered } from './commands.ts'
import { fitValue, type Given, type Resolved } from './fit.ts'
import { ADMINISTRATOR, type Place, type User } from './guilds.ts'
import type { Json } from './refusals.ts'
import { isNested, type Option } from './validate/options.ts'
import type { World } from './world.ts'

/** A command as a person entered it, fitted to what the bot has registered. */
interface Invocation {
  registered: Registered
  data: Json
  what: string
  focused: Option | null
}

/**
 * Reads `/alert price-above symbol:BTC` or the same with the options apart, as Discord's own input would:
 * what it would not let a person send is an error that says why.
 */
export function invoke(
  world: World,
  place: Place,
  line: string,
  given: Record<string, Given>,
  focus: string | null = null,
): Invocation {
  const [name = '', ...words] = line.trim().replace(/^\//, '').split(/\s+/)
  const registered = world.commands.find(name, place.guild?.id ?? null)
  if (!registered) {
    const known = world.commands.list(null).map(({ spec }) => `/${spec.name}`)
    throw new Error(`The bot has registered no /${name}; there are ${known.join(' ') || 'none'}`)
  }
  const path: Option[] = []
  let leaves = registered.spec.options
  while (leaves.some(isNested)) {
    const next = leaves.find(({ name }) => name === words[0])
    if (!next)
      throw new Error(`/${said(name, path)} needs one of: ${leaves.map(({ name }) => name).join(', ')}`)
    path.push(next)
    words.shift()
    leaves = next.options
  }
  const full = `/${said(name, path)}`
  const values = { ...inLine(full, leaves, words.join(' ')), ...given }
  const resolved: Resolved = { users: {}, members: {}, channels: {}, roles: {}, attachments: {} }
  const options = fit(world, place, full, leaves, values, focus, resolved)
  const nested = path
    .toReversed()
    .reduce<Json[]>((inner, { name, type }) => [{ name, type, options: inner }], options)
  const filled = Object.entries(resolved).filter(([, found]) => Object.keys(found).length > 0)
  const { id, guildId } = registered
  const data: Json = { id, name, type: 1, options: nested }
  if (guildId) data['guild_id'] = guildId
  if (filled.length > 0) data['resolved'] = Object.fromEntries(filled)
  return {
    registered,
    data,
    what: [full, ...options.map(({ name, value }) => `${String(name)}:${String(value)}`)].join(' '),
    focused: leaves.find(({ name }) => name === focus) ?? null,
  }
}

function said(name: string, path: readonly Option[]): string {
  return [name, ...path.map(({ name }) => name)].join(' ')
}

/** Options in the line: each value reaches to the next option's name. */
function inLine(full: string, leaves: readonly Option[], rest: string): Record<string, string> {
  if (!rest) return {}
  const parts = rest.split(/(?:^|\s+)([-_'\p{L}\p{N}]+):/u)
  if (parts[0]) throw new Error(`${full} does not take "${parts[0]}"; options are written as name:value`)
  const found: Record<string, string> = {}
  let last = ''
  for (let index = 1; index < parts.length; index += 2) {
    const [name = '', value = ''] = parts.slice(index, index + 2)
    const isOption = leaves.some((leaf) => leaf.name === name)
    if (!isOption && last) found[last] += ` ${name}:${value}`
    else {
      found[name] = value.trim()
      last = name
    }
  }
  return found
}

function fit(
  world: World,
  place: Place,
  full: string,
  leaves: readonly Option[],
  values: Record<string, Given>,
  focus: string | null,
  resolved: Resolved,
): Json[] {
  for (const name of Object.keys(values)) {
    if (leaves.some((leaf) => leaf.name === name)) continue
    const known = leaves.map(({ name }) => name).join(', ')
    throw new Error(`${full} has no option "${name}"; ${known ? `there are ${known}` : 'it has none'}`)
  }
  return leaves.flatMap((leaf) => {
    const { name, type } = leaf
    const value = values[name]
    if (focus === name)
      return [
        { name, type, value: typeof value === 'object' ? value.id : String(value ?? ''), focused: true },
      ]
    if (value === undefined) {
      if (leaf.required && focus === null) throw new Error(`${full} needs the option "${name}"`)
      return []
    }
    // While one option is being completed the others go as they stand.
    if (focus !== null) return [{ name, type, value: typeof value === 'object' ? value.id : value }]
    return [{ name, type, value: fitValue(world, place, `${full} ${name}`, leaf, value, resolved) }]
  })
}

/** Whether Discord shows the command to this person here, and by whose installation it runs. */
export function audience(
  { app }: World,
  { spec }: Registered,
  user: User,
  place: Place,
): { context: number; guildInstalled: boolean; owners: Record<string, string> } {
  const { guild, kind } = place
  const context = guild ? 0 : kind === 'dm' ? 1 : 2
  const member = guild?.members.get(user.id)
  const where = guild ? `in ${guild.name}` : kind === 'dm' ? 'in direct messages' : 'in private channels'
  if (guild && !member) throw new Error(`${user.name} is not in ${guild.name}`)
  if (!guild && !place.people.includes(user)) throw new Error(`${user.name} is not part of ${place.name}`)
  if (!spec.contexts.includes(context))
    throw new Error(`/${spec.name} is not offered ${where} (its contexts)`)
  const owners: Record<string, string> = {}
  if (spec.integrationTypes.includes(0) && (guild?.hasBot || context === 1)) owners['0'] = guild?.id ?? '0'
  if (spec.integrationTypes.includes(1) && user.installed) owners['1'] = user.id
  if (Object.keys(owners).length === 0)
    throw new Error(`${app.name} is not installed ${where}, nor for ${user.name}`)
  const needs = spec.memberPermissions
  if (member && needs !== null && (member.permissions & ADMINISTRATOR) === 0n) {
    const may = needs !== 0n && (member.permissions & needs) === needs
    if (!may)
      throw new Error(`Discord does not show /${spec.name} to ${user.name} (default_member_permissions)`)
  }
  return { context, guildInstalled: '0' in owners, owners }
}
