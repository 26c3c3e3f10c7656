/** Returns the message of an error, without its stack. Anything can be thrown: the rest becomes text. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
