import type { Address, Identity } from './chat.ts'
import type { Owner } from './owner.ts'

/** A human, by our own number; reached through one or more identities. */
export interface Person {
  id: number
  /** The one who claimed this bot, or who sits at its terminal. */
  operator: boolean
  /** IANA zone in which times are written where the platform cannot do it. */
  zone: string
  identities: Identity[]
  /** The private chat in which this person is told; null until there is one. */
  defaultChat: number | null
}

/** One destination, by our own number: a chat that moves is one changed row. */
export interface Chat {
  id: number
  address: Address
  /** Whose private chat it is, or who bound it. */
  personId: number
  private: boolean
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
