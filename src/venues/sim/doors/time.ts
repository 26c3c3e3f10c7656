import { z } from 'zod'

import { good } from '../endpoints/endpoint.ts'
import { door, fields, eventsJson } from './door.ts'

/** One day: the venue answers no other request meanwhile. */
const MAX_ADVANCE_MS = 86_400_000

const ms = z
  .number('ms is a number')
  .min(0, 'ms is not negative')
  .max(MAX_ADVANCE_MS, `ms is at most ${MAX_ADVANCE_MS}, a day: ask again for more`)

export const time = door({
  ...{ method: 'POST', path: '/_sim/advance', body: fields({ ms }) },
  example: { ms: 2_000 },
  does: 'lets so much market time (a day at most) go by at once, also where it stands still (`SIM_SPEED=0`); answers with what happened',
  open(stage, { ms: given }) {
    const happened = stage.pass(given)
    return good({ nowSeconds: stage.exchange.nowSeconds, happened: eventsJson(happened) })
  },
})
