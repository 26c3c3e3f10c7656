import type { z } from 'zod'

import type { Alert, Kind, Rule } from './alert.ts'
import type { Reading } from './clock.ts'
import type { Inbound, Inspection } from './chat.ts'
import type { Market } from './market.ts'
import type { Message, Reader } from './message.ts'
import type { OrderDraft, OrderStatus, Preview } from './order.ts'
import type { Owner } from './owner.ts'
import type { Chat, Person, Watch } from './person.ts'
import type { Position } from './position.ts'
import type { Backlog, Change, Changed, TrailStep } from './store.ts'
import type { OrdersAnswer, PositionsAnswer } from './venue.ts'

/** Something a person can ask, declared once: help, parser, menus and slash options derive from it. */
export interface Command {
  name: string
  aliases: readonly string[]
  /** Completes the sentence "/name …". */
  summary: string
  /** `stranger`: also somebody whom we do not know. `guest`: also anybody in a bound chat. */
  who: 'stranger' | 'guest' | 'person' | 'operator' | 'local'
  /**
   * `person`: the answer is private to whoever asked. `chat`: everybody there may read it. `bound`: in a bound chat it
   * is about that chat, for those who may configure it; elsewhere it is private. `place`: it is about the chat where it
   * is said, and shown to whoever asked alone where a platform can do that.
   */
  audience: 'person' | 'chat' | 'bound' | 'place'
  /** One form for most commands; one per alert kind for `/alert`. */
  forms: readonly Form[]
  run(context: Context, form: Form, args: unknown): Promise<Message> | Message
}

/** One way of saying a command. */
export interface Form {
  /** The word after the command; empty for the only form of a command. */
  name: string
  aliases: readonly string[]
  summary: string
  /** Whole lines, each of which works. */
  examples: readonly string[]
  /** In the order in which people type them; each field carries `meta({ argument })` (see argument.ts). */
  args: z.ZodObject
}

/** What a command can reach. It reads; what changes anything goes through `change` and its commit. */
export interface Context {
  from: Inbound
  /** `GUEST` for somebody whom we do not know. */
  person: Person
  /** Where rules that are made now are told: the bound chat, or the person's own. Null for a guest. */
  chat: Chat | null
  reader: Reader
  view: View
  read: Read
  recall: Recall
  change(change: Change): Promise<Changed>
  /** What the person may do in a chat and what we may: here, or where they say. Null when there is no such chat. */
  inspect(chat: string | null): Promise<Inspection | null>
  /** A new one-time code. */
  newCode(): string
  /** Whether this is the code that was printed at the start. */
  isClaim(code: string): boolean
  limits: { wallets: number; rules: number }
  kinds: readonly Kind[]
  commands: readonly Command[]
  /** What a newcomer should know of the venue; empty when there is nothing to say. */
  introduction: readonly string[]
  /** Ends the bot, once the answer is out. */
  quit(): void
}

/** The working set, as of the last commit; from memory. */
export interface View {
  watches(personId: number): readonly Watch[]
  rules(personId: number): readonly Rule[]
  /** Of a bound chat, whoever made them. */
  rulesIn(chatId: number): readonly Rule[]
  /** By market id; empty before the first reading. */
  markets(): ReadonlyMap<string, Market>
  marketsAt(): { at: number; tick: number } | null
  /** The last reading of a watched owner. */
  positions(owner: Owner): Reading<Position[]> | null
  firing(personId: number): readonly Firing[]
  /** Private and bound ones. */
  chats(personId: number): readonly Chat[]
  /** Whether somebody has claimed this bot. */
  claimed(): boolean
  /** What cannot be seen now, and since when. */
  blind(): readonly { feed: string; since: number; why: string }[]
  status(): Status
}

export interface Firing {
  alertId: number
  rule: Rule
  subject: string
  tier: number
  since: number
  /** The value last judged. */
  value: number | null
}

export interface Status {
  venue: string
  version: string
  upMs: number
  owners: number
  /** The oldest last reading of a watched owner; null when one was never read, or none is watched. */
  oldestOwnerMs: number | null
  rules: number
  brokenChats: number
}

/** The venue within 5 s, else the last reading with its age; never a guess. */
export interface Read {
  positions(owner: Owner): Promise<ReadResult<PositionsAnswer>>
  markets(): Promise<ReadResult<ReadonlyMap<string, Market>>>
  market(id: string): Promise<ReadResult<Market>>
  orders(owner: Owner, statuses: readonly OrderStatus[]): Promise<ReadResult<OrdersAnswer>>
  preview(draft: OrderDraft): Promise<ReadResult<Preview>>
}

export type ReadResult<T> =
  /** `late` says why this is not fresh; null when it is. */
  { is: 'read'; reading: Reading<T>; late: string | null } | { is: 'unseen'; why: string }

/** What the store remembers of alerts. */
export interface Recall {
  alert(id: number): Promise<Alert | null>
  trail(alertId: number): Promise<TrailStep[]>
  history(personId: number, most: number): Promise<Alert[]>
  backlog(): Promise<Backlog>
}

/** For inference: a command with one form. */
export function command<A extends z.ZodObject>(declared: {
  name: string
  aliases?: readonly string[]
  summary: string
  examples: readonly string[]
  who?: Command['who']
  audience?: Command['audience']
  args: A
  run(context: Context, args: z.infer<A>): Promise<Message> | Message
}): Command {
  const { name, aliases = [], summary, examples, who = 'person', audience = 'person', args } = declared
  return {
    name,
    aliases,
    summary,
    who,
    audience,
    forms: [{ name: '', aliases: [], summary, examples, args }],
    run: (context, _form, given) => declared.run(context, given as z.infer<A>),
  }
}
