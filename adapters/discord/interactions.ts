import { InteractionResponseType, MessageFlags, Routes } from 'discord.js'
import type { APIInteraction } from 'discord.js'

import type { Bot } from '../../src/chat.ts'
import { pause, within } from '../../src/clock.ts'
import type { Clock } from '../../src/clock.ts'
import type { Emit } from '../../src/event.ts'
import { inOrder } from '../../src/lib/in-order.ts'
import { say } from '../../src/message.ts'
import type { Message } from '../../src/message.ts'
import type { Api } from './api.ts'
import type { Channels } from './channels.ts'
import { readInteraction } from './inbound.ts'
import type { Asked } from './inbound.ts'
import { ACK_WITHIN_MS, CHOICE, CHOICES } from './limits.ts'
import { ALREADY_ACKNOWLEDGED, discordCode, outcomeOf, UNKNOWN_INTERACTION } from './outcome.ts'
import { remember } from './remember.ts'
import { isEmpty, render } from './render.ts'
import { cutTo } from './text.ts'
import type { CommandIds } from './text.ts'

/** Answers what people do: acknowledged at once, worked on after, shown in its place. */
export interface Interactions {
  hear(raw: APIInteraction): void
  /** Takes nothing more, and waits for what has begun. */
  stop(): Promise<void>
}

/** One attempt at a request of which a person waits for the end. */
const ATTEMPT_MS = 2_500
const ACK_ATTEMPTS = 3
const SHOW_ATTEMPTS = 6
const FIRST_PAUSE_MS = 150
/** After a resumed connection Discord may hand out again what we have. */
const REMEMBERED = 5_000
const STOP_MS = 3_000

const FAULT = say('That did not work, and the fault is mine. Please try again.')
const NOT_OURS = say('This button is none of mine any more. Say /help to see what I can do.')

