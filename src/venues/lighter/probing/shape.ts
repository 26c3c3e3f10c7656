/** The fields of a body by their paths, with their types and without any value: `accounts[].index` is a number. */
export type Shape = Map<string, Set<string>>

/** Keys that are ids: of a market, an account, an asset. */
const ID = /^\d+$/
const FIGURE = /^-?\d*\.?\d+(e[+-]?\d+)?$/i

/** Adds the fields of a body to a shape. Keys that are ids become `<id>`, so that nobody is named. */
export function addTo(shape: Shape, value: unknown, path = ''): void {
  if (Array.isArray(value)) {
    if (value.length === 0) note(shape, path, 'an empty list')
    for (const each of value) addTo(shape, each, `${path}[]`)
    return
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    if (entries.length === 0) note(shape, path, 'an empty record')
    for (const [key, each] of entries) {
      addTo(shape, each, `${path === '' ? '' : `${path}.`}${ID.test(key) ? '<id>' : key}`)
    }
    return
  }
  note(shape, path, typeOf(value))
}

function note(shape: Shape, path: string, type: string): void {
  shape.set(path, (shape.get(path) ?? new Set()).add(type))
}

function typeOf(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value
  if (value === '') return 'an empty text'
  return FIGURE.test(value) ? 'a figure as text' : 'text'
}

/** The documented fields that a shape lacks, and its fields below that path that are not documented. */
export function compared(
  shape: Shape,
  below: string,
  documented: readonly string[],
): { missing: string[]; unknown: string[] } {
  const prefix = below === '' ? '' : `${below}.`
  const isBelow = (path: string) => path.startsWith(prefix)
  const own = [...shape.keys()].filter(isBelow).map((path) => path.slice(prefix.length))
  const fields = new Set(own.map((path) => path.split(/[.[]/, 1)[0] ?? path))
  return {
    missing: documented.filter((name) => !fields.has(name)),
    unknown: [...fields].filter((name) => !documented.includes(name)),
  }
}
