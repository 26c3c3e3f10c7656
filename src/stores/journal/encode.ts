import type { Operation } from '../sqlite/journaled/operations.ts'

/**
 * The form of the operations below. A new one is due when an older Perch could not do what an operation says, or would do
 * something else. Each Perch reads all forms up to its own.
 */
export const FORM = 1

/** Writes an operation as JSON in which nothing is lost: exact integers, bytes, and numbers that JSON does not have. */
export function encode(operation: Operation): string {
  return JSON.stringify(operation, function (this: Record<string, unknown>, key, part: unknown) {
    // JSON.stringify has turned a Buffer into an object by now.
    const own = this[key]
    if (own instanceof Uint8Array) return { $bytes: Buffer.from(own).toString('base64') }
    if (typeof own === 'bigint') return { $bigint: own.toString() }
    if (typeof own === 'number' && (!Number.isFinite(own) || Object.is(own, -0)))
      return { $number: Object.is(own, -0) ? '-0' : String(own) }
    return part
  })
}

export function decode(text: string): Operation {
  const value = JSON.parse(text) as unknown
  return (/"\$(?:bigint|bytes|number)"/.test(text) ? unwrapped(value) : value) as Operation
}

function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [only] = entries
  if (entries.length === 1 && only && typeof only[1] === 'string') {
    const [key, text] = only
    if (key === '$bigint') return BigInt(text)
    if (key === '$bytes') return new Uint8Array(Buffer.from(text, 'base64'))
    if (key === '$number') return Number(text)
  }
  if (Array.isArray(value)) return value.map(unwrapped)
  return Object.fromEntries(entries.map(([key, part]) => [key, unwrapped(part)]))
}
