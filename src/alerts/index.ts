import type { Kind } from '../alert.ts'
import breakEven from './break-even.ts'
import fundingCost from './funding-cost.ts'
import fundingFlip from './funding-flip.ts'
import fundingForecast from './funding-forecast.ts'
import fundingRate from './funding-rate.ts'
import liquidationDistance from './liquidation-distance.ts'
import liquidationMoved from './liquidation-moved.ts'
import marginRatio from './margin-ratio.ts'
import noStop from './no-stop.ts'
import orderExpired from './order-expired.ts'
import orderFilled from './order-filled.ts'
import orderStuck from './order-stuck.ts'
import tpsl from './tpsl.ts'
import marketListed from './market-listed.ts'
import marketRemoved from './market-removed.ts'
import pnl from './pnl.ts'
import positionClosed from './position-closed.ts'
import positionOpened from './position-opened.ts'
import positionResized from './position-resized.ts'
import priceMove from './price-move.ts'
import price from './price.ts'

/** Every kind of alert, in the order of help. */
export const kinds: readonly Kind[] = [
  liquidationDistance,
  liquidationMoved,
  marginRatio,
  pnl,
  breakEven,
  fundingCost,
  price,
  priceMove,
  fundingFlip,
  fundingForecast,
  fundingRate,
  positionOpened,
  positionClosed,
  positionResized,
  orderFilled,
  orderExpired,
  orderStuck,
  tpsl,
  noStop,
  marketListed,
  marketRemoved,
]
