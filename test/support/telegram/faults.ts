import type { Parameters } from './refusal.ts'
import type { Args } from './request.ts'

/**
 * What becomes of a request:
 * `reset`, `hang`, `html-502`, `html-404` and `json` (any answer at all): nothing is done ·
 * `half-body`, `deliver-then-reset`, `deliver-then-hang`: it is done, but the bot cannot know ·
 * `half-upload`: of a request with a file half is read, and nothing is done ·
 * `delay`: it is done and answered late, even when the bot has hung up meanwhile.
 */
export type FaultKind = (typeof FAULT_KINDS)[number] | 'half-upload'
export const FAULT_KINDS = [
  ...(['reset', 'hang', 'half-body', 'html-502', 'html-404'] as const),
  ...(['deliver-then-reset', 'deliver-then-hang', 'delay', 'json'] as const),
]

export interface Fault {
  /** Such as `sendMessage`; `*` is any. */
  method: string
  kind: FaultKind
  /** How many requests meet it, 1 unless said; Infinity until `calm()`. */
  times?: number
  /** How long the request is held before the fault shows. */
  afterMs?: number
  /** Only requests for this chat. */
  chat?: number
  /** For `json`: the error, by default 500; `body` replaces the whole answer. */
  status?: number
  description?: string
  parameters?: Parameters
  body?: unknown
}

export interface Faults {
  add(fault: Fault): void
  clear(): void
  /** Those still to come, oldest first. */
  list(): readonly Fault[]
  /** Whether the next upload with this method breaks off, counted off. */
  breaksOff(method: string): boolean
  /** The fault that this request meets, counted off. */
  take(method: string, args: Args): Fault | null
}

export function createFaults(): Faults {
  let waiting: (Fault & { times: number })[] = []
  const count = (fault: { times: number }) => {
    fault.times -= 1
    waiting = waiting.filter(({ times }) => times > 0)
  }
  const isFor = (one: Fault, method: string) =>
    one.method === '*' || one.method.toLowerCase() === method.toLowerCase()
  return {
    breaksOff(method) {
      const fault = waiting.find((one) => one.kind === 'half-upload' && isFor(one, method))
      if (fault) count(fault)
      return fault !== undefined
    },
    add: (fault) => void waiting.push({ times: 1, ...fault }),
    clear: () => void (waiting = []),
    list: () => waiting,
    take(method, args) {
      const fault = waiting.find(
        (one) =>
          one.kind !== 'half-upload' &&
          isFor(one, method) &&
          (one.chat === undefined || one.chat === args.whole('chat_id')),
      )
      if (!fault) return null
      count(fault)
      return fault
    },
  }
}
