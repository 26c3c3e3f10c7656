import { z } from 'zod'

import { findKind, type Rule } from '../../alert/alert.ts'
import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context, Firing, Pending } from '../../command/context.ts'
import { type Item, item, type Message, message, type Text, text, words } from '../../message/message.ts'
import { allButtons, firingLines, firingText, pendingLines } from '../shared/firing-lines.ts'
import { go, pageButtons, pageOf } from '../shared/pages.ts'
import { placeText, ruleText, scopeText } from '../shared/rule-lines.ts'
import { suppressedLines, quietPeriodLines } from '../shared/suppression-lines.ts'
import { walletName } from '../shared/wallet-names.ts'

/** Rules per page: with the firing, pending and quiet items a message has ten. */
const PAGE = 6
const FIRING = 6
const PENDING = 4
const HELD = 3
const MAX_NAMED_ALERTS = 8

/** Lists the firing alerts, worst first, then the pending and suppressed ones, then the rules. */
export default command({
  name: 'alerts',
  summary: words('menu.alerts'),
  examples: ['/alerts', '/alerts firing', '/alerts remove'],
  audience: 'bound',
  args: z.object({
    page: argument.page().default(1),
    what: argument.choice(['firing', 'remove'], words('alerts.what.asks')).optional(),
  }),
  run(context, { page: asked, what }) {
    const { person, chat, view } = context
    const ofChat = chat && !chat.private
    const rules = ofChat ? view.rulesIn(chat.id) : view.rules(person.id)
    const firing = ofChat ? view.firingIn(chat.id) : [...view.firing(person.id), ...view.helping(person.id)]
    const watch = view.watches(person.id).length === 0 ? [go(words('alerts.button.watch'), '/watch ?')] : []
    const set = go(words('alerts.button.new'), '/alert')
    const home = go(words('alerts.button.menu'), '/menu')
    if (rules.length + firing.length === 0)
      return message([item('plain', words('alerts.none'))], { buttons: [...watch, set, home] })
    const fires = (rule: Rule) => firing.some(({ ruleIds }) => ruleIds.includes(rule.id))
    const page = pageOf(
      rules.toSorted((a, b) => Number(fires(b)) - Number(fires(a))),
      asked,
      PAGE,
    )
    const number = page.pages > 1 ? ` ${page.page}` : ''
    if (what === 'remove' && rules.length > 0)
      return message([item('plain', words('alerts.remove'))], {
        buttons: [
          ...page.shown.map((rule) => go(labelOf(context, rule), `/remove R${rule.id}`)),
          ...pageButtons(page, (to) => `/alerts ${to} remove`),
          go(words('alerts.button.back'), `/alerts${number}`),
        ],
      })
    if (what === 'firing' && firing.length > 0) return firingPage(context, firing, asked)
    const pending = ofChat ? view.pendingIn(chat.id) : view.pending(person.id)
    const lines = page.page === 1 ? firingLines(context, firing, FIRING) : []
    const head = item(
      'plain',
      words('alerts.head', { firing: firingText(firing.length), rules: rules.length }),
      lines,
    )
    const waits = page.page === 1 ? [...pendingItems(context, pending), ...restItems(context)] : []
    return message([head, ...waits, ...page.shown.map((rule) => ruleItem(context, rule, firing))], {
      buttons: [
        ...(page.page === 1 && firing.length > FIRING
          ? [go(words('alerts.button.firing'), '/alerts firing')]
          : []),
        ...(page.page === 1 ? allButtons(context) : []),
        ...pageButtons(page, (to) => `/alerts ${to}`),
        set,
        ...(rules.length > 0 ? [go(words('alerts.button.remove'), `/alerts${number} remove`)] : []),
        home,
      ],
      footnote: page.pages > 1 ? words('alerts.page', { page: page.page, pages: page.pages }) : null,
    })
  },
})

/** The firing alerts alone, for a crash that has more of them than the list of rules shows. */
function firingPage(context: Context, firing: readonly Firing[], asked: number): Message {
  const page = pageOf(firing, asked, FIRING)
  const lines = firingLines(context, page.shown, FIRING)
  return message([item('plain', firingText(firing.length), lines)], {
    buttons: [
      ...allButtons(context),
      ...pageButtons(page, (to) => `/alerts ${to} firing`),
      go(words('alerts.button.back'), '/alerts'),
    ],
    footnote: page.pages > 1 ? words('alerts.page', { page: page.page, pages: page.pages }) : null,
  })
}

function pendingItems(context: Context, pending: readonly Pending[]): Item[] {
  if (pending.length === 0) return []
  return [
    item(
      'plain',
      words('alerts.pending', { alerts: pending.length }),
      pendingLines(context, pending, PENDING),
    ),
  ]
}

function restItems(context: Context): Item[] {
  const lines = quietPeriodLines(context)
  return lines.length === 0
    ? []
    : [item('plain', words('alerts.quiet'), [...lines, ...suppressedLines(context, HELD)])]
}

function ruleItem(context: Context, rule: Rule, firing: readonly Firing[]): Item {
  const { kinds, view, person } = context
  const kind = findKind(kinds, rule.kind)
  const own = firing.filter(({ ruleIds }) => ruleIds.includes(rule.id)).map(({ alertId }) => `A${alertId}`)
  const named = own.slice(0, MAX_NAMED_ALERTS).join(', ')
  const more = own.length - MAX_NAMED_ALERTS
  const alerts = more > 0 ? text`${named} ${words('rule.more', { more })}` : named
  return item('plain', text`R${rule.id} ${ruleName(context, rule)}`, [
    placeText(rule, scopeText(rule, view.named(person.id), kind), view.chats(person.id)),
    ...(own.length > 0 ? [words('alerts.fires', { alerts })] : []),
    ...(rule.setBy === undefined ? [] : [words('rule.set-by', { name: rule.setBy })]),
  ])
}

/** `R3 ETH price below $2,300`, as a button; the platform cuts what does not fit. */
function labelOf(context: Context, rule: Rule): Text {
  const { view, person } = context
  const whose = rule.wallet === null ? '' : `${walletName(rule.wallet, view.named(person.id))} `
  return text`R${rule.id} ${rule.market ? `${rule.market.symbol} ` : whose}${ruleName(context, rule)}`
}

/** `liquidation-distance at 10 / 5%`. */
function ruleName({ kinds }: Context, rule: Rule): Text {
  const kind = findKind(kinds, rule.kind)
  const threshold = kind ? ruleText(rule, kind) : ''
  return threshold === '' ? rule.kind : text`${rule.kind} ${threshold}`
}
