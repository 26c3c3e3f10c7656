import type { z } from 'zod'

import type { Item, Text } from '../message/message.ts'
import type { Reason } from '../message/reason.ts'
import type { CloseOutcome } from '../venue/close-outcome.ts'
import type { Position } from '../venue/position.ts'
import type { Wallet } from '../venue/wallet.ts'
import type { MonitorId } from './monitor.ts'
import type { Subject } from './subject.ts'

export type Severity = 'info' | 'warning' | 'critical'

/** A rule of a person: a kind of alert, its parameters, its scope, and the chat that it alerts. */
export interface Rule {
  /** People write `R7`. */
  id: number
  personId: number
  chatId: number
  kind: string
  /** Parsed by the kind's `params`. */
  params: unknown
  /** The kind's `identity` of the params. */
  identity: string
  /** Null: every wallet of this person. */
  wallet: Wallet | null
  /** Null: every market (of the wallet, if there is one). */
  market: { id: string; symbol: string } | null
  /** `/watch` made it, so `/unwatch` removes it. */
  armedByWatch: boolean
  /** How long a condition must hold before its alert, unless it is critical. */
  holdMs: number
  /** The assistant that has set it, by the name that its person gave it. */
  setBy?: string
}

/** Long enough to outlast a spike, short enough for a timely warning (see bench/walk.ts). */
export const USUAL_HOLD_MS = 15_000

/** The kind that tells what followed wallets do. No summary of a person's own wallets counts it. */
export const FOLLOWED_KIND = 'followed'

/** The ways to narrow a rule down. */
export type Scope = 'market' | 'wallet'

/**
 * The declaration of an alert kind. Help, parser, menus and slash options derive from it. Build one with
 * `levelKind` or `eventKind` of define-kind.ts, which fill in the optional parts.
 */
interface KindDeclaration<P> {
  /** As typed: lower case, words joined by hyphens. */
  name: string
  aliases: readonly string[]
  /** Words that imply this kind when no kind is named: `below` means a price in `ETH below 2400`. */
  cues: readonly string[]
  /** Completes the sentence "Tells you when …". */
  summary: Text
  /** The text after `/alert`. */
  example: string
  on: Subject['is']
  /** An extra reading beside positions and markets. It is read only if a rule needs it. */
  reads: 'orders' | 'twaps' | null
  /** The required scopes. The dialog asks for a missing one. */
  needs: readonly Scope[]
  params: z.ZodObject & z.ZodType<P>
  /** Whose wallets it judges: a person's own, or those that they only follow. */
  whose: 'own' | 'followed'
  /** The params that `/watch` arms; null if it does not arm this kind. */
  armedByWatch: P | null
  /** The params under a preset that is not the normal one. A preset that is left out arms what `/watch` does. */
  presets: Readonly<Partial<Record<'calm' | 'scalper', P>>>
  /** Completes the sentence "I’ll alert you when …" with the rule's threshold, and its market if it has one. */
  when(params: P, symbol: string | null): Text
  /** The rule's threshold in words, for lists: `at 20 / 10 / 5 / 2.5%`. */
  describe(params: P): Text
  /** The thresholds of the merged rules with their severities: `30%, 20% (info) · 10% (warning)`. */
  describeMerged(params: P): Text
  /** The parameters as people type them, for /export: `20% 10%`. */
  typed(params: P): string
  /** How far back the samples of its subject count. A start takes them from the recording. 0 for none. */
  lookBackMs(params: P): number
  /** A rule replaces another one of the same scope, chat and identity. */
  identity(params: P): string
  /** The value of a verdict or an occurrence in words: `4.8%`. */
  figure(value: number): Text
  /**
   * Merges the params of all rules that cover the same subject. The result must alert for everything that any
   * of them would.
   */
  merge(all: readonly [P, ...P[]]): P
}

