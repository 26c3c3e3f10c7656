import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import Database from 'better-sqlite3'

import { createDice } from '../support/seed.ts'
import { begin, type Life } from './life.ts'
import { createDarkness } from './darkness.ts'
import { createOracle } from './oracle.ts'
import type { Heard } from './heard.ts'
import type { Kill, Step } from './plan.ts'
import { openPlatforms } from './platforms.ts'
import { changeOf, createStory } from './story.ts'
import { createStriking, type Strikes } from './striking.ts'
import { freePort, takenIn } from './taken.ts'
import { openVenue } from './venue.ts'
import { type Due, type Fault, judge, type Verdict } from './verdict.ts'
import { CALM, HOLDINGS, type Listener } from './world.ts'

export interface Outcome extends Verdict {
  strikes: Strikes
  /** Ends of the program that nobody brought about, with the last lines of its log, and times in which it judged nothing. */
  crashes: string[]
  /** Said of blindness though the venue had answered within the time after which it may be said. */
  falselyBlind: Fault[]
  /** Chats that were not told of a dark venue within the time summed over the runs, or not of its return. */
  untoldBlindness: Fault[]
  /** What happened before a fault, the last of it last. */
  leadingTo(fault: Fault): string[]
  /** What SQLite says of the file at the end. */
  integrity: string
  seconds: number
}

/** So often one run reads and judges everything before it counts as seen: what is missing has to be so twice. */
const LOOKS = 3
const QUICK = { MARKET_POLL_MS: '60', OWNER_POLL_MIN_MS: '60', OWNER_POLL_MAX_MS: '150' }
const PLENTY = { VENUE_REQUESTS_PER_SECOND: '500', MAX_COMMANDS_PER_MINUTE: '1000', ACCESS: 'open' }
/** An outage of the markets is told after this; in so much time it is read more often than that. */
const BLIND_MS = 10_000
const STEADY_LOOKS = 20
/** So late at most it is told. */
const TOLD_WITHIN_MS = 60_000
/** Linux has a device that takes nothing, as a file on a full disk does. */
const FULL = '/dev/full'
/** They ended hours ago, or are about nothing that rang since: nothing of what is owed is any less owed. */
const STALE_LINES = ['/mute 1h', '/ack', '/snooze 2h']
const STEP_MS = 10
const ASK_EVERY_MS = 50
/** What is told later than a minute is told in other words: on a slow machine kills wait for the next step. */
const STEP_LIMIT_MS = 20_000

