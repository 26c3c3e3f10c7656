import type { z } from 'zod'

import { toNumber } from './amount.ts'
import { awayText } from './gone.ts'
import type { Gone } from './gone.ts'
import { distanceText } from './lib/format.ts'
import type { Market } from './market.ts'
import { age } from './message.ts'
import type { Item, Text } from './message.ts'
import type { Owner } from './owner.ts'
import { distance, liquidationText, side } from './position.ts'
import type { Position } from './position.ts'

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
  /** Null: every wallet of this person. */
  owner: Owner | null
  /** Null: every market (of the owner, when there is one). */
  market: { id: string; symbol: string } | null
  /** `/watch` made it, so `/unwatch` takes it away. */
  armedByWatch: boolean
}

/** What every alert kind declares; help, parser, menus and slash options derive from it. */
interface KindDeclaration<P> {
  /** As typed: lower case, words joined by hyphens. */
  name: string
  aliases: readonly string[]
  /** Completes the sentence "Tells you when …". */
  summary: string
  /** What follows `/alert`. */
  example: string
  on: Subject['is']
  params: z.ZodObject & z.ZodType<P>
  /** What `/watch` arms; null when it does not. */
  armedByWatch: P | null
  /** The rule's threshold in words, for lists: `at 20 / 10 / 5 / 2.5 %`. */
  describe(params: P): string
  /** The parameters as people type them, for /export: `20% 10%`. */
  typed(params: P): string
}

/** Is something so? A kind has no memory and no clock: the engine owns time. */
export interface LevelKind<P> extends KindDeclaration<P> {
  is: 'level'
  /** How loud a tier is; tiers count from 1, the mildest. */
  severity(params: P, tier: number): Severity
  /** The tier's threshold in words: `10 % line`. */
  tier(params: P, tier: number): string
  /** `'unknown'` freezes the state: missing data never reads as fine. */
  judge(params: P, subject: Subject): Verdict | 'unknown'
  tell(params: P, change: Transition, subject: Subject): Item
}

/** Has something happened? The memo is what it must know to tell; undefined is a silent baseline. */
export interface EventKind<P, M = unknown> extends KindDeclaration<P> {
  is: 'event'
  severity(params: P, happening: Happening): Severity
  fold(params: P, memo: M | undefined, subject: Subject): Folded<M>
  tell(params: P, happening: Happening, subject: Subject): Item
}

export type Kind = LevelKind<unknown> | EventKind<unknown>

export interface Verdict {
  /** The worst tier whose threshold is passed now; 0 is none. */
  enter: number
  /** The worst tier not yet cleared; `enter <= stay`, and the gap is the hysteresis. */
  stay: number
  /** What is shown, such as the distance as a fraction. */
  value: number
  until?: Until
}

/**
 * The verdict cannot change while the measure stays strictly between the bounds. Doubles, and the very numbers
 * that `judge` compares with, so that index and judgement agree to the last bit.
 */
export interface Until {
  of: 'price' | 'fundingRate'
  below?: number
  above?: number
}

export interface Folded<M> {
  memo: M
  happened: Happening[]
  until?: Until
}

/** One thing that happened to a subject. `what` is the kind's own word for it. */
export interface Happening {
  what: string
  /** The figure for the trail, if there is one. */
  value: number | null
  /** The position it happened to, if one. */
  position: string | null
  detail: unknown
}

/** What one rule judges. Prices and rates are doubles of the same reading as the exact ones beside them. */
export type Subject = PositionSubject | MarketSubject | OwnerSubject

interface Judged {
  /** Wall time of the judgement. */
  now: number
  /** Since when we were away, when this is the first look after a restart. */
  awaySince: number | null
}

export interface PositionSubject extends Judged {
  is: 'position'
  position: Position
  market: Market
  price: number
  /** Wall times of the two readings. */
  marketAt: number
  positionAt: number
  /** The label of the wallet as the rule's person knows it. */
  wallet: string
}

export interface MarketSubject extends Judged {
  is: 'market'
  market: Market
  price: number
  fundingRate: number
  marketAt: number
  /** What the rule's person holds there, within the rule's scope. */
  positions: { position: Position; wallet: string }[]
}

export interface OwnerSubject extends Judged {
  is: 'owner'
  owner: Owner
  wallet: string
  positionAt: number
  /** Confirmed: one that is missing once is still here. */
  positions: Position[]
  gone: Gone[]
  market(id: string): Market | undefined
}

/** The engine's memory of (rule, subject). */
export type AlertState =
  | { is: 'ok' }
  | {
      is: 'firing'
      tier: number
      alertId: number
      since: number
    }

/** A change of state, with the reading that caused it. */
export interface Transition {
  /** Tiers; 0 is ok. */
  from: number
  to: number
  value: number
  at: number
  alertId: number
}

/** One episode of (rule, subject), or one happening. People say `A41`. */
export interface Alert {
  id: number
  ruleId: number
  personId: number
  chatId: number
  kind: string
  subject: string
  /** The title of its worst or only message, as plain text. */
  title: string
  severity: Severity
  openedAt: number
  closedAt: number | null
}

/** For inference: `levelKind({ params: z.object(…), judge: (params, subject) => … })`. */
export function levelKind<P>(kind: Omit<LevelKind<P>, 'is'>): LevelKind<unknown> {
  return { ...kind, is: 'level' } as unknown as LevelKind<unknown>
}

export function eventKind<P, M>(kind: Omit<EventKind<P, M>, 'is'>): EventKind<unknown> {
  return { ...kind, is: 'event' } as unknown as EventKind<unknown>
}

export function findKind(kinds: readonly Kind[], name: string): Kind | undefined {
  return kinds.find((kind) => kind.name === name || kind.aliases.includes(name))
}

/** What is said of an open position below its own news: where liquidation is, whose it is, how old this is. */
export function positionLines(position: Position, subject: OwnerSubject): Text[] {
  const { market: marketOf, wallet, now, positionAt, awaySince } = subject
  const market = marketOf(position.marketId)
  const away =
    market && position.liquidationPrice !== null
      ? `, ${distanceText(distance(side(position), toNumber(market.price), toNumber(position.liquidationPrice)))} away`
      : ''
  return [
    `${liquidationText(position)}${away} · ${wallet}`,
    `position ${age(now - positionAt)} old`,
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
}
