import type { Asked } from './api.ts'
import type { HttpAnswer } from './endpoint.ts'

/** What was answered before, for the fault that answers the same again. */
interface Former {
  /** The answer of now, or if it is to be stale the last one that was not. */
  of(asked: Asked, stale: boolean, answer: () => HttpAnswer): HttpAnswer
}

/** Requests; what was asked longest ago is forgotten. */
const KEPT = 256

export function createFormer(): Former {
  const last = new Map<string, HttpAnswer>()
  return {
    of({ method, path, query, body }, stale, answer) {
      const request = `${method} ${path}?${query.toString()} ${body}`
      const before = stale ? last.get(request) : undefined
      if (before) return before
      const now = answer()
      if (path.startsWith('/_sim') || now.status !== 200) return now
      last.delete(request)
      last.set(request, now)
      for (const oldest of last.keys()) {
        if (last.size <= KEPT) break
        last.delete(oldest)
      }
      return now
    },
  }
}
