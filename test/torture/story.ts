import type { Heard } from './heard.ts'
import type { Fault } from './verdict.ts'
import { type Holding, HOLDINGS, SYMBOLS, type World } from './world.ts'

/** What happened while the program was tortured, so that a fault can be understood from its report alone. */
export interface Story {
  note(text: string): void
  /** The last that happened and was said of what the fault is about, up to it. */
  leadingTo(fault: Fault, heard: readonly Heard[]): string[]
}

const SHOWN = 40

export function createStory(now: () => number): Story {
  const notes: { at: number; text: string }[] = []
  const began = now()
  return {
    note: (text) => void notes.push({ at: now(), text }),
    leadingTo({ chat, about, at }, heard) {
      const place = about.replace(/^\w+ of /, '')
      const said = heard
        .filter((one) => one.chat === chat && one.about.endsWith(place))
        .map((one) => ({
          at: one.at,
          text: `» ${one.what} (${one.alert})${one.marked ? ', marked' : ''}${one.again ? ', again' : ''}`,
        }))
      return [...notes, ...said]
        .filter((one) => one.at <= at)
        .toSorted((a, b) => a.at - b.at)
        .slice(-SHOWN)
        .map((one) => `${((one.at - began) / 1_000).toFixed(2).padStart(9)} s  ${one.text}`)
    },
  }
}

/** What is different in the next world, in words. */
export function changeOf(before: World, next: World): string {
  const named = ({ label, symbol, side, liquidation }: Holding) =>
    `${label} ${symbol} ${side} (${liquidation})`
  const prices = SYMBOLS.filter((symbol) => before.prices[symbol] !== next.prices[symbol])
  const payers = SYMBOLS.filter((symbol) => before.payers[symbol] !== next.payers[symbol])
  const opened = HOLDINGS.filter(({ id }) => next.held.has(id) && !before.held.has(id))
  const gone = HOLDINGS.filter(({ id }) => before.held.has(id) && !next.held.has(id))
  return [
    ...prices.map((symbol) => `${symbol} ${before.prices[symbol]} → ${next.prices[symbol]}`),
    ...payers.map((symbol) => `${symbol}: ${next.payers[symbol]} pay`),
    ...opened.map((one) => `opened ${named(one)}`),
    ...gone.map((one) => `gone ${named(one)}`),
  ].join(', ')
}
