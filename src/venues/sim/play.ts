import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Clock } from '../../clock.ts'
import type { Emit } from '../../event.ts'
import { answer, refusal } from './answers.ts'
import { OWNERS } from './catalogue.ts'
import { control } from './control.ts'
import { createFaults } from './faults.ts'
import { planFor } from './plan.ts'
import { parseReplay } from './replay.ts'
import type { Replay } from './replay.ts'
import { listen } from './server.ts'
import { createTape } from './tape.ts'
import { createWorld } from './world.ts'

interface Playing {
  url: string
  /** The wallet to try first, then the others. */
  owners: readonly string[]
  /** One sentence: what is being played. */
  plays: string
  close(): Promise<void>
}

/** The world moves in steps of two market seconds, but never in more than thirty steps a real second. */
const STEP_SECONDS = 2
const STEPS_PER_SECOND = 30

/** Starts the simulated venue: its world moves with the clock, its server listens on loopback. */
export async function play(
  options: {
    replayFile: string | undefined
    replaySymbol: string | undefined
    speed: number
    seed: number
    traders: number
    port: number
    control: boolean
  },
  clock: Clock,
  emit: Emit,
): Promise<Playing> {
  const { speed, seed } = options
  const replay =
    options.replayFile === undefined ? null : await open(options.replayFile, options.replaySymbol)
  const world = createWorld(
    planFor(replay, options.traders),
    seed,
    Math.max(STEP_SECONDS, speed / STEPS_PER_SECOND),
  )
  const faults = createFaults()
  const tape = createTape(world, speed)
  const startTick = clock.tick()

  // By the wall, also of a recording: a position of last year's would be open for a year.
  const startUnix = clock.now() / 1000
  const unix = (seconds: number) => startUnix + tape.elapsedMs(seconds) / 1000
  const server = await listen(
    options.port,
    clock,
    (asked) => {
      tape.moveOn(clock.tick() - startTick)
      if (!asked.path.startsWith('/_sim')) return answer(world, asked, unix)
      if (!options.control) return refusal(404, `No such path: ${asked.path}`)
      return control({ world, faults, speed, unix, release: () => server.release() }, asked)
    },
    (path) => (path.startsWith('/_sim') ? null : faults.take(path)),
  )
  emit({ is: 'listening', what: 'simulated venue', url: server.url })

  const endMs = replay && playMs(replay, world.stepSeconds, speed)
  let callOff = endMs === null ? null : clock.wakeAt(startTick + endMs, lookForEnd)
  function lookForEnd(): void {
    const elapsedMs = clock.tick() - startTick
    tape.moveOn(elapsedMs)
    const untilMs = (endMs ?? 0) + tape.stoodStillMs()
    if (elapsedMs >= untilMs) emit({ is: 'venue-ended' })
    else callOff = clock.wakeAt(startTick + untilMs, lookForEnd)
  }
  return {
    url: server.url,
    owners: OWNERS,
    plays: sentence(replay, options.replayFile, world.markets.length, speed),
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

/** Until the world has made the step that shows the last price, had it never stood still. */
function playMs(replay: Replay, stepSeconds: number, speed: number): number {
  const seconds = (replay.times.at(-1) ?? 0) - (replay.times[0] ?? 0)
  return Math.ceil((Math.ceil(seconds / stepSeconds) * stepSeconds * 1000) / speed)
}

function sentence(replay: Replay | null, file = '', markets: number, speed: number): string {
  const pace = `${speed} times as fast as real time`
  if (!replay) return `It plays ${markets} invented markets, ${pace}.`
  const from = new Date((replay.times[0] ?? 0) * 1000).toISOString().slice(0, 16).replace('T', ' ')
  return `It replays ${basename(file)} (${replay.prices.length} prices of ${replay.symbol} from ${from} UTC), ${pace}.`
}
