/** JSON with exact integers: a bigint is written as `{"$bigint":"…"}`. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? { $bigint: part.toString() } : part,
  )
}

export function fromJson(text: string): unknown {
  return JSON.parse(text, (_key, part: unknown) => (isWrapped(part) ? BigInt(part.$bigint) : part))
}

/** What somebody else has sent as JSON; null where it is none. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

function isWrapped(part: unknown): part is { $bigint: string } {
  return (
    typeof part === 'object' &&
    part !== null &&
    '$bigint' in part &&
    typeof part.$bigint === 'string' &&
    /^-?\d+$/.test(part.$bigint)
  )
}
