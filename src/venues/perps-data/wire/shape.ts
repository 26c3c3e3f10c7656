import type { Wallet } from '../../../venue/wallet.ts'
import { type Fields, isFields, unreadable, wordsIn } from '../../http/reply.ts'
import { chain } from './numbers.ts'

/**
 * Finds the list of an answer: the list itself, `{ <name>: [...] }`, or either of them in `{ data }`. The
 * specification does not show every envelope. Throws if there is none: an answer without a list is never an
 * empty list.
 */
export function listIn(body: unknown, name: string): { list: unknown[]; envelope: Fields } {
  const found = listOrNothing(body, name) ?? (isFields(body) ? listOrNothing(body['data'], name) : null)
  if (!found) throw unreadable(describe(body, `a list of ${name}`))
  return found
}

function listOrNothing(body: unknown, name: string): { list: unknown[]; envelope: Fields } | null {
  if (Array.isArray(body)) return { list: body, envelope: {} }
  if (!isFields(body)) return null
  failOnError(body)
  const list = body[name]
  return Array.isArray(list) ? { list, envelope: body } : null
}

/** Refuses an answer about another wallet. Addresses come back in any case. */
export function failOnOtherWallet(envelope: Fields, wallet: Wallet): void {
  const named = envelope['owner']
  if (named === undefined || named === null || named === wallet) return
  if (typeof named !== 'string' || named.toLowerCase() !== wallet.toLowerCase()) {
    throw unreadable(`it is about another owner than ${wallet}`)
  }
}

/** Refuses an envelope that names another chain. */
export function failOnOtherChain(envelope: Fields, chainId: number): void {
  const named = chain(envelope['chainId'])
  if (named !== null && named !== chainId) {
    throw unreadable(
      `it is about chain ${named}, not ${chainId}; set VENUE_CHAIN_ID to the chain that is meant`,
    )
  }
}

/** Whether a record names another chain. A record without a chain counts as ours. */
export function isElsewhere(element: unknown, chainId: number): boolean {
  if (!isFields(element) || element['chainId'] === chainId) return false
  return (chain(element['chainId']) ?? chainId) !== chainId
}

/** Refuses an answer that calls itself an error despite its good status. */
export function failOnError(body: Fields): void {
  const error = body['error']
  const says = error === true || (typeof error === 'string' ? wordsIn(error) !== null : isFields(error))
  if (says || body['success'] === false)
    throw unreadable(`it is an error: ${wordsIn(body) ?? 'it says no more'}`)
}

/** Says what arrived instead, with the venue's words if there are some. */
export function describe(body: unknown, expected: string): string {
  const words = isFields(body) ? wordsIn(body) : null
  if (words !== null) return `it is an error: ${words}`
  const kind = body === null ? 'null' : Array.isArray(body) ? 'a list' : typeof body
  return `it should be ${expected}, and is ${kind === 'object' ? 'an object without it' : kind}`
}
