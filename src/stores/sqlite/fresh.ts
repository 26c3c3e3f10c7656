import { fromJson } from '../../lib/text/json.ts'
import type { Message } from '../../message/message.ts'

/** Messages that were put here lately: most are taken within milliseconds, and need not be made out of their JSON anew. */
export interface Fresh {
  put(rowId: number, json: string, message: Message): void
  /** The message that this JSON says, which may have been changed since. */
  message(rowId: number, json: string): Message
}

/** As many as are taken in two turns: what is so much older was merged or withdrawn, and nobody comes for it. */
const MOST = 1_000

export function createFresh(): Fresh {
  const known = new Map<number, { json: string; message: Message }>()
  return {
    put(rowId, json, message) {
      known.set(rowId, { json, message })
      for (const oldest of known.keys()) {
        if (oldest > rowId - MOST) break
        known.delete(oldest)
      }
    },
    message(rowId, json) {
      const one = known.get(rowId)
      known.delete(rowId)
      return one?.json === json ? one.message : (fromJson(json) as Message)
    },
  }
}
