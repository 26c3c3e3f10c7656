import type { Place, User } from './guilds.ts'
import { COMPLETION, type Interaction } from './interactions.ts'
import type { Message } from './messages.ts'
import { transcript } from './readable.ts'
import type { World } from './world.ts'

/** A request as it came, and what was answered. */
export interface Request {
  /** Monotonic time at which it arrived. */
  at: number
  /** The door by which it came; null for the usual address. */
  door: string | null
  /** "POST /channels/:id/messages", or why there is no such route. */
  route: string
  method: string
  path: string
  /** 0 when the client saw no answer; null while it waits. */
  status: number | null
  /** The fault that it met. */
  fault: string | null
  body: unknown
}

type Where = { id: string }

/** What there is to see of a bot: what it said, where, when and to whom, and what it asked for. */
export interface Ledger {
  /** What was said there, in order; everywhere, when no place is given. */
  messages(where?: Where): readonly Message[]
  /** What the place shows now, to everybody or to one person. */
  shows(where: Where, as?: { id: string }): string
  interactions(): readonly Interaction[]
  /** From handing out an interaction to its callback request, in milliseconds, in order. */
  ackLatencies(): number[]
  requests(): readonly Request[]
  /** How many requests there were, by route. */
  counts(): Record<string, number>
  /** 401, 403 and 429 within the last ten minutes. */
  invalidRequests(): number
  until: World['news']['until']
}

export function createLedger(
  world: World,
  requests: readonly Request[],
  invalidRequests: () => number,
): Ledger {
  const { messages, interactions, news } = world
  const at = (where: Where) => (one: { place: Place }) => one.place.id === where.id
  return {
    messages: (where) => (where ? messages.all().filter(at(where)) : messages.all()),
    shows(where, as) {
      const user: User | null = as ? (world.users.get(as.id) ?? null) : null
      const asked = [...interactions.values()].filter((one) => one.type !== COMPLETION && at(where)(one))
      return transcript(world, messages.all().filter(at(where)), asked, user)
    },
    interactions: () => [...interactions.values()],
    ackLatencies: () =>
      [...interactions.values()].flatMap(({ at, ackedAt }) => (ackedAt === null ? [] : [ackedAt - at])),
    requests: () => requests,
    counts() {
      const counts: Record<string, number> = {}
      for (const { route } of requests) counts[route] = (counts[route] ?? 0) + 1
      return counts
    },
    invalidRequests,
    until: (look, what, limitMs) => news.until(look, what, limitMs),
  }
}
