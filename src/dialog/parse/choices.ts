import { findKind, type Rule } from '../../alert/alert.ts'
import type { ArgumentMeta, ArgumentType, Per } from '../../chat/argument.ts'
import type { Choice } from '../../chat/bot.ts'
import type { Firing } from '../../command/context.ts'
import { durationText } from '../../lib/text/duration.ts'
import { STYLE_MARKS } from '../../lib/text/format.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { plainText, written } from '../../message/message.ts'
import { dexesOf } from '../../venue/market.ts'
import { symbolWithin } from '../../venue/venue-name.ts'
import { accountReference, isNumbered, shortAccount, shortWallet } from '../../venue/wallet.ts'
import { coinCalled } from './coins.ts'
import { nameableIn, type Vocabulary, walletsMeant } from './vocabulary.ts'

type Chooser = (vocabulary: Vocabulary, words: readonly string[], whose?: ArgumentMeta['whose']) => Choice[]

const HOUR_MS = 3_600_000

const plain = (...values: string[]): Choice[] => values.map((value) => ({ label: value, value }))
/** Shown in the person's number style. The value itself reads the same in all styles. */
const figures =
  (...values: string[]): Chooser =>
  ({ numbers }) =>
    values.map((value) => ({ label: value.replace('.', STYLE_MARKS[numbers].decimal), value }))
const none: Chooser = () => []

const CHOOSERS: Record<ArgumentType, Chooser> = {
  wallet: ({ view, personId }, _words, whose) =>
    walletsMeant(view, personId, whose).map(({ label, wallet }) => ({
      label: `${label} ${shortWallet(wallet)}`,
      value: label,
    })),
  market: marketsOf,
  dex: ({ view }) => plain(...dexesOf(view.listed(), view.status().venues)),
  rule: (vocabulary) =>
    vocabulary.view
      .rules(vocabulary.personId)
      .map((rule) => ({ label: ruleInWords(rule, vocabulary), value: `R${rule.id}` })),
  alert: (vocabulary) =>
    [...vocabulary.view.firing(vocabulary.personId), ...vocabulary.view.helping(vocabulary.personId)].map(
      (firing) => ({ label: alertInWords(firing, vocabulary), value: `A${firing.alertId}` }),
    ),
  command: ({ commands }) => plain(...commands.map(({ name }) => name)),
  choice: (_vocabulary, words) => plain(...words),
  percent: figures('5%', '2.5%', '1%', '0.5%'),
  moves: (vocabulary) => {
    const [held] = marketsOf(vocabulary)
    const moves = ['all -10%', 'all -20%', 'all +10%', ...(held ? [`${held.value} -10%`] : [])]
    return plain(...moves)
  },
  percents: figures('20%', '10%', '5%', '2.5%'),
  size: figures('-25%', '-50%', '-100%', '$1k'),
  duration: () =>
    [HOUR_MS, 4 * HOUR_MS, 24 * HOUR_MS, 7 * 24 * HOUR_MS].flatMap((ms) => plain(durationText(ms))),
  account: ({ view, personId }) =>
    view.watches(personId).flatMap(({ wallet, label }) => {
      const accounts = new Set((view.positions(wallet)?.value ?? []).map(({ accountId }) => accountId))
      // A named account belongs to a market, which names it already.
      const numbered = [...accounts].filter(isNumbered)
      return numbered.map((account) => ({
        label: `…${shortAccount(account)} ${label}`,
        value: accountReference(account),
      }))
    }),
  time: (_vocabulary, words) => plain('08:00', ...words),
  span: () => plain('day', 'week', 'month', 'yesterday'),
  address: none,
  chat: none,
  mention: none,
  page: none,
  usd: figures('$10', '$50', '$100', '$500'),
  sums: figures('-$100', '-$500', '-$1k', '-$5k'),
  price: none,
  code: none,
  text: none,
}

/** `ETH price below $2,400`, with the wallet where there are several. */
function ruleInWords(
  { kind: name, params, market, wallet }: Rule,
  { view, personId, kinds, numbers }: Vocabulary,
): string {
  const kind = findKind(kinds, name)
  const watches = view.named(personId)
  const label = watches.length > 1 ? watches.find((watch) => watch.wallet === wallet)?.label : undefined
  const words = kind ? plainText(written(kind.describe(params), numbers), NOBODY) : ''
  const parts = [market?.symbol, name.replaceAll('-', ' '), words, label && `· ${label}`]
  return parts.filter((part) => part !== undefined && part !== '').join(' ')
}

/** `BTC long 4.3%`, with the wallet where there are several. */
function alertInWords(
  { about, kind: name, value }: Firing,
  { view, personId, kinds, numbers }: Vocabulary,
): string {
  const [subject = '', ...label] = about.split(' · ')
  const kind = findKind(kinds, name)
  const figure = kind && value !== null ? plainText(written(kind.figure(value), numbers), NOBODY) : ''
  const named = view.watches(personId).length > 1 && label.length > 0 ? `· ${label.join(' · ')}` : ''
  return [subject, figure, named].filter((part) => part !== '').join(' ')
}

/** Figures need no zone. */
const NOBODY = { now: 0, zone: 'UTC' }

const RATES: Record<Per, Chooser> = {
  year: figures('20%/y', '50%/y', '0.01%/8h', '-20%/y'),
  day: figures('0.005%/d', '0.01%/d', '0.05%/d', '0.1%/d'),
}

/** Markets in which the person holds a position come first, then the others by volume. */
function marketsOf({ view, personId }: Vocabulary): Choice[] {
  const held = new Set(
    view
      .watches(personId)
      .flatMap(({ wallet }) => (view.positions(wallet)?.value ?? []).map(({ marketId }) => marketId)),
  )
  const markets = [...view.listed().values()].flatMap(({ value: { id, symbol, volume24hUsd, delisted } }) =>
    delisted && !held.has(id)
      ? []
      : [{ symbol, rank: (held.has(id) ? 1e18 : 0) + Number((volume24hUsd ?? 0n) / 10n ** 18n) }],
  )
  return plain(...markets.toSorted((a, b) => b.rank - a.rank).map(({ symbol }) => symbol))
}

/** The likely values of an argument, likeliest first: for buttons, completion and corrections. */
export function choices({ argument, words, per, whose }: ArgumentMeta, vocabulary: Vocabulary): Choice[] {
  if (per !== undefined) return RATES[per](vocabulary, words)
  return CHOOSERS[argument](vocabulary, words, whose)
}

/** The likely values that contain what was typed; those that begin with it come first. */
export function suggested(meta: ArgumentMeta, typed: string, vocabulary: Vocabulary): Choice[] {
  const wanted = typed.trim().toLowerCase()
  const place = ({ label, value }: Choice) => `${value} ${label}`.toLowerCase().indexOf(wanted)
  return choices(meta, vocabulary)
    .filter((choice) => place(choice) >= 0)
    .toSorted((a, b) => Number(place(a) > 0) - Number(place(b) > 0))
}

/** The likely meaning of a mistyped word; null if no choice is near. */
export function nearMiss(meta: ArgumentMeta, word: string, vocabulary: Vocabulary): string | null {
  if (!/\p{L}/u.test(word)) return null
  const values = choices(meta, vocabulary).map(({ value }) => value)
  if (meta.argument === 'market') {
    const coin = coinCalled(word, nameableIn(vocabulary.view))
    if (coin) return coin.symbol
    const [first] = vocabulary.view.status().venues
    const within = first === undefined ? null : symbolWithin(first, word)
    if (within !== null) return nearest(within, values)
  }
  return nearest(word, values)
}
