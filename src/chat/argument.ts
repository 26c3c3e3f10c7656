import { z } from 'zod'

import { forEveryStyle, percentTyped, readsTheSame } from '../lib/text/quantity.ts'
import type { SpanText } from '../lib/time/span-text.ts'
import { type Text, words } from '../message/message.ts'
import { type Amount, formatDecimal, fromNumber, magnitude } from '../venue/amount.ts'
import type { Wallet } from '../venue/wallet.ts'

/**
 * The types of the arguments that a person can type. Commands and alert kinds build their zod shapes from
 * these. The dialog reads text into them, and a platform maps them to its option types.
 */
export type ArgumentType =
  /** An address, whether watched or not. */
  | 'address'
  /** A wallet of the person, or one that they follow: by label, start of its address, or address. */
  | 'wallet'
  /** A market's symbol; the value is its id. */
  | 'market'
  /** A list of markets of the venue, by its name there. */
  | 'dex'
  /** Fractions, one or several: `10% 5%` is [0.1, 0.05]. */
  | 'percents'
  | 'percent'
  /** `BTC -8% ETH -12%`, `all -10%`: several, each a `Move`. */
  | 'moves'
  /** `A41` or `41`. */
  | 'alert'
  /** `R7` or `7`. */
  | 'rule'
  | 'command'
  /** One of a few words. */
  | 'choice'
  | 'page'
  /** `-2`, `$5k`, `-50%`: see `SizeText`. */
  | 'size'
  /** `70000`, `$70k`: exact, in USD. */
  | 'price'
  /** `$50`: how much money. */
  | 'usd'
  /** Money or shares of something, one or several, each with its sign: see `Sum`. */
  | 'sums'
  /** A decimal account id, or its last digits. */
  | 'account'
  /** A one-time code. */
  | 'code'
  /** `1h30m`; the value is in milliseconds. */
  | 'duration'
  /** `08:00`, `8am`: the minute of the day; or one of a few words. */
  | 'time'
  /** `week`, `since 1 Nov`: a time in the past, see `SpanText`. */
  | 'span'
  /** A group, channel or thread, as its platform names it. */
  | 'chat'
  /** Somebody a platform can call by name in a chat, such as a role. */
  | 'mention'
  /** The rest of the line. */
  | 'text'

/** An assumed move of a price: a fraction of it, below zero for a fall. */
export interface Move {
  /** By its id; null is all that are not named. */
  market: string | null
  /** The markets of the same coin at other venues move along. Left out if the move names its venue. */
  also?: readonly string[]
  by: number
}

/** A signed size as typed: units of the base asset, dollars, or a share of the position (1 is all of it). */
export interface SizeText {
  unit: 'base' | 'usd' | 'share'
  amount: Amount
  typed: string
}

/** Money (in USD), or a share of something (a fraction), as a person sets it: `-5k`, `$200`, `-20%`. */
export interface Sum {
  unit: 'usd' | 'share'
  value: number
}

/** Writes a sum that reads the same in every style of numbers. */
export function typedSum({ unit, value }: Sum): string {
  if (unit === 'share') return percentTyped(value)
  const exact = fromNumber(Math.abs(value)) ?? 0n
  return `${value < 0 ? '-' : ''}$${forEveryStyle(formatDecimal(exact))}`
}

/** A least size in USD; 0 stands for every change. */
export function leastUsd() {
  return argument
    .usd(words('arg.followed'))
    .refine((least) => least >= 0 && Number.isFinite(least), 'check.followed')
    .transform(cents)
}

/** Rounds money to cents, so that a typed sum reads as it was typed. */
function cents(usd: number): number {
  return Math.round(usd * 100) / 100
}

/** Writes a size that reads the same in every style of numbers. */
export function typedSize({ unit, amount, typed }: SizeText): string {
  if (readsTheSame(typed)) return typed
  const size = forEveryStyle(formatDecimal(magnitude(unit === 'share' ? amount * 100n : amount)))
  return `${amount < 0n ? '-' : ''}${unit === 'usd' ? '$' : ''}${size}${unit === 'share' ? '%' : ''}`
}

/** Writes a price that reads the same in every style of numbers. */
export function typedPrice(price: Amount): string {
  return forEveryStyle(formatDecimal(price))
}

export interface ArgumentMeta {
  argument: ArgumentType
  /** How it is asked for: "which wallet". */
  asks: Text
  /** The words of a choice; `also` has other names for some of them. */
  words: readonly string[]
  also?: ReadonlyMap<string, string>
  /** The period in which the value of a rate counts. People type theirs, such as `0.01%/8h`. */
  per?: Per
  /** Which wallets are meant: those of `followed` or `all`. Left out: a person's own alone. */
  whose?: Whose
  /** The value of a market is a list of ids: the coin at every venue, unless the word names the venue. */
  everywhere?: true
}

export type Per = 'year' | 'day'
type Whose = 'followed' | 'all'

