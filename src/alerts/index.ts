import type { Kind } from '../alert/alert.ts'
import marginRatio from './account/margin-ratio.ts'
import fundingCost from './funding/funding-cost.ts'
import fundingFlip from './funding/funding-flip.ts'
import fundingForecast from './funding/funding-forecast.ts'
import fundingRate from './funding/funding-rate.ts'
import marketListed from './market/market-listed.ts'
import marketRemoved from './market/market-removed.ts'
import priceMove from './market/price-move.ts'
import price from './market/price.ts'
import noStop from './orders/no-stop.ts'
import orderExpired from './orders/order-expired.ts'
import orderFilled from './orders/order-filled.ts'
import orderStuck from './orders/order-stuck.ts'
import tpsl from './orders/tpsl.ts'
import twap from './orders/twap.ts'
import breakEven from './position/break-even.ts'
import followed from './position/followed.ts'
import liquidationDistance from './position/liquidation-distance.ts'
import liquidationMoved from './position/liquidation-moved.ts'
import pnl from './position/pnl.ts'
import positionClosed from './position/position-closed.ts'
import positionOpened from './position/position-opened.ts'
import positionResized from './position/position-resized.ts'

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
  followed,
  orderFilled,
  orderExpired,
  orderStuck,
  tpsl,
  noStop,
  twap,
  marketListed,
  marketRemoved,
]
