/** For people, and for docs/commands.md. */
export const naming = { what: 'your user key', example: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG' }

/** https://pushover.net/api#identifiers. */
const KEY = /^[a-z\d]{30}$/i
const SHOWN = 4

/** The key of a person or of a group; null when it is none. */
export function namedKey(typed: string): string | null {
  return KEY.test(typed) ? typed : null
}

export function shownKey(key: string): string {
  return `Pushover …${key.slice(-SHOWN)}`
}
