import { z } from 'zod'

/** It has no variables of its own: an assistant gets its token in a chat, by /assistant. */
export const schema = z.object({})

/** It is opened beside the chats. Nothing asks for it alone. */
export function isConfigured(_env: Readonly<Record<string, string | undefined>>): boolean {
  return false
}

export const besides = true
