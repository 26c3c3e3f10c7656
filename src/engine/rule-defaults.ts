import { findKind, type Kind, type Rule } from '../alert/alert.ts'
import type { Snapshot } from '../store/snapshot.ts'

/** Rules of an earlier version have what was added since as who leaves it out has it. */
export function withDefaults(kinds: readonly Kind[], remembered: Snapshot): Snapshot {
  // Most rules share what they ask for, and go on doing so.
  const known = new Map<string, Map<unknown, unknown>>()
  const completed = ({ kind: name, params }: Rule): unknown => {
    const kind = findKind(kinds, name)
    if (!kind || typeof params !== 'object' || params === null) return params
    const has = Object.keys(params)
    if (Object.keys(kind.params.shape).every((field) => has.includes(field))) return params
    const own = known.get(name) ?? new Map<unknown, unknown>()
    known.set(name, own)
    if (!own.has(params)) {
      const read = kind.params.safeParse(params)
      own.set(params, read.success ? read.data : params)
    }
    return own.get(params)
  }
  for (const rule of remembered.rules) rule.params = completed(rule)
  return remembered
}
