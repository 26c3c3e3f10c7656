import { z } from 'zod'

/** The address of an API in the variable `name`. `otherwise` is what to do without one, as the end of the sentence. */
export function apiAddress(name: string, otherwise: string) {
  return z
    .string()
    .trim()
    .refine(isHttpUrl, {
      error: `${name} must be a whole http:// or https:// address; ${otherwise}.`,
      abort: true,
    })
    .refine(isBare, { error: `${name} must have no user name, password, query or fragment.` })
}

/** Returns the address without a slash at its end: paths are added to it. */
export function baseOf(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname.replace(/\/+$/, '')
}

/** Whether a text is a whole http or https address. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** Whether an address names a place alone: a password or a query would be sent along, and logged. */
export function isBare(text: string): boolean {
  const { username, password, search, hash } = new URL(text)
  return `${username}${password}${search}${hash}` === ''
}
