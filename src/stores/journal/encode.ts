import type { Operation } from '../sqlite/journaled/operations.ts'

/**
 * The form of the operations below. A new one is due when an older Perch could not do what an operation says, or would do
 * something else. Each Perch reads all forms up to its own.
 */
export const FORM = 2

/** The only field of an object that stands for a value that JSON does not have; `$plain` for an object that looks like one. */
const MARKS: ReadonlySet<string> = new Set(['$bigint', '$bytes', '$number', '$plain'])
const ANY_MARK = /"\$(?:bigint|bytes|number|plain)"/

/** Writes an operation as JSON in which nothing is lost: exact integers, bytes, and numbers that JSON does not have. */
export function encode(operation: Operation): string {
  return JSON.stringify(operation, function (this: Record<string, unknown>, key, part: unknown) {
    if (typeof part === 'bigint') return { $bigint: part.toString() }
    if (Object.is(part, -0)) return { $number: '-0' }
    if (typeof part === 'number') return Number.isFinite(part) ? part : { $number: String(part) }
    if (typeof part !== 'object' || part === null) return part
    // JSON.stringify has turned a Buffer into an object by now.
    const own = this[key]
    if (own instanceof Uint8Array) return { $bytes: Buffer.from(own).toString('base64') }
    const only = onlyMark(part)
    return only === null ? part : { $plain: [only, (part as Record<string, unknown>)[only]] }
  })
}

export function decode(text: string): Operation {
  const value = JSON.parse(text) as unknown
  return (ANY_MARK.test(text) ? unwrapped(value) : value) as Operation
}

/** The mark that is the only field of an object; else null. */
function onlyMark(part: object): string | null {
  for (const first in part) {
    if (!first.startsWith('$') || !MARKS.has(first)) return null
    return Object.keys(part).length === 1 ? first : null
  }
  return null
}

function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(unwrapped)
  const mark = onlyMark(value)
  if (mark === null)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, unwrapped(part)]))
  const kept = (value as Record<string, unknown>)[mark]
  if (mark === '$bigint') return BigInt(String(kept))
  if (mark === '$bytes') return new Uint8Array(Buffer.from(String(kept), 'base64'))
  if (mark === '$number') return Number(kept)
  const [key, part] = kept as [string, unknown]
  return { [key]: unwrapped(part) }
}
