import { z } from 'zod'

import {
  accountMarginWays,
  type ReduceOption,
  closingLines,
  reduceOptionsOf,
  marginDoubt,
  marginWays,
  type Quote,
} from '../../alert/deleverage.ts'
import { type SubjectId, subjectKey } from '../../alert/subject-id.ts'
import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import {
  type Button,
  item,
  type Item,
  joined,
  type Message,
  message,
  type Reader,
  say,
  type Text,
  words as phrase,
} from '../../message/message.ts'
import type { Account } from '../../venue/account.ts'
import { notional, positionKey } from '../../venue/position.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { blindItems, freshnessText, type Missing, type ReadAt, readAt } from '../shared/readings.ts'
import { NO_WALLET, type NoWallet, noWallet, referenceAmong } from '../shared/wallet-names.ts'
import { accountsItem, type ShownAccounts } from './account-lines.ts'
import { coinName } from '../shared/venues/coin.ts'
import { readWallets } from '../shared/last-seen.ts'
import { marketOf, pricedPositionItem, type ShownPosition, worstFirst } from '../shared/position-lines.ts'

const MAX_OTHER_BUTTONS = 3

interface Asked {
  alert?: number | undefined
  wallet?: Wallet | undefined
  market?: readonly string[] | undefined
}

/** Another position that a button leads to. */
interface Other {
  symbol: string
  /** Label and reference of its wallet. */
  wallet: string
  reference: string
}

/** The ways to bring one position away from liquidation. */
interface FixReport {
  is: 'fix'
  /** The alert that was asked for. */
  alert: number | null
  shown: ShownPosition
  /** Reference of its wallet. */
  reference: string
  /** The first account of the pool, and all of its accounts, where the alert is about a pool. */
  account: Account | null
  pool: ShownAccounts | null
  /** Null without a price. */
  closing: Closings | null
  others: readonly Other[]
  missing: readonly Missing[]
}

/** Previews of closing parts of the position. */
interface Closings {
  quotes: readonly Quote[]
  /** Why a preview is missing; null when all came. */
  unseen: Text | null
  /** The first preview; null when none came. */
  quoted: ReadAt | null
}

type Answer =
  | NoWallet
  | { is: 'no-alert'; alert: number }
  | { is: 'not-a-position'; alert: number }
  | {
      is: 'nothing-open'
      alert: number | null
      of: 'position' | 'account' | null
      symbol: string | null
      missing: readonly Missing[]
    }
  | FixReport

/** Shows the cost of each way to bring a position away from liquidation, and recommends none. */
export default lookCommand({
  name: 'fix',
  aliases: ['rescue'],
  summary: phrase('menu.fix'),
  examples: ['/fix', '/fix ETH', '/fix main ETH'],
  reach: 'assistant',
  args: z.object({
    alert: argument.alert().optional(),
    wallet: argument.wallet().optional(),
    market: argument.coin().optional(),
  }),
  ask,
  words: answer,
})

async function ask(context: Context, asked: Asked): Promise<Answer> {
  const { person, view, recall } = context
  const alert = asked.alert === undefined ? null : await recall.alert(asked.alert)
  if (asked.alert !== undefined && alert?.personId !== person.id)
    return { is: 'no-alert', alert: asked.alert }
  const subject = alert?.subject ?? null
  if (subject && subject.is !== 'position' && subject.is !== 'account')
    return { is: 'not-a-position', alert: asked.alert ?? 0 }
  const all = view.watches(person.id)
  const wallet = subject?.wallet ?? asked.wallet
  const watches = all.filter((watch) => wallet === undefined || watch.wallet === wallet)
  if (watches.length === 0) return NO_WALLET
  // The person acts on these figures, so they are read anew. With many wallets that would cost too many requests.
  const how = watches.length === 1 ? 'anew' : undefined
  const { wallets, missing } = await readWallets(context, watches, how)
  const held = wallets.flatMap((one) => one.held)
  const accounts = wallets.flatMap(({ answer }) => answer.accounts)
  const pool = subject?.is === 'account' ? sharedBy(subject.accountId, held, accounts) : null
  const [worst, ...others] = pool?.covered ?? worstFirst(held).filter(isMeant(asked, subject))
  if (!worst) {
    // An answer without the account does not tell which positions it covers.
    const isUnseen = pool?.own.length === 0 && held.length > 0
    const what = phrase('fix.account', { alert: `A${asked.alert ?? 0}` })
    const why = phrase('fix.not-shown')
    return {
      is: 'nothing-open',
      alert: asked.alert ?? null,
      of: subject?.is ?? null,
      symbol: asked.market === undefined ? null : coinName(view, asked.market),
      missing: isUnseen ? [...missing, { what, is: 'incomplete', why }] : missing,
    }
  }
  const reference = ({ position }: ShownPosition) => referenceAmong(position.wallet, all)
  const covered = pool?.covered.map(({ position }) => position) ?? []
  return {
    is: 'fix',
    alert: asked.alert ?? null,
    shown: worst,
    reference: reference(worst),
    account: pool?.own[0] ?? null,
    pool: pool && { wallet: worst.wallet, accounts: pool.own, positions: covered },
    closing: await closingsFor(context, worst),
    others: others.map((one) => ({
      symbol: one.exact ?? one.symbol,
      wallet: one.wallet,
      reference: reference(one),
    })),
    missing,
  }
}

