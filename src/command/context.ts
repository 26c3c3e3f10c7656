import type { Acknowledgement } from '../alert/alert-state.ts'
import type { Kind, Rule, Severity } from '../alert/alert.ts'
import type { Backtester } from '../alert/backtest.ts'
import type { MonitorId } from '../alert/monitor.ts'
import type { SubjectId } from '../alert/subject-id.ts'
import type { Inbound } from '../chat/bot.ts'
import type { ChatRights } from '../chat/conversation.ts'
import type { Destination, InvalidDestination } from '../chat/notifier.ts'
import type { Chat } from '../people/chat.ts'
import type { Declaration } from '../chat/declaration.ts'
import type { NumberStyle } from '../lib/text/format.ts'
import type { Address, Identity } from '../message/address.ts'
import type { Reader, Text } from '../message/message.ts'
import type { Delegation } from '../people/delegation.ts'
import type { Drill } from '../people/drill.ts'
import type { Escalation } from '../people/escalation.ts'
import type { Suppressed, Mute } from '../people/mute.ts'
import type { NextCell } from '../people/cell.ts'
import type { Person, Watch } from '../people/person.ts'
import type { Pinning } from '../people/pin.ts'
import type { PendingQuestion } from '../people/question.ts'
import type { Session } from '../people/session.ts'
import type { Reading } from '../runtime/clock.ts'
import type { Http } from '../runtime/http.ts'
import type { Standing as ProcessStanding } from '../runtime/standing.ts'
import type { Change, Changed } from '../store/change.ts'
import type { HistoryStore, OutboxStore } from '../store/store.ts'
import type { Account } from '../venue/account.ts'
import type { Market } from '../venue/market.ts'
import type { OrderDraft, OrderState, Preview } from '../venue/order.ts'
import type { Position } from '../venue/position.ts'
import type { BalancesAnswer } from '../venue/record/balances.ts'
import type { LedgerAnswer, LedgerAsked } from '../venue/record/ledger.ts'
import type { TwapsAnswer } from '../venue/record/twap.ts'
import type { Source } from '../venue/source.ts'
import type { VenueLoad } from '../venue/venue-load.ts'
import type { UnaskedPart } from '../venue/record/lacking.ts'
import type { Identified, OrdersAnswer, PositionsAnswer } from '../venue/venue.ts'
import type { Wallet } from '../venue/wallet.ts'
import type { Language } from '../words/words.ts'

/** Everything that a command can reach. It only reads; every change goes through `change` and its commit. */
export interface Context {
  from: Inbound
  /** `GUEST` for somebody whom we do not know. */
  person: Person
  /** Where rules that are made now are told: the bound chat, or the person's own. Null for a guest. */
  chat: Chat | null
  reader: Reader
  view: View
  read: Read
  /** How each venue is read now, and what that costs; the first one first. */
  venueLoads(): readonly VenueLoad[]
  /** Platforms on which not everybody is heard now. */
  platformOutages(): readonly PlatformOutage[]
  recall: Recall
  past: Backtester
  change(change: Change): Promise<Changed>
  /**
   * The rights of the person and of the bot in a chat: this one, or the one that they name. Null if there is
   * no such chat.
   */
  inspect(chat: string | null): Promise<Place | null>
  /** Reads the name of a place on a platform where people are only told. Null if it is none. */
  checkDestination(platform: string, typed: string): Promise<Destination | InvalidDestination | null>
  /** Sends a test into a chat of ours on the way that alerts take, and waits a moment for how it fares. */
  sendTest(chatId: number): Promise<TestMessage>
  /** How the platform keeps the new live card of a chat in sight; null if that is not known in a moment. */
  cardShown(chatId: number): Promise<Pinning | null>
  /** Plays a drill to this person, and waits a moment for how it fares; why it could not be played, or null. */
  playDrill(): Promise<Text | null>
  /** A new one-time code. */
  newCode(): string
  /** A new secret of an assistant: 256 bits. */
  newToken(): string
  /** Where people open their page, and where assistants ask; null where that is not open. */
  page: Site | null
  assistants: Site | null
  /** Where people go once this Perch is full; null where no number of people fills it. */
  nextCell: NextCell | null
  /** Anybody may come here, and there is room for nobody new. */
  isFull: boolean
  /** Whether this is the code that was printed at the start. */
  isClaim(code: string): boolean
  /** Files of this person that wait for their word: a button holds no more than the name of one. */
  files: PendingFiles
  limits: { wallets: number; followed: number; rules: number }
  kinds: readonly Kind[]
  commands: readonly Declaration[]
  /** Sentences about the venue for newcomers; empty when there is nothing to say. */
  introduction: readonly string[]
  /** The venue is simulated: every wallet there is for play. */
  isPlayMoney: boolean
  /** Ends the bot, once the answer is out. */
  quit(): void
}

