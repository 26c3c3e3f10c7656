import type { APIInteraction } from 'discord.js'

import { createGateway } from '../../../../adapters/discord/gateway/gateway.ts'
import { createApi } from '../../../../adapters/discord/send/api.ts'
import type { Event } from '../../../../src/runtime/event.ts'
import { breathe, handClock } from '../../../support/clock.ts'
import { type Discord, type DiscordOptions, startDiscord } from '../../../support/discord/server.ts'

const STEP_MS = 250
const LONGEST_MS = 3 * 60 * 60_000
/** Discord's own interval: under a clock that runs ahead discord.js would be silent for too long by itself. */
const BEAT_MS = 41_250

/** The connections alone, and the stand-in of Discord, under one clock that the test turns. */
export async function startGateway(
  options: Omit<DiscordOptions, 'clock'> = {},
  prepare: (discord: Discord) => void = () => {},
) {
  const clock = handClock()
  const discord = await startDiscord({ clock, identifyGapMs: 5_000, ...options })
  prepare(discord)
  const { token, apiUrl } = discord
  const events: Event[] = []
  const states: (string | null)[] = []
  const heard: string[] = []
  const hopeless: string[] = []
  const outages: string[] = []
  const usedUp: number[] = []
  const emit = (event: Event) => void events.push(event)
  const gateway = createGateway({
    ...{ token, apiUrl, clock, emit },
    api: createApi({ token, apiUrl, clock, emit }),
    random: () => 0.5,
    hear: ({ id }: APIInteraction) => void heard.push(id),
    ready: () => {},
    reachable: (why) => void states.push(why),
    hopeless: (why) => void hopeless.push(why),
    outage: (long, count) => void outages.push(long ? long.shards.join() : `all ${count}`),
    usedUp: (_total, ms) => void usedUp.push(ms),
  })
  gateway.start()
  clock.restsWhen(() => discord.idle())
  const beat = () => {
    discord.gateway.asks()
    callOff = clock.wakeAt(clock.monotonic() + BEAT_MS, beat)
  }
  let callOff = clock.wakeAt(clock.monotonic() + BEAT_MS, beat)

  /** Turns the clock until this is so. What discord.js waits for in real time goes on meanwhile. */
  async function until(look: () => boolean, what: string, stepMs = STEP_MS): Promise<void> {
    for (const ends = clock.monotonic() + LONGEST_MS; !look();) {
      if (clock.monotonic() > ends) throw new Error(`not so: ${what}; ${JSON.stringify(states.slice(-3))}`)
      await clock.advance(stepMs)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  return {
    ...{ clock, discord, events, states, heard, hopeless, outages, usedUp, until, gateway },
    /** Every shard that Discord asks for is there, and no other. */
    allUp: () =>
      until(
        () => states.at(-1) === null && discord.gateway.connected() === discord.gateway.shards(),
        'all shards are up',
      ),
    async [Symbol.asyncDispose]() {
      callOff()
      let over = false
      const stopping = gateway.stop().finally(() => (over = true))
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
