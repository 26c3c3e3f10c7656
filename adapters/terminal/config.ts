import { z } from 'zod'

/** The terminal has no variables of its own. */
export const schema = z.object({})

/** Opened if nothing else is configured. */
export const fallback = true

/** Nothing in the environment asks for a terminal. */
export function isConfigured(_env: Readonly<Record<string, string | undefined>>): boolean {
  return false
}