/** Texts of files, for some minutes. */
export interface PendingFiles {
  /** Returns the name by which it is found again: the same text has the same. */
  keep(text: string): string
  /** Null once it is gone, or was never there. */
  find(name: string): string | null
}

/** Where browsers reach us: without a slash at the end, and whether people on other machines do as well. */
export type Site = Pick<Http, 'url' | 'isPublic'>

/** The working set, as of the last commit; from memory. */
export interface View {
  /** Who this is on a platform; null for somebody whom we do not know. */
  person(by: Identity): Person | null
  /** The page or the assistant that speaks there; null for a platform, and once it is signed out. */
  session(by: Identity): Session | null
  /** The pages and assistants of a person, the oldest first. */
  sessions(personId: number): readonly Session[]
  /** Whether this is the code of a page, unused and not expired. */
  opensPage(code: string): boolean
  chatAt(address: Address): Chat | null
  /** Whose private chat this is; null when it is nobody's. */
  personAt(address: Address): Person | null
  /** The question that this person was asked last in that chat, also when it has expired; null when there is none. */
  question(by: Identity, chat: Address): PendingQuestion | null
  /** A whole group or channel: every thread of it that is a destination of ours. */
  chatsIn(place: Pick<Address, 'platform' | 'chat'>): readonly Chat[]
  chat(id: number): Chat | null
  /** How this person writes numbers; the usual way for one whom we do not know. */
  numbers(personId: number): NumberStyle
  /** The language in which they read; the usual one for somebody whom we do not know. */
  language(personId: number): Language
  /** Whether this person reads messages in their long form. */
  detail(personId: number): Person['detail']
  /** Which pictures they want, and how these look. */
  pictures(personId: number): Person['pictures']
  theme(personId: number): Person['theme']
  /** The zone in which they read times, that of this machine until they choose; null for one whom we do not know. */
  zone(personId: number): string | null
  /** A person's own wallets. */
  watches(personId: number): readonly Watch[]
  /** The wallets of others that a person follows: no sum counts them, and nothing warns of them. */
  follows(personId: number): readonly Watch[]
  /** Both: for lines that name a wallet. */
  named(personId: number): readonly Watch[]
  rules(personId: number): readonly Rule[]
  /** The rules of a bound chat, no matter who made them. */
  rulesIn(chatId: number): readonly Rule[]
  /** By market id; empty before the first reading. */
  markets(): ReadonlyMap<string, Market>
  /** The same markets and those of dexes that are not in view now, each as it was last read. */
  listed(): ReadonlyMap<string, Reading<Market>>
  /** One of these. */
  market(id: string): Reading<Market> | null
  /** When this position of a wallet was last seen (wall time); null if it is not held. */
  positionSeenAt(wallet: Wallet, key: string): number | null
  /** For how long the last look at a market has shown the same price; 0 for one that was not seen. */
  priceStandsMs(marketId: string): number
  /** The symbols that the venue lists without usable figures. */
  unreadable(): readonly string[]
  /**
   * The symbol of a market, also of one that has not been seen since a start; its number where nobody knows.
   */
  symbol(marketId: string): string
  /** When prices of a venue were last seen, of the first where it is left out; null before that. */
  marketsAt(venue?: string): { at: number; mono: number } | null
  /** The last reading of a watched wallet. */
  positions(wallet: Wallet): Reading<Position[]> | null
  /**
   * When that was (monotonic), whether it shows all that there is, how endangered it is, and which empty accounts it
   * leaves out; null before the first.
   */
  sight(wallet: Wallet): {
    mono: number
    whole: boolean
    nearDanger: boolean
    unasked: readonly UnaskedPart[]
  } | null
  /** The last look of this run at a wallet, at each venue where there was one. The first venue comes first. */
  looks(wallet: Wallet): readonly VenueLook[]
  /**
   * The age of the oldest last look at a guarded wallet at a venue, in ms. It leaves out wallets that the venue does
   * not know. Null before the first look, and while one that is held there was not read yet.
   */
  oldestLookMs(venue?: string): number | null
  /** The accounts that cover its positions, as far as that reading had them. */
  accounts(wallet: Wallet): readonly Account[]
  /**
   * The monitor of a subject in a chat: the parameters of all rules that cover it, merged. Null without any.
   */
  monitor(id: MonitorId): { params: unknown; ruleIds: readonly number[] } | null
  /**
   * The firing alerts that a person's rules have a part in, and those of a chat, no matter who made the
   * rules. The worst come first.
   */
  firing(personId: number): readonly Firing[]
  firingIn(chatId: number): readonly Firing[]
  /** Likewise the alerts that have entered their first tier and must hold a while longer before they fire. */
  pending(personId: number): readonly Pending[]
  pendingIn(chatId: number): readonly Pending[]
  /** The mutes of a chat, and the notices suppressed there, the oldest first. */
  mutes(chatId: number): readonly Mute[]
  held(chatId: number): readonly Suppressed[]
  /** Private and bound ones. */
  chats(personId: number): readonly Chat[]
  /** Where a person is told, and where that goes as well. */
  escalation(personId: number): Escalation
  /** The delegates of a person; then the people whose delegate this person is. */
  delegates(personId: number): readonly Delegation[]
  helped(personId: number): readonly Delegation[]
  /** The firing alerts of those people that were told to this person; the worst first. */
  helping(personId: number): readonly Firing[]
  /** The person who asks for a delegate with this code; null when it is not valid, or used. */
  delegationAsked(code: string): { personId: number; name: string } | null
  /** Their last one; null when there was none. */
  drill(personId: number): Drill | null
  /** Who made this link code; null when it is none, or when it is used. */
  linkMaker(code: string): Person | null
  /** Who wants to be the same person, by the name of their request; null when nobody waits for that. */
  linkClaimant(personId: number, request: string): Identity | null
  /** Whether somebody has claimed this bot. */
  claimed(): boolean
  /**
   * The sources that cannot be seen now, and since when: the markets, the person's own, and the number of
   * others.
   */
  blind(personId: number): Concerning<{ source: Source; since: number; why: string }>
  /**
   * Likewise the sources that the last try could not read, although nobody is blind to them yet, and when
   * they were last read whole.
   */
  failing(personId: number): Concerning<{ source: Source; seenAt: number | null; why: string }>
  /** Why the last try could not read a source; null if it could. */
  failureOf(source: Source): string | null
  status(): Status
}

