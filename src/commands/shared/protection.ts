import { findKind, type Rule } from '../../alert/alert.ts'
import type { SubjectId } from '../../alert/subject-id.ts'
import type { Context } from '../../command/context.ts'
import { type Item, item, joined, plainText, type Text, words } from '../../message/message.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { walletName } from './wallet-names.ts'

/** More lines than this say nothing to a tired person. */
const LINES = 4
/** No market and no account has this id, so only rules for all of them apply. */
const ANY = ''
const NONE = words('protection.none')

/** The wallet and market of a rule that was just set or removed. */
type Scope = Pick<Rule, 'wallet' | 'market'>

/** A market with the description of its monitor. */
interface MonitoredMarket {
  /** Null: every market, or every other one. */
  symbol: string | null
  words: Text
}

/**
 * Describes the active monitors of this kind, merged from all rules: `Alerts on ETH in main: 20% (info) · 10% (warning)`.
 * So people need not know which rule wins. Covers one wallet, or all of the person's. For kinds that /watch arms,
 * markets without a rule are named too. For others the person knows them, and the rule's own market stands first.
 */
export function protectionLines(
  { view, person, chat, kinds }: Pick<Context, 'view' | 'person' | 'chat' | 'kinds'>,
  kindName: string,
  { wallet, market }: Scope = { wallet: null, market: null },
): Text[] {
  const kind = findKind(kinds, kindName)
  if (!kind || !chat) return []
  const rules = view.rulesIn(chat.id).filter((rule) => rule.kind === kind.name)
  const watches = view.watches(person.id)
  const watched = chat.private
    ? watches.map((watch) => watch.wallet)
    : rules.flatMap((rule) => (rule.wallet === null ? [] : [rule.wallet]))
  const wallets = wallet === null ? [...new Set(watched)] : [wallet]
  const identities = [...new Set(['', ...rules.map((rule) => rule.identity)])]
  const tiersOf = (subject: SubjectId): Text => {
    const all = identities.flatMap((identity) => {
      const monitor = view.monitor({ chatId: chat.id, kind: kind.name, identity, subject })
      return monitor ? [monitor.params] : []
    })
    return all.length === 0
      ? NONE
      : joined(
          all.map((params) => described(kind.describeMerged(params))),
          ', ',
        )
  }
  if (kind.on === 'venue') return [first(lineOf(words('protection.venue'), tiersOf({ is: 'venue' })).line)]
  const isArmed = kind.armedByWatch !== null
  const about = market && !isArmed ? new Map([[market.id, market.symbol]]) : null
  const symbols = (of: readonly Wallet[]) => about ?? symbolsOf(view, rules, of)
  const shown = (monitored: readonly MonitoredMarket[]) =>
    isArmed ? monitored : monitored.filter((one) => one.words !== NONE)
  const over = (of: readonly Wallet[], monitorOf: (marketId: string) => Text) =>
    monitored(symbols(of), monitorOf, about === null)
  const all =
    kind.on === 'market'
      ? linesOf('', shown(over(wallets, (marketId) => tiersOf({ is: 'market', marketId }))))
      : wallets.flatMap((one) => {
          const wallet = walletName(one, view.named(person.id))
          if (kind.on === 'wallet') return [lineOf(wallet, tiersOf({ is: 'wallet', wallet: one }))]
          if (kind.on === 'account') {
            return [
              lineOf(
                words('protection.margin', { wallet }),
                tiersOf({ is: 'account', wallet: one, accountId: ANY }),
              ),
            ]
          }
          const here = over([one], (marketId) =>
            tiersOf({ is: 'position', wallet: one, accountId: '', marketId, side: 'long' }),
          )
          return linesOf(wallet, shown(here))
        })
  if (all.length === 0) return [first(lineOf(market?.symbol ?? words('protection.markets'), NONE).line)]
  const isMeant = ({ symbols: named }: Line) => market !== null && named.includes(market.symbol)
  const lines = all.toSorted((a, b) => Number(isMeant(b)) - Number(isMeant(a))).map(({ line }) => line)
  const more = lines.length > LINES ? [words('protection.more', { more: lines.length - LINES })] : []
  return [...lines.slice(0, LINES).map((line, at) => (at === 0 ? first(line) : line)), ...more]
}

/** The same lines as an item of an answer. */
export function protectionItem(
  context: Parameters<typeof protectionLines>[0],
  kindName: string,
  scope: Scope,
): Item[] {
  const [first, ...others] = protectionLines(context, kindName, scope)
  return first === undefined ? [] : [item('plain', first, others)]
}

function described(tiers: Text): Text {
  return tiers === '' ? words('protection.on') : tiers
}

/** The markets that are held or named by a rule, by id. */
function symbolsOf(
  view: Context['view'],
  rules: readonly Rule[],
  wallets: readonly Wallet[],
): ReadonlyMap<string, string> {
  const held = wallets.flatMap((wallet) => view.positions(wallet)?.value ?? [])
  const named = rules.flatMap(({ market, wallet }) =>
    market && (wallet === null || wallets.includes(wallet)) ? [market] : [],
  )
  return new Map([
    ...held.map(({ marketId }) => [marketId, view.symbol(marketId)] as const),
    ...named.map(({ id, symbol }) => [id, symbol] as const),
  ])
}

function monitored(
  symbols: ReadonlyMap<string, string>,
  words: (marketId: string) => Text,
  withRest: boolean,
): MonitoredMarket[] {
  const rest = withRest ? [{ symbol: null, words: words(ANY) }] : []
  return [...[...symbols].map(([id, symbol]) => ({ symbol, words: words(id) })), ...rest]
}

/** A line with the markets that it covers. */
interface Line {
  line: Text
  symbols: readonly string[]
}

const lineOf = (what: Text, tiers: Text, symbols: readonly string[] = []): Line => ({
  line: words('protection.line', { what, tiers }),
  symbols,
})

const first = (line: Text): Text => words('protection.first', { line })

/** Markets with the same monitor share a line. Those covered by the rule for all markets are not named. */
function linesOf(wallet: string, monitored: readonly MonitoredMarket[]): Line[] {
  const same = new Map<string, MonitoredMarket[]>()
  for (const one of monitored) {
    const key = plainText(one.words, { now: 0, zone: 'UTC' })
    same.set(key, [...(same.get(key) ?? []), one])
  }
  const isRest = (group: readonly MonitoredMarket[]) => group.some(({ symbol }) => symbol === null)
  const all = [...same.values()].toSorted((a, b) => Number(isRest(a)) - Number(isRest(b)))
  return all.map((group) => {
    const [one] = group
    const rest = isRest(group)
    const symbols = group.flatMap(({ symbol }) => symbol ?? [])
    const named = symbols.join(', ')
    const markets = wallet === '' ? named : words('protection.in', { markets: named, wallet })
    return lineOf(rest ? restText(wallet, all.length === 1) : markets, one?.words ?? NONE, symbols)
  })
}

/** `main`, `other markets in main`: all markets that no other line names. */
function restText(wallet: string, isAll: boolean): Text {
  if (isAll) return wallet === '' ? words('protection.every') : wallet
  return wallet === '' ? words('protection.others') : words('protection.others-in', { wallet })
}
