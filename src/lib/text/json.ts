/** JSON with exact integers: a bigint is written as `{"$bigint":"…"}`. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? { $bigint: part.toString() } : part,
  )
}

/** Without a reviver, which would be called for each part of a text that mostly holds no such integer. */
export function fromJson(text: string): unknown {
  const value = JSON.parse(text) as unknown
  return text.includes('"$bigint"') ? unwrapped(value) : value
}

/** Parses foreign JSON; null if it is not JSON. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** Replaces the wrapped integers in parsed JSON by bigints. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isWrapped(value)) return BigInt(value.$bigint)
  const parts = value as Record<string, unknown>
  for (const key of Object.keys(parts)) {
    const part = unwrapped(parts[key])
    // By definition, since an assignment to `__proto__` is no property.
    if (part !== parts[key] && key === '__proto__') Object.defineProperty(parts, key, { value: part })
    else if (part !== parts[key]) parts[key] = part
  }
  return value
}

function isWrapped(part: object): part is { $bigint: string } {
  return '$bigint' in part && typeof part.$bigint === 'string' && /^-?\d+$/.test(part.$bigint)
}
