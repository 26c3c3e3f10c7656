import { z } from 'zod'

import type { Glance, OpenPosition } from '../../../src/chat/holdings.ts'
import { isoOrNull, isoTime, labelField, labelled, TIME, tool } from '../tool.ts'

/** More would fill the memory of an assistant. The nearest and the worst come first. */
const MOST_POSITIONS = 100
const MOST_ALERTS = 100
const MOST_OTHERS = 50

const SEVERITY = z.enum(['info', 'warning', 'critical'])
const money = z.number().nullable()

const POSITION = z.object({
  key: z.string().describe('Alerts about it have this subject'),
  walletLabel: labelField,
  market: z.string(),
  symbol: z.string(),
  side: z.enum(['long', 'short']),
  size: z.number().describe('Base units, without a sign'),
  price: money.describe('USD: the price by which the exchange liquidates; null while it cannot be seen'),
  priceName: z.enum(['index', 'mark']).nullable(),
  value: money.describe('USD at that price'),
  liquidation: money.describe('USD; null where no price of this market alone liquidates it'),
  distance: money.describe('To liquidation, as a fraction of the price: 0.05 is 5%; below 0 it is past it'),
  entry: money.describe('USD'),
  pnl: money.describe('USD'),
  fundingPerDay: money.describe('USD at the present rate; negative is paid'),
  tiers: z
    .array(z.object({ at: z.number(), severity: SEVERITY }))
    .describe('The distances at which the person is alerted'),
  readAt: TIME,
})

const FIRING = z.object({
  alert: z.string(),
  kind: z.string(),
  severity: SEVERITY,
  subject: z.string(),
  aboutLabel: labelField,
  since: TIME,
  heed: z.object({
    is: z.enum(['waiting', 'acknowledged', 'snoozed']),
    byLabel: labelField.nullable(),
    until: TIME.nullable(),
  }),
})

const OUTPUT = z.object({
  at: TIME,
  simulated: z.boolean().describe('Play money'),
  reader: z.object({
    zone: z.string().describe('The time zone of the person'),
    language: z.string(),
    numbers: z.string(),
  }),
  prices: z.object({
    at: TIME.nullable().describe('The last look at the prices'),
    staleMs: z.number().describe('Older prices are no sight of the exchange'),
  }),
  wallets: z
    .array(z.object({ walletLabel: labelField, readAt: TIME.nullable() }))
    .describe('Positions of a wallet that was never read are not known'),
  positions: z.array(POSITION).describe('The nearest to liquidation first'),
  positionsInAll: z.number(),
  firing: z.array(FIRING).describe('Alerts that are on, the worst first'),
  firingInAll: z.number(),
  pending: z
    .array(z.object({ kind: z.string(), subject: z.string(), aboutLabel: labelField, leftMs: z.number() }))
    .describe('Alerts that must hold a while longer before they fire'),
  blind: z
    .array(z.object({ label: labelField, since: TIME, whyLabel: labelField }))
    .describe('Sources that cannot be seen: what is shown of them is old'),
  failure: z
    .object({ since: TIME, whyLabel: labelField })
    .nullable()
    .describe('Perch can keep nothing since then'),
})

export const positions = tool({
  name: 'positions',
  title: 'Positions and alerts',
  description:
    'The open positions of the person with their distance to liquidation, the alerts that fire or wait to, and what Perch cannot see now. From memory.',
  input: z.strictObject({}),
  output: OUTPUT,
  adds: false,
  async run({ bot, by }) {
    const glance = bot.glance(by)
    if (glance === null) return { is: 'refused', why: 'This token has ended.' }
    return { is: 'found', summary: summaryOf(glance), data: dataOf(glance) }
  },
})

function dataOf(glance: Glance): z.infer<typeof OUTPUT> {
  const { at, simulated, reader, prices, wallets, firing, pending, blind, failure } = glance
  return {
    ...{ at: isoTime(at), simulated, reader },
    prices: { at: isoOrNull(prices.at), staleMs: prices.staleMs },
    wallets: wallets
      .slice(0, MOST_OTHERS)
      .map(({ label, readAt }) => ({ walletLabel: labelled(label), readAt: isoOrNull(readAt) })),
    positions: glance.positions.slice(0, MOST_POSITIONS).map(positionOf),
    positionsInAll: glance.positions.length,
    firing: firing.slice(0, MOST_ALERTS).map(({ alertId, about, since, heed, ...alert }) => ({
      ...{ ...alert, alert: `A${alertId}`, aboutLabel: labelled(about), since: isoTime(since) },
      heed: {
        is: heed.is,
        byLabel: heed.is === 'waiting' ? null : labelled(heed.by),
        until: heed.is === 'waiting' ? null : isoOrNull(heed.until),
      },
    })),
    firingInAll: firing.length,
    pending: pending
      .slice(0, MOST_ALERTS)
      .map(({ about, ...alert }) => ({ ...alert, aboutLabel: labelled(about) })),
    blind: blind.slice(0, MOST_OTHERS).map(({ what, since, why }) => ({
      ...{ label: labelled(what), since: isoTime(since), whyLabel: labelled(why) },
    })),
    failure: failure && { since: isoTime(failure.since), whyLabel: labelled(failure.why) },
  }
}

function positionOf({ wallet, symbol, tiers, readAt, ...figures }: OpenPosition): z.infer<typeof POSITION> {
  return {
    ...figures,
    ...{
      walletLabel: labelled(wallet),
      symbol: labelled(symbol),
      tiers: [...tiers],
      readAt: isoTime(readAt),
    },
  }
}

/** Says no name. */
function summaryOf({ positions: all, firing, blind, failure }: Glance): string {
  const [nearest] = all.flatMap(({ distance }) => (distance === null ? [] : [distance]))
  const parts = [
    `Open positions: ${all.length}${nearest === undefined ? '' : `, the nearest ${(100 * nearest).toFixed(1)}% from liquidation`}`,
    `Alerts that fire: ${firing.length}`,
    blind.length === 0 ? 'Everything can be seen' : `Sources that cannot be seen: ${blind.length}`,
    ...(failure ? ['Perch can keep nothing at present'] : []),
  ]
  return `${parts.join('. ')}.`
}
