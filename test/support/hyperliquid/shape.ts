/** Which keys a body has, however deep, and of what types their values are: `[].position.szi` is a string. */
export function shapeOf(body: unknown): Record<string, string> {
  const found = new Map<string, Set<string>>()
  const visit = (value: unknown, path: string) => {
    const types = found.get(path) ?? new Set()
    found.set(path, types.add(value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value))
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inside] of Object.entries(value)) visit(inside, `${path}.${key}`)
    }
  }
  visit(body, '')
  const shape = [...found].map(([path, types]) => [path, [...types].toSorted().join(' or ')] as const)
  return Object.fromEntries(shape.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
