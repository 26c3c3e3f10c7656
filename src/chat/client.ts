import type { Bot } from './bot.ts'
import type { AdapterWorld } from './notifier.ts'

/** Something that asks for people and tells nobody anything by itself, such as an assistant. */
export interface Client {
  readonly name: string
  /** Marks it: an adapter without this is a `Notifier`. */
  readonly tellsNobody: true
  start(bot: Bot): Promise<void>
  /** Takes no more input and closes its streams. */
  stop(): Promise<void>
}

/** The default export of `adapters/<name>/index.ts` where nobody is told anything. */
export type OpenClient = (world: AdapterWorld) => Promise<Client>
