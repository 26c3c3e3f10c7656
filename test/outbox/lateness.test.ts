import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { LIMITS, PLACES, type Plan, plans, type Span } from '../support/outage-plan.ts'
import { type Arrival, type History, live, type Put } from '../support/outages.ts'
import { budget } from '../support/seed.ts'

/** From when on a message says that it is late. */
const LATE_MS = 2_000
// What the outbox allows itself beside what a trouble leaves behind, each with the file that names it.
/** untaken: so long what is critical waits for its chat alone; and when it is looked at again after others were. */
const PATIENCE_MS = 60_000
const LOOK_AGAIN_MS = 5_000
/** dispatcher: outcomes are gathered so long while others are under way. */
const GATHER_MS = 5
/** gates: where one chat hangs after a hold of its whole platform, the next is tried so soon. */
const UNANSWERED_MS = 1_000
/** trials: a broken chat is tried so long after a start. */
const AFTER_START_MS = 60_000

/** What had to be waited out, and how long after its end it may still hold up what waits. */
interface Excuse extends Span {
  afterMs: number
}

/**
 * What may make a message late: trouble of its own chat, trouble of its own platform (after which each chat that hangs
 * may be asked first whether it is over), and times when nobody ran. No other chat, and no other platform.
 */
function excusesOf(chat: number, plan: Plan, downs: readonly Span[]): Excuse[] {
  const own = plan.chats[chat - 1] ?? null
  const { platform } = placeOf(chat)
  const wide = plan[platform]
  const there = PLACES.filter((one) => one.platform === platform).map((one) => plan.chats[one.chat - 1])
  const hanging = there.filter((one) => one?.name.startsWith('hangs'))
  // A start tries at once what works, and what is broken a while later.
  const afterMs = own?.name.startsWith('gone') === true ? AFTER_START_MS : 0
  return [
    ...(own ? [own] : []),
    ...(wide ? [{ ...wide, afterMs: wide.afterMs + hanging.length * UNANSWERED_MS }] : []),
    ...downs.map((down) => ({ ...down, afterMs })),
  ].toSorted((a, b) => a.from - b.from)
}

/**
 * By when what waits since then has gone, at a pace at which that takes `ownMs`. A trouble that began before that moves
 * it to its own end, what it leaves behind (`afterMs`) and the pace once more; one that began later is no excuse.
 */
function latest(since: number, ownMs: number, excuses: readonly Excuse[]): number {
  return excuses.reduce(
    (until, { from, to, afterMs }) => (from <= until ? Math.max(until, to + afterMs + ownMs) : until),
    since + ownMs,
  )
}

/**
 * How long so many messages take in one chat: each has one place, or two where the markup is refused first, and what went
 * before them has had one. A place is what the chat's rate leaves between two, and the gathering. All that are on the
 * platform may want its next place at once.
 */
function paceMs(chat: number, messages: number, onPlatform: number): number {
  const { platform, group } = placeOf(chat)
  const limits = LIMITS[platform]
  const perSecond = group && limits.group ? limits.group.perSecond : limits.chat.perSecond
  const placeMs = 1_000 / perSecond + GATHER_MS
  return (2 * messages + 1) * placeMs + (onPlatform * 1_000) / limits.platform.perSecond
}

function placeOf(chat: number) {
  const place = PLACES.find((one) => one.chat === chat)
  if (!place) throw new Error(`there is no chat ${chat}`)
  return place
}

