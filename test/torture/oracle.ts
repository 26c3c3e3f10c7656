import { distanceOf, type Holding, HOLDINGS, type Listener, SYMBOLS, type World } from './world.ts'

/** One message that somebody must get. */
export interface Owed {
  chat: string
  /** What it is about: what is said of it keeps its order. */
  about: string
  what: string
}

/** The lines that `/watch` arms, the mildest first, and how much further away each of them is cleared. */
export const LINES = [0.2, 0.1, 0.05, 0.025]
export const CLEAR_BAND = 0.15

/**
 * What is owed to whom, from what the venue served and from the written rules alone: it shares no code with the engine.
 * Each world that it is given has been seen whole before the next one.
 */
export function createOracle(listeners: readonly Listener[], first: World): (next: World) => Owed[] {
  let before = first
  const tiers = new Map<number, number>()
  const enter = (distance: number) => LINES.filter((line) => distance <= line).length
  const stay = (distance: number) => LINES.filter((line) => distance <= line * (1 + CLEAR_BAND)).length
  const hear = ({ label }: Holding) => listeners.filter(({ labels }) => labels.includes(label))
  for (const one of HOLDINGS) if (first.held.has(one.id)) tiers.set(one.id, enter(distanceOf(one, first)))

  const ofHolding = (one: Holding, next: World): [about: string, what: string][] => {
    const name = `${one.label} ${one.symbol} ${one.side}`
    const [was, is] = [before.held.has(one.id), next.held.has(one.id)]
    if (!is) {
      tiers.delete(one.id)
      return was ? [[`existence of ${name}`, endOf(one, before)]] : []
    }
    const tier = tiers.get(one.id) ?? 0
    const distance = distanceOf(one, next)
    const now = Math.max(enter(distance), Math.min(tier, stay(distance)))
    tiers.set(one.id, now)
    const what = now > tier ? `worse ${now}` : now === 0 ? 'clear' : `better ${now}`
    return [
      ...(was ? [] : [[`existence of ${name}`, 'opened'] as [string, string]]),
      ...(now === tier ? [] : [[`distance of ${name}`, what] as [string, string]]),
    ]
  }

  return (next) => {
    const owed = HOLDINGS.flatMap((one) =>
      ofHolding(one, next).flatMap(([about, what]) => hear(one).map(({ chat }) => ({ chat, about, what }))),
    )
    const flipped = SYMBOLS.filter((symbol) => before.payers[symbol] !== next.payers[symbol])
    const flips = flipped.flatMap((symbol) =>
      listeners.map(({ chat }) => ({ chat, about: `funding of ${symbol}`, what: 'flipped' })),
    )
    before = next
    return [...owed, ...flips]
  }
}

function endOf(one: Holding, before: World): string {
  return distanceOf(one, before) <= 0 ? 'liquidated' : 'closed'
}

/** Whether that is what is owed. That one was closed is known only to whoever was there; the price of a liquidation is kept. */
export function says({ what }: { what: string }, owed: { what: string }): boolean {
  return what === owed.what || (what === 'unknown' && owed.what === 'closed')
}
