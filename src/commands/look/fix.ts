import { z } from 'zod'

import {
  accountClosingLines,
  accountMarginLine,
  closingLines,
  marginLine,
} from '../../alert/deleverage-text.ts'
import { type Closing, closingsOf } from '../../alert/deleverage.ts'
import { type SubjectId, subjectKey } from '../../alert/subject-id.ts'
import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import {
  type Button,
  type Item,
  item,
  joined,
  type Message,
  message,
  say,
  type Text,
  text,
} from '../../message/message.ts'
import type { Account } from '../../venue/account.ts'
import { notional, positionKey } from '../../venue/position.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { blindItems, freshness, gaps, troubles, withSuppressed } from '../shared/readings.ts'
import { noWallet, referenceAmong } from '../shared/wallet-names.ts'
import { accountsItem } from './account-lines.ts'
import { marketOf, positionItem, type ShownPosition, worstFirst } from './position-lines.ts'

/** Others that a button leads to. */
const MOST_OTHERS = 3

interface Asked {
  alert?: number | undefined
  wallet?: Wallet | undefined
  market?: string | undefined
}

/** Shows what each way to bring a position away from liquidation would cost; which one to take is not ours to say. */
export default command({
  name: 'fix',
  aliases: ['rescue'],
  summary: 'shows what bringing a position away from liquidation would cost: margin, or closing a part',
  examples: ['/fix', '/fix ETH', '/fix main ETH'],
  args: z.object({
    alert: argument.alert().optional(),
    wallet: argument.wallet().optional(),
    market: argument.market().optional(),
  }),
  run: (context, asked) => fix(context, asked),
})

async function fix(context: Context, asked: Asked): Promise<Message> {
  const { person, view, recall } = context
  const alert = asked.alert === undefined ? null : await recall.alert(asked.alert)
  if (asked.alert !== undefined && alert?.personId !== person.id)
    return say(`You have no alert A${asked.alert}. /history lists the last ones.`)
  const subject = alert?.subject ?? null
  if (subject && subject.is !== 'position' && subject.is !== 'account')
    return say(`A${asked.alert} is not about one position. Name one, such as /fix ETH`)
  const all = view.watches(person.id)
  const wallet = subject?.wallet ?? asked.wallet
  const watches = all.filter((watch) => wallet === undefined || watch.wallet === wallet)
  if (watches.length === 0) return noWallet()
  const { held, accounts, missing } = await holdings(context, watches)
  const account = subject?.is === 'account' ? sharedBy(subject.accountId, held, accounts) : null
  const [worst, ...others] = account?.covered ?? worstFirst(held).filter(isMeant(asked, subject))
  if (!worst) {
    // An answer without the account says nothing of what it covers.
    const unseen = account?.own.length === 0 && held.length > 0
    if (unseen) missing.push(text`the account of A${asked.alert ?? 0}: the venue does not show it now`)
    const where = asked.market === undefined ? '' : ` in ${view.symbol(asked.market)}`
    const none = missing.length > 0 ? [] : [item('plain', nothingOpen(asked, subject, where))]
    return message([...blindItems(missing), ...none], {
      buttons: [{ label: 'Positions', line: '/positions', replace: false }],
    })
  }
  const line = (one: ShownPosition) => `/fix ${referenceAmong(one.position.wallet, all)} ${one.symbol}`
  const again = asked.alert === undefined ? line(worst) : `/fix A${asked.alert}`
  const { items, notes } = await ways(context, worst, account?.own[0] ?? null)
  const positions = account?.covered.map(({ position }) => position) ?? []
  const share = account && accountsItem([{ wallet: worst.wallet, accounts: account.own, positions }])
  const shown = [...(share ? [share] : []), positionItem(worst, context.reader.now), ...items]
  return message([...blindItems(missing), ...shown], {
    footnote: joined([...notes, 'nothing was placed: I cannot trade'], '; '),
    buttons: [
      { label: 'Refresh', line: again, replace: true },
      ...leadingTo(others, line, account ? null : line(worst)),
    ],
  })
}

function isMeant({ market }: Asked, subject: SubjectId | null) {
  return ({ position }: ShownPosition) =>
    subject === null
      ? market === undefined || position.marketId === market
      : positionKey(position) === subjectKey(subject)
}

function nothingOpen({ alert }: Asked, subject: SubjectId | null, where: string): string {
  if (subject === null) return `No open position${where}: there is nothing to bring away from liquidation`
  return subject.is === 'account'
    ? `No open position shares the margin of A${alert} any more`
    : `The position of A${alert} is not open any more`
}

