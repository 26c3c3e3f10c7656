import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Destination, SendGates } from './send-gates.ts'

/** Sends under way: each closes its chat's gate behind it, and opens it at its end. */
export interface Flights {
  begin(to: Destination, work: () => Promise<void>): void
  underWay(): readonly Promise<void>[]
}

export function createFlights(world: {
  gates: SendGates
  clock: Clock
  emit: Emit
  /** One has ended; `last` when no other is under way. */
  landed(last: boolean): void
}): Flights {
  const { gates, clock, emit, landed } = world
  const flights = new Set<Promise<void>>()
  return {
    underWay: () => [...flights],
    begin(to, work) {
      gates.enter(to, clock.monotonic())
      const flight = work()
        .catch((error: unknown) => emit({ is: 'trouble', where: 'outbox', why: String(error), error }))
        .finally(() => {
          gates.leave(to)
          flights.delete(flight)
          landed(flights.size === 0)
        })
      flights.add(flight)
    },
  }
}
