import type { Kind } from '../alert.ts'
import fundingFlip from './funding-flip.ts'
import fundingForecast from './funding-forecast.ts'
import fundingRate from './funding-rate.ts'
import liquidationDistance from './liquidation-distance.ts'
import marginRatio from './margin-ratio.ts'
import marketListed from './market-listed.ts'
import marketRemoved from './market-removed.ts'
import positionClosed from './position-closed.ts'
import positionOpened from './position-opened.ts'
import positionResized from './position-resized.ts'
import priceMove from './price-move.ts'
import price from './price.ts'

/** Every kind of alert, in the order of help. */
export const kinds: readonly Kind[] = [
  liquidationDistance,
  marginRatio,
  price,
  priceMove,
  fundingFlip,
  fundingForecast,
  fundingRate,
  positionOpened,
  positionClosed,
  positionResized,
  marketListed,
  marketRemoved,
]
