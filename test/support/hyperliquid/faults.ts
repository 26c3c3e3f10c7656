import { dexNameIn } from './info.ts'

/**
 * What becomes of a request: `error` (500 with `null`), `limit` (429 with `null`), `bad-gateway` (HTML of a proxy),
 * `garbage` (200, and no JSON), `half-body`, `slow` (answered later with what was so when it was asked), `hang`, `reset`.
 */
export type FaultKind = (typeof FAULT_KINDS)[number]
export const FAULT_KINDS = [
  ...(['error', 'limit', 'bad-gateway', 'garbage'] as const),
  ...(['half-body', 'slow', 'hang', 'reset'] as const),
]

export interface Fault {
  kind: FaultKind
  /** Such as `clearinghouseState`; any request unless told. */
  type?: string
  /** Only what asks about this dex, the main one by an empty name. */
  dex?: string
  /** Only what asks about this address. */
  user?: string
  /** How many requests meet it, one unless told; Infinity until the faults are cleared. */
  times?: number
  /** How late a `slow` answer is. */
  ms?: number
}

export interface Faults {
  add(fault: Fault): void
  clear(): void
  /** The fault that this request meets, counted off. */
  take(body: unknown): Fault | null
}

export function createFaults(): Faults {
  let waiting: (Fault & { times: number })[] = []
  return {
    add: (fault) => void waiting.push({ times: 1, ...fault }),
    clear: () => void (waiting = []),
    take(body) {
      const asked = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
      const fault = waiting.find(
        ({ type, dex, user }) =>
          (type === undefined || type === asked['type']) &&
          (dex === undefined || dex === dexNameIn(asked)) &&
          (user === undefined || user.toLowerCase() === String(asked['user']).toLowerCase()),
      )
      if (!fault) return null
      fault.times -= 1
      waiting = waiting.filter(({ times }) => times > 0)
      return fault
    },
  }
}
