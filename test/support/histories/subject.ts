import { type MonitorId, monitorKey } from '../../../src/alert/monitor.ts'
import { toNumber } from '../../../src/venue/amount.ts'
import { type Position, positionKey } from '../../../src/venue/position.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'

const BAND = 1.15
const CRITICAL = 0.05

/** What is asked for in a chat: all rules of it that cover the same, taken together. */
export interface Guarded {
  chatId: number
  wallet: Wallet | null
  lines: readonly number[]
  holdMs: number
}

/** What a chat knows of one position, and what it is owed. */
export interface Subject {
  key: string
  rule: Guarded
  monitor: MonitorId
  position: Position
  /** What it was before looks that could not be kept: nobody knows which of them is believed. */
  before: Position[]
  /** In how many looks in a row it was not there, and whether its end was told before that was certain. */
  missing: number
  isEndTold: boolean
  /** The run before knew it for certain: it is judged by that until its wallet is read. */
  recalled: boolean
  /** What that run has counted of its hold goes on when its wallet is read; whether it has, only a price beside it shows. */
  paused: 'surely' | 'perhaps' | null
  /** The nearest line that was said, or is held back to be summed up; Infinity for none. */
  line: number
  alertId: number | null
  /** For how long it has been seen inside a line without anything being told; null while it is outside of all. */
  insideMs: number | null
  /** The same, counted only while nothing stood in the way of telling it. */
  owedMs: number
  /** So much of what was not seen may have been taken for seen until it was known to be a hole. */
  holesMs: number
  /** When it rang last and how often it was repeated since it was news; how much was lost by then. */
  rangAt: number
  times: number
  newsAt: number
  lostMs: number
  /** Until when somebody has heeded it, and since when that is over. */
  acknowledgedUntil: number | null
  acknowledgedAt: number | null
  due: { at: number; lostMs: number } | null
  unheeded: boolean
}

export const OUTSIDE = Infinity

export function aSubject(rule: Guarded, position: Position): Subject {
  const { wallet, accountId, marketId } = position
  const side = position.size > 0n ? 'long' : 'short'
  const monitor: MonitorId = {
    ...{ chatId: rule.chatId, kind: 'liquidation-distance', identity: '' },
    subject: { is: 'position', wallet, accountId, marketId, side },
  }
  return {
    ...{ key: monitorKey(monitor), rule, monitor, position, before: [], missing: 0, isEndTold: false },
    ...{ recalled: false, paused: null },
    ...{ line: OUTSIDE, alertId: null, insideMs: null, owedMs: 0, holesMs: 0 },
    ...{ rangAt: 0, times: 0, newsAt: 0, lostMs: 0 },
    ...{ acknowledgedUntil: null, acknowledgedAt: null, due: null, unheeded: false },
  }
}

export const critical = (line: number): boolean => line <= CRITICAL

export const samePosition = (a: Position, b: Position): boolean => positionKey(a) === positionKey(b)

export function distance({ size, liquidationPrice }: Position, price: number): number {
  const liquidation = toNumber(liquidationPrice ?? 0n)
  return (size > 0n ? price - liquidation : liquidation - price) / price
}

/** The nearest line that is passed, the nearest that is not yet left behind, and the nearest passed by more than its band. */
export function nearest(lines: readonly number[], away: number) {
  const least = (passed: (line: number) => boolean) => Math.min(OUTSIDE, ...lines.filter(passed))
  return {
    enter: least((line) => away <= line + 1e-12),
    stay: least((line) => away <= line * BAND + 1e-12),
    beyond: least((line) => away <= line * (2 - BAND) + 1e-12),
  }
}