function answer(found: Answer, { now }: Reader): Message {
  switch (found.is) {
    case 'no-wallet':
      return noWallet()
    case 'no-alert':
      return say(phrase('fix.no-alert', { alert: `A${found.alert}` }))
    case 'not-a-position':
      return say(phrase('fix.no-position', { alert: `A${found.alert}` }))
    case 'nothing-open': {
      const none = found.missing.length > 0 ? [] : [item('plain', nothingOpen(found))]
      return message([...blindItems(found.missing, now), ...none], {
        buttons: [{ label: phrase('shown.button.positions'), line: '/positions', replace: false }],
      })
    }
    case 'fix':
      return fixMessage(found, now)
  }
}

function fixMessage(report: FixReport, now: number): Message {
  const { alert, shown, reference, pool, closing, others, missing } = report
  const line = lineOf({ symbol: shown.exact ?? shown.symbol, reference })
  const share = pool && accountsItem([pool], 'few')
  const notes = closing?.quoted ? [freshnessText(closing.quoted, now)] : []
  const items = [
    ...blindItems(missing, now),
    ...(share ? [share] : []),
    pricedPositionItem(shown, now),
    ...wayItems(report),
  ]
  return message(items, {
    footnote: joined([...notes, phrase('shown.no-trade')], ' · '),
    buttons: [
      {
        label: phrase('shown.button.refresh'),
        line: alert === null ? line : `/fix A${alert}`,
        replace: true,
      },
      ...leadingTo(others, pool ? null : line),
    ],
  })
}

function lineOf({ reference, symbol }: Pick<Other, 'reference' | 'symbol'>): string {
  return `/fix ${reference} ${symbol}`
}

function isMeant({ market }: Asked, subject: SubjectId | null) {
  return ({ position }: ShownPosition) =>
    subject === null
      ? market === undefined || market.includes(position.marketId)
      : positionKey(position) === subjectKey(subject)
}

function nothingOpen({ alert, of, symbol }: Extract<Answer, { is: 'nothing-open' }>): Text {
  if (of === null) return symbol === null ? phrase('fix.none') : phrase('fix.none.in', { symbol })
  return phrase(of === 'account' ? 'fix.none.account' : 'fix.none.position', { alert: `A${alert ?? 0}` })
}

/** Returns the accounts of a pool and the positions that they cover, the largest first. */
function sharedBy(pool: string, held: readonly ShownPosition[], accounts: readonly Account[]) {
  const own = accounts.filter((one) => one.pool === pool)
  const ids = new Set(own.map(({ accountId }) => accountId))
  const worth = (one: ShownPosition) =>
    notional(one.position, marketOf(one)?.price ?? one.position.entryPrice ?? 0n)
  const covered = held.filter(({ position }) => position.margin !== 'isolated' && ids.has(position.accountId))
  return { own, covered: covered.toSorted((a, b) => worth(b) - worth(a)) }
}

/** One button for each market of a wallet; `shown` is the line of the position on display. */
function leadingTo(others: readonly Other[], shown: string | null): Button[] {
  const lines = new Map(others.map((one) => [lineOf(one), one]))
  if (shown !== null) lines.delete(shown)
  return [...lines]
    .slice(0, MAX_OTHER_BUTTONS)
    .map(([to, { symbol, wallet }]) => ({ label: `${symbol} · ${wallet}`, line: to, replace: true }))
}

/** Asks the venue what closing parts of a position would do. */
async function closingsFor({ read }: Context, shown: ShownPosition): Promise<Closings | null> {
  if (!marketOf(shown)) return null
  const preview = async (closing: ReduceOption) => ({ closing, found: await read.preview(closing.draft) })
  const [half, ...others] = reduceOptionsOf(shown.position)
  // The first preview reads what the others need as well; if it fails, they would fail too.
  const tried = half ? [await preview(half)] : []
  const isSeen = tried.every(({ found }) => found.is === 'read')
  const asked = [...tried, ...(isSeen ? await Promise.all(others.map(preview)) : [])]
  const quotes = asked.flatMap(({ closing, found }) =>
    found.is === 'read' ? [{ ...closing, preview: found.reading.value }] : [],
  )
  const [unseen = null] = asked.flatMap(({ found }) => (found.is === 'unseen' ? [found.why] : []))
  const [quoted = null] = asked.flatMap(({ found }) => (found.is === 'read' ? [readAt(found)] : []))
  return { quotes, unseen, quoted }
}

/** Says what added margin and what closing would do, to the position or to its pool as a whole. */
function wayItems({ shown, account, closing }: FixReport): Item[] {
  const { position } = shown
  const market = marketOf(shown)
  if (!market || !closing) return [item('blind', phrase('fix.no-price'))]
  const { quotes, unseen, quoted } = closing
  const margin = account ? accountMarginWays(account) : marginWays(position, market)
  const doubt = account || margin.length === 0 ? null : marginDoubt(position, market)
  const lacking = phrase(quoted ? 'fix.some-previews' : 'fix.no-preview')
  return [
    ...(margin.length === 0
      ? []
      : [item('plain', phrase('fix.add-margin'), [...margin, ...(doubt === null ? [] : [doubt])])]),
    ...(quoted
      ? [closingItem({ position, market, at: quoted.at, isOfAccount: account !== null }, quotes)]
      : []),
    ...(unseen === null ? [] : [item('blind', lacking, [unseen])]),
  ]
}

function closingItem(closed: Parameters<typeof closingLines>[0], quotes: readonly Quote[]): Item {
  const { long, basis } = closingLines(closed, quotes)
  return item('plain', phrase('fix.close-now', { basis }), long)
}
