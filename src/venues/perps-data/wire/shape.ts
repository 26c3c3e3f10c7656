import type { Wallet as Owner } from '../../../venue/wallet.ts'
import { type Fields, isFields, unreadable, wordsIn } from '../../http/refusal.ts'
import { chain } from './numbers.ts'

/**
 * Finds the list that an answer is about, since the specification does not show every envelope: the list itself,
 * `{ <name>: [...] }`, or either of them in `{ data }`. Throws when there is none: an answer without a list is
 * never an empty list.
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

/** Somebody else's answer must never be taken for this owner's. Addresses come back in any case. */
export function failOnOtherOwner(envelope: Fields, owner: Owner): void {
  const named = envelope['owner']
  if (named === undefined || named === null || named === owner) return
  if (typeof named !== 'string' || named.toLowerCase() !== owner.toLowerCase()) {
    throw unreadable(`it is about another owner than ${owner}`)
  }
}

/** As for the owner: an envelope that names another chain. */
export function failOnOtherChain(envelope: Fields, chainId: number): void {
  const named = chain(envelope['chainId'])
  if (named !== null && named !== chainId) {
    throw unreadable(
      `it is about chain ${named}, not ${chainId}; set VENUE_CHAIN_ID to the chain that is meant`,
    )
  }
}

/** A record that says that it belongs to another chain; one that says nothing is taken for ours. */
export function isElsewhere(element: unknown, chainId: number): boolean {
  if (!isFields(element) || element['chainId'] === chainId) return false
  return (chain(element['chainId']) ?? chainId) !== chainId
}

/** An answer with a good status that calls itself an error is one, whatever else it holds. */
export function failOnError(body: Fields): void {
  const error = body['error']
  const says = error === true || (typeof error === 'string' ? wordsIn(error) !== null : isFields(error))
  if (says || body['success'] === false)
    throw unreadable(`it is an error: ${wordsIn(body) ?? 'it says no more'}`)
}

/** Says what came instead of what was expected, with the venue's words when there are some. */
export function describe(body: unknown, expected: string): string {
  const words = isFields(body) ? wordsIn(body) : null
  if (words !== null) return `it is an error: ${words}`
  const kind = body === null ? 'null' : Array.isArray(body) ? 'a list' : typeof body
  return `it should be ${expected}, and is ${kind === 'object' ? 'an object without it' : kind}`
}
