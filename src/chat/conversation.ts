import type { Address, Identity } from '../message/address.ts'
import type { Bot } from './bot.ts'
import type { AdapterWorld, Notifier } from './notifier.ts'

/** A platform on which people speak. */
export interface Conversation extends Notifier {
  readonly destination: null
  readonly receipts: null
  /** Anybody who speaks there sits at the machine: they are the operator, and have /quit. */
  readonly operatorSitsHere: boolean
  /** People name each argument of a command there: `/start code:ABCD`. */
  readonly namesArguments?: true
  /** It can call somebody by name in a bound chat; elsewhere they only read the message. */
  readonly mentions: boolean
  start(bot: Bot): Promise<void>
  /** The rights of a person and of the bot in a chat; null if the bot has no such chat. */
  inspect(by: Identity, chat: Address, signal: AbortSignal): Promise<ChatRights | null>
}

export interface ChatRights {
  address: Address
  title: string
  mayConfigure: boolean
  mayPost: boolean
  /** The rights that the bot lacks there, as the platform names them; none where the platform does not say. */
  missing?: readonly string[]
}

export function isConversation(platform: Notifier): platform is Conversation {
  return 'start' in platform
}

/** The default export of `adapters/<name>/index.ts` where people speak. */
export type OpenConversation = (world: AdapterWorld) => Promise<Conversation>
