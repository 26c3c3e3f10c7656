import { z } from 'zod'

/** The terminal has no variables of its own. */
export const schema = z.object({})

/** Nothing in the environment asks for a terminal: it is what opens when nothing else is configured. */
export function isConfigured(_env: Readonly<Record<string, string | undefined>>): boolean {
  return false
}