/** A look at a wallet at one venue. */
export interface VenueLook {
  /** Left out for the first venue. */
  venue?: string
  at: number
  mono: number
  /** It shows all that there is. */
  whole: boolean
  /** The venue does not know the wallet; else left out. */
  isUnknown?: true
}

/** The entries that concern one person, and the number of those that concern only others. */
interface Concerning<T> {
  own: readonly T[]
  others: number
}

/** A chat as its platform shows it, and whether somebody can be called there. */
export type Place = ChatRights & { mentions: boolean }

/** How a test has fared. */
export type TestMessage =
  | { is: 'sent' }
  | { is: 'refused'; why: Text }
  /** Neither yet; `why` not, where that is known. */
  | { is: 'waits'; why: string | null }

export interface Firing extends Standing {
  alertId: number
  severity: Severity
  /** The value last judged, and what it leaves: `room` of its kind. */
  value: number | null
  headroom: number | null
  acknowledgement: Acknowledgement
  /** One answer of the venue lacked its position, which is confirmed before its end is told. */
  isGone: boolean
}

export interface Pending extends Standing {
  /** How much of its hold is left, as of the last look. */
  leftMs: number
}

/** A monitor that is not ok. */
interface Standing {
  kind: string
  /** Merged of the rules behind it. */
  params: unknown
  ruleIds: readonly number[]
  subject: SubjectId
  /** The same for people: `BTC short · main`, `BTC`, `main`. */
  about: string
  tier: number
  since: number
}

