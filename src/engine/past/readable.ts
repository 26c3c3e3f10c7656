/** What was kept, decoded; null where it is damaged. */
export function readable<T>(bytes: Uint8Array | null, decode: (bytes: Uint8Array) => T): T | null {
  try {
    return bytes === null ? null : decode(bytes)
  } catch {
    return null
  }
}
