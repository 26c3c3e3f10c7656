import type { Conversation } from '../../src/chat/conversation.ts'
import type { Declaration } from '../../src/chat/declaration.ts'
import { backoffMs } from '../../src/lib/time/backoff.ts'
import { words } from '../../src/message/message.ts'
import { type Clock, waited } from '../../src/runtime/clock.ts'
import type { Emit } from '../../src/runtime/event.ts'
import { slashCommands } from './gateway/commands.ts'
import { createGateway, type Gateway } from './gateway/gateway.ts'
import { createInteractions, type Interactions } from './gateway/interactions.ts'
import { outageNotice, usedUpNotice } from './gateway/notices.ts'
import { register } from './gateway/registration.ts'
import { createApi } from './send/api.ts'
import { createChannels } from './send/channels.ts'
import { createDelivery } from './send/deliver.ts'
import { PACE } from './send/limits.ts'
import { outcomeOf } from './send/outcome.ts'
import type { CommandIds } from './send/text.ts'

const NOT_YET = 'it has not been reached yet'
const REGISTER_AGAIN = { firstMs: 5_000, longestMs: 10 * 60_000 }

/** Discord: slash commands and buttons come in through the gateway, everything goes out through REST. */
export function createDiscord(world: {
  token: string
  apiUrl: string
  clock: Clock
  emit: Emit
  random: () => number
  mostInvalid?: number
  globalPerSecond?: number
  mayAct?: () => boolean
}): Conversation {
  const { clock, emit, token, apiUrl, random, mayAct = () => true } = world
  const api = createApi(world)
  const channels = createChannels(api, clock)
  const stopping = new AbortController()
  let commandIds: CommandIds = new Map()
  let registered: Promise<void> | null = null
  let unreachable: string | null = NOT_YET
  let gateway: Gateway | null = null
  let interactions: Interactions | null = null
  const commands = () => commandIds

  /** Until it has worked once in this process. */
  async function keepRegistering(applicationId: string, declared: readonly Declaration[]): Promise<void> {
    const wanted = slashCommands(declared)
    for (let tries = 1; !stopping.signal.aborted; tries++) {
      try {
        commandIds = await register(api, applicationId, wanted, stopping.signal)
        return
      } catch (error) {
        if (stopping.signal.aborted) return
        const { is, why } = outcomeOf(error)
        emit({
          is: 'trouble',
          where: 'discord',
          why: `the commands could not be registered (${is}): ${why}`,
          error,
        })
        await waited(clock, backoffMs(tries, random(), REGISTER_AGAIN), stopping.signal)
      }
    }
  }

  return {
    name: 'discord',
    operatorSitsHere: false,
    namesArguments: true,
    mentions: true,
    destination: null,
    receipts: null,
    limits: PACE,
    async start(bot) {
      const answering = createInteractions({
        bot,
        api,
        channels,
        clock,
        emit,
        random,
        commands,
        apiUrl,
        mayAct,
      })
      interactions = answering
      gateway = createGateway({
        token,
        apiUrl,
        api,
        clock,
        emit,
        random,
        hear: (raw) => answering.hear(raw),
        ready: (applicationId) => void (registered ??= keepRegistering(applicationId, bot.commands)),
        reachable(why) {
          if (why === unreachable) return
          unreachable = why
          emit({ is: 'platform', platform: 'discord', why })
        },
        hopeless: (why) =>
          bot.tellOperator({ title: words('discord.deaf', { why }), lines: [words('discord.deaf.mend')] }),
        outage: (long, count) => bot.tellOperator(outageNotice(long, count)),
        usedUp: (total, ms) => bot.tellOperator(usedUpNotice(total, ms)),
      })
      emit({ is: 'platform', platform: 'discord', why: NOT_YET })
      // Retries until it is stopped. Other adapters start even if Discord is down.
      gateway.start()
    },
    ...createDelivery({ api, channels, clock, commands }),
    inspect: (by, chat, signal) => channels.inspect(by, chat, signal),
    async stop() {
      stopping.abort(new Error('stopping'))
      await interactions?.stop()
      await gateway?.stop()
      await registered
    },
  }
}
