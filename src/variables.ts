import { z } from 'zod'

import { edits, nearest } from './lib/nearest.ts'
import type { Env } from './plug.ts'

/** First words that other programs' variables have as well (`HTTP_PROXY`): a stranger among those is none of ours. */
const EVERYBODYS = new Set(['ACCESS', 'DATABASE', 'HTTP', 'LOG', 'MAX', 'PUBLIC'])

/** So many slips of the finger: one in a short name, two in a longer one. */
const SHORT = 6

/** The variables that these schemas read. */
export function variablesOf(schemas: readonly z.ZodType[]): string[] {
  return schemas.flatMap((schema) =>
    Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {}),
  )
}

/** A sentence for each variable that looks like one of ours and is none: what it was to change would silently stay. */
export function misspelt(env: Env, known: readonly string[]): string[] {
  const names = [...new Set(known)]
  // Whoever sets `VENUE_…` means us, whatever follows.
  const ours = new Set(names.filter((name) => name.includes('_')).map(firstWord))
  return Object.keys(env)
    .filter((name) => !names.includes(name))
    .flatMap((name) => {
      const near = names.find((one) => edits(name.toUpperCase(), one) <= (one.length <= SHORT ? 1 : 2))
      if (near !== undefined) return [`I do not know ${name}. Did you mean ${near}?`]
      const first = firstWord(name)
      if (!name.includes('_') || EVERYBODYS.has(first) || !ours.has(first)) return []
      const likely = nearest(name, names)
      return [
        likely === null
          ? `I do not know ${name}. Remove it; the README lists what there is.`
          : `I do not know ${name}. Did you mean ${likely}? Else remove it.`,
      ]
    })
}

function firstWord(name: string): string {
  return name.split('_', 1)[0]?.toUpperCase() ?? ''
}
