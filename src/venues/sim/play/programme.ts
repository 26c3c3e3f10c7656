import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

import { jsonOrNull } from '../../../lib/text/json.ts'
import { errorText } from '../../../lib/text/error-text.ts'
import { createExchange } from '../exchange/exchange.ts'
import { STANDARD_VENUE } from '../maths/terms.ts'
import { findScenario } from '../scenarios/index.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { marketListSchema } from '../wire/market.ts'
import { type Playback, stillPlayback } from './playback.ts'
import { planFor } from './plan.ts'
import { parseReplay, type Replay } from './replay.ts'
import { readSnapshot } from './snapshot.ts'
import { createWorld } from './world.ts'

/** A playback with its description, from a file or invented. */
export interface Programme {
  playback: Playback
  /** One sentence. */
  plays: string
  /** Market seconds until it ends; null if it never does. */
  endsAfterSeconds: number | null
}

/** The settings that choose the programme. */
export interface Choice {
  replayFile: string | undefined
  replaySymbol: string | undefined
  snapshotFile: string | undefined
  scenario: string | undefined
  speed: number
  seed: number
  walletCount: number
  traders: number
}

/**
 * The world moves in steps of two market seconds, but in at most thirty steps a real second. When time stands
 * still and only doors advance it, steps are one second.
 */
const STEP_SECONDS = 2
const STEPS_PER_SECOND = 30

export async function openProgramme(choice: Choice, startSeconds: number): Promise<Programme> {
  const { replayFile, snapshotFile, speed, seed } = choice
  const pace =
    speed === 0
      ? 'time stands still'
      : speed === 1
        ? 'in real time'
        : `prices ${speed} times as fast as real, funding and ages in real time`
  if (snapshotFile !== undefined) return openSnapshot(snapshotFile, startSeconds, pace)
  const replay = replayFile === undefined ? null : await openReplay(replayFile, choice.replaySymbol)
  const scenario = replay && choice.scenario === undefined ? null : findScenario(choice.scenario)
  const stepSeconds = speed === 0 ? 1 : Math.max(STEP_SECONDS, speed / STEPS_PER_SECOND)
  const playback = createWorld(planFor({ ...choice, replay, scenario }), {
    ...{ seed, stepSeconds, startSeconds },
    // Where funding is the story, its days pass as fast as prices move.
    pace: speed === 0 || scenario?.fastFunding === true ? 1 : speed,
  })
  const plays = replay
    ? replaySentence(replay, replayFile ?? '', pace)
    : inventedSentence(scenario, playback.lanes.length, pace)
  const length = replay && Math.ceil((replay.times.at(-1) ?? 0) - (replay.times[0] ?? 0))
  return { playback, plays, endsAfterSeconds: length }
}

async function openReplay(file: string, symbol: string | undefined): Promise<Replay> {
  const text = await read('SIM_REPLAY', file)
  try {
    return parseReplay(text, symbol)
  } catch (error) {
    const why = errorText(error)
    throw new Error(`SIM_REPLAY names ${file}, which cannot be played: ${why}.`, { cause: error })
  }
}

/** Serves recorded markets whose prices stay until a door sets them. */
async function openSnapshot(file: string, nowSeconds: number, pace: string): Promise<Programme> {
  const parsed = marketListSchema.safeParse(jsonOrNull(await read('SIM_SNAPSHOT', file)))
  const [element] = parsed.data ?? []
  if (!element) {
    const issue = parsed.error?.issues[0]
    const where = issue ? `${issue.path.join('.')} ${issue.message}`.trim() : 'it is empty'
    throw new Error(`SIM_SNAPSHOT names ${file}, which is no answer of GET /markets: ${where}.`)
  }
  const start = readSnapshot(element.markets, nowSeconds)
  const playback = stillPlayback(createExchange({ terms: STANDARD_VENUE, nowSeconds, ...start }))
  const plays = `It serves ${element.markets.length} recorded markets of ${basename(file)}, ${pace}.`
  return { playback, plays, endsAfterSeconds: null }
}

function read(variable: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw new Error(`${variable} names ${file}, which cannot be read: ${why}.`, { cause: error })
  })
}

function inventedSentence(scenario: Scenario | null, markets: number, pace: string): string {
  return `It plays ${markets} invented markets, ${scenario ? `${scenario.plays}, ` : ''}${pace}.`
}

function replaySentence(replay: Replay, file: string, pace: string): string {
  const from = new Date((replay.times[0] ?? 0) * 1000).toISOString().slice(0, 16).replace('T', ' ')
  return `It replays ${basename(file)} (${replay.prices.length} prices of ${replay.symbol} from ${from} UTC), ${pace}.`
}
