import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import { host } from './http/host.ts'
import { DEMO_WALLETS } from './play/catalogue.ts'
import { createMarketTime, keepMoving } from './play/market-time.ts'
import { type Choice, openProgramme } from './play/programme.ts'

interface Playing {
  url: string
  /** The wallet to try first, then the others. */
  wallets: readonly string[]
  /** One sentence about the played markets. */
  plays: string
  close(): Promise<void>
}

/** Starts the simulated venue: the clock moves its world, and its server listens on loopback. */
export async function play(
  options: Choice & {
    /** The requests a second that one client may send; null for no limit. */
    perSecond: number | null
    port: number
    control: boolean
  },
  clock: Clock,
  emit: Emit,
): Promise<Playing> {
  const { speed } = options
  // Starts at the real time, even for a recording: a position of last year would have been open for a year.
  const { playback, plays, endsAfterSeconds } = await openProgramme(options, Math.floor(clock.now() / 1000))
  // Opening many wallets takes seconds. Market time begins after that.
  const time = createMarketTime(playback, speed, clock.now() / 1000)
  const startMono = clock.monotonic()
  const server = await host(options, clock, { playback, time })
  emit({ is: 'listening', what: 'simulated venue', url: server.url })

  // A few wallets catch up quickly, so the world only moves when a request comes in. Many do not.
  const isCrowded = options.walletCount > 0 || options.traders > 0
  const standStill = isCrowded && speed > 0 ? keepMoving(time, clock, startMono) : null

  // When the last recorded price is due if market time never stood still.
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
    wallets: DEMO_WALLETS,
    plays,
    async close() {
      callOff?.()
      standStill?.()
      await server.close()
    },
  }
}
