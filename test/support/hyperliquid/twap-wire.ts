import { decimal } from './decimals.ts'
import { fillJson } from './record-wire.ts'
import type { Account, Fill, Twap, TwapEntry } from './state.ts'

/** TWAPs as the venue writes them: recorded in October 2026. */
type Json = Record<string, unknown>

export function twapJson({ address }: Account, twap: Twap): Json {
  const { market, side, sz, executedSz, executedNtl, minutes, reduceOnly, randomize, at, trigger } = twap
  return {
    ...{ coin: market.name, user: address, side, sz: decimal(sz) },
    ...{ executedSz: decimal(executedSz), executedNtl: decimal(executedNtl) },
    ...{ minutes, reduceOnly, randomize, timestamp: at },
    trigger: trigger && { px: decimal(trigger.px), above: trigger.above },
    stopPx: twap.stopPx === null ? null : decimal(twap.stopPx),
  }
}

/** The time of an entry is in seconds, that of the state in milliseconds. */
export function twapEntryJson({ state, status, at, id }: TwapEntry): Json {
  return { time: Math.floor(at / 1_000), state, status, twapId: id }
}

/** The fill itself names no TWAP. */
export function sliceJson(fill: Fill): Json {
  return { fill: fillJson(fill), twapId: fill.twapId }
}
