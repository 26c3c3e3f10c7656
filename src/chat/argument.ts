import { z } from 'zod'

import { forEveryStyle, percentTyped, readsTheSame } from '../lib/text/quantity.ts'
import type { Text } from '../message/message.ts'
import { type Amount, formatDecimal, fromNumber, magnitude } from '../venue/amount.ts'
import type { Wallet } from '../venue/wallet.ts'

/**
 * The types of the arguments that a person can type. Commands and alert kinds build their zod shapes from
 * these. The dialog reads text into them, and a platform maps them to its option types.
 */
export type ArgumentType =
  /** An address, whether watched or not. */
  | 'address'
  /** A watched wallet: by label, start of its address, or address. */
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
}

export type Per = 'year' | 'day'

/** Writes a rate with its time: without one, the person is asked. */
export function ratePer(per: Per, rate: number): string {
  return `${percentTyped(rate)}/${per === 'year' ? 'y' : 'd'}`
}

function described<T extends z.ZodType>(
  type: T,
  argument: ArgumentType,
  asks: Text,
  words: readonly string[] = [],
  more: Pick<ArgumentMeta, 'per' | 'also'> = {},
): T {
  return type.meta({ argument, asks, words, ...more } satisfies ArgumentMeta)
}

// Without a check, `z.custom` takes anything, and a field that is missing.
const wallet = z.custom<Wallet>(
  (value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value),
  'That is not a wallet address.',
)
const size = z.custom<SizeText>(
  (value) =>
    typeof value === 'object' && value !== null && 'amount' in value && typeof value.amount === 'bigint',
  'That is not a size.',
)
const move = z.custom<Move>((value) => typeof value === 'object' && value !== null && 'by' in value)
const moves = z
  .array(move)
  .nonempty('Name what moves, such as BTC -8% or all -10%.')
  .refine(
    (all) => all.every(({ by }) => by > -1 && by <= 10 && by !== 0),
    'A price can move by anything above -100%, up to 1000%, such as -8%.',
  )
  .refine(
    (all) => new Set(all.map(({ market }) => market)).size === all.length,
    'The same is named twice: say each market once, such as BTC -8% ETH -12%.',
  )

const RATES: Record<Per, string> = {
  year: 'a rate and its time, such as 50%/y or 0.01%/8h',
  day: 'a rate and its time, such as 0.005%/d',
}

export const argument = {
  address: () => described(wallet, 'address', 'a wallet address'),
  wallet: () => described(wallet, 'wallet', 'one of your wallets'),
  market: () => described(z.string(), 'market', 'a market'),
  dex: () => described(z.string(), 'dex', 'a book of markets'),
  percents: () => described(z.array(z.number()), 'percents', 'one or more percentages'),
  /** With a time, it is paid again and again: `50%/y` and `0.01%/8h` are then the fraction in this time. */
  percent: (per?: Per) =>
    per === undefined
      ? described(z.number(), 'percent', 'a percentage')
      : described(z.number(), 'percent', RATES[per], [], { per }),
  moves: () => described(moves, 'moves', 'what moves, such as BTC -8% or all -10%'),
  alert: () => described(z.number().int(), 'alert', 'an alert'),
  rule: () => described(z.number().int(), 'rule', 'a rule'),
  command: () => described(z.string(), 'command', 'a command'),
  choice: <const W extends string>(words: readonly W[], asks: Text, also?: ReadonlyMap<string, W>) =>
    described(z.enum(words as readonly [W, ...W[]]), 'choice', asks, words, also ? { also } : {}),
  page: () => described(z.number().int().positive(), 'page', 'a page'),
  size: () => described(size, 'size', 'a size, such as -2, $5k or -50%'),
  price: () =>
    described(z.bigint().positive('A price is more than zero.'), 'price', 'a price, such as 70000 or $70k'),
  usd: () => described(z.number(), 'usd', 'an amount of money, such as $50'),
  sums: (asks: Text = 'one or more amounts, such as -5k or -20%') =>
    described(z.array(z.object({ unit: z.enum(['usd', 'share']), value: z.number() })), 'sums', asks),
  account: () => described(z.string(), 'account', 'an account'),
  code: () => described(z.string(), 'code', 'a code'),
  chat: () => described(z.string(), 'chat', 'a chat'),
  mention: () => described(z.string(), 'mention', 'who is called when something is critical'),
  duration: () => described(z.number().positive(), 'duration', 'a time, such as 1h30m or 2d'),
  /** A time of day, or one of these words. */
  time: <const W extends string>(words: readonly W[] = []) =>
    described(
      z.union([z.number(), z.enum(words as readonly [W, ...W[]])]),
      'time',
      'a time, such as 08:00',
      words,
    ),
  text: (asks: Text = 'some words') => described(z.string(), 'text', asks),
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
