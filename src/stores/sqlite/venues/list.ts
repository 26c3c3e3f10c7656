// The venues that a database belongs to, by identity: the first one, whose ids are bare, and those that came later. They are
// the value `venue` of the table `meta`, one a line.

export function venuesIn(value: string): string[] {
  return value.split('\n')
}

export function venuesText(venues: readonly string[]): string {
  return venues.join('\n')
}

/** The first word of an identity. The ids of a later venue begin with it. */
export function nameOf(identity: string): string {
  return identity.split(' ', 1)[0] ?? ''
}

/** The list after a start with these venues. */
export function withNew(known: readonly string[], venues: readonly string[]): string[] {
  return [...new Set([...known, ...venues])]
}

/** Returns why a database with the known venues is not for these ones, as the end of a sentence; null if it is. */
export function whyForeign(known: readonly string[], venues: readonly string[]): string | null {
  const [[first = '', ...others], [named = '']] = [known, venues]
  if (first !== named)
    return venues.includes(first)
      ? `belongs to ${first}. Name ${nameOf(first)} first in VENUE`
      : `belongs to another venue (${first}), and this is ${named}. ${ELSEWHERE}`
  const missing = others.find((one) => !venues.includes(one))
  if (missing === undefined) return null
  const name = nameOf(missing)
  const moved = venues.find((one) => nameOf(one) === name)
  const forget = `npm start -- --forget ${name}`
  return moved === undefined
    ? `has records of ${missing} too, and VENUE does not name it. Name ${name} there, or take its records away: ${forget}`
    : `has records of ${missing}, and this is ${moved}. Set the address as it was, or leave ${name} out of VENUE and take its records away: ${forget}`
}

export const ELSEWHERE = 'Set DATABASE_URL to another file'
