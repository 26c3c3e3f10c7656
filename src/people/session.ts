/** How long a page stays signed in. One that a chat opened by itself, such as a Mini App, is signed in anew each day. */
export const PAGE_LIVES_MS = 90 * 86_400_000
export const APP_LIVES_MS = 86_400_000
/** How long the one-time code of `/page` is good. */
export const PAGE_CODE_LIVES_MS = 10 * 60_000
/** With one more, the oldest of that kind ends. */
export const MAX_SESSIONS = 20

/** A secret by which somebody speaks outside a chat: the cookie of a browser, or the token of an assistant. */
export interface Session {
  /** People write `S3`. */
  id: number
  personId: number
  is: 'page' | 'assistant'
  /** SHA-256 of the secret in hexadecimal: the user of its identity on the platform `web` or `assistant`. */
  user: string
  /** `Firefox on Android`, or the name that the person gave their assistant. */
  name: string
  /** How it was opened: by the code of `/page`, or by the word of a platform. */
  via: 'code' | 'telegram' | 'discord'
  /** Wall times. */
  since: number
  until: number
}

/** The platforms whose users are digests of secrets: nobody is told anything there. */
export const PAGE_PLATFORM = 'web'
export const ASSISTANT_PLATFORM = 'assistant'
