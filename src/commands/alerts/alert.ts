import type { z } from 'zod'

import { type Kind, type Rule, sameRule, USUAL_HOLD_MS } from '../../alert/alert.ts'
import { argument, argumentMeta } from '../../chat/argument.ts'
import type { Form } from '../../chat/declaration.ts'
import type { Command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { age, price } from '../../message/figure.ts'
import {
  cellText,
  item,
  joined,
  type Message,
  message,
  say,
  type Text,
  text,
  words,
} from '../../message/message.ts'
import type { Chat } from '../../people/chat.ts'
import { type Amount, toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { side } from '../../venue/position.ts'
import { TWAPS_EVERY_MS } from '../../venue/record/twap.ts'
import { venueNameOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { brokenLines } from '../shared/places.ts'
import { protectionItem } from '../shared/protection.ts'
import { farLevel, likelierLevel, ruleLine, ruleText, scopeText, whenText } from '../shared/rule-lines.ts'
import { quietPeriodLines } from '../shared/suppression-lines.ts'
import { whichVenue } from '../shared/venues/coin.ts'
import { shortBacktestLines } from './backtest-lines.ts'

export const NO_ACCOUNTS = words('alert.no-accounts')

/** Words of people who want to hear less. `stop` alone is no stop loss. */
const ENDING: ReadonlySet<string> = new Set([
  ...['stop', 'off', 'delete', 'cancel', 'remove', 'end', 'disable', 'clear', 'unset', 'none'],
  ...['mute', 'unmute', 'silence', 'pause', 'snooze', 'quiet'],
])

/**
 * Sets a rule: one form per kind of alert, derived from its declaration. The venue shows no data for `absent` kinds.
 */
export function alertCommand(kinds: readonly Kind[], absent: readonly Kind[] = []): Command {
  return {
    name: 'alert',
    aliases: [],
    summary: words('menu.alert'),
    who: 'person',
    audience: 'bound',
    reach: 'assistant',
    forms: kinds.map((kind) => ({
      name: kind.name,
      aliases: kind.aliases,
      cues: kind.cues,
      summary: words('alert.form', { when: kind.summary }),
      examples: [`/alert ${kind.example}`],
      args: argumentsOf(kind),
    })),
    absent: wordsFor(absent, NO_ACCOUNTS),
    opposite: ENDING,
    run: (context, form, args) => setRule(context, kinds, form, args as Given),
  }
}

/** The answer for each name of these kinds. */
export function wordsFor(kinds: readonly Kind[], answer: Text): Map<string, Text> {
  return new Map(kinds.flatMap(({ name, aliases }) => [name, ...aliases].map((word) => [word, answer])))
}

/** The scope, then the parameters, with the checks that are about several of them. */
export function argumentsOf({ is, on, needs, whose, params }: Kind): z.ZodObject {
  const scope = {
    // All that an account holds shares its margin.
    ...(on === 'account' || on === 'venue'
      ? {}
      : {
          market: needs.includes('market')
            ? argument.market()
            : argument.market(words('arg.market')).optional(),
        }),
    ...(on === 'venue'
      ? {}
      : {
          wallet: needs.includes('wallet')
            ? argument.wallet(undefined, whose === 'followed' ? whose : undefined)
            : argument.wallet(words('arg.wallet')).optional(),
        }),
  }
  const hold = is === 'level' ? { for: argument.duration(words('arg.hold')).optional() } : {}
  const asks = Object.values(params.shape).some((field) => argumentMeta(field)?.argument === 'price')
  const sure = asks ? { sure: argument.choice(['yes'], words('arg.yes-price')).optional() } : {}
  return params.clone({ ...params.def, shape: { ...scope, ...params.shape, ...hold, ...sure } })
}

/**
 * The backtest of the rule. The rule is set already, so a failing backtest must not look like a failure of the command.
 */
async function pastLines(context: Context, rule: Rule, kind: Kind): Promise<Text[]> {
  const { past, reader } = context
  // There is no record of TWAPs. People count on the message, so they must know how late it may be.
  if (kind.reads === 'twaps') return [words('test.twaps-every', { span: age(TWAPS_EVERY_MS) })]
  const would = await past.backtest(rule).catch(() => null)
  if (would === 'busy' || !would) return []
  const rings = quietPeriodLines(context).length === 0
  const { hidesOrders: all, venues } = context.view.status()
  const at = rule.market === null || venues.length === 0 ? null : venueNameOf(rule.market.id, venues)
  const hidesOrders = all.filter((venue) => at === null || venue === at)
  const isSilent = would.kind.reads === 'orders' && hidesOrders.length > 0
  const silent = isSilent
    ? [words('test.orders-hidden', { venues: hidesOrders.join(', '), n: hidesOrders.length })]
    : []
  if (isSilent && (at !== null || hidesOrders.length >= venues.length)) return silent
  return [...shortBacktestLines(would, reader.now, { named: isNamed(rule), rings }), ...silent]
}

/** As the form has read it: the rest are the kind's parameters. */
export interface Given {
  market?: string
  wallet?: Wallet
  /** How long it must hold. */
  for?: number
  /** A price far from the present one is meant. */
  sure?: 'yes'
}

async function setRule(context: Context, kinds: readonly Kind[], form: Form, given: Given): Promise<Message> {
  const { person, chat, view, change, limits } = context
  if (!chat) return say(words('alert.no-chat'))
  const kind = kinds.find(({ name }) => name === form.name)
  if (!kind) throw new Error(`no kind ${form.name}`)
  if (kind.reads === 'twaps' && context.read.twaps === null) return say(words('twap.hidden'))
  const { market: marketId, wallet, for: holdMs, sure, ...params } = given
  const market = marketId === undefined ? undefined : view.listed().get(marketId)?.value
  const ofWallets = kind.on !== 'market' && kind.on !== 'venue'
  if (ofWallets && wallet === undefined && view.watches(person.id).length === 0) {
    return say(words('alert.no-wallet'))
  }
  if (ofWallets && wallet === undefined && !chat.private) {
    const example = { code: `/alert ${kind.name} ${view.watches(person.id)[0]?.label ?? 'main'}` }
    return say(words('alert.name-wallet', { example }))
  }
  const draft = {
    kind: kind.name,
    params,
    wallet: wallet ?? null,
    market: market ? { id: market.id, symbol: market.symbol } : null,
    armedByWatch: false,
    holdMs: holdMs ?? (kind.is === 'level' ? kind.holdMs : USUAL_HOLD_MS),
  }
  const far = market && !market.delisted && sure === undefined ? farLevel(params, market) : null
  if (market && far !== null) {
    const lineAt = (level: Amount) => {
      const at = { ...draft, id: 0, personId: person.id, chatId: chat.id, params: { ...params, level } }
      return ruleLine({ ...at, identity: kind.identity(at.params) }, kinds) ?? ''
    }
    return isMeant(market, far, lineAt)
  }
  const own = view.rules(person.id)
  const before = own.find((rule) => sameRule(kinds, rule, { ...draft, chatId: chat.id }))
  const most = limits.rules
  const { rules, refused } = await change({ is: 'rule', personId: person.id, chatId: chat.id, draft, most })
  if (refused !== null) return say(refused)
  const [rule] = rules
  if (!rule)
    return message([
      item('plain', ownText(before), brokenLines(view.chat(chat.id))),
      ...protectionItem(context, kind.name, draft),
    ])
  const title = words('alert.set', { when: whenText(rule, kind) })
  const other = before && ruleLine(before, kinds) !== ruleLine(rule, kinds) ? before : null
  const [present, ...others] = await pastLines(context, rule, kind)
  // As the last commit has it: this command may have come from a chat that was broken until a moment ago.
  const lines = [
    ...brokenLines(view.chat(chat.id)),
    joined(
      [...scopeParts(context, rule, kind), ...(present === undefined ? [] : [present]), `R${rule.id}`],
      ' · ',
    ),
    // Names the rule that was replaced, so that nothing is removed silently.
    ...(other ? [words('alert.before', { rule: ruleText(other, kind) })] : []),
    ...(rule.market === null ? [] : whichVenue(view, rule.market.id)),
    ...lackingLines(context, kind, rule),
    ...others,
  ]
  const asBefore = other && ruleLine(other, kinds, view)
  const merged = kind.armedByWatch !== null || own.some((one) => one.id !== rule.id && one.kind === rule.kind)
  return message([item('plain', title, lines), ...(merged ? protectionItem(context, kind.name, rule) : [])], {
    buttons: [
      { label: words('alert.button.remove'), line: `/remove R${rule.id}`, replace: true },
      ...(asBefore === null ? [] : [{ label: words('alert.button.before'), line: asBefore, replace: true }]),
    ],
  })
}

/** Asks about a price that may be a slip, before it is set. */
function isMeant(market: Market, level: Amount, lineAt: (level: Amount) => string): Message {
  const other = likelierLevel(level, market)
  const [now, far] = [price(toNumber(market.price)), price(toNumber(level))]
  const given = { market: market.symbol, now, level: far }
  const title =
    other === null
      ? words('parse.far-price', given)
      : words('parse.far-price.or', { ...given, other: price(toNumber(other)) })
  const button = (figure: Amount, line: string) => ({
    label: cellText(price(toNumber(figure))),
    line,
    replace: true,
  })
  return message([item('plain', title)], {
    buttons: [
      button(level, `${lineAt(level)} yes`),
      ...(other === null ? [] : [button(other, lineAt(other))]),
    ],
  })
}

/** The condition of such a rule names its market, and it needs no wallet. */
export function isNamed({ market, wallet }: Pick<Rule, 'market' | 'wallet'>): boolean {
  return market !== null && wallet === null
}

/** Where the rule applies, as far as its condition does not say it, and the group that hears of it. */
function scopeParts({ view, person, chat }: Context, rule: Rule, kind: Kind): Text[] {
  const isSaid = kind.on === 'venue' || (kind.on === 'market' && isNamed(rule))
  return [
    ...(isSaid ? [] : [scopeText(rule, view.named(person.id), kind)]),
    ...(chat?.private === false ? [inChat(chat)] : []),
  ]
}

function inChat({ title }: Chat): Text {
  return title === null ? words('alert.in-this-chat') : words('alert.in-chat', { chat: title })
}

function ownText(rule: Rule | undefined): Text {
  return rule ? words('alert.known', { rule: rule.id }) : words('alert.known-here')
}

/** Positions named in one line. */
const MAX_NAMED_SUBJECTS = 3

/** Names the held positions that the rule covers but can never judge. Silence about these would be misleading. */
function lackingLines({ view, person }: Pick<Context, 'view' | 'person'>, kind: Kind, rule: Rule): Text[] {
  if (kind.is !== 'level') return []
  const wallets = rule.wallet === null ? view.watches(person.id).map(({ wallet }) => wallet) : [rule.wallet]
  const held = wallets.flatMap((wallet) => view.positions(wallet)?.value ?? [])
  const lacking = held.flatMap((position) => {
    if (rule.market !== null && rule.market.id !== position.marketId) return []
    const why = kind.notShownByVenue(rule.params, position)
    return why === null ? [] : [{ why, name: `${view.symbol(position.marketId)} ${side(position)}` }]
  })
  const [first] = lacking
  if (!first) return []
  const names = [...new Set(lacking.map(({ name }) => name))]
  const named = names.slice(0, MAX_NAMED_SUBJECTS).join(', ')
  const more = names.length - MAX_NAMED_SUBJECTS
  const positions = more > 0 ? text`${named} ${words('rule.more', { more })}` : named
  return [words('alert.cannot-watch', { positions, why: first.why })]
}
