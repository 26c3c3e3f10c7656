import { setTimeout as sleep } from 'node:timers/promises'

import { type Extras, type RunningApp, startApp } from '../../adapters/discord/app.ts'
import { breathe, type HandClock, handClock } from '../clock.ts'
import type { Asked } from './asked.ts'
import type { Person } from './people.ts'
import { textOf } from './readable.ts'
import { type Discord, type DiscordOptions, startDiscord } from './server.ts'

/** The real bot in the stand-in of Discord, on a stage, under a clock that the test turns. */
export interface DiscordBot extends RunningApp {
  discord: Discord
  clock: HandClock
  /** Turns the clock until this is so. */
  until<T>(look: () => T | null | undefined | false, what: string): Promise<T>
  /** Runs a line, and turns the clock until the bot has answered; the text of the answer. */
  says(who: Person, line: string, where?: { id: string }): Promise<string>
  answered(asked: Asked): Promise<string>
  pass(ms: number): Promise<void>
  /** A session of each of the bot's shards is there, and its commands are registered. */
  online(): Promise<void>
}

const STEP_MS = 100
/**
 * discord.js waits in real time, and nobody counts it: before it opens a connection anew, and before it repeats an answer
 * that met a limit. Then our clock must not run away from it.
 */
const REAL_STEP_MS = 5
const aWhile = () => Promise.all([breathe(60), sleep(REAL_STEP_MS)])
/** Of the bot's time: what has not happened then is not to come. */
const LONGEST_MS = 20 * 60_000
/** Discord's own interval: under a clock that runs ahead discord.js would be silent for too long by itself. */
const BEAT_MS = 41_250

export async function startDiscordBot(
  /** Made when the stand-in is there and the bot is not. */
  prepare: (discord: Discord) => Partial<Extras> = () => ({}),
  options: Omit<DiscordOptions, 'clock'> & { down?: boolean; clock?: HandClock } = {},
): Promise<DiscordBot> {
  const { clock = handClock() } = options
  const discord = await startDiscord({ ...options, clock })
  if (options.down) await discord.down()
  // The limit of discord.js counts real seconds; the stand-in's counts ours.
  const running = await startApp(discord, clock, { globalPerSecond: 1_000_000, ...prepare(discord) })
  const { app, stage } = running
  const beat = () => {
    discord.gateway.asks()
    callOff = clock.wakeAt(clock.monotonic() + BEAT_MS, beat)
  }
  let callOff = clock.wakeAt(clock.monotonic() + BEAT_MS, beat)
  clock.restsWhen(async () => {
    await discord.idle()
    // An answer that is repeated after a while waits for the clock, or for discord.js.
    await Promise.race([app.idle(), stage.hangs(), discord.holds(), aWhile()])
  })

  const until: DiscordBot['until'] = async (look, what) => {
    for (const ends = clock.monotonic() + LONGEST_MS; ;) {
      await clock.advance(0)
      const found = look()
      if (found) return found
      if (clock.monotonic() > ends) throw new Error(`not so: ${what}`)
      await clock.advance(STEP_MS)
      if (discord.gateway.connected() < discord.gateway.shards()) await aWhile()
    }
  }
  const answered = async (asked: Asked) =>
    textOf(await until(() => asked.answered(), `an answer to ${asked.interaction.what}`))
  return {
    ...running,
    discord,
    clock,
    until,
    says: async (who, line, where) => answered(who.runs(line, {}, where)),
    answered,
    pass: (ms) => clock.advance(ms),
    async online() {
      const there = () =>
        discord.gateway.connected() === discord.gateway.shards() && discord.commands().length > 0
      await until(there, 'the bot is online')
    },
    async [Symbol.asyncDispose]() {
      callOff()
      let over = false
      const stopping = Promise.resolve(running[Symbol.asyncDispose]()).finally(() => (over = true))
      // Some waits of a stop only the clock can end.
      while (!over) {
        await breathe(20)
        if (!over) await clock.advance(100)
      }
      await stopping
      await discord.stop()
      if (clock.waiting() > 0) throw new Error(`${clock.waiting()} wake-ups are left: something still runs`)
    },
  }
}
