import type { Json } from './refusals.ts'

/** What the next requests of a route meet instead of an answer. */
export interface Fault {
  /** "*", or a path like "/channels/:id/messages", or one with its method before it. */
  route: string
  kind:
    | 'status'
    | 'html'
    | 'hang'
    | 'reset'
    | 'half-body'
    /** Of a request with a file half is read, and nothing is done. */
    | 'half-upload'
    | 'delay'
    | 'deliver-then-500'
    | 'deliver-then-reset'
    | 'deliver-then-hang'
  /** For `status` and `html`; 500 and 502 unless told. */
  status?: number
  body?: Json
  /** False leaves out those that Discord sends with a 429. */
  headers?: Record<string, string> | false
  /** For a 429: what `Retry-After` says. */
  retryAfterMs?: number
  global?: boolean
  scope?: 'user' | 'global' | 'shared'
  /** For `delay`: the request is done at once and answered so much later. */
  ms?: number
  /** How many requests meet it; one unless told. */
  times?: number
  /** How many requests of the route pass before. */
  after?: number
}

interface Faults {
  add(fault: Fault): void
  clear(): void
  /** Those still to come. */
  list(): readonly Fault[]
  /** Whether the next upload there breaks off, counted off. */
  breaksOff(method: string, path: string): boolean
  /** The fault that this request meets, counted off. */
  take(method: string, path: string): Fault | null
}

export function createFaults(): Faults {
  let waiting: (Fault & { times: number; after: number })[] = []
  return {
    add: (fault) => void waiting.push({ ...fault, times: fault.times ?? 1, after: fault.after ?? 0 }),
    clear: () => void (waiting = []),
    list: () => waiting,
    breaksOff(method, path) {
      const fault = waiting.find((one) => one.kind === 'half-upload' && meets(one.route, method, path))
      if (fault && --fault.times <= 0) waiting = waiting.filter((other) => other !== fault)
      return fault !== undefined
    },
    take(method, path) {
      const fault = waiting.find((one) => one.kind !== 'half-upload' && meets(one.route, method, path))
      if (!fault) return null
      if (fault.after > 0) {
        fault.after -= 1
        return null
      }
      fault.times -= 1
      if (fault.times <= 0) waiting = waiting.filter((other) => other !== fault)
      return fault
    },
  }
}

export function meets(pattern: string, method: string, path: string): boolean {
  if (pattern === '*') return true
  const [first = '', second] = pattern.split(' ')
  const wanted = (second ?? first).split('/')
  if (second !== undefined && first !== '*' && first.toUpperCase() !== method) return false
  const parts = path.split('/')
  if (wanted.at(-1) === '*' ? parts.length < wanted.length : parts.length !== wanted.length) return false
  return wanted.every((part, index) => part === '*' || part.startsWith(':') || part === parts[index])
}
