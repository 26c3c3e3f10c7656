import { z } from 'zod'

import { dataOf, isoOrNull, isoTime, labelField, labelled, TIME, tool } from '../tool.ts'

const MOST_ALERTS = 50
const USUAL_ALERTS = 20

const amount = z.number().nullable()
const CLOSING = z.object({
  how: z.string(),
  side: z.string(),
  symbol: z.string(),
  size: z.number(),
  ...{ entryPrice: amount, exitPrice: amount, tradeUsd: amount, feesUsd: amount, fundingUsd: amount },
  endedAt: z.number().nullable(),
  estimate: z.boolean(),
})

const HISTORY = z.discriminatedUnion('is', [
  z.object({ is: z.literal('file') }),
  z.object({ is: z.literal('none') }),
  z.object({
    is: z.literal('history'),
    alerts: z.array(
      z.object({
        ...{ id: z.number(), kind: z.string(), title: z.string(), severity: z.string() },
        openedAt: z.number(),
        closedAt: z.number().nullable(),
        wallet: z.string().nullable(),
        closing: CLOSING.nullable(),
      }),
    ),
  }),
])

const PAST_ALERT = z.object({
  ...{ alert: z.string(), kind: z.string(), severity: z.string(), label: labelField },
  walletLabel: labelField.nullable(),
  openedAt: TIME,
  closedAt: TIME.nullable().describe('null: it is on'),
  closing: z
    .object({
      ...{ how: z.string(), side: z.string(), symbol: z.string() },
      size: z.number().describe('Base units'),
      ...{ entryPrice: amount, exitPrice: amount, tradeUsd: amount, feesUsd: amount, fundingUsd: amount },
      endedAt: TIME.nullable(),
      estimate: z.boolean().describe('Computed from the last reading: the exchange has not confirmed it'),
    })
    .nullable()
    .describe('The result, if it is about a close. Null figures are unknown'),
})

export const history = tool({
  name: 'history',
  title: 'Past alerts',
  description:
    'The last alerts of the person, the newest first; or the closed positions alone, with their results.',
  input: z.strictObject({
    closed: z.boolean().default(false).describe('Closed positions alone'),
    most: z.number().int().min(1).max(MOST_ALERTS).default(USUAL_ALERTS),
  }),
  output: z.object({ alerts: z.array(PAST_ALERT), inAll: z.number() }),
  adds: false,
  async run(asking, { closed, most }) {
    const asked = await dataOf(asking, 'history', closed ? { only: 'closed' } : {}, HISTORY)
    if (asked.is === 'refused') return asked
    const alerts = asked.data.is === 'history' ? asked.data.alerts : []
    const shown = alerts.slice(0, most)
    return {
      is: 'found',
      summary:
        alerts.length === 0 ? 'There are none.' : `${shown.length} of ${alerts.length}, the newest first.`,
      data: {
        alerts: shown.map(({ id, kind, title, severity, openedAt, closedAt, wallet, closing }) => ({
          ...{ alert: `A${id}`, kind, severity, label: labelled(title) },
          walletLabel: wallet === null ? null : labelled(wallet),
          ...{ openedAt: isoTime(openedAt), closedAt: isoOrNull(closedAt) },
          closing: closing && {
            ...closing,
            ...{ symbol: labelled(closing.symbol), endedAt: isoOrNull(closing.endedAt) },
          },
        })),
        inAll: alerts.length,
      },
    }
  },
})
