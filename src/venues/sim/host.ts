import type { Clock } from '../../clock.ts'
import { openDoor } from './control-doors.ts'
import type { Course } from './course.ts'
import type { Stage } from './door.ts'
import { refusal } from './endpoint.ts'
import { createFaults } from './faults.ts'
import { createLimit } from './limit.ts'
import type { MarketTime } from './market-time.ts'
import { listen } from './server.ts'
import { isControl, serve } from './service.ts'

/** Serves a venue on loopback: its market time is moved on before every answer. */
export async function host(
  options: { port: number; control: boolean; perSecond: number | null; speed: number },
  clock: Clock,
  { course, time }: { course: Course; time: MarketTime },
): Promise<{ url: string; close(): Promise<void> }> {
  const startTick = clock.tick()
  const faults = createFaults()
  const limit = options.perSecond === null ? null : createLimit(options.perSecond)
  const stage: Stage = {
    ...{ exchange: course.exchange, unix: time.unix, faults },
    release: () => server.release(),
    pass: time.pass,
    setPrices: course.setPrices,
    listed: course.listed,
    about: () => ({ speed: options.speed, ...course.about() }),
  }
  const doors = options.control ? (asked: Parameters<typeof openDoor>[1]) => openDoor(stage, asked) : null
  const server = await listen(
    options.port,
    clock,
    (asked) => {
      time.moveOn(clock.tick() - startTick)
      if (course.isOut() && !isControl(asked.path)) return refusal(503, 'The simulated venue plays an outage')
      return serve({ limit, doors, url: server.url }, stage, asked, clock.tick())
    },
    (path) => (isControl(path) ? null : faults.take(path)),
  )
  return server
}
