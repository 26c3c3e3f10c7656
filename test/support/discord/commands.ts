import type { Clock } from '../../../src/runtime/clock.ts'
import { list } from './form.ts'
import type { NewId } from './ids.ts'
import { checked, refusal } from './refusals.ts'
import { checkCommands, type CommandSpec } from './validate/commands.ts'

/** https://docs.discord.com/developers/interactions/application-commands#registering-a-command */
const MOST_COMMANDS = 100
const MOST_CREATES_A_DAY = 200
const DAY_MS = 86_400_000

export interface Registered {
  id: string
  version: string
  guildId: string | null
  spec: CommandSpec
}

export interface Commands {
  /** Global commands with null, else those of a guild. */
  list(guildId: string | null): readonly Registered[]
  overwrite(guildId: string | null, body: unknown): readonly Registered[]
  /** A guild's own command goes before the global one. */
  find(name: string, guildId: string | null): Registered | undefined
  /** How often commands were put. */
  puts(): number
}

export function createCommands(clock: Clock, newId: NewId): Commands {
  const scopes = new Map<string | null, Registered[]>()
  const creates = new Map<string | null, number[]>()
  let puts = 0

  const count = (guildId: string | null, created: number) => {
    const today = (creates.get(guildId) ?? []).filter((at) => clock.monotonic() - at < DAY_MS)
    if (today.length + created > MOST_CREATES_A_DAY) throw refusal('tooManyCreates')
    creates.set(guildId, [...today, ...Array.from({ length: created }, () => clock.monotonic())])
  }
  return {
    list: (guildId) => scopes.get(guildId) ?? [],
    overwrite(guildId, body) {
      const specs = checked((form) => {
        const items = list(form, body, { max: Infinity })
        if (items.length > MOST_COMMANDS) throw refusal('tooManyCommands')
        return checkCommands(form, items)
      })
      const before = scopes.get(guildId) ?? []
      const known = (name: string) => before.find(({ spec }) => spec.name === name)
      count(guildId, specs.filter(({ name }) => !known(name)).length)
      const after = specs.map((spec): Registered => {
        const old = known(spec.name)
        const same = old && JSON.stringify(old.spec.json) === JSON.stringify(spec.json)
        return { id: old?.id ?? newId(), version: same ? old.version : newId(), guildId, spec }
      })
      scopes.set(guildId, after)
      puts += 1
      return after
    },
    find(name, guildId) {
      const inScope = (scope: string | null) => scopes.get(scope)?.find(({ spec }) => spec.name === name)
      return (guildId ? inScope(guildId) : undefined) ?? inScope(null)
    },
    puts: () => puts,
  }
}
