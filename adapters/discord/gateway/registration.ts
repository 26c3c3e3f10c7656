import { Routes } from 'discord.js'

import type { Api } from '../send/api.ts'
import type { CommandIds } from '../send/text.ts'
import type { SlashCommand, SlashOption } from './commands.ts'

/** Registers the commands if Discord has different ones, and returns the ids that link to them. */
export async function register(
  api: Api,
  applicationId: string,
  wanted: readonly SlashCommand[],
  signal: AbortSignal,
): Promise<CommandIds> {
  const route = Routes.applicationCommands(applicationId)
  // Without that, Discord leaves out the words of other languages.
  const all = `${route}?with_localizations=true` as const
  const there = (await api.bot('GET', all, { signal })) as Registered[]
  const same = isSame(wanted, there)
  return idsOf(same ? there : ((await api.bot('PUT', route, { body: wanted, signal })) as Registered[]))
}

/** A command as Discord returns it. Old registrations, or those of other programs, may lack any field. */
type Registered = Pick<SlashCommand, 'name' | 'description'> &
  Partial<Omit<SlashCommand, 'contexts' | 'integration_types'>> & {
    id: string
    contexts?: number[] | null
    integration_types?: number[] | null
  }

/** Whether the registered commands equal the wanted ones. Discord omits empty fields. */
export function isSame(wanted: readonly SlashCommand[], there: readonly Omit<Registered, 'id'>[]): boolean {
  const all = (commands: readonly Omit<Registered, 'id'>[]) =>
    JSON.stringify(commands.map(command).toSorted((a, b) => a.name.localeCompare(b.name)))
  return all(wanted) === all(there)
}

function command({
  name,
  description,
  description_localizations,
  options,
  contexts,
  integration_types,
  default_member_permissions,
}: Omit<Registered, 'id'>) {
  return {
    name,
    description,
    description_localizations: sorted(description_localizations),
    default_member_permissions: default_member_permissions ?? null,
    contexts: (contexts ?? []).toSorted((a, b) => a - b),
    integration_types: (integration_types ?? []).toSorted((a, b) => a - b),
    options: (options ?? []).map(option),
  }
}

function option({
  type,
  name,
  description,
  description_localizations,
  required,
  autocomplete,
  choices,
  min_value,
  max_length,
  channel_types,
  options,
}: SlashOption): unknown {
  return {
    type,
    name,
    description,
    description_localizations: sorted(description_localizations),
    required: required ?? false,
    autocomplete: autocomplete ?? false,
    min_value: min_value ?? null,
    max_length: max_length ?? null,
    channel_types: channel_types ?? [],
    choices: (choices ?? []).map(({ name, value }) => ({ name, value })),
    options: (options ?? []).map(option),
  }
}

function sorted(all: SlashCommand['description_localizations'] | null): [string, string][] {
  return Object.entries(all ?? {}).toSorted(([a], [b]) => a.localeCompare(b))
}

/** A command with sub-commands can be linked only through one of them. */
function idsOf(commands: readonly Registered[]): CommandIds {
  const ids = new Map<string, string>()
  for (const { id, name, options = [] } of commands) {
    const subs = options.filter(({ type }) => type === 1)
    if (subs.length === 0) ids.set(name, id)
    for (const sub of subs) ids.set(`${name} ${sub.name}`, id)
  }
  return ids
}
