import type { Rule } from '../alert/alert.ts'
import type { ChosenPreset, PresetName } from '../alert/preset.ts'
import type { Address, Identity, SentRef } from '../message/address.ts'
import type { Message, Text } from '../message/message.ts'
import type { Picture } from '../message/picture.ts'
import type { Reason } from '../message/reason.ts'
import type { Mute, Muted, QuietHours } from '../people/mute.ts'
import type { Code, Person, Watch } from '../people/person.ts'
import type { Session } from '../people/session.ts'
import type { Listed } from '../venue/listing.ts'
import type { Position } from '../venue/position.ts'
import type { WalletReading } from '../venue/reading.ts'
import type { Wallet } from '../venue/wallet.ts'

/** The changes that people and platforms ask for; the engine turns them into writes. */
export type Change =
  /** Somebody who may use this is here for the first time; who sits at a local adapter is the operator. */
  | {
      is: 'meet'
      by: Identity
      home: Address
      as: 'person' | 'operator' | 'local'
      /** Nobody new comes by themselves beyond so many people, or beyond so many people and open invitations. */
      most?: { people: number; seats: number }
    }
  /**
   * A new one-time code; a link or a page's replaces the one before. `name` is for the person who is asked to be a
   * delegate. `most`: an invitation beyond so many people and open invitations is refused.
   */
  | {
      is: 'code'
      code: string
      for: Code['is']
      personId: number
      expiresAt: number
      name?: string
      most?: number
    }
  /** An invitation is used. */
  | { is: 'redeem'; code: string; by: Identity; home: Address }
  /** A stranger has said that they are the person who made this link; that person is asked. */
  | { is: 'ask-link'; code: string; by: Identity; home: Address }
  /** Who made the link says whether that is so. */
  | { is: 'answer-link'; personId: number; request: string; yes: boolean }
  | {
      is: 'settings'
      personId: number
      to: Partial<
        Pick<
          Person,
          | ('zone' | 'numbers' | 'language' | 'spoken' | 'detail' | 'pictures' | 'theme')
          | ('defaultChat' | 'fallbackChat' | 'escalateFrom' | 'steps')
        >
      >
    }
  /**
   * The person with the code agrees to be told the critical alerts of its maker; either of the two ends that.
   */
  | { is: 'agree'; code: string; personId: number; name: string }
  | { is: 'disagree'; personId: number; delegateId: number; byId: number }
  /** Until then the delegate gets critical alerts at once; null: not any more. */
  | { is: 'handover'; personId: number; delegateId: number; until: number | null }
  /** A page or an assistant speaks for a person from now on. A code is used up by it. */
  | {
      is: 'open-session'
      proof:
        | { is: 'code'; code: string }
        | { is: 'identity'; by: Identity; name: string | null }
        | { is: 'person'; personId: number }
      as: Session['is']
      user: Session['user']
      name: string
    }
  /** These sessions of the person end, as far as they are still open. */
  | { is: 'end-sessions'; personId: number; ids: readonly number[] }
  | { is: 'forget'; personId: number }
  | {
      is: 'watch'
      personId: number
      chatId: number
      wallet: Wallet
      label: string
      as: Watch['as']
      arm: RuleDraft[]
      /** The positions that they were shown at each venue: from then on they are told how these change. */
      shown: readonly WalletReading[]
    }
  | { is: 'unwatch'; personId: number; wallet: Wallet }
  /**
   * `setBy` is the assistant that asks for it: it only adds to a rule that is there. `most` is the number of rules that
   * people may have set themselves: another one is refused. Left out: any number.
   */
  | { is: 'rule'; personId: number; chatId: number; draft: RuleDraft; setBy?: string; most?: number }
  /** All guarded wallets follow this preset from now on; or the last change of it is undone, of one kind or of all. */
  | {
      is: 'preset'
      personId: number
      to: { is: 'chosen'; name: PresetName } | { is: 'undone'; kind: string | null }
    }
  /**
   * The export of another Perch. It adds, in one commit, and changes settings alone. Where a part of it no longer fits, nothing is done.
   * `chatId` is where the answer is read.
   */
  | {
      is: 'import'
      personId: number
      chatId: number
      settings: Partial<
        Pick<Person, 'zone' | 'numbers' | 'language' | 'detail' | 'pictures' | 'theme' | 'escalateFrom'>
      >
      preset: Pick<ChosenPreset, 'name' | 'except'> | null
      watches: readonly Pick<Watch, 'wallet' | 'label' | 'as'>[]
      rules: readonly { chatId: number; draft: RuleDraft }[]
      /** Null leaves it as it is. */
      chats: readonly {
        chatId: number
        quiet: QuietHours | null
        digest: number | null
        weekly: { weekday: number; minute: number } | null
      }[]
      mutes: readonly Mute[]
      most: { wallets: number; followed: number; rules: number }
    }
  | { is: 'remove'; personId: number; ruleId: number }
  /** The venue calls a market by another name: rules about it go on. */
  | { is: 'market-renamed'; from: string; to: Listed }
  /**
   * They are told there from now on, instead of the place that they had named on that platform; null:
   * nowhere.
   */
  | {
      is: 'place'
      personId: number
      platform: string
      named: { address: Address; title: string } | null
      /** The name of the page on which they did. */
      setBy?: string
    }
  /** Somebody has seen these alerts, or does not want to hear of them for a while: until they get worse, or then. */
  | {
      is: 'acknowledgement'
      as: 'acknowledged' | 'snoozed'
      alertIds: readonly number[]
      by: string
      until: number
      /** They can have seen what rang until then (wall time). An alert that has rung since stays as it is. */
      seenUntil: number
      /** The chat where the answer is read; null if it is not ours. */
      readIn: number | null
    }
  /** Only what is critical rings in these chats at these hours; null: everything does. */
  | { is: 'quiet'; chatIds: readonly number[]; quiet: QuietHours | null }
  /** A summary comes there every day at this minute; null: none does. In a private chat it is the person's only one. */
  | { is: 'digest'; chatId: number; minute: number | null }
  /** Likewise every week. The weekday counts from Monday, which is 0. */
  | { is: 'weekly'; chatId: number; at: { weekday: number; minute: number } | null }
  /** A message there says from now on when we have looked last; then where it stands; then it is not kept up to date any more. */
  | { is: 'pin'; chatId: number }
  | { is: 'pinned'; chatId: number; ref: SentRef }
  | { is: 'unpin'; chatId: number }
  /** A question of ours waits for the next message of this person in this chat; null ends that. */
  | { is: 'question'; by: Identity; chat: Address; question: { asked: Message; until: number } | null }
  | { is: 'mute'; chatIds: readonly number[]; of: Muted; until: number }
  /** All that is muted there. */
  | { is: 'unmute'; chatIds: readonly number[] }
  /** A group, channel or thread becomes a destination. */
  | { is: 'bind'; personId: number; address: Address; title: string; mention: string | null }
  | { is: 'unbind'; chatId: number }
  /** Who may acknowledge in a bound chat. */
  | { is: 'acks'; chatId: number; by: 'known' | 'anybody' }
  | { is: 'test'; chatId: number }
  /** A critical alert that is none, wherever one of this person is told; then somebody has acknowledged it. */
  | { is: 'drill'; personId: number }
  | {
      is: 'drill-acknowledged'
      personId: number
      byId: number
      by: string
      /** Wall time: what they can have seen when they said so. */
      seenUntil: number
      readIn: number | null
    }
  | { is: 'chat-broken'; chatId: number; why: string }
  | { is: 'chat-back'; chatId: number }
  | { is: 'chat-moved'; chatId: number; to: Address }
  /** Something that only the operator can mend, or the end of it; `except` is where it could not be read in time. */
  | { is: 'notice'; title: Text; lines: readonly Text[]; over: boolean; except: string | null }
  /**
   * The effect of closing parts of a position: for those of its alerts that still stand at the tier that was
   * asked about.
   */
  | {
      is: 'quoted'
      alerts: readonly { alertId: number; tier: number; lines: readonly Text[]; details?: readonly Text[] }[]
      position: Position
    }
  /** Each follows the words about its alert in a chat, or, without an alert, those that were just said there. */
  | { is: 'pictures'; pictures: readonly QueuedPicture[] }
  /** The picture of an alert could not be drawn or sent: its trail shows that. */
  | { is: 'picture-lost'; alertId: number; rowId: number; why: string }
  /** They go to another chat of their person as well. */
  | { is: 'undelivered'; rows: readonly Undelivered[] }
  /** Messages that have waited for long in these chats become one, with the alerts that stand now. */
  | { is: 'merge'; chats: readonly (readonly [QueuedMessage, ...QueuedMessage[]])[] }
  /** A message was given up: its person is told elsewhere. */
  | {
      is: 'undeliverable'
      chatId: number
      alertIds: number[]
      message: Message
      why: string
    }

export interface QueuedPicture {
  chatId: number
  alertId: number | null
  picture: Picture<Text>
}

/** A critical message that its chat has not taken, for any reason. */
export interface Undelivered {
  rowId: number
  chatId: number
  message: Message
  alertIds: number[]
  about: string[]
  reason: Reason | null
  detectedAt: number
  queuedAt: number
}

/** A message about alerts that waits, or that is part of one that does. */
export interface QueuedMessage extends Undelivered {
  silent: boolean
  /** It is part of another one, which says it as well. */
  isMerged: boolean
}

export type RuleDraft = Pick<Rule, 'kind' | 'params' | 'wallet' | 'market' | 'armedByWatch' | 'holdMs'>

/** `rules` are those that the change made or altered; `refused` says why nothing was done. */
export interface Changed {
  rules: Rule[]
  refused: Text | null
  /** The input had taken effect before, in an earlier run: nothing was done now. */
  repeated: boolean
}

/** The platform's id of an input, and which change of it this is. */
export interface InputId {
  platform: string
  id: string
}
