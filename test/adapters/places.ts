import { lacks, type Platform } from '../contracts/adapter.ts'
import type { HandClock } from '../support/clock.ts'
import type { StandIn } from '../support/places/stand-in.ts'

const NOBODY_SPEAKS = lacks('nobody speaks there: it is a place where people are told')
const STAYS = lacks('what was told stays told')

/** What is the same of every place where people are told and nobody speaks. */
export function onlyTold(standIn: StandIn, clock: HandClock) {
  clock.restsWhen(() => standIn.idle())
  const user = (name: string) => ({ platform: 'chat', user: name })
  return {
    clock,
    events: [],
    ann: user('ann'),
    ben: user('ben'),
    group: NOBODY_SPEAKS,
    says: () => {},
    writes: NOBODY_SPEAKS,
    follows: NOBODY_SPEAKS,
    taps: NOBODY_SPEAKS,
    removes: STAYS,
    editsInPlace: false,
    comesAgain: NOBODY_SPEAKS,
    waits: NOBODY_SPEAKS,
    answerFaults: {
      passing: NOBODY_SPEAKS,
      limited: NOBODY_SPEAKS,
      rejected: NOBODY_SPEAKS,
      gone: NOBODY_SPEAKS,
    },
    settles: () => clock.advance(0),
    leftovers: () => [
      ...(clock.waiting() > 0 ? [`${clock.waiting()} wake-ups`] : []),
      ...(standIn.open() > 0 ? [`${standIn.open()} requests`] : []),
    ],
    close: () => standIn.close(),
  } satisfies Partial<Platform>
}
