import type { Identity } from '../message/address.ts'

/** How long a page stays signed in. One that a chat opened by itself, such as a Mini App, is signed in anew each day. */
export const PAGE_LIVES_MS = 90 * 86_400_000
export const APP_LIVES_MS = 86_400_000
/** How long the one-time code of `/page` is good. */
export const PAGE_CODE_LIVES_MS = 10 * 60_000
/** How long the token of an assistant is good. */
export const ASSISTANT_LIVES_MS = 365 * 86_400_000
/** So many pages, and so many assistants. With one more page, the one that would end first ends. */
export const MAX_SESSIONS = 20

/** A secret by which somebody speaks outside a chat: the cookie of a browser, or the token of an assistant. */
export interface Session {
  /** People write `S3`. */
  id: number
  personId: number
  is: 'page' | 'assistant'
  /** SHA-256 of the secret in hexadecimal: the user of its identity on the platform `web` or `assistant`. */
  user: string
  /** `Ann (Firefox, Android)`, or the name that the person gave their assistant. */
  name: string
  /** The proof that opened it: a `code` of `/page`, a `token` of `/assistant`, or the name of a platform that knew the person. */
  via: string
  /** Wall times. */
  since: number
  until: number
}

/** The platforms whose users are digests of secrets: nobody is told anything there. */
export const PAGE_PLATFORM = 'web'
export const ASSISTANT_PLATFORM = 'assistant'

/** Whether a page or an assistant speaks: its secret alone shows who it is, and people can lose it. */
export function isSession({ platform }: Pick<Identity, 'platform'>): boolean {
  return platform === PAGE_PLATFORM || platform === ASSISTANT_PLATFORM
}

/** How the bot knows a page or an assistant that speaks. */
export function identityOf({ is, user }: Pick<Session, 'is' | 'user'>): Identity {
  return { platform: is === 'page' ? PAGE_PLATFORM : ASSISTANT_PLATFORM, user }
}
