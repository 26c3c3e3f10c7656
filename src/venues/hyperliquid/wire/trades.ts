import { parseJson } from '../../http/reply.ts'

/** The most trades of one frame that are read. A frame carries one block of one market. */
const MAX_TRADES = 2_000

interface Trade {
  coin: string
  /** The venue's time, Unix milliseconds. */
  at: number
  /** The addresses of the buyer and the seller. */
  users: string[]
}

type TradesFrame =
  | { is: 'trades'; trades: Trade[] }
  /** The subscription of this market has begun. */
  | { is: 'confirmed'; coin: string }
  | { is: 'other' }

/**
 * Reads one text of the trades' connection. Written by hand, because in a crash there are hundreds a second;
 * an unreadable element is left out, as trades only hint at what to read.
 */
export function readTrades(text: string): TradesFrame {
  const frame = fieldsOf(parse(text))
  if (frame['channel'] === 'subscriptionResponse') {
    const { method, subscription } = fieldsOf(frame['data'])
    const { coin } = fieldsOf(subscription)
    return method === 'subscribe' && typeof coin === 'string' ? { is: 'confirmed', coin } : { is: 'other' }
  }
  if (frame['channel'] !== 'trades' || !Array.isArray(frame['data'])) return { is: 'other' }
  const trades = frame['data'].slice(0, MAX_TRADES).flatMap((element): Trade[] => {
    const { coin, time, users } = fieldsOf(element)
    if (typeof coin !== 'string' || typeof time !== 'number' || !Array.isArray(users)) return []
    return [{ coin, at: time, users: users.slice(0, 2).filter((user) => typeof user === 'string') }]
  })
  return { is: 'trades', trades }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}