/** Writes a rate with its time: without one, the person is asked. */
export function ratePer(per: Per, rate: number): string {
  return `${percentTyped(rate)}/${per === 'year' ? 'y' : 'd'}`
}

function described<T extends z.ZodType>(
  type: T,
  argument: ArgumentType,
  asks: Text,
  words: readonly string[] = [],
  more: Pick<ArgumentMeta, 'per' | 'also' | 'everywhere' | 'whose'> = {},
): T {
  return type.meta({ argument, asks, words, ...more } satisfies ArgumentMeta)
}

// Without a check, `z.custom` takes anything, and a field that is missing.
const wallet = z.custom<Wallet>(
  (value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value),
  'parse.no-fit',
)
const size = z.custom<SizeText>(
  (value) =>
    typeof value === 'object' && value !== null && 'amount' in value && typeof value.amount === 'bigint',
  'parse.no-fit',
)
const span = z.custom<SpanText>((value) => typeof value === 'object' && value !== null && 'typed' in value)
const move = z.custom<Move>((value) => typeof value === 'object' && value !== null && 'by' in value)
const moves = z
  .array(move)
  .nonempty('parse.move.none')
  .refine((all) => all.every(({ by }) => by > -1 && by <= 10 && by !== 0), 'parse.move.range')
  .refine((all) => new Set(all.map(({ market }) => market)).size === all.length, 'parse.move.twice')

const RATES: Record<Per, Text> = { year: words('arg.rate-year'), day: words('arg.rate-day') }

/** `asks` says what an argument does in its command; the usual words say what it takes. */
export const argument = {
  /** `whose`: the label of such a wallet stands for its address as well. */
  address: (asks = words('arg.address'), whose?: Whose) =>
    described(wallet, 'address', asks, [], whose === undefined ? {} : { whose }),
  /** One of a person's own wallets; with `whose`, those that they follow beside them, or alone. */
  wallet: (asks = words('arg.one-wallet'), whose?: Whose) =>
    described(wallet, 'wallet', asks, [], whose === undefined ? {} : { whose }),
  market: (asks = words('arg.one-market')) => described(z.string(), 'market', asks),
  /** A coin at every venue that lists it, as the ids of its markets; the first of them is the market that is meant. */
  coin: (asks = words('arg.one-market')) =>
    described(z.array(z.string()).nonempty(), 'market', asks, [], { everywhere: true }),
  dex: () => described(z.string(), 'dex', words('arg.dex')),
  percents: (asks = words('arg.percents')) => described(z.array(z.number()), 'percents', asks),
  /** With a time, it is paid again and again: `50%/y` and `0.01%/8h` are then the fraction in this time. */
  percent: (per?: Per, asks = per === undefined ? words('arg.percent') : RATES[per]) =>
    described(z.number(), 'percent', asks, [], per === undefined ? {} : { per }),
  moves: () => described(moves, 'moves', words('arg.moves')),
  alert: () => described(z.number().int(), 'alert', words('arg.alert')),
  rule: () => described(z.number().int(), 'rule', words('arg.rule')),
  command: () => described(z.string(), 'command', words('arg.command')),
  choice: <const W extends string>(words: readonly W[], asks: Text, also?: ReadonlyMap<string, W>) =>
    described(z.enum(words as readonly [W, ...W[]]), 'choice', asks, words, also ? { also } : {}),
  page: () => described(z.number().int().positive(), 'page', words('arg.page')),
  size: () => described(size, 'size', words('arg.size')),
  price: (asks = words('arg.price')) => described(z.bigint().positive('parse.price.zero'), 'price', asks),
  usd: (asks = words('arg.usd')) => described(z.number(), 'usd', asks),
  sums: (asks: Text = words('arg.sums')) =>
    described(z.array(z.object({ unit: z.enum(['usd', 'share']), value: z.number() })), 'sums', asks),
  account: () => described(z.string(), 'account', words('arg.account')),
  code: () => described(z.string(), 'code', words('arg.code')),
  chat: () => described(z.string(), 'chat', words('arg.chat')),
  mention: () => described(z.string(), 'mention', words('arg.mention')),
  duration: (asks = words('arg.duration')) => described(z.number().positive(), 'duration', asks),
  /** A time of day, or one of these words. */
  time: <const W extends string>(named: readonly W[] = [], asks = words('arg.time')) =>
    described(z.union([z.number(), z.enum(named as readonly [W, ...W[]])]), 'time', asks, named),
  span: () => described(span, 'span', words('arg.span')),
  text: (asks: Text = words('arg.text')) => described(z.string(), 'text', asks),
}

/** The meta of a field of such a shape; undefined when it was not built from `argument`. */
export function argumentMeta(field: z.core.$ZodType): ArgumentMeta | undefined {
  const own = z.globalRegistry.get(field) as ArgumentMeta | undefined
  if (own?.argument) return own
  const { innerType, in: piped } = (
    field as { _zod: { def: { innerType?: z.core.$ZodType; in?: z.core.$ZodType } } }
  )._zod.def
  const inner = innerType ?? piped
  return inner ? argumentMeta(inner) : undefined
}
