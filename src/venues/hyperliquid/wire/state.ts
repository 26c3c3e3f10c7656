import { z } from 'zod'

import { type Amount, divide, magnitude } from '../../../venue/amount.ts'
import type { Position } from '../../../venue/position.ts'
import type { Unusable } from '../../../venue/record/lacking.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import { leaveOut, unreadable } from '../../http/reply.ts'
import { coin, figure, one, whole } from '../../http/shape.ts'
import { accountOf, type Dex, dexOf } from './dexes.ts'

/** A position with its margin figures. */
export interface Held {
  position: Position
  /** The mark price at the moment of the read. */
  mark: Amount
  /** Null: the venue does not say. */
  marginUsed: Amount | null
  /**
   * Decides the maintenance margin. It is no choice of the trader, and may differ from the market's. Null: the
   * venue does not say.
   */
  maxLeverage: number | null
  /** The balance of its isolated bucket; null for cross margin. */
  rawUsd: Amount | null
}

/** A wallet's account in one dex. All values are in the dex's collateral token. */
export interface DexState {
  dex: Dex
  held: Held[]
  unusable: Unusable[]
  equity: Amount
  /** Without the buckets of isolated positions. */
  crossEquity: Amount
  crossUsed: Amount
  crossMaintenance: Amount
  withdrawable: Amount | null
  /** The venue's time; null if it does not send one. */
  time: number | null
}

const envelope = z.object({
  marginSummary: z.object({ accountValue: figure }),
  crossMarginSummary: z.object({ accountValue: figure, totalMarginUsed: figure }),
  crossMaintenanceMarginUsed: figure,
  withdrawable: figure.nullish().catch(null),
  assetPositions: z.array(z.unknown()),
  time: z.number().nullish().catch(null),
})

const element = z.object({
  position: z.object({
    coin,
    szi: figure,
    leverage: z
      .object({
        type: z.enum(['cross', 'isolated']).nullish().catch(null),
        value: z.number().nullish().catch(null),
        rawUsd: figure.nullish().catch(null),
      })
      .nullish()
      .catch(null),
    entryPx: figure.nullish().catch(null),
    positionValue: figure,
    liquidationPx: figure.nullable(),
    marginUsed: figure.nullish().catch(null),
    maxLeverage: z.number().int().positive().nullish().catch(null),
    cumFunding: z.object({ sinceOpen: figure }).nullish().catch(null),
  }),
})

/** A closed position may stay listed with size zero. */
const empty = z.object({ position: z.object({ szi: figure.refine((size) => size === 0n) }) })

/** Reads the answer of `clearinghouseState` for one wallet and dex. */
export function readState(body: unknown, wallet: Wallet, dex: Dex): DexState {
  const state = whole(envelope, body, 'the account')
  const held = new Map<string, Held>()
  const unusable: Unusable[] = []
  for (const [place, listed] of state.assetPositions.entries()) {
    if (empty.safeParse(listed).success) continue
    const parsed = one(element, listed)
    const what = `position ${place + 1} of ${state.assetPositions.length}`
    if (parsed.is === 'unusable') {
      leaveOut(unusable, { what, why: parsed.why, part: accountOf(dex) })
      continue
    }
    const { position } = parsed.value
    if (dexOf(position.coin) !== dex) {
      throw unreadable(`it is about ${accountOf(dexOf(position.coin))}, not ${accountOf(dex)}`)
    }
    const why = whyUnusable(position, held)
    if (why === null) held.set(position.coin, heldOf(position, wallet, dex))
    else leaveOut(unusable, { what: `${what} (${position.coin})`, why, part: accountOf(dex) })
  }
  return {
    dex,
    held: [...held.values()],
    unusable,
    equity: state.marginSummary.accountValue,
    crossEquity: state.crossMarginSummary.accountValue,
    crossUsed: state.crossMarginSummary.totalMarginUsed,
    crossMaintenance: state.crossMaintenanceMarginUsed,
    withdrawable: state.withdrawable ?? null,
    time: state.time ?? null,
  }
}

type Listed = z.output<typeof element>['position']

function whyUnusable({ coin, positionValue }: Listed, held: ReadonlyMap<string, Held>): string | null {
  if (positionValue <= 0n) return 'positionValue is not above zero'
  return held.has(coin) ? 'this position is listed twice' : null
}

function heldOf(listed: Listed, wallet: Wallet, dex: Dex): Held {
  const { szi, leverage, liquidationPx, positionValue, marginUsed, maxLeverage, cumFunding } = listed
  return {
    position: {
      wallet,
      accountId: accountOf(dex),
      marketId: listed.coin,
      size: szi,
      entryPrice: aboveZero(listed.entryPx),
      // Always take the venue's price: it counts collateral that this answer does not show.
      liquidationPrice: aboveZero(liquidationPx),
      margin: leverage?.type ?? null,
      leverage: leverage?.value ?? null,
      // The venue counts the funding that was paid.
      fundingUsd: cumFunding ? -cumFunding.sinceOpen : null,
      breakEvenPrice: null,
      realisedPnlUsd: null,
      openedAt: null,
    },
    mark: divide(positionValue, magnitude(szi)),
    marginUsed: marginUsed ?? null,
    maxLeverage: maxLeverage ?? null,
    rawUsd: leverage?.type === 'isolated' ? (leverage.rawUsd ?? null) : null,
  }
}

function aboveZero(price: Amount | null | undefined): Amount | null {
  return price && price > 0n ? price : null
}
