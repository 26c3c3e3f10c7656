import { z } from 'zod'

import { marginFor, marginForRatio } from '../../../src/alert/deleverage.ts'
import { fromNumber } from '../../../src/venue/amount.ts'
import { distance } from '../../../src/venue/position.ts'
import { ALERT, dataOf, isoOrNull, labelField, labelled, labelledText, TEXT, TIME, tool } from '../tool.ts'

/** Distances from liquidation, and shares of equity, that more margin should reach. */
const DISTANCES = [0.1, 0.2]
const RATIOS = [0.5, 0.3]
const MOST_OTHERS = 50

const amount = z.number().nullable()

const SHOWN = z.object({
  symbol: z.string(),
  wallet: z.string(),
  seenAt: z.number().optional(),
  position: z.object({
    ...{ marketId: z.string(), size: z.number(), entryPrice: amount, liquidationPrice: amount },
    margin: z.enum(['cross', 'isolated']).nullable(),
    leverage: z.number().nullable(),
  }),
  market: z
    .object({
      ...{ price: z.number(), priceName: z.enum(['index', 'mark']), maintenanceRatio: amount },
      delisted: z.boolean(),
    })
    .nullable(),
})
type Shown = z.infer<typeof SHOWN>

const QUOTE = z.object({
  share: z.number(),
  preview: z.object({
    estimate: z.boolean(),
    fillPrice: amount,
    liquidationPrice: z.union([z.number(), z.literal('none')]).nullable(),
    ...{ totalFeesUsd: amount, marginRatio: amount },
    feasible: z.boolean().nullable(),
    refusal: z.string().nullable(),
  }),
})

const ACCOUNT = z.object({
  mode: z.enum(['single', 'unified', 'portfolio']),
  ...{ equityUsd: amount, maintenanceUsd: amount, marginRatio: amount },
})

const missing = z.array(
  z.looseObject({ what: TEXT, is: z.string(), why: TEXT.optional(), at: z.number().optional() }),
)

const FIX = z.discriminatedUnion('is', [
  z.object({ is: z.enum(['no-wallet', 'no-alert', 'not-a-position']) }),
  z.object({ is: z.literal('nothing-open'), missing }),
  z.object({
    is: z.literal('fix'),
    alert: z.number().nullable(),
    shown: SHOWN,
    account: ACCOUNT.nullable(),
    closing: z
      .object({
        quotes: z.array(QUOTE),
        unseen: TEXT.nullable(),
        quoted: z.looseObject({ at: z.number() }).nullable(),
      })
      .nullable(),
    others: z.array(z.object({ symbol: z.string(), wallet: z.string() })),
    missing,
  }),
])
type Fix = Extract<z.infer<typeof FIX>, { is: 'fix' }>

const CLOSING = z.object({
  share: z.number().describe('The part of the position that is closed: 0.5 is half of it'),
  ...{ fillPrice: amount, realisedPnlUsd: amount, feesUsd: amount, marginRatioAfter: amount },
  liquidationAfter: z
    .union([z.number(), z.literal('none')])
    .nullable()
    .describe('none: no price would liquidate'),
  feasible: z.boolean().nullable(),
  refusalLabel: labelField.nullable(),
  estimate: z.boolean().describe('Computed by Perch: the exchange has not confirmed it'),
})

const OUTPUT = z.object({
  alert: z.string().nullable(),
  position: z.object({
    walletLabel: labelField,
    ...{ symbol: z.string(), market: z.string(), side: z.enum(['long', 'short']) },
    size: z.number().describe('Base units, without a sign'),
    entry: amount,
    price: amount.describe('USD: the price by which the exchange liquidates; null while it cannot be seen'),
    liquidation: amount,
    distance: amount.describe('To liquidation, as a fraction of the price'),
    margin: z.enum(['cross', 'isolated']).nullable(),
    leverage: z.number().nullable(),
    seenAt: TIME.nullable().describe('Not null: the exchange does not show it now, and it is as old as this'),
  }),
  account: z
    .object({ equityUsd: amount, maintenanceUsd: amount, marginRatio: amount })
    .nullable()
    .describe('Margin that the position shares with others. At a ratio of 1 the exchange liquidates'),
  margin: z
    .array(z.object({ addUsd: z.number(), toDistance: amount, toMarginRatio: amount }))
    .describe('Margin to add, and what it reaches. An estimate'),
  closing: z.array(CLOSING).describe('Previews of closing parts of it'),
  closingAt: TIME.nullable(),
  otherPositions: z.array(z.object({ symbol: z.string(), walletLabel: labelField })),
  missing: z
    .array(z.object({ label: labelField, whyLabel: labelField.nullable(), at: TIME.nullable() }))
    .describe('What could not be read, or is old'),
})

