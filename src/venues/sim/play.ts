import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Clock } from '../../clock.ts'
import type { Emit } from '../../event.ts'
import { OWNERS } from './catalogue.ts'
import { host } from './host.ts'
import { createMarketTime } from './market-time.ts'
import { planFor } from './plan.ts'
import { parseReplay } from './replay.ts'
import type { Replay } from './replay.ts'
import type { Scenario } from './scenario.ts'
import { findScenario } from './scenarios.ts'
import { createWorld } from './world.ts'

interface Playing {
  url: string
  /** The wallet to try first, then the others. */
  owners: readonly string[]
  /** One sentence: what is being played. */
  plays: string
  close(): Promise<void>
}

/** The world moves in steps of two market seconds, but never in more than thirty steps a real second; by hand in single ones. */
const STEP_SECONDS = 2
const STEPS_PER_SECOND = 30

/** Starts the simulated venue: its world moves with the clock, its server listens on loopback. */
export async function play(
  options: {
    replayFile: string | undefined
    replaySymbol: string | undefined
    speed: number
    seed: number
    owners: number
    traders: number
    scenario: string | undefined
    /** Requests a second that somebody may send; null is without limit. */
    perSecond: number | null
    port: number
    control: boolean
  },
  clock: Clock,
  emit: Emit,
): Promise<Playing> {
  const { speed, seed } = options
  const replay =
    options.replayFile === undefined ? null : await open(options.replayFile, options.replaySymbol)
  const scenario = replay && options.scenario === undefined ? null : findScenario(options.scenario)
  // By the wall, also of a recording: a position of last year's would be open for a year.
  const startUnix = clock.now() / 1000
  const world = createWorld(planFor({ ...options, replay, scenario }), {
    seed,
    stepSeconds: speed === 0 ? 1 : Math.max(STEP_SECONDS, speed / STEPS_PER_SECOND),
    startSeconds: Math.floor(startUnix),
  })
  const time = createMarketTime(world, speed, startUnix)
  const startTick = clock.tick()
  const server = await host({ ...options, speed }, clock, { course: world, time })
  emit({ is: 'listening', what: 'simulated venue', url: server.url })

  const endMs = replay && speed > 0 ? playMs(replay, speed) : null
  let callOff = endMs === null ? null : clock.wakeAt(startTick + endMs, lookForEnd)
  function lookForEnd(): void {
    const elapsedMs = clock.tick() - startTick
    time.moveOn(elapsedMs)
    const untilMs = (endMs ?? 0) + time.stoodStillMs()
    if (elapsedMs >= untilMs) emit({ is: 'venue-ended' })
    else callOff = clock.wakeAt(startTick + untilMs, lookForEnd)
  }
  return {
    url: server.url,
    owners: OWNERS,
    plays: sentence(replay, options.replayFile, scenario, world.lanes.length, speed),
    async close() {
      callOff?.()
      await server.close()
    },
  }
}

async function open(file: string, symbol: string | undefined): Promise<Replay> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw new Error(`SIM_REPLAY names ${file}, which cannot be read: ${why}.`, { cause: error })
  })
  try {
    return parseReplay(text, symbol)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`SIM_REPLAY names ${file}, which cannot be played: ${why}.`, { cause: error })
  }
}

/** Until the last price is there, had it never stood still. */
function playMs(replay: Replay, speed: number): number {
  const seconds = Math.ceil((replay.times.at(-1) ?? 0) - (replay.times[0] ?? 0))
  return Math.ceil((seconds * 1000) / speed)
}

function sentence(
  replay: Replay | null,
  file = '',
  scenario: Scenario | null,
  markets: number,
  speed: number,
): string {
  const pace = speed === 0 ? 'time stands still' : `${speed} times as fast as real time`
  if (!replay) return `It plays ${markets} invented markets, ${scenario ? `${scenario.plays}, ` : ''}${pace}.`
  const from = new Date((replay.times[0] ?? 0) * 1000).toISOString().slice(0, 16).replace('T', ' ')
  return `It replays ${basename(file)} (${replay.prices.length} prices of ${replay.symbol} from ${from} UTC), ${pace}.`
}