/** The accounts of a pool, and what they cover, the largest first. */
function sharedBy(pool: string, held: readonly ShownPosition[], accounts: readonly Account[]) {
  const own = accounts.filter((one) => one.pool === pool)
  const ids = new Set(own.map(({ accountId }) => accountId))
  const worth = (one: ShownPosition) =>
    notional(one.position, marketOf(one)?.price ?? one.position.entryPrice)
  const covered = held.filter(({ position }) => position.margin !== 'isolated' && ids.has(position.accountId))
  return { own, covered: covered.toSorted((a, b) => worth(b) - worth(a)) }
}

async function holdings(
  context: Context,
  watches: readonly { wallet: Wallet; label: string }[],
): Promise<{ held: ShownPosition[]; accounts: Account[]; missing: Text[] }> {
  const { read, view, reader } = context
  // What is acted on is read anew; where many wallets are looked through that would take as many requests.
  const how = watches.length === 1 ? 'anew' : undefined
  const [markets, answers] = await Promise.all([
    read.markets(),
    Promise.all(watches.map(async (watch) => ({ watch, found: await read.positions(watch.wallet, how) }))),
  ])
  const seen = answers.flatMap(({ found }) => (found.is === 'read' ? found.reading.value.positions : []))
  const known = await withSuppressed(context, markets, seen)
  const missing = troubles('prices', markets, reader.now)
  const held = answers.flatMap(({ watch, found }): ShownPosition[] => {
    missing.push(...troubles(watch.label, found, reader.now))
    if (found.is === 'unseen') return []
    const gap = gaps(found.reading.value)
    if (gap !== null) missing.push(`${watch.label}: ${gap}`)
    return found.reading.value.positions.map((position) => {
      const market = known.get(position.marketId)
      return {
        position,
        market,
        symbol: market?.symbol ?? view.symbol(position.marketId),
        wallet: watch.label,
      }
    })
  })
  const accounts = answers.flatMap(({ found }) => (found.is === 'read' ? found.reading.value.accounts : []))
  return { held, accounts, missing }
}

function leadingTo(
  others: readonly ShownPosition[],
  line: (one: ShownPosition) => string,
  shown: string | null,
): Button[] {
  const lines = new Map(others.map((one) => [line(one), one]))
  if (shown !== null) lines.delete(shown)
  return [...lines]
    .slice(0, MOST_OTHERS)
    .map(([to, { symbol, wallet }]) => ({ label: `${symbol} · ${wallet}`, line: to, replace: true }))
}

/** What added margin and what closing would do to a position, or to its account as a whole, as far as that can be told now. */
async function ways(
  { read, reader }: Context,
  shown: ShownPosition,
  account: Account | null,
): Promise<{ items: Item[]; notes: Text[] }> {
  const { position } = shown
  const market = marketOf(shown)
  if (!market) return { items: [item('blind', 'Without its price I can work nothing out')], notes: [] }
  const ask = async (closing: Closing) => ({ closing, found: await read.preview(closing.draft) })
  const [half, ...others] = closingsOf(position)
  // What the first has to find out costs the others nothing; where it fails they would, too.
  const tried = half ? [await ask(half)] : []
  const isSeen = tried.every(({ found }) => found.is === 'read')
  const asked = [...tried, ...(isSeen ? await Promise.all(others.map(ask)) : [])]
  const quotes = asked.flatMap(({ closing, found }) =>
    found.is === 'read' ? [{ ...closing, preview: found.reading.value }] : [],
  )
  const [unseen] = asked.flatMap(({ found }) => (found.is === 'unseen' ? [found.why] : []))
  const [first] = asked.flatMap(({ found }) => (found.is === 'read' ? [found] : []))
  const margin = account ? accountMarginLine(account) : marginLine(position, market)
  const closed = { position, market, at: first?.reading.at ?? reader.now }
  const [head = '', ...lines] = (account ? accountClosingLines : closingLines)(closed, quotes)
  const lacking = quotes.length === 0 ? 'The venue gave no preview' : 'Not all previews came'
  return {
    items: [
      ...(margin === null ? [] : [item('plain', margin)]),
      ...(quotes.length === 0 ? [] : [item('plain', head, lines)]),
      ...(unseen === undefined ? [] : [item('blind', lacking, [unseen])]),
    ],
    notes: first ? [freshness(first, reader.now)] : [],
  }
}