/** Costs of each way, without advice. */
export const whatHelps = tool({
  name: 'what_helps',
  title: 'What brings a position away from liquidation',
  description:
    'For a position in danger: the margin that would move its liquidation price away, and what closing parts of it would do, with costs. Figures only, no recommendation. With an alert it is about the position of that alert; else about the named position, or the nearest to liquidation.',
  input: z.strictObject({
    alert: ALERT.optional(),
    wallet: z.string().max(80).optional().describe('The label or the address of a wallet'),
    market: z.string().max(40).optional().describe('A symbol, such as BTC'),
  }),
  output: OUTPUT,
  adds: false,
  async run(asking, args) {
    const asked = await dataOf(asking, 'fix', args, FIX)
    if (asked.is === 'refused') return asked
    const { data: found } = asked
    switch (found.is) {
      case 'no-wallet':
        return { is: 'refused', why: 'The person watches no such wallet.' }
      case 'no-alert':
        return { is: 'refused', why: 'The person has no alert of this id.' }
      case 'not-a-position':
        return { is: 'refused', why: 'This alert is not about a position.' }
      case 'nothing-open': {
        const unseen = found.missing.map((one) => missingOf(one, asking.now))
        const why = unseen.length > 0 ? 'No such position can be seen now.' : 'No such position is open.'
        return { is: 'refused', why, labels: unseen.map(({ label }) => label) }
      }
      case 'fix':
        return {
          is: 'found',
          summary: 'Estimates from the newest readings. Nothing here is advice, and Perch cannot trade.',
          data: reportOf(found, asking.now),
        }
    }
  },
})

function reportOf(
  { alert, shown, account, closing, others, ...found }: Fix,
  now: number,
): z.infer<typeof OUTPUT> {
  const { position, symbol, wallet } = shown
  // Without quotes there is no price that can be trusted.
  const market = closing === null ? null : shown.market
  const side = position.size < 0 ? 'short' : 'long'
  const unquoted = closing?.unseen ?? null
  return {
    alert: alert === null ? null : `A${alert}`,
    position: {
      ...{ walletLabel: labelled(wallet), symbol: labelled(symbol), market: position.marketId, side },
      ...{ size: Math.abs(position.size), entry: position.entryPrice, price: market?.price ?? null },
      liquidation: position.liquidationPrice,
      distance:
        market === null || position.liquidationPrice === null
          ? null
          : distance(side, market.price, position.liquidationPrice),
      ...{ margin: position.margin, leverage: position.leverage, seenAt: isoOrNull(shown.seenAt) },
    },
    account: account && {
      ...{ equityUsd: account.equityUsd, maintenanceUsd: account.maintenanceUsd },
      marginRatio: account.marginRatio,
    },
    margin: account ? marginOfAccount(account) : marginOf(shown, market),
    closing: (closing?.quotes ?? [])
      .toSorted((a, b) => a.share - b.share)
      .map((quote) => closingOf(quote, position)),
    closingAt: isoOrNull(closing?.quoted?.at),
    otherPositions: others.slice(0, MOST_OTHERS).map((other) => ({
      symbol: labelled(other.symbol),
      walletLabel: labelled(other.wallet),
    })),
    missing: [
      ...found.missing.map((one) => missingOf(one, now)),
      ...(unquoted === null ? [] : [{ label: 'previews', whyLabel: labelledText(unquoted, now), at: null }]),
    ],
  }
}

function closingOf(
  { share, preview }: z.infer<typeof QUOTE>,
  { size, entryPrice }: Shown['position'],
): z.infer<typeof CLOSING> {
  const { fillPrice, totalFeesUsd: feesUsd, feasible, refusal, estimate } = preview
  const isKnown = entryPrice !== null && fillPrice !== null
  return {
    ...{ share, fillPrice, feesUsd, feasible, estimate, marginRatioAfter: preview.marginRatio },
    realisedPnlUsd: isKnown ? share * size * (fillPrice - entryPrice) : null,
    // Nothing is left that could be liquidated.
    liquidationAfter: share >= 1 ? 'none' : preview.liquidationPrice,
    refusalLabel: refusal === null ? null : labelled(refusal),
  }
}

function marginOf({ position }: Shown, market: Shown['market']): z.infer<typeof OUTPUT>['margin'] {
  if (market === null || market.delisted) return []
  const size = fromNumber(position.size)
  const price = fromNumber(market.price)
  const liquidationPrice = position.liquidationPrice === null ? null : fromNumber(position.liquidationPrice)
  const maintenanceRatio = market.maintenanceRatio === null ? null : fromNumber(market.maintenanceRatio)
  if (size === null || price === null) return []
  return DISTANCES.flatMap((away) => {
    const addUsd = marginFor({ size, liquidationPrice }, { price, maintenanceRatio }, away)
    return addUsd === null ? [] : [{ addUsd, toDistance: away, toMarginRatio: null }]
  })
}

function marginOfAccount(account: z.infer<typeof ACCOUNT>): z.infer<typeof OUTPUT>['margin'] {
  const exact = (figure: number | null) => (figure === null ? null : fromNumber(figure))
  const { equityUsd, maintenanceUsd } = account
  const own = { ...account, equityUsd: exact(equityUsd), maintenanceUsd: exact(maintenanceUsd) }
  return RATIOS.flatMap((ratio) => {
    const addUsd = marginForRatio(own, ratio)
    return addUsd === null ? [] : [{ addUsd, toDistance: null, toMarginRatio: ratio }]
  })
}

function missingOf({ what, why, at }: z.infer<typeof missing>[number], now: number) {
  return {
    label: labelledText(what, now),
    whyLabel: why === undefined ? null : labelledText(why, now),
    at: isoOrNull(at),
  }
}