export function createInteractions({
  bot,
  api,
  channels,
  clock,
  emit,
  commands,
}: {
  bot: Bot
  api: Api
  channels: Channels
  clock: Clock
  emit: Emit
  commands: () => CommandIds
}): Interactions {
  const perPerson = inOrder()
  const seen = new Map<string, true>()
  const working = new Set<Promise<unknown>>()
  let stopped = false

  const callback = (asked: Asked, body: Record<string, unknown>) =>
    limited((signal) =>
      api.reply('POST', Routes.interactionCallback(asked.id, asked.token), { body, signal }),
    )
  const limited = (work: (signal: AbortSignal) => Promise<unknown>) =>
    within(clock, ATTEMPT_MS, undefined, work)

  /** False: Discord has given up on it, or somebody else has it. Nothing is done then. */
  async function acknowledge(
    asked: Asked,
    type: InteractionResponseType,
    ephemeral: boolean,
  ): Promise<boolean> {
    const began = clock.tick()
    for (let attempt = 1; ; attempt++) {
      try {
        await callback(asked, { type, ...(ephemeral ? { data: { flags: MessageFlags.Ephemeral } } : {}) })
        return true
      } catch (error) {
        const code = discordCode(error)
        // The answer to an attempt that failed may have been lost on its way back.
        if (code === ALREADY_ACKNOWLEDGED && attempt > 1) return true
        const late = clock.tick() - began > ACK_WITHIN_MS
        const hopeless = code === UNKNOWN_INTERACTION || code === ALREADY_ACKNOWLEDGED
        if (hopeless || late || attempt === ACK_ATTEMPTS) {
          emit({
            is: 'trouble',
            where: 'discord',
            why: `an interaction could not be acknowledged: ${whyOf(error)}`,
          })
          return false
        }
        await pause(clock, FIRST_PAUSE_MS * attempt)
      }
    }
  }

  async function answer(asked: Asked): Promise<void> {
    const { from, does } = asked
    if (does.is === 'type') return suggest(asked)
    const command = does.is === 'call' ? does.command : does.is === 'tap' ? does.line.slice(1) : ''
    const args = does.is === 'call' ? does.args : {}
    const open =
      does.is !== 'nothing of ours' && (from.private || bot.audience(from, command, args) === 'chat')
    // What is personal never takes the place of what others read.
    const replaces = does.is === 'tap' && does.replace && (open || !does.among)
    const type = replaces
      ? InteractionResponseType.DeferredMessageUpdate
      : InteractionResponseType.DeferredChannelMessageWithSource
    const acknowledged = acknowledge(asked, type, !open && !replaces)
    await perPerson(from.by.user, async () => {
      if (stopped || !(await acknowledged)) return
      const message = await ask(asked)
      // What one person alone sees takes nothing of the pace of the channel, where alerts go.
      await bot.turn(open ? from.chat : from.home, () => show(asked, message, replaces))
    })
  }

  async function ask({ from, does }: Asked): Promise<Message> {
    try {
      if (does.is === 'call') return await bot.call(from, does.command, does.args)
      return does.is === 'tap' ? await bot.line(from, does.line) : NOT_OURS
    } catch (error) {
      emit({ is: 'trouble', where: 'discord', why: 'an input was not answered', error })
      return FAULT
    }
  }

  /** Puts the answer where "is thinking…" stands; the same words may be put there twice. */
  async function show(asked: Asked, message: Message, replaces: boolean): Promise<void> {
    const route = Routes.webhookMessage(asked.applicationId, asked.token, '@original')
    if (isEmpty(message)) {
      if (!replaces) await limited((signal) => api.reply('DELETE', route, { signal }))
      return
    }
    let plain = false
    for (let attempt = 1; ; attempt++) {
      try {
        const body = render(message, { now: clock.now(), commands: commands(), plain })
        await limited((signal) => api.reply('PATCH', route, { body, signal }))
        return
      } catch (error) {
        const outcome = outcomeOf(error)
        const hopeless = outcome.is === 'gone' || (outcome.is === 'rejected' && plain)
        if (hopeless || attempt === SHOW_ATTEMPTS) throw error
        if (outcome.is === 'rejected') {
          emit({
            is: 'trouble',
            where: 'discord',
            why: `an answer was refused, and goes out plain: ${outcome.why}`,
          })
          plain = true
        } else await pause(clock, Math.max(retryMs(outcome), FIRST_PAUSE_MS * 2 ** attempt))
      }
    }
  }

  async function suggest(asked: Asked): Promise<void> {
    const { from, does } = asked
    if (does.is !== 'type') return
    const choices = bot
      .suggest(from, does.command, does.argument, does.typed)
      .filter(({ value }) => value !== '' && value.length <= CHOICE)
      .slice(0, CHOICES)
      .map(({ label, value }) => ({ name: cutTo(label.trim() || value, CHOICE), value }))
    const unique = [...new Map(choices.map((choice) => [choice.name, choice])).values()]
    await callback(asked, {
      type: InteractionResponseType.ApplicationCommandAutocompleteResult,
      data: { choices: unique },
    })
  }

  return {
    hear(raw) {
      if (stopped || seen.has(raw.id)) return
      remember(seen, raw.id, true, REMEMBERED)
      const work = begin(raw).catch((error: unknown) =>
        emit({ is: 'trouble', where: 'discord', why: `an answer was not shown: ${whyOf(error)}`, error }),
      )
      working.add(work)
      void work.finally(() => working.delete(work))
    },
    async stop() {
      stopped = true
      const longEnough = new AbortController()
      const limit = pause(clock, STOP_MS, longEnough.signal).catch(() => {})
      await Promise.race([Promise.all(working), limit])
      longEnough.abort()
    },
  }

  async function begin(raw: APIInteraction): Promise<void> {
    const asked = readInteraction(raw)
    if (!asked) return
    if (asked.sighting) channels.sight(asked.sighting)
    if (asked.directChannel !== null) channels.knows(asked.from.by.user, asked.directChannel)
    await answer(asked)
  }
}

/** What Discord asked for. */
function retryMs(outcome: ReturnType<typeof outcomeOf>): number {
  return outcome.is === 'delayed' ? (outcome.retryAfterMs ?? 0) : 0
}

function whyOf(error: unknown): string {
  return outcomeOf(error).why
}
