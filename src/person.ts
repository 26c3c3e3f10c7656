import type { Address, Identity } from './chat.ts'
import type { Owner } from './owner.ts'

/** A human, by our own number; reached through one or more identities. */
export interface Person {
  id: number
  /** The one who claimed this bot, or who sits at its terminal. */
  operator: boolean
  /** IANA zone in which times are written where the platform cannot do it. */
  zone: string
  numbers: NumberStyle
  identities: Identity[]
  /** The private chat in which this person is told; null until there is one. */
  defaultChat: number | null
  /** Where they are told when that one is gone. */
  fallbackChat: number | null
}

/** How a thousand two hundred thirty-four and a half reads. */
export const NUMBER_STYLES = ['1,234.5', '1.234,5', '1 234,5'] as const
export type NumberStyle = (typeof NUMBER_STYLES)[number]

/** Somebody in a bound chat whom we do not know: nothing is theirs. */
export const GUEST: Person = {
  id: 0,
  operator: false,
  zone: 'UTC',
  numbers: '1,234.5',
  identities: [],
  defaultChat: null,
  fallbackChat: null,
}

/** A one-time code: an invitation for somebody new, or the link of a person's second platform. */
export interface Code {
  code: string
  is: 'invite' | 'link'
  /** Who made it. */
  personId: number
  expiresAt: number
}

/** One destination, by our own number: a chat that moves is one changed row. */
export interface Chat {
  id: number
  address: Address
  /** What people call it; null for a private one. */
  title: string | null
  /** Whose private chat it is, or who bound it. */
  personId: number
  private: boolean
  /** Whom the platform calls there when something is critical; null for nobody. */
  mention: string | null
  /** Why nothing can be sent there; null while it works. */
  brokenBecause: string | null
}

/** A person's interest in an owner. */
export interface Watch {
  personId: number
  owner: Owner
  label: string
  since: number
}
