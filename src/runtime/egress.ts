import type { Delivery } from '../message/delivery.ts'

/** Requests to addresses that people name: public ones, and private ones that the operator allows. */
export interface Egress {
  /** Why nothing is sent to this address, as words after "because"; null when it may be. Names are resolved. */
  refusal(url: URL, signal: AbortSignal): Promise<string | null>
  /** Asks once, and follows no redirect. Never throws, and ends when the signal says so. */
  ask(url: URL, asked: Asked, signal: AbortSignal): Promise<EgressAnswer>
  /** The same, for which these hosts are allowed as well. */
  allowing(hosts: readonly string[]): Egress
}

export interface Asked {
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array | null
}

/** How a request ended, before anybody judges it. `why` names no more of an address than its host. */
export type EgressAnswer =
  | {
      is: 'answered'
      status: number
      /** No more of it than anybody needs. */
      body: string
      /** It did not break off. */
      isWhole: boolean
      retryAfterMs: number | null
    }
  /** The address is none that may be asked. */
  | { is: 'refused'; why: string }
  /** No answer. `maybeDone` is false when the request cannot have reached anybody. */
  | { is: 'lost'; maybeDone: boolean; why: string }

/** The delivery outcome of a message if the address that a person named did not answer. */
export function unanswered(reached: Exclude<EgressAnswer, { is: 'answered' }>): Delivery {
  const { why } = reached
  if (reached.is === 'refused') return { is: 'gone', why }
  return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: reached.maybeDone, why }
}
