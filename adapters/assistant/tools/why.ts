import { z } from 'zod'

import {
  ALERT,
  dataOf,
  isoOrNull,
  isoTime,
  labelField,
  labelled,
  labelledText,
  TEXT,
  TIME,
  tool,
} from '../tool.ts'

/** The newest steps. */
const MOST_STEPS = 50

const WHY = z.discriminatedUnion('is', [
  z.object({ is: z.literal('unknown') }),
  z.object({
    is: z.literal('why'),
    ...{ id: z.number(), kind: z.string(), title: z.string(), severity: z.string() },
    ruleIds: z.array(z.number()),
    openedAt: z.number(),
    closedAt: z.number().nullable(),
    wallet: z.string().nullable(),
    setBy: z.array(z.string()).default([]),
    acknowledgement: z
      .object({ is: z.string(), by: z.string().optional(), until: z.number().nullish() })
      .nullable(),
    heldSince: z.number().nullable(),
    timeline: z.array(
      z.object({
        ...{ at: z.number(), dataAt: z.number(), reason: z.string().nullable(), what: z.string() },
        ...{ figure: TEXT.nullable(), threshold: z.string() },
        ...{ queuedAt: z.number().nullable(), sentAt: z.number().nullable(), attempts: z.number() },
        ...{ possibleRepeat: z.boolean(), outcome: z.string().nullable() },
      }),
    ),
  }),
])

const STEP = z.object({
  at: TIME,
  dataAt: TIME.describe('The time of its oldest reading'),
  reason: z.string().nullable(),
  whatLabel: labelField,
  valueLabel: labelField.nullable(),
  thresholdLabel: labelField.nullable(),
  message: z.object({
    outcome: z.string().nullable().describe('null: there was no message'),
    queuedAt: TIME.nullable(),
    sentAt: TIME.nullable(),
    attempts: z.number(),
    possibleRepeat: z.boolean(),
  }),
})

export const why = tool({
  name: 'why',
  title: 'Why an alert fired',
  description:
    'The trail of an alert: each step with its value, the line that it crossed, the age of the data, and when its message was queued and sent.',
  input: z.strictObject({ alert: ALERT }),
  output: z.object({
    ...{ alert: z.string(), kind: z.string(), severity: z.string(), label: labelField },
    walletLabel: labelField.nullable(),
    rules: z.array(z.string()),
    setByLabels: z.array(labelField).describe('The assistants that have set its rules'),
    openedAt: TIME,
    closedAt: TIME.nullable(),
    acknowledgement: z
      .object({ is: z.string(), byLabel: labelField.nullable(), until: TIME.nullable() })
      .nullable(),
    heldSince: TIME.nullable().describe('Quiet hours or a mute suppress its message since then'),
    steps: z.array(STEP).describe('The oldest first'),
    stepsInAll: z.number(),
  }),
  adds: false,
  async run(asking, { alert }) {
    const asked = await dataOf(asking, 'why', { alert }, WHY)
    if (asked.is === 'refused') return asked
    const { data: found } = asked
    if (found.is === 'unknown') return { is: 'refused', why: 'The person has no alert of this id.' }
    const { acknowledgement: answered, timeline } = found
    return {
      is: 'found',
      summary: `A${found.id} is ${found.closedAt === null ? 'on' : 'over'}.`,
      data: {
        ...{
          alert: `A${found.id}`,
          kind: found.kind,
          severity: found.severity,
          label: labelled(found.title),
        },
        walletLabel: found.wallet === null ? null : labelled(found.wallet),
        rules: found.ruleIds.map((id) => `R${id}`),
        setByLabels: found.setBy.map(labelled),
        ...{ openedAt: isoTime(found.openedAt), closedAt: isoOrNull(found.closedAt) },
        acknowledgement: answered && {
          is: answered.is,
          byLabel: answered.by === undefined ? null : labelled(answered.by),
          until: isoOrNull(answered.until),
        },
        heldSince: isoOrNull(found.heldSince),
        steps: timeline.slice(-MOST_STEPS).map((step) => ({
          ...{ at: isoTime(step.at), dataAt: isoTime(step.dataAt), reason: step.reason },
          whatLabel: labelled(step.what),
          valueLabel: step.figure === null ? null : labelledText(step.figure, asking.now),
          thresholdLabel: step.threshold === '' ? null : labelled(step.threshold),
          message: {
            ...{ outcome: step.outcome, attempts: step.attempts, possibleRepeat: step.possibleRepeat },
            ...{ queuedAt: isoOrNull(step.queuedAt), sentAt: isoOrNull(step.sentAt) },
          },
        })),
        stepsInAll: timeline.length,
      },
    }
  },
})
