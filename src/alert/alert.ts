import type { z } from 'zod'

import type { Item, Text } from '../message/message.ts'
import type { Reason } from '../message/reason.ts'
import type { CloseOutcome } from '../venue/close-outcome.ts'
import type { Position } from '../venue/position.ts'
import type { Wallet } from '../venue/wallet.ts'
import type { MonitorId } from './monitor.ts'
import type { Subject } from './subject.ts'

export type Severity = 'info' | 'warning' | 'critical'

/** A threshold that somebody set: a kind, its parameters, its scope, and the chat that hears of it. */
export interface Rule {
  /** People say `R7`. */
  id: number
  personId: number
  chatId: number
  kind: string
  /** Parsed by the kind's `params`. */
  params: unknown
  /** The kind's `identity` of them. */
  identity: string
  /** Null: every wallet of this person. */
  wallet: Wallet | null
  /** Null: every market (of the owner, when there is one). */
  market: { id: string; symbol: string } | null
  /** `/watch` made it, so `/unwatch` takes it away. */
  armedByWatch: boolean
  /** How long a level that is not critical must hold before it is told. */
  holdMs: number
}

/** Long enough for a spike to be over, short enough for a warning to be one (see bench/walk.ts). */
export const USUAL_HOLD_MS = 15_000

/** What a rule can be narrowed down to. */
export type Scope = 'market' | 'wallet'

/**
 * What every alert kind declares; help, parser, menus and slash options derive from it. `levelKind` and `eventKind` of
 * kind.ts make one: there stands what a kind may leave out.
 */
interface KindDeclaration<P> {
  /** As typed: lower case, words joined by hyphens. */
  name: string
  aliases: readonly string[]
  /** Words of its parameters that mean it where nothing is named: `below` is a price in `ETH below 2400`. */
  cues: readonly string[]
  /** Completes the sentence "Tells you when …". */
  summary: string
  /** What follows `/alert`. */
  example: string
  on: Subject['is']
  /** What it is judged by beside positions and markets, read only where a rule needs it. */
  reads: 'orders' | null
  /** What must be named; it is asked for otherwise. */
  needs: readonly Scope[]
  params: z.ZodObject & z.ZodType<P>
  /** What `/watch` arms; null when it does not. */
  armedByWatch: P | null
  /** Completes the sentence "I tell you when …" with the rule's threshold. */
  when(params: P): Text
  /** The rule's threshold in words, for lists: `at 20 / 10 / 5 / 2.5 %`. */
  describe(params: P): Text
  /** What the merged rules tell in the end, with how loud each threshold is: `30 / 20 % info, 10 % warning`. */
  describeMerged(params: P): Text
  /** The parameters as people type them, for /export: `20% 10%`. */
  typed(params: P): string
  /** Two rules of one scope and chat with the same identity are one: the second replaces the first. */
  identity(params: P): string
  /** The value of a verdict or a happening in words: `4.8 %`. */
  figure(value: number): Text
  /** What rules that cover the same subject ask for together: nothing that one of them tells may be lost. */
  merge(all: readonly [P, ...P[]]): P
}

/** Is something so? A kind has no memory and no clock: the engine owns time. */
export interface LevelKind<P, S extends Subject = Subject> extends KindDeclaration<P> {
  is: 'level'
  /** How long what is not critical must hold where nobody says otherwise. */
  holdMs: number
  /** How loud a tier is; tiers count from 1, the mildest. */
  severity(params: P, tier: number): Severity
  /** The tier's threshold in words: `10 % line`. */
  tier(params: P, tier: number): Text
  /** The tier of `after` that an alert at this tier of `before` stands at: the worst one not beyond it. 0 is none. */
  tierUnder(before: P, tier: number, after: P): number
  /** How much a value leaves, as a fraction: of two alerts that are as loud the one with less is told first. */
  headroom(value: number): number
  /**
   * It tells how near a liquidation is. At warning or worse its wallet is near danger: read as often as the venue allows, and
   * what brings it away from there is asked for, and added to what was said.
   */
  aboutLiquidation: boolean
  /** What it would have to know of this position and its venue does not show: it can never be judged. Null: nothing. */
  notShownByVenue(params: P, position: Position): Text | null
  /** `'unknown'` freezes the state: missing data never reads as fine. */
  judge(params: P, subject: S): Verdict | 'unknown'
  tell(params: P, change: Transition, subject: S): Item
}

