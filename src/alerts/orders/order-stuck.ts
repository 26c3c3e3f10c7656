import { z } from 'zod'

import { eventKind } from '../../alert/define-kind.ts'
import { argument } from '../../chat/argument.ts'
import { durationText } from '../../lib/text/duration.ts'
import { age } from '../../message/figure.ts'
import { item, joined, type Text, words } from '../../message/message.ts'
import type { Order } from '../../venue/order.ts'
import { byMarket, listedAt } from './ended.ts'
import { bearsOn, orderLines, ordersTitle, symbolIn } from './order-lines.ts'

const USUAL_AFTER_MS = 60_000
/** Orders are read every fifteen seconds. */
const MIN_AFTER_MS = 15_000

const params = z.object({
  /** How long the venue may leave an accepted order pending. */
  after: argument
    .duration(words('arg.stuck.after'))
    .refine((ms) => ms >= MIN_AFTER_MS, 'check.order-wait')
    .default(USUAL_AFTER_MS),
})

/** By the order's id. */
type State = Record<string, Pending>

interface Pending {
  /** Since when it has been seen pending (wall time). */
  since: number
  /** The order as the alert showed it; null before the alert. */
  told: Order | null
  /** The first read after the alert that lacked it (wall time). */
  lackedAt: number | null
}

/** Alerts when the venue leaves an accepted order pending, and again with the order's outcome. */
export default eventKind({
  name: 'order-stuck',
  aliases: ['stuck'],
  summary: words('kind.stuck.summary'),
  example: 'order-stuck 60s',
  on: 'wallet',
  reads: 'orders',
  params,
  describe: ({ after }) => words('kind.stuck.line', { span: durationText(after) }),
  typed: ({ after }) => durationText(after),
  merge: (all) => ({ after: Math.min(...all.map(({ after }) => after)) }),
  awaits: (state: State) => Object.keys(state).filter((id) => state[id]?.told != null),
  detect({ after }, state: State | undefined, subject) {
    const { orders, now } = subject
    const at = subject.ordersAt ?? now
    const next: State = {}
    const stuck: Order[] = []
    const over: Order[] = []
    const listed = new Map((orders ?? []).map((order) => [order.id, order]))
    for (const order of listed.values()) {
      if (order.state !== 'pending') continue
      const { since, told } = state?.[order.id] ?? { since: at, told: null }
      const isStuck = told === null && at - since >= after
      if (isStuck) stuck.push(order)
      next[order.id] = { since, told: isStuck ? order : told, lackedAt: null }
    }
    for (const [id, pending] of Object.entries(state ?? {})) {
      const { told, lackedAt } = pending
      if (id in next || told === null) continue
      const now = listed.get(id)
      const at = listedAt(told, subject)
      // A list may lack an order and have it again later, so wait for a second read.
      if (now) over.push(now)
      else if (lackedAt !== null && at > lackedAt) over.push({ ...told, state: null, venueStatus: null })
      else next[id] = { ...pending, lackedAt: at }
    }
    const occurrences = (what: 'stuck' | 'over', some: Order[]) =>
      byMarket(some).map(([marketId, those]) => ({
        what,
        value: null,
        position: null,
        bearsOn: bearsOn(those, subject),
        detail: { marketId, orders: those, sinceMs: longest(those, state ?? {}, at) },
      }))
    return { state: next, occurrences: [...occurrences('stuck', stuck), ...occurrences('over', over)] }
  },
  severity: (_params, { what }) => (what === 'stuck' ? 'warning' : 'info'),
  tell(_params, { what, detail: { marketId, orders, sinceMs } }, subject) {
    const symbol = symbolIn(subject, marketId)
    const lines = orderLines(orders, symbol, subject)
    if (what === 'over')
      return item('info', ordersTitle(orders, symbol, 'over'), [
        words('kind.stuck.became', { states: statesOf(orders) }),
        ...lines,
      ])
    return item('warning', ordersTitle(orders, symbol, 'stuck'), [
      words('kind.stuck.pending', { span: age(sinceMs) }),
      ...lines,
    ])
  },
})

function longest(orders: readonly Order[], state: State, at: number): number {
  return Math.max(...orders.map(({ id }) => at - (state[id]?.since ?? at)))
}

/** Each state once: the venue's own word where we know no better. */
function statesOf(orders: readonly Order[]): Text {
  const states = new Map(orders.map(({ state, venueStatus }) => [state ?? venueStatus, state]))
  const said = [...states].map(([word, state]) =>
    state ? words('kind.order-state', { state }) : (word ?? words('kind.stuck.unlisted')),
  )
  return joined(said, ', ')
}