/** The real program lives through a plan; what it said is compared with what it owed. */
export async function torture(
  seed: number,
  plan: readonly Step[],
  how: {
    listeners: readonly Listener[]
    /** How long a step is waited for that is not told; what is not told then is lost. */
    patienceMs: number
    progress(line: string): void
    /** Ends it before its plan is at its end. */
    enough(): boolean
  },
): Promise<Outcome> {
  const began = performance.now()
  const now = () => performance.now()
  const dice = createDice(seed + 1)
  const folder = await mkdtemp(join(tmpdir(), 'perch-torture-'))
  const file = join(folder, 'perch.sqlite')
  await using venue = await openVenue(dice, now)
  await using platforms = await openPlatforms(now)
  const port = await freePort()
  const fullLog = existsSync(FULL) ? openSync(FULL, 'w') : undefined
  const env = {
    ...{ DATABASE_URL: file, VENUE_URL: venue.url, LOG_LEVEL: 'warn', HTTP_PORT: String(port) },
    ...QUICK,
    ...PLENTY,
  }
  const oracle = createOracle(how.listeners, CALM)
  const story = createStory(now)
  const owed: Due[] = []
  const crashes: string[] = []
  const givenUp = new Map<string, number>()
  let life = null as Life | null
  let since = 0
  let isLogFull = false

  /** Until this is so, or the program has ended, or the limit is reached. */
  const comes = async (so: () => boolean, limitMs = Infinity) => {
    const ends = now() + limitMs
    while (!so() && now() < ends && life?.dead() === false) await sleep(STEP_MS)
    return so()
  }
  const living = (): Life => {
    if (life && !life.dead()) return life
    since = venue.served.length
    story.note('started')
    life = begin({ ...env, ...platforms.env }, isLogFull ? fullLog : undefined)
    return life
  }
  const looks = (step: number) => {
    const counts = new Map<string, number>()
    for (let n = venue.served.length - 1; n >= since && venue.served[n]?.step === step; n--) {
      const what = venue.served[n]?.what ?? ''
      counts.set(what, (counts.get(what) ?? 0) + 1)
    }
    const wanted = ['markets', ...new Set(HOLDINGS.map(({ wallet }) => wallet))]
    return wanted.every((what) => (counts.get(what) ?? 0) >= LOOKS)
  }
  /** That it was served is not enough: while the disk is slow the newest of what was read takes the place of the older. */
  const takesIn = async (one: Life) => {
    for (let look = 0; look < LOOKS; look++) {
      const begun = now()
      for (let turns = Infinity, judged = 0; judged < turns + 2;) {
        if (one.dead()) return false
        const agoMs = now() - begun
        if (agoMs > how.patienceMs) {
          crashes.push(`It runs, and has not judged anew for ${Math.round(agoMs / 1_000)} s.`)
          return true
        }
        const taken = await takenIn(port)
        const isNew = taken && Math.max(taken.walletsMs, taken.pricesMs) < agoMs
        // The first turn that ends may have begun before, the second has not.
        if (isNew) [turns, judged] = [Math.min(turns, taken.turns), taken.turns]
        await sleep(ASK_EVERY_MS)
      }
    }
    return true
  }
  /** Telegram keeps what is written to it while nobody polls. To a program that polls it is always news. */
  const comeLate = async () => {
    life?.kill()
    await life?.ended
    story.note('killed, and lines of hours ago wait for the next run')
    platforms.stale(STALE_LINES)
    living()
  }
  /** Seen by one run that lives on. Whoever dies unasked has crashed. */
  const seen = async () => {
    for (;;) {
      const one = living()
      if (await takesIn(one)) return
      crashes.push(one.program.log().slice(-2_000))
      if (crashes.length > 3) throw new Error(`the program does not stay up:\n${crashes.at(-1)}`)
    }
  }
  const untold = () => {
    const heard = Map.groupBy(platforms.heard.slice(first), idOf)
    const counted = [...Map.groupBy(owed, idOf)].map(
      ([id, all]) => [id, all.length - (heard.get(id)?.length ?? 0) - (givenUp.get(id) ?? 0)] as const,
    )
    return counted.filter(([, missing]) => missing > 0)
  }
  const isTold = () => untold().length === 0
  /** What is not told within the limit is lost, and not waited for again. */
  const told = async () => {
    for (const ends = now() + how.patienceMs; now() < ends;) {
      living()
      if (await comes(isTold, ends - now())) return
    }
    for (const [id, missing] of untold()) {
      how.progress(`not told: ${id}`)
      givenUp.set(id, (givenUp.get(id) ?? 0) + missing)
    }
  }

  let first = 0
  venue.shows(CALM, 0)
  living()
  await platforms.settle(how.listeners)
  const striking = createStriking({ venue, platforms, living, note: story.note })
  await comes(() => looks(0))
  // What stands at the beginning is told at the beginning.
  const begun = createOracle(how.listeners, { ...CALM, held: new Set() })({ ...CALM })
  owed.push(
    ...begun.filter(({ about }) => about.startsWith('distance')).map((one) => ({ ...one, servedAt: null })),
  )
  await told()
  first = platforms.heard.length
  owed.length = 0

  const dark = createDarkness({
    ...{ venue, platforms, living, now, patienceMs: how.patienceMs, note: story.note },
    chats: how.listeners.map(({ chat }) => chat),
  })
  const untoldBlindness: Fault[] = []
  let kills: readonly Kill[] = []
  for (const [index, step] of plan.entries()) {
    if (how.enough()) break
    const number = index + 1
    const from = venue.served.length
    const due = oracle(step.world).map((one): Due => ({ ...one, servedAt: null }))
    owed.push(...due)
    venue.spoils(step.spoilt)
    platforms.troubles(dice, step.faults)
    isLogFull = step.logFull
    if (step.stale) await comeLate()
    const isSettled = () => looks(number) && isTold()
    const isLast = index === plan.length - 1
    kills = await striking.step([...kills, ...step.kills], {
      change() {
        story.note(`step ${number}: ${changeOf(plan[index - 1]?.world ?? CALM, step.world)}`)
        venue.shows(step.world, number)
      },
      isSettled,
      comes,
      limitMs: isLast ? Infinity : STEP_LIMIT_MS,
    })
    await seen()
    story.note(`step ${number} was seen${isTold() ? ', and all is told' : ''}`)
    // What has to hold for a while is not owed before it has.
    if (!step.hurried || due.some(({ what }) => /^worse [12]$/.test(what))) await told()
    const isPriced = step.world.held === (plan[index - 1]?.world ?? CALM).held
    for (const one of due) {
      const wallet = HOLDINGS.find(({ label }) => one.about.includes(` ${label} `))?.wallet
      const what = isPriced ? 'markets' : wallet
      one.servedAt =
        venue.served.slice(from).find((served) => served.step === number && served.what === what)?.at ?? null
    }
    if (step.dark.length > 0) {
      await told()
      untoldBlindness.push(...(await dark.passes(step.dark)))
      await seen()
    }
    how.progress(`step ${number} of ${plan.length}: ${striking.strikes.kills} kills, ${owed.length} owed`)
  }
  venue.spoils(0)
  platforms.calm()
  await told()
  living().program.process.kill('SIGTERM')
  await life?.ended

  // The first kill may strike before it is noted that something of the beginning was sent: then that comes once more, marked.
  const happening = ({ chat, alert, what }: Heard) => `${chat}/${alert}/${what}`
  const ofBeginning = new Set(platforms.heard.slice(0, first).map(happening))
  const heard = platforms.heard.slice(first).filter((one) => !one.marked || !ofBeginning.has(happening(one)))
  const isSight = ({ about }: { about: string }) => about.startsWith('sight')
  const verdict = judge(
    owed,
    heard.filter((one) => !isSight(one)),
  )
  const answers = venue.served.flatMap(({ what, at }) => (what === 'markets' ? [at] : []))
  const falselyBlind = heard.filter(({ what, at }) => what === 'blind' && sawSteadily(answers, at))
  const sqlite = new Database(file)
  const integrity = String(sqlite.pragma('integrity_check', { simple: true }))
  sqlite.close()
  await rm(folder, { recursive: true })
  if (fullLog !== undefined) closeSync(fullLog)
  return {
    ...verdict,
    strikes: striking.strikes,
    crashes,
    falselyBlind,
    untoldBlindness,
    leadingTo: (fault) => story.leadingTo(fault, heard),
    integrity,
    seconds: Math.round((now() - began) / 1_000),
  }
}

/** Whether the markets were read all the time before: then nobody had a reason to say that they cannot be seen. */
function sawSteadily(answers: readonly number[], at: number): boolean {
  for (let end = at; end > at - TOLD_WITHIN_MS; end -= BLIND_MS / 10) {
    const looks = answers.filter((one) => one <= end && one > end - BLIND_MS).length
    if (looks < STEADY_LOOKS) return false
  }
  return true
}

function idOf({ chat, about, what }: { chat: string; about: string; what: string }): string {
  return `${chat}/${about}/${/^(liquidated|closed|unknown)$/.test(what) ? 'ended' : what}`
}
