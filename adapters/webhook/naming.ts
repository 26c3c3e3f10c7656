/** For people, and for docs/commands.md. */
export const naming = { what: 'an https address', example: 'https://hooks.example.com/perch' }

/** Longer ones are a mistake. */
const LONGEST = 2_000
const SHOWN = 4

/** The address in one spelling; null when it is none. Whether it may be asked is not said here. */
export function namedAddress(typed: string): URL | null {
  if (typed.length > LONGEST || !/^https?:\/\//i.test(typed) || !URL.canParse(typed)) return null
  const url = new URL(typed)
  url.hash = ''
  return url
}

/** Whoever has the address can write there: so much of it tells it from another. */
export function shownAddress({ host, pathname, search }: URL): string {
  const rest = `${pathname}${search}`.slice(1)
  return rest === '' ? host : `${host}/…${rest.length > 2 * SHOWN ? rest.slice(-SHOWN) : ''}`
}
