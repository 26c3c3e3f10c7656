import { inWords, type Text, words } from '../message/message.ts'
import { reasonKey } from '../words/words.ts'
import type { Address } from '../message/address.ts'
import type { Digest, WeeklyDigest } from './digest.ts'
import type { QuietHours } from './mute.ts'
import type { Pin } from './pin.ts'

/** One destination. Everything names it by our own number, so a chat that moves is one changed row. */
export interface Chat {
  id: number
  address: Address
  /** The name that people give it; null for a private chat without a name of its own. */
  title: string | null
  /** The person whose private chat it is, or who bound it. */
  personId: number
  private: boolean
  /** Somebody the platform calls there for each critical alert, such as a role; null for nobody. */
  mention: string | null
  /** Why nothing can be sent there; null while it works. */
  brokenBecause: string | null
  /** Hours in which only critical alerts ring there, in the zone of its person; null for none. */
  quiet: QuietHours | null
  /** Null: nobody wants one. */
  digest: Digest | null
  weekly: WeeklyDigest | null
  pin: Pin | null
  /** In a bound chat: `known` for people who may configure it or use Perch. */
  acksBy: 'known' | 'anybody'
}

/** Why nothing is relied upon at a place that somebody has named, until it has taken a message. */
export const UNPROVEN = inWords(words('why.unproven'))

/** A reason in the reader's language, as far as the catalogue has it. */
export function reasonText(why: string): Text {
  const key = reasonKey(why)
  return key === null ? why : words(key)
}

/** The answer in a group that nobody has bound. */
export const NOT_SET_UP = words('people.not-set-up')

/** How a chat is named in a line: a topic after its group. */
export function placeName({ address: { chat, thread } }: Pick<Chat, 'address'>): string {
  return thread === null ? chat : `${chat}/${thread}`
}

/** The known chats as of the last commit. No method looks through all of them. */
export interface Chats {
  get(id: number): Chat | undefined
  at(address: Address): Chat | undefined
  /** The ids of chats that cannot be written to. */
  broken(): Iterable<number>
}
