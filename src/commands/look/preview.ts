import { z } from 'zod'

import { argument, typedSize } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import {
  item,
  joined,
  type Message,
  message,
  type Reader,
  say,
  type Text,
  words as phrase,
} from '../../message/message.ts'
import type { Market } from '../../venue/market.ts'
import type { OrderDraft, Preview } from '../../venue/order.ts'
import type { Position } from '../../venue/position.ts'
import { accountReference } from '../../venue/wallet.ts'
import {
  blindItems,
  freshnessOf,
  freshnessText,
  type Missing,
  missingOf,
  type ReadAt,
  readAt,
} from '../shared/readings.ts'
import { referenceAmong } from '../shared/wallet-names.ts'
import { exactName, whichVenue } from '../shared/venues/coin.ts'
import { type Asked, type ChoiceOfAccount, draftOf, previewItem, sameDraft } from './preview-lines.ts'

/** After a longer wait for the positions, the person is asked to try again instead of waiting a second time. */
const SLOW_MS = 2_000

/** The parts of the command line, for the buttons. */
interface Line {
  /** Reference of the wallet. */
  wallet: string
  symbol: string
  size: string
  account: string | null
}

type PreviewReport =
  | { is: 'market-unseen'; symbol: string }
  | { is: 'wallet-unseen'; why: Text }
  | (ChoiceOfAccount & { line: Line })
  | { is: 'refused'; why: Text; where: readonly Text[] }
  /** The positions came too late for a second question. */
  | { is: 'slow'; line: Line }
  | { is: 'unseen'; why: Text }
  | {
      is: 'preview'
      preview: Preview
      draft: OrderDraft
      held: Position | null
      market: Market
      missing: readonly Missing[]
      quoted: ReadAt
      /** The venue, where several list this coin. */
      where: readonly Text[]
      line: Line
    }

/** Shows the effect of an order before anybody places it. */
export default lookCommand({
  name: 'preview',
  summary: phrase('menu.preview'),
  examples: ['/preview main ETH -2', '/preview main BTC $5k', '/preview main BTC -50%'],
  args: z.object({
    wallet: argument.wallet(),
    market: argument.market(),
    size: argument.size(),
    account: argument.account().optional(),
  }),
  ask,
  words: answer,
})

async function ask(context: Context, asked: Asked): Promise<PreviewReport> {
  const { person, view, read, reader } = context
  const { wallet, market: marketId, size } = asked
  const watches = view.watches(person.id)
  const inView = view.markets().get(marketId)
  const sought = inView ? null : await read.market(marketId)
  const known = inView ?? (sought?.is === 'read' ? sought.reading.value : null)
  if (!known) return { is: 'market-unseen', symbol: view.symbol(marketId) }
  const start = reader.now
  // The last reading already tells the order, so both questions go out at once.
  const { venues } = view.status()
  const guess = draftOf(asked, view.positions(wallet)?.value ?? [], known, venues)
  const early = guess.is === 'draft' ? read.preview(guess.draft) : null
  const [owned, markets] = await Promise.all([read.positions(wallet, 'anew'), read.markets()])
  if (owned.is === 'unseen') {
    await early
    return { is: 'wallet-unseen', why: owned.why }
  }
  const market = (markets.is === 'read' ? markets.reading.value.get(marketId) : undefined) ?? known
  // Dollars become units at the price of the first question, so that both questions are the same.
  const drafted = draftOf(asked, owned.reading.value.positions, known, venues)
  const line = {
    wallet: referenceAmong(wallet, watches),
    symbol: exactName(view, marketId),
    size: typedSize(size),
    account: asked.account ?? null,
  }
  if (drafted.is === 'which') return { ...drafted, line }
  const where = whichVenue(view, marketId)
  if (drafted.is === 'refused') return { ...drafted, where }
  const same = guess.is === 'draft' && sameDraft(guess.draft, drafted.draft)
  if (!same && context.reader.now - start > SLOW_MS) return { is: 'slow', line }
  const found = same && early ? await early : await read.preview(drafted.draft)
  if (found.is === 'unseen') return found
  return {
    is: 'preview',
    preview: found.reading.value,
    draft: drafted.draft,
    held: drafted.held,
    market,
    missing: [
      ...missingOf(phrase('preview.position'), freshnessOf(owned), context.reader.now),
      ...missingOf(phrase('shown.prices-part'), freshnessOf(markets), context.reader.now),
    ],
    quoted: readAt(found),
    where,
    line,
  }
}

function answer(report: PreviewReport, { now }: Reader): Message {
  switch (report.is) {
    case 'market-unseen':
      return say(phrase('shown.not-seen', { what: report.symbol }))
    case 'wallet-unseen':
      return message([item('blind', phrase('preview.wallet-unseen'), [report.why])])
    case 'which':
      return message([item('plain', report.why)], {
        buttons: report.accounts.map(({ digits, open }) => ({
          label: phrase('preview.account', { digits, n: String(open) }),
          line: typedLine({ ...report.line, account: digits }),
          replace: true,
        })),
      })
    case 'refused':
      return message([item('plain', report.why, [...report.where])])
    case 'slow':
      return message([item('plain', phrase('preview.slow'))], {
        buttons: [{ label: phrase('preview.button.again'), line: typedLine(report.line), replace: true }],
      })
    case 'unseen':
      return message([item('blind', phrase('fix.no-preview'), [report.why])])
    case 'preview':
      return message(
        [...blindItems(report.missing, now), previewItem(report.preview, report, report.market)],
        {
          footnote: joined(
            [...report.where, freshnessText(report.quoted, now), phrase('shown.no-trade')],
            ' · ',
          ),
          buttons: [{ label: phrase('shown.button.refresh'), line: typedLine(report.line), replace: true }],
        },
      )
  }
}

function typedLine({ wallet, symbol, size, account }: Line): string {
  const reference = account === null ? [] : [accountReference(account)]
  return ['/preview', wallet, symbol, size, ...reference].join(' ')
}
