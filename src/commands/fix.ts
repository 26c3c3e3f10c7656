import { z } from 'zod'

import type { Account } from '../account.ts'
import { argument } from '../argument.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { item, joined, message, say, text } from '../message.ts'
import type { Button, Message, Text } from '../message.ts'
import type { Owner } from '../owner.ts'
import { notional, positionKey } from '../position.ts'
import { subjectKey } from '../subject.ts'
import type { SubjectId } from '../subject.ts'
import { accountsItem } from './words/accounts.ts'
import { withHeld } from './words/in-view.ts'
import { marketOf, positionItem, worstFirst } from './words/positions.ts'
import type { ShownPosition } from './words/positions.ts'
import { blindItems, gaps, troubles } from './words/readings.ts'
import { ways } from './words/rescue.ts'
import { noWallet, walletReference } from './words/wallets.ts'

/** Others that a button leads to. */
const MOST_OTHERS = 3

interface Asked {
  alert?: number | undefined
  wallet?: Owner | undefined
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
  const owner = subject?.owner ?? asked.wallet
  const watches = all.filter((watch) => owner === undefined || watch.owner === owner)
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
  const line = (one: ShownPosition) => `/fix ${walletReference(one.position.owner, all)} ${one.symbol}`
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
  watches: readonly { owner: Owner; label: string }[],
): Promise<{ held: ShownPosition[]; accounts: Account[]; missing: Text[] }> {
  const { read, view, reader } = context
  // What is acted on is read anew; where many wallets are looked through that would take as many requests.
  const how = watches.length === 1 ? 'anew' : undefined
  const [markets, answers] = await Promise.all([
    read.markets(),
    Promise.all(watches.map(async (watch) => ({ watch, found: await read.positions(watch.owner, how) }))),
  ])
  const seen = answers.flatMap(({ found }) => (found.is === 'read' ? found.reading.value.positions : []))
  const known = await withHeld(context, markets, seen)
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
