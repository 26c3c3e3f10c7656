import { lacks, type NotifierPlatform } from '../contracts/adapter.ts'
import type { HandClock } from '../support/clock.ts'
import type { StandIn } from '../support/places/stand-in.ts'

/** The part of a world that is the same for every notifier. */
export function notifierWorld(standIn: StandIn, clock: HandClock) {
  clock.restsWhen(() => standIn.idle())
  const user = (name: string) => ({ platform: 'chat', user: name })
  return {
    clock,
    events: [],
    ann: user('ann'),
    ben: user('ben'),
    removes: lacks('a message that was sent there stays'),
    editsInPlace: false,
    settles: () => clock.advance(0),
    leftovers: () => [
      ...(clock.waiting() > 0 ? [`${clock.waiting()} wake-ups`] : []),
      ...(standIn.open() > 0 ? [`${standIn.open()} requests`] : []),
    ],
    close: () => standIn.close(),
  } satisfies Partial<NotifierPlatform>
}