/** A kind whose condition holds or does not. It has no state and no clock: the engine keeps time. */
export interface LevelKind<P, S extends Subject = Subject> extends KindDeclaration<P> {
  is: 'level'
  /** The usual hold time of a condition that is not critical. */
  holdMs: number
  /** The severity of a tier. Tiers count from 1, the mildest. */
  severity(params: P, tier: number): Severity
  /** The tier's threshold in words: `10% line`. */
  tier(params: P, tier: number): Text
  /** The distances to liquidation at which it alerts, by tier. Left out by kinds that measure something else. */
  lines?(params: P): readonly number[]
  /**
   * Translates an alert's tier after its rules have changed: the worst tier of `after` that is not beyond the
   * old one. 0 is none.
   */
  tierUnder(before: P, tier: number, after: P): number
  /**
   * The distance of a value to the worst, as a fraction. Among equally severe alerts, the smallest comes
   * first.
   */
  headroom(value: number): number
  /** How far a value is from the rule's threshold, for the answer that sets it: `6.5% above`. Null if the value says it. */
  apart(params: P, value: number): Text | null
  /**
   * It alerts about a near liquidation. From warning on, its wallet is read as often as the venue allows. The
   * alert then gets the venue's quotes for closing parts of the position.
   */
  aboutLiquidation: boolean
  /**
   * A missing figure of this position that the kind cannot judge without, in words; null if it can be judged.
   */
  notShownByVenue(params: P, position: Position): Text | null
  /** `'unknown'` freezes the state: missing data never counts as fine. */
  judge(params: P, subject: S): Verdict | 'unknown'
  tell(params: P, change: Transition, subject: S): Item
}

/** A kind of occurrences. Its state is undefined at first, and the first reading never alerts. */
export interface EventKind<
  P,
  M = unknown,
  S extends Subject = Subject,
  D = unknown,
> extends KindDeclaration<P> {
  is: 'event'
  severity(params: P, occurrence: Occurrence<D>): Severity
  /** A kind that reads orders is called only after they have been read. */
  detect(params: P, state: M | undefined, subject: S): Detected<M, D>
  /** The ids of orders whose outcome it needs to know. */
  awaits(state: M): readonly string[]
  tell(params: P, occurrence: Occurrence<D>, subject: S): Item
}

export type Kind = LevelKind<unknown> | EventKind<unknown>

export interface Verdict {
  /** The worst tier whose threshold is passed now; 0 is none. */
  enter: number
  /** The worst tier not yet cleared. It is at least `enter`; the gap is the hysteresis. */
  stay: number
  /** The worst tier whose threshold is passed by more than its clear band: that does not tremble, and is told at once. */
  beyond?: number
  /** The shown figure, such as the distance as a fraction. */
  value: number
  stableWithin?: Bounds
  /**
   * The bounds for an alert that stands at this tier (0: none). They are wider, because fewer changes matter
   * to it. Defaults to `stableWithin`.
   */
  stableWithinAt?: (tier: number) => Bounds
}

/**
 * The verdict cannot change while the measure stays strictly between the bounds. Both are the very doubles
 * that `judge` compares with, so that index and verdict agree to the last bit.
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
  /** For a wallet: the same positions again change nothing, even if market prices have changed. */
  isIdempotent?: boolean
}

/** One occurrence for a subject. `what` is the kind's own word for it. */
export interface Occurrence<D = unknown> {
  what: string
  /** The figure for the timeline, if there is one. */
  value: number | null
  /** The key of its position, if it has one. */
  position: string | null
  /** The key of a position that it only concerns. It is sent and muted together with that position. */
  bearsOn?: string | null
  /** The kind that tells the same at this position: nothing is said here where the chat has a rule of it. */
  leftTo?: string
  /** More facts for `tell`. */
  detail: D
  /** The proceeds, if it is the close of a position: the history keeps them. */
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
  /** How many reminders were sent since the last change. */
  reminders: number
}

/** One episode of a monitor, or one occurrence. People write `A41`. */
export interface Alert extends MonitorId {
  id: number
  /** The rules behind it when it opened or last got worse. */
  ruleIds: number[]
  personId: number
  /** The title of its worst or only message, as plain text. */
  title: string
  severity: Severity
  openedAt: number
  closedAt: number | null
  /** The proceeds of the close, if it is about one. */
  closing: CloseOutcome | null
}

export function findKind(kinds: readonly Kind[], name: string): Kind | undefined {
  return kinds.find((kind) => kind.name === name || kind.aliases.includes(name))
}

/** Whether one rule replaces the other: same kind, chat, scope and identity. */
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
