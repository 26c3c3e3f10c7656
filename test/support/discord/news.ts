import { PATIENCE_MS } from '../patience.ts'
import type { Interaction } from './interactions.ts'
import type { Message } from './messages.ts'

/** What happens in the stand-in, as it happens. */
export type Event =
  | { is: 'message' | 'edit' | 'removal'; message: Message }
  | { is: 'interaction' | 'acknowledged'; interaction: Interaction }
  | { is: 'request'; route: string; status: number }
  | { is: 'gateway'; what: string }

export interface News {
  happened(event: Event): void
  listen(hear: (event: Event) => void): () => void
  /** Resolves with the first thing that `look` finds, now or after anything that happens; rejects after the limit. */
  until<T>(
    look: () => T | null | undefined | false,
    what: string | (() => string),
    limitMs?: number,
  ): Promise<T>
}

export function createNews(): News {
  const listeners = new Set<(event: Event) => void>()
  const listen = (hear: (event: Event) => void) => {
    listeners.add(hear)
    return () => void listeners.delete(hear)
  }
  return {
    listen,
    happened(event) {
      for (const hear of listeners) hear(event)
    },
    until: (look, what, limitMs = PATIENCE_MS) =>
      new Promise((resolve, reject) => {
        const found = look()
        if (found) return resolve(found)
        const timer = setTimeout(() => {
          stop()
          reject(new Error(`not within ${limitMs} ms: ${typeof what === 'string' ? what : what()}`))
        }, limitMs)
        const stop = listen(() => {
          try {
            const found = look()
            if (!found) return
            clearTimeout(timer)
            stop()
            resolve(found)
          } catch (error) {
            clearTimeout(timer)
            stop()
            reject(error instanceof Error ? error : new Error(String(error)))
          }
        })
        return undefined
      }),
  }
}
