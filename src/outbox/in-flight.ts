import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Destination, SendGates } from './send-gates.ts'

/** The sends under way. Each closes the gate of its chat at its start and opens it at its end. */
export interface Flights {
  begin(to: Destination, work: () => Promise<void>): void
  underWay(): readonly Promise<void>[]
}

export function createFlights(world: {
  gates: SendGates
  clock: Clock
  emit: Emit
  /** A send has ended. `last` is true if no other is under way. */
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