/** A platform that is out of reach, in part or as a whole. */
export interface PlatformOutage {
  platform: string
  /** Wall time. */
  since: number
  why: string
}

/** Nothing can be kept. */
export interface Failure {
  /** Wall time. */
  since: number
  why: string
}

export interface Status {
  venue: string
  /** The names of its venues, the first one first; empty if it stands alone. */
  venues: readonly string[]
  /** The names of those that show nobody's orders. */
  hidesOrders: readonly string[]
  version: string
  upMs: number
  /** Guarded ones: wallets that are followed alone are not among them. */
  wallets: number
  /** The oldest last reading of a guarded wallet; null when one was never read, or none is guarded. */
  oldestWalletMs: number | null
  /** Prices that are older than this are no sight of the venue. */
  marketStaleMs: number
  rules: number
  brokenChats: number
  /** People, and open invitations. */
  seats: number
  failure: Failure | null
  /** Null where one process has the store to itself. */
  standing: ProcessStanding | null
}

/**
 * Returns a reading that is fresh enough, else asks the venue within 5 s (orders within 10 s where requests
 * weigh). Failing that, it returns the last reading with its age, at once where no request can be had. It
 * never guesses.
 */
export interface Read {
  /** `anew`: what follows from it is acted on, and nothing that was read before is fresh enough for that. */
  positions(wallet: Wallet, how?: 'anew'): Promise<ReadResult<PositionsAnswer>>
  markets(): Promise<ReadResult<ReadonlyMap<string, Market>>>
  market(id: string): Promise<ReadResult<Market>>
  orders(wallet: Wallet, states: readonly OrderState[]): Promise<ReadResult<OrdersAnswer>>
  preview(draft: OrderDraft): Promise<ReadResult<Preview>>
  /**
   * Who an address is, for somebody who waits since then (a tick; null: from now on), and no longer than for anything
   * else. Null where the venue does not say, or not in time.
   */
  identify(wallet: Wallet, sinceMono: number | null, isFunded: boolean): Promise<Identified | null>
  /** The record of a wallet's money; null where no venue shows it. */
  ledger: ((wallet: Wallet, asked: LedgerAsked) => Promise<ReadResult<LedgerAnswer>>) | null
  /** When a person last asked for the record of this wallet (wall time); null: not in this run. */
  ledgerAt(wallet: Wallet): number | null
  /**
   * Balances of a wallet; null where no venue shows them. Alone they are some seconds old at most. With `beside` they come
   * last, are some minutes old at most, and are waited for no longer than for that, or than a moment. `young`: as alone.
   */
  balances:
    | ((wallet: Wallet, beside?: Promise<unknown>, how?: 'young') => Promise<ReadResult<BalancesAnswer>>)
    | null
  /** The master of a sub-account, as far as this run has seen it; else null. */
  masterOf(wallet: Wallet): Wallet | null
  /** A wallet's TWAPs; null where no venue shows them. */
  twaps: ((wallet: Wallet) => Promise<ReadResult<TwapsAnswer>>) | null
}

export type ReadResult<T> =
  /**
   * `late` says why this is not fresh; null when it is. With `holes` it may lack something that it does not name. With
   * `waits` it only waits for its turn.
   */
  | { is: 'read'; reading: Reading<T>; late: Text | null; holes?: true; waits?: true }
  | { is: 'unseen'; why: Text; waits?: true }

/** The past of alerts and messages, and how many messages wait. */
export type Recall = Omit<HistoryStore, 'dailySummary'> & Pick<OutboxStore, 'backlog'>