/** The report of a run: in each list what did not keep one promise. */
function broken(plan: Plan, { puts, arrivals, attempts, handedOver, givenUp, downs }: History) {
  const copies = Map.groupBy(arrivals, ({ id }) => id)
  /** When it was sent, or given up and that was told. */
  const endMs = ({ id, chat, alert }: Put) =>
    copies.get(id)?.[0]?.ms ?? givenUp.get(`${chat} ${alert}`) ?? Infinity
  const platformOf = (chat: number) => placeOf(chat).platform

  const isLate = (put: Put) => {
    const { id, chat, ms } = put
    const first = puts.filter((one) => one.chat === chat && one.id <= id && endMs(one) >= ms)
    return endMs(put) > latest(ms, paceMs(chat, first.length, puts.length), excusesOf(chat, plan, downs))
  }
  /** Longer than its chat was busy, while there was no trouble there: whatever the urgency, others held it up. */
  const isHeldUp = (put: Put) => {
    const { chat, ms } = put
    const meanwhile = attempts.filter((one) => one.ms >= ms && one.ms < endMs(put))
    const here = meanwhile.filter((one) => one.chat === chat)
    const around = meanwhile.filter((one) => platformOf(one.chat) === platformOf(chat))
    const until = ms + paceMs(chat, here.length, around.length)
    const troubles = excusesOf(chat, plan, downs)
    return (
      endMs(put) > until && !troubles.some(({ from, to, afterMs }) => from <= until && to + afterMs >= ms)
    )
  }
  const isNotHandedOn = (put: Put) => {
    const { id, ms } = put
    const nobody = downs.map((down) => ({ ...down, afterMs: 0 }))
    const due = latest(ms + PATIENCE_MS, LOOK_AGAIN_MS, nobody)
    const at = handedOver.get(id)
    // A chat that is gone is not waited for.
    const earliest = plan.chats[put.chat - 1]?.name.startsWith('gone') === true ? ms : ms + PATIENCE_MS
    return at === undefined ? endMs(put) > due : at > due || at < earliest
  }
  const saysWrongly = ({ id, ms, text }: Arrival) => {
    const put = puts.find((one) => one.id === id)
    const isCopy = put?.copy === true && !text.includes('also sent to ')
    return isCopy || ms - (put?.seenMs ?? ms) >= LATE_MS !== text.includes('seen at ')
  }
  const isNewestLast = (about: Put[]) => {
    const ids = about.map(({ id }) => id)
    return arrivals.findLast(({ id }) => ids.includes(id))?.id === Math.max(...ids)
  }
  const critical = puts.filter(({ urgency }) => urgency === 0)
  const arrived = puts.filter(({ id }) => copies.has(id))
  const monitors = [...Map.groupBy(arrived, ({ chat, monitor }) => `${monitor} in ${chat}`).values()]
  return {
    late: critical.filter(isLate),
    heldUp: puts.filter(isHeldUp),
    notHandedOn: critical.filter(({ copy }) => !copy).filter(isNotHandedOn),
    staleLastWord: monitors.filter((about) => !isNewestLast(about)),
    saysWrongly: arrivals.filter(saysWrongly),
    unmarkedRepeat: [...copies.values()].flatMap(([, ...again]) =>
      again.filter((one) => !one.possibleRepeat),
    ),
  }
}

test('whatever breaks, for a while and wherever: what is critical waits for its own chat alone, the newest is the last word, and what is late says so', async () => {
  const met = { copies: 0, repeats: 0, deaths: 0, givenUp: 0 }
  const troubles = new Set<string>()
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const history = await live(plan)
      const { puts, arrivals, downs, givenUp } = history
      met.copies += puts.filter(({ copy }) => copy).length
      met.repeats += arrivals.length - new Set(arrivals.map(({ id }) => id)).size
      met.deaths += downs.length
      met.givenUp += givenUp.size
      for (const one of [...plan.chats, plan.telegram, plan.discord]) if (one) troubles.add(one.name)
      const none = { late: [], heldUp: [], notHandedOn: [], staleLastWord: [] }
      expect(broken(plan, history)).toEqual({ ...none, saysWrongly: [], unmarkedRepeat: [] })
    }),
    { numRuns: budget(40, 20) },
  )
  // The runs must have been worth it.
  expect(Math.min(...Object.values(met))).toBeGreaterThan(0)
  expect(troubles.size).toBeGreaterThan(10)
})
