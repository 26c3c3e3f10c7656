import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import type { SpanText } from '../../lib/time/span-text.ts'
import { type Button, item, type Message, message, type Reader, say, words } from '../../message/message.ts'
import { money, partsOf } from '../../venue/record/money-words.ts'
import { profitOf } from '../../venue/record/sums.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { ENTRIES_PER_PAGE, go, pageButtons, pageOf } from '../shared/pages.ts'
import { blindItems } from '../shared/readings.ts'
import { NO_WALLET, type NoWallet, noWallet } from '../shared/wallet-names.ts'
import { moneyFile } from './csv-file.ts'
import { doubtLines, isWhole, moneyItem, spanText, whoseText } from './pnl-lines.ts'
import { type MoneyReport, moneyReport } from './report.ts'
import { lastOf, spanOf, TODAY } from './span.ts'

type Shown = MoneyReport & { by: 'sum' | 'markets'; page: number }
type Found = Shown | CsvReport | NoWallet | { is: 'no-time' }

interface CsvReport extends Pick<
  MoneyReport,
  'span' | 'wallets' | 'missing' | 'unread' | 'silent' | 'total'
> {
  is: 'csv'
  name: string
  text: string
  rows: number
  /** Older rows that it leaves out. */
  left: number
}

const NAMES = new Map([
  ['file', 'csv'],
  ['download', 'csv'],
  ['export', 'csv'],
] as const)

/** Shows what somebody has made in a time: results, fees and funding, with deposits apart. */
export default lookCommand({
  name: 'pnl',
  aliases: ['profit'],
  summary: words('menu.pnl'),
  examples: ['/pnl', '/pnl week', '/pnl since 1 Nov', '/pnl month main', '/pnl csv month'],
  reach: 'assistant',
  args: z.object({
    what: argument.choice(['markets', 'csv'], words('money.what.asks'), NAMES).optional(),
    time: argument.span().optional(),
    wallet: argument.wallet().optional(),
    page: argument.page().default(1),
  }),
  ask,
  words: answer,
})

interface Args {
  what?: 'markets' | 'csv' | undefined
  time?: SpanText | undefined
  wallet?: Wallet | undefined
  page: number
}

async function ask(context: Context, { what, time = TODAY, wallet, page }: Args): Promise<Found> {
  const { view, person, reader } = context
  const all = view.watches(person.id)
  const asked = all.find((one) => one.wallet === wallet) ?? null
  const watches = asked ? [asked] : all
  if (watches.length === 0) return NO_WALLET
  const span = spanOf(time, { now: reader.now, zone: person.zone })
  if (span === null) return { is: 'no-time' }
  const { report, records } = await moneyReport(context, watches, { span, asked })
  if (what !== 'csv') return { ...report, by: what ?? 'sum', page }
  const within = { since: span.since, until: lastOf(span), zone: person.zone, view }
  const name = `perch-pnl-${new Date(reader.now).toISOString().slice(0, 10)}.csv`
  return { ...report, is: 'csv', name, ...moneyFile(records, within) }
}

function answer(found: Found, { now }: Reader): Message {
  if (found.is === 'no-wallet') return noWallet()
  if (found.is === 'no-time') return { ...say(words('money.later')), buttons: periodButtons(null, '') }
  const blind = blindItems(found.missing, now)
  if (found.is === 'csv') return fileOf(found, blind)
  if (found.by === 'markets' && found.markets.length > 0) return byMarket(found, blind)
  return message([moneyItem(found), ...blind], { buttons: buttonsOf(found) })
}

function byMarket(found: Shown, blind: Message['items']): Message {
  const { markets, span, total, only } = found
  const page = pageOf(markets, found.page, ENTRIES_PER_PAGE)
  const usd = total === null ? '?' : money(profitOf(total))
  const title = isWhole(found)
    ? words('money.markets.title', { span: spanText(span), usd })
    : words('money.markets.partly', { span: spanText(span), whose: only ?? whoseText(found) })
  const line = lineOf(found)
  return message(
    [
      ...blind,
      item('plain', title, isWhole(found) ? [] : [words('money.read', { usd })]),
      ...page.shown.map((one) =>
        item('plain', [`${one.symbol} `, money(one.profitUsd)], [words('money.market', partsOf(one))]),
      ),
    ],
    {
      buttons: [
        ...(isWhole(found) ? [] : [go(words('shown.button.refresh'), `/pnl markets ${line} ${page.page}`)]),
        ...pageButtons(page, (to) => `/pnl markets ${line} ${to}`),
      ],
    },
  )
}

function fileOf(found: CsvReport, blind: Message['items']): Message {
  const { span, rows, left, name, text, total } = found
  if (total === null || rows === 0)
    return message([item('plain', words('money.file.none', { span: spanText(span) })), ...blind])
  const lines = [
    words('money.file.sum', { usd: money(profitOf(total)) }),
    ...(left > 0 ? [words('money.file.more', { left })] : []),
    ...doubtLines(found),
  ]
  const title = words('money.file.title', { span: spanText(span), rows })
  return message([item('plain', title, lines), ...blind], { file: { name, text } })
}

function lineOf({ span, reference }: Pick<MoneyReport, 'span' | 'reference'>): string {
  return reference === null ? span.typed : `${span.typed} ${reference}`
}

function buttonsOf(found: MoneyReport): Button[] {
  const { span, reference, markets } = found
  return [
    ...(isWhole(found) && found.missing.length === 0
      ? []
      : [go(words('shown.button.refresh'), `/pnl ${lineOf(found)}`)]),
    ...(found.total === null
      ? []
      : [{ label: words('money.button.csv'), line: `/pnl csv ${lineOf(found)}`, replace: false }]),
    ...periodButtons(span.typed, reference === null ? '' : ` ${reference}`),
    ...(markets.length > 1 ? [go(words('money.button.markets'), `/pnl markets ${lineOf(found)}`)] : []),
  ]
}

function periodButtons(typed: string | null, wallet: string): Button[] {
  return (['day', 'week', 'month'] as const)
    .filter((period) => period !== typed)
    .map((period) => go(words(`money.button.${period}`), `/pnl ${period}${wallet}`))
}
