/**
 * What becomes of a request: `error` (500), `unavailable` (503), `limit` (429 with its code), `firewall` (405 for too many), `html` (200, and a page in
 * place of JSON), `half-body`, `slow` (answered later), `hang`, `reset`.
 */
export type FaultKind = (typeof FAULT_KINDS)[number]
export const FAULT_KINDS = [
  ...(['error', 'unavailable', 'limit', 'firewall', 'html'] as const),
  ...(['half-body', 'slow', 'hang', 'reset'] as const),
]

export interface Fault {
  kind: FaultKind
  /** Such as `account`; any request unless told. */
  path?: string
  /** Only what asks about this address or index. */
  value?: string
  /** How many requests meet it, one unless told; Infinity until the faults are cleared. */
  times?: number
  /** How late a `slow` answer is. */
  ms?: number
}

export interface Faults {
  add(fault: Fault): void
  clear(): void
  /** The fault that this request meets, counted off. */
  take(path: string, query: URLSearchParams): Fault | null
}

export function createFaults(): Faults {
  let waiting: (Fault & { times: number })[] = []
  return {
    add: (fault) => void waiting.push({ times: 1, ...fault }),
    clear: () => void (waiting = []),
    take(path, query) {
      const asked = (query.get('value') ?? query.get('l1_address') ?? '').toLowerCase()
      const fault = waiting.find(
        (one) =>
          (one.path === undefined || one.path === path) &&
          (one.value === undefined || one.value.toLowerCase() === asked),
      )
      if (!fault) return null
      fault.times -= 1
      waiting = waiting.filter(({ times }) => times > 0)
      return fault
    },
  }
}
