import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import { host } from './http/host.ts'
import { OWNERS } from './play/catalogue.ts'
import { createMarketTime, keepMoving } from './play/market-time.ts'
import { type Choice, openProgramme } from './play/programme.ts'

interface Playing {
  url: string
  /** The wallet to try first, then the others. */
  owners: readonly string[]
  /** One sentence: what is being played. */
  plays: string
  close(): Promise<void>
}

/** Starts the simulated venue: its world moves with the clock, its server listens on loopback. */
export async function play(
  options: Choice & {
    /** Requests a second that somebody may send; null is without limit. */
    perSecond: number | null
    port: number
    control: boolean
  },
  clock: Clock,
  emit: Emit,
): Promise<Playing> {
  const { speed } = options
  // By the wall, also of a recording: a position of last year's would be open for a year.
  const { course, plays, endsAfterSeconds } = await openProgramme(options, Math.floor(clock.now() / 1000))
  // Many owners take seconds to be put there: time begins when they are.
  const time = createMarketTime(course, speed, clock.now() / 1000)
  const startMono = clock.monotonic()
  const server = await host(options, clock, { course, time })
  emit({ is: 'listening', what: 'simulated venue', url: server.url })

  // A few wallets are soon made up for; while nobody asks, nothing need be done for them.
  const isCrowded = options.owners > 0 || options.traders > 0
  const standStill = isCrowded && speed > 0 ? keepMoving(time, clock, startMono) : null

  // Until the last price is there, had it never stood still.
  const endMs = endsAfterSeconds && speed > 0 ? Math.ceil((endsAfterSeconds * 1000) / speed) : null
  let callOff = endMs === null ? null : clock.wakeAt(startMono + endMs, lookForEnd)
  function lookForEnd(): void {
    const elapsedMs = clock.monotonic() - startMono
    time.moveOn(elapsedMs)
    const untilMs = (endMs ?? 0) + time.stoodStillMs()
    if (elapsedMs >= untilMs) emit({ is: 'venue-ended' })
    else callOff = clock.wakeAt(startMono + untilMs, lookForEnd)
  }
  return {
    url: server.url,
    owners: OWNERS,
    plays,
    async close() {
      callOff?.()
      standStill?.()
      await server.close()
    },
  }
}
