import { answer, description } from './api.ts'
import type { Asked } from './api.ts'
import { refusal } from './endpoint.ts'
import type { HttpAnswer, Served } from './endpoint.ts'
import type { Limit } from './limit.ts'

/**
 * What the venue answers to any request: its control door first, which is neither limited nor there for everybody, then the limit of
 * whoever asks, by key or else by address, then the API.
 */
export function serve(
  { limit, doors, url }: { limit: Limit | null; doors: ((asked: Asked) => HttpAnswer) | null; url: string },
  venue: Served,
  asked: Asked,
  tick: number,
): HttpAnswer {
  if (isControl(asked.path)) return doors?.(asked) ?? refusal(404, `No such path: ${asked.path}`)
  const who = asked.key === null ? `address ${asked.from}` : `key ${asked.key}`
  if (limit && !limit.takes(who, tick))
    return refusal(429, 'Too many requests: wait a moment, then ask again')
  return asked.path === '/openapi.json' ? description(asked, url) : answer(venue, asked)
}

export function isControl(path: string): boolean {
  return path === '/_sim' || path.startsWith('/_sim/')
}
