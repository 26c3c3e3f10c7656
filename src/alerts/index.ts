import type { Kind } from '../alert.ts'
import breakEven from './break-even.ts'
import fundingCost from './funding-cost.ts'
import fundingFlip from './funding-flip.ts'
import liquidationDistance from './liquidation-distance.ts'
import liquidationMoved from './liquidation-moved.ts'
import marginRatio from './margin-ratio.ts'
import pnl from './pnl.ts'
import positionClosed from './position-closed.ts'
import positionOpened from './position-opened.ts'
import positionResized from './position-resized.ts'

/** Every kind of alert, in the order of help. */
export const kinds: readonly Kind[] = [
  liquidationDistance,
  liquidationMoved,
  marginRatio,
  pnl,
  breakEven,
  fundingCost,
  fundingFlip,
  positionOpened,
  positionClosed,
  positionResized,
]