/** Has something happened? The memo is what it must know to tell; undefined is a silent baseline. */
export interface EventKind<
  P,
  M = unknown,
  S extends Subject = Subject,
  D = unknown,
> extends KindDeclaration<P> {
  is: 'event'
  severity(params: P, occurrence: Occurrence<D>): Severity
  /** One that reads orders is folded only when they have been read. */
  detect(params: P, memo: M | undefined, subject: S): Detected<M, D>
  /** By their ids, the orders of which it has to know what becomes of them. */
  awaits(memo: M): readonly string[]
  tell(params: P, occurrence: Occurrence<D>, subject: S): Item
}

export type Kind = LevelKind<unknown> | EventKind<unknown>

export interface Verdict {
  /** The worst tier whose threshold is passed now; 0 is none. */
  enter: number
  /** The worst tier not yet cleared; `enter <= stay`, and the gap is the hysteresis. */
  stay: number
  /** What is shown, such as the distance as a fraction. */
  value: number
  stableWithin?: Bounds
  /** The same for an alert that stands at this tier (0: none): less can make it worse or better. `until` where left out. */
  stableWithinAt?: (tier: number) => Bounds
}

/**
 * The verdict cannot change while the measure stays strictly between the bounds. Doubles, and the very numbers
 * that `judge` compares with, so that index and judgement agree to the last bit.
 */
export interface Bounds {
  of: 'price' | 'fundingRate'
  below?: number
  above?: number
}

export interface Detected<M, D = unknown> {
  state: M
  occurrences: Occurrence<D>[]
  stableWithin?: Bounds
  /** Of an owner: the same positions once more change nothing, whatever their markets cost by then. */
  isIdempotent?: boolean
}

/** One thing that happened to a subject. `what` is the kind's own word for it. */
export interface Occurrence<D = unknown> {
  what: string
  /** The figure for the trail, if there is one. */
  value: number | null
  /** The position it happened to, if one. */
  position: string | null
  /** The key of the position that it bears on, of which it tells nothing itself: it is told, and muted, with that one. */
  bearsOn?: string | null
  /** What `tell` needs beyond that. */
  detail: D
  /** What it brought, where it is the end of a position: history keeps it. */
  closing?: CloseOutcome
}

/** A change of state, with the reading that caused it. */
export interface Transition {
  reason: Reason
  /** Tiers; 0 is ok. */
  from: number
  to: number
  value: number
  at: number
  alertId: number
  /** How often the same was said since it was last news. */
  reminders: number
}

/** One episode of a guard, or one happening. People say `A41`. */
export interface Alert extends MonitorId {
  id: number
  /** The rules that stood behind it when it opened or last got worse. */
  ruleIds: number[]
  personId: number
  /** The title of its worst or only message, as plain text. */
  title: string
  severity: Severity
  openedAt: number
  closedAt: number | null
  /** What the end of a position brought, where it tells of one. */
  closing: CloseOutcome | null
}

export function findKind(kinds: readonly Kind[], name: string): Kind | undefined {
  return kinds.find((kind) => kind.name === name || kind.aliases.includes(name))
}

/** Whether the one changes the other: same kind, chat and scope, and by the kind's `identity` the same thing. */
export function sameRule(kinds: readonly Kind[], one: Placed, other: Placed): boolean {
  const kind = findKind(kinds, one.kind)
  return (
    one.kind === other.kind &&
    one.chatId === other.chatId &&
    one.wallet === other.wallet &&
    one.market?.id === other.market?.id &&
    kind?.identity(one.params) === kind?.identity(other.params)
  )
}

type Placed = Pick<Rule, 'kind' | 'params' | 'wallet' | 'market' | 'chatId'>
