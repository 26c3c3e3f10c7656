/** Escapes text as a part of a key whose parts are joined by `/` or `|`. Text without these signs stays the same. */
export function escaped(part: string): string {
  return /[%/|]/.test(part)
    ? part.replace(/[%/|]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    : part
}

export function unescaped(part: string): string {
  return part.replace(/%(25|2F|7C)/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
