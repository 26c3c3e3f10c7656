import { z } from 'zod'

import { good, refusal } from '../endpoints/endpoint.ts'
import { type Door, door } from './door.ts'
import { faultSchema } from './fault.ts'

export const faults: readonly Door[] = [
  door({
    ...{ method: 'POST', path: '/_sim/fault', body: faultSchema },
    example: { path: '/positions', kind: 'status', status: 503, times: 5 },
    does: 'the next `times` (1) requests whose path begins with `path` (with `exactly`: is it), or all with `"*"`, meet the fault',
    open(stage, fault) {
      const isAdded = stage.faults.add(fault)
      const { length } = stage.faults.list()
      if (!isAdded) return refusal(409, `${length} faults wait already: DELETE /_sim/fault takes them back.`)
      return good({ faults: stage.faults.list() })
    },
  }),
  door({
    ...{ method: 'DELETE', path: '/_sim/fault', body: z.null(), example: null },
    does: 'takes back all faults and lets go of what hangs',
    open(stage) {
      stage.faults.clear()
      stage.release()
      return good({ faults: [] })
    },
  }),
]
