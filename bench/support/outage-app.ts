import type { Send } from '../../src/chat/notifier.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { Crowd } from './crowd.ts'
import { type HttpApp, startHttpApp } from './http-app.ts'
import { instant } from './instant.ts'

/** The whole program, between a venue over HTTP that fails when it is told to and a platform that takes everything at once. */
export function startOutageApp(
  crowd: Crowd,
  options: {
    requestsPerSecond: number
    /** How many times as fast as the machine's the clock of the program is. */
    speed: number
    heard(event: Event): void
    took(send: Send): void
  },
): Promise<HttpApp> {
  const { requestsPerSecond, speed, heard, took } = options
  return startHttpApp(crowd, {
    ...{ settle: 'settle.ts', clock: faster(systemClock(), speed), platform: instant(took) },
    ...{ requestsPerSecond, walletPollMaxMs: 60_000, venueMs: 0, venueOf: (venue) => venue, heard },
  })
}

function faster(clock: Clock, times: number): Clock {
  const [wall, mono] = [clock.now(), clock.monotonic()]
  return {
    now: () => wall + (clock.now() - wall) * times,
    monotonic: () => mono + (clock.monotonic() - mono) * times,
    asleepMs: () => 0,
    wakeAt: (atMono, wake) => clock.wakeAt(mono + (atMono - mono) / times, wake),
  }
}
