import type { ChosenPreset } from '../alert/preset.ts'
import { type NumberStyle, USUAL_STYLE } from '../lib/text/format.ts'
import type { Language } from '../words/words.ts'
import type { Address, Identity } from '../message/address.ts'
import { USUAL_LANGUAGE, words } from '../message/message.ts'
import type { Theme } from '../message/picture.ts'
import type { Wallet } from '../venue/wallet.ts'

/** A human, by our own number; reached through one or more identities. */
export interface Person {
  id: number
  /** The one who claimed this bot, or who sits at its terminal. */
  operator: boolean
  /** IANA zone in which times are written where the platform cannot do it. */
  zone: string
  numbers: NumberStyle
  /** The language that this person has chosen; null follows their platform. */
  language: Language | null
  /** The language in which their platform last spoke to them; null where it names none that Perch speaks. */
  spoken: Language | null
  /** Whether alerts show every figure, or the first ones with the rest behind buttons. */
  detail: 'short' | 'full'
  /** Which messages bring a picture: all that have one, those of critical alerts, or none. */
  pictures: PictureChoice
  theme: Theme
  /** The thresholds that all guarded wallets follow; null for the normal ones, which were never changed. */
  preset: ChosenPreset | null
  identities: Identity[]
  /** The private chat in which this person is told; null until there is one. */
  defaultChat: number | null
  /** Where they are told when that one is gone; null for nowhere: a second chat is the fallback until they choose. */
  fallbackChat: number | null
  /** Said again so often without an answer, what is critical goes there as well; 0 is at once. */
  escalateFrom: number
  /** Where it goes as well beside the fallback; each place and each person once. */
  steps: Step[]
}

export const PICTURE_CHOICES = ['on', 'off', 'critical'] as const
type PictureChoice = (typeof PICTURE_CHOICES)[number]

/**
 * A critical alert that was repeated so often without an acknowledgement goes there as well; 0 is at once.
 */
export interface Step {
  to: { is: 'chat'; chatId: number } | { is: 'person'; personId: number; name: string }
  from: number
}

/** A critical alert is repeated after 1, 2 and 4 minutes: the third time it goes to the fallback as well. */
const USUAL_ESCALATION = 3

/** The language in which this person reads: their choice, else that of their platform. */
export function languageOfPerson({ language, spoken }: Pick<Person, 'language' | 'spoken'>): Language {
  return language ?? spoken ?? USUAL_LANGUAGE
}

/** Somebody in a bound chat whom we do not know: nothing is theirs. */
export const GUEST: Person = {
  id: 0,
  operator: false,
  zone: 'UTC',
  numbers: USUAL_STYLE,
  language: null,
  spoken: null,
  detail: 'short',
  pictures: 'on',
  theme: 'dark',
  preset: null,
  identities: [],
  defaultChat: null,
  fallbackChat: null,
  escalateFrom: USUAL_ESCALATION,
  steps: [],
}

/**
 * The answer to a person who was not invited. By this very text the dialog knows an answer that it gives only
 * once in a while.
 */
export const STRANGER = words('people.stranger')

/**
 * A one-time code: an invitation for somebody new, the link of a person's second platform, a request to stand in, or the
 * key of a person's page.
 */
export interface Code {
  /** The code itself is known only to the person whom it was shown to. */
  hash: string
  is: 'invite' | 'link' | 'agree' | 'page'
  /** Who made it. */
  personId: number
  /** The name of its maker, for the person who is asked to be their delegate. */
  name: string | null
  expiresAt: number
  /** Who wants to be the person who made this link, and waits for their word; null while nobody does. */
  claimant: Claimant | null
}

export interface Claimant {
  by: Identity
  home: Address
}

/** A person's interest in a wallet. */
export interface Watch {
  personId: number
  wallet: Wallet
  label: string
  since: number
  /** `followed`: it is somebody else's. Perch tells what it does, and warns of nothing. */
  as: 'own' | 'followed'
}
