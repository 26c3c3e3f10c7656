import { createHmac, timingSafeEqual } from 'node:crypto'

import { z } from 'zod'

import type { Clock } from '../../../src/runtime/clock.ts'
import { type Asked, type Reply, type StandIn, startStandIn } from './stand-in.ts'

const SEVERITY = z.enum(['critical', 'warning', 'info', 'good', 'blind', 'plain'])
/** As docs/away.md promises it, and not a field more. */
const BODY = z.strictObject({
  version: z.literal(1),
  to: z.url(),
  id: z.string().regex(/^[\da-f]{32}$/),
  sentAt: z.iso.datetime(),
  severity: SEVERITY,
  silent: z.boolean(),
  possibleRepeat: z.boolean(),
  text: z.string().min(1),
  items: z.array(
    z.strictObject({
      severity: SEVERITY,
      title: z.string(),
      lines: z.array(z.string()),
      commands: z.array(z.string()),
    }),
  ),
  table: z.strictObject({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) }).nullable(),
  footnote: z.string().nullable(),
})
export type Told = z.infer<typeof BODY>

/** A minute either way: what somebody recorded is refused later. */
const TOLERANCE_S = 60

export interface WebhookReceiver extends StandIn {
  /** What was taken at a path, once each. */
  told(path: string): readonly Told[]
  /** Nobody is told there any more, or again. */
  goes(path: string, gone: boolean): void
}

/** A receiver that believes nothing that is not signed, and takes what it has seen before only once. */
export async function startWebhook(
  clock: Clock,
  secret: string,
  personAt: (path: string) => number = () => 1,
): Promise<WebhookReceiver> {
  const told = new Map<string, Told[]>()
  const gone = new Set<string>()

  function take(asked: Asked): Reply {
    const { method, path, headers, body } = asked
    if (gone.has(path)) return { status: 410 }
    if (method !== 'POST') return { status: 405 }
    if (headers['content-type'] !== 'application/json') return { status: 415 }
    const seconds = String(headers['x-perch-timestamp'] ?? '')
    if (!/^\d+$/.test(seconds) || Math.abs(clock.now() / 1_000 - Number(seconds)) > TOLERANCE_S)
      return { status: 422, body: 'stale' }
    const key = createHmac('sha256', secret)
      .update(`${personAt(path)} ${receiver.origin}${path}`)
      .digest('hex')
    const expected = `sha256=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`
    const given = String(headers['x-perch-signature'] ?? '')
    if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected)))
      return { status: 401 }
    const parsed = BODY.safeParse(JSON.parse(body))
    if (!parsed.success) return { status: 400, body: z.prettifyError(parsed.error) }
    if (parsed.data.to !== `${receiver.origin}${path}`) return { status: 400, body: 'for somebody else' }
    if (headers['x-perch-id'] !== parsed.data.id) return { status: 400, body: 'another id' }
    const all = told.get(path) ?? []
    if (!all.some(({ id }) => id === parsed.data.id)) told.set(path, [...all, parsed.data])
    return { status: 202 }
  }

  const receiver: StandIn = await startStandIn('hooks.test', clock, take)
  return {
    ...receiver,
    told: (path) => told.get(path) ?? [],
    goes: (path, isGone) => void gone[isGone ? 'add' : 'delete'](path),
  }
}
