import { Buffer } from 'node:buffer'

import {
  type APIInteraction,
  ComponentType,
  InteractionResponseType,
  MessageFlags,
  Routes,
  TextInputStyle,
} from 'discord.js'

import type { Bot, TryAnswer } from '../../../src/chat/bot.ts'
import { contentType } from '../../../src/chat/sent-file.ts'
import { remember } from '../../../src/lib/data/remember.ts'
import { inOrder } from '../../../src/lib/flow/in-order.ts'
import { backoffMs } from '../../../src/lib/time/backoff.ts'
import type { Delivery } from '../../../src/message/delivery.ts'
import {
  inWords,
  isSilent,
  item,
  type Message,
  message,
  say,
  spokenIn,
  words,
} from '../../../src/message/message.ts'
import { type Clock, endsWithin, pause, within } from '../../../src/runtime/clock.ts'
import type { Emit } from '../../../src/runtime/event.ts'
import type { Api } from '../send/api.ts'
import type { Channels } from '../send/channels.ts'
import {
  ACK_WITHIN_MS,
  CHOICE,
  CHOICES,
  INPUT_LABEL,
  INPUT_PLACEHOLDER,
  MODAL_TITLE,
} from '../send/limits.ts'
import { ALREADY_ACKNOWLEDGED, discordCode, outcomeOf, UNKNOWN_INTERACTION } from '../send/outcome.ts'
import { render } from '../send/render.ts'
import { type CommandIds, cutTo } from '../send/text.ts'
import { attachedFile } from './attachments.ts'
import { customId } from './buttons.ts'
import { type Asked, EVERYONE, readInteraction } from './inbound.ts'

/** Answers interactions: acknowledges each at once, runs it, and then edits the answer in. */
export interface Interactions {
  hear(raw: APIInteraction): void
  /** Takes no more interactions, and waits for those under way. */
  stop(): Promise<void>
}

/** Time limit of one attempt while a person waits. */
const ATTEMPT_MS = 2_500
const FILE_ATTEMPT_MS = 10_000
const ACK_ATTEMPTS = 3
const ACK_AGAIN = { firstMs: 200, longestMs: 400 }
/** After a resumed connection Discord may repeat interactions. */
const REMEMBERED = 5_000
const STOP_MS = 3_000
/** No answer to a question is longer. */
const LONGEST_ANSWER = 200

const FAULT = say(words('platform.failed'))
const NOT_OURS = message([item('plain', words('discord.old-button'))], {
  buttons: [{ label: words('discord.old-button.menu'), line: '/menu', replace: true }],
})

export function createInteractions({
  bot,
  api,
  channels,
  clock,
  emit,
  random,
  commands,
  apiUrl,
  mayAct,
}: {
  bot: Bot
  api: Api
  channels: Channels
  clock: Clock
  emit: Emit
  random: () => number
  commands: () => CommandIds
  apiUrl: string
  /** False while another process may lead: it has the interaction as well, and one of the two may answer. */
  mayAct: () => boolean
}): Interactions {
  const perPerson = inOrder()
  const seen = new Map<string, true>()
  const working = new Set<Promise<unknown>>()
  let stopped = false

  const callback = (asked: Asked, body: Record<string, unknown>) =>
    within(clock, ATTEMPT_MS, undefined, (signal) =>
      api.reply('POST', Routes.interactionCallback(asked.id, asked.token), { body, signal }),
    )

  /** Returns false if Discord has given the interaction up, or another process has taken it. Then nothing is done. */
  async function acknowledge(
    asked: Asked,
    type: InteractionResponseType,
    ephemeral: boolean,
  ): Promise<boolean> {
    const began = clock.monotonic()
    for (let attempt = 1; ; attempt++) {
      try {
        await callback(asked, { type, ...(ephemeral ? { data: { flags: MessageFlags.Ephemeral } } : {}) })
        return true
      } catch (error) {
        const code = discordCode(error)
        // The answer to an attempt that failed may have been lost on its way back.
        if (code === ALREADY_ACKNOWLEDGED && attempt > 1) return true
        const late = clock.monotonic() - began > ACK_WITHIN_MS
        const hopeless = code === UNKNOWN_INTERACTION || code === ALREADY_ACKNOWLEDGED
        if (hopeless || late || attempt === ACK_ATTEMPTS) {
          emit({
            is: 'trouble',
            where: 'discord',
            why: `an interaction could not be acknowledged: ${whyOf(error)}`,
          })
          return false
        }
        await pause(clock, backoffMs(attempt, random(), ACK_AGAIN))
      }
    }
  }

  async function answer(asked: Asked): Promise<void> {
    const { from, does } = asked
    if (does.is === 'type') return suggest(asked)
    if (does.is === 'ask') return openDialog(asked, does)
    const command = does.is === 'call' ? does.command : does.is === 'tap' ? does.line.slice(1) : ''
    const open = does.is !== 'nothing of ours' && (from.private || bot.audience(from, command) === 'chat')
    // A personal answer never replaces a message that others read.
    const replaces = does.is === 'tap' && does.replace && (open || !does.among)
    const type = replaces
      ? InteractionResponseType.DeferredMessageUpdate
      : InteractionResponseType.DeferredChannelMessageWithSource
    const acknowledged = acknowledge(asked, type, !open && !replaces)
    // In an object, so that the person's next question does not wait until this answer is there.
    const answered = await perPerson(from.by.user, async () => {
      if (stopped || !(await acknowledged)) return null
      const message = await ask(replaces ? { ...asked, from: { ...from, inPlace: true } } : asked)
      // An answer that one person alone sees does not count in the pace of the channel, where alerts go.
      return { sent: bot.answer(open ? from.chat : from.home, show(asked, message, replaces)) }
    })
    await answered?.sent
  }

  /** Opens a dialog for one answer. Discord takes it as the first reply only, so nothing is deferred before. */
  async function openDialog(
    { from, ...asked }: Asked,
    { start, replace, title }: Extract<Asked['does'], { is: 'ask' }>,
  ): Promise<void> {
    const waiting = bot.asked(from)
    const shown = waiting?.start === start ? inWords(waiting.placeholder) : ''
    const label =
      title.replace(/[*_`~|\\]/g, '').trim() || inWords(words('ask.your-answer'), from.language ?? undefined)
    const input = {
      type: ComponentType.TextInput,
      ...{ custom_id: 'answer', style: TextInputStyle.Short, required: true, max_length: LONGEST_ANSWER },
      ...(shown === '' ? {} : { placeholder: cutTo(shown, INPUT_PLACEHOLDER) }),
    }
    await callback(
      { from, ...asked },
      {
        type: InteractionResponseType.Modal,
        data: {
          custom_id: customId({ line: start, replace }),
          title: cutTo(label, MODAL_TITLE),
          components: [{ type: ComponentType.Label, label: cutTo(label, INPUT_LABEL), component: input }],
        },
      },
    )
  }

  async function ask({ from, does }: Asked): Promise<Message> {
    try {
      if (does.is === 'call' && does.mute !== null) return cannotCall(does.mute)
      if (does.is === 'call') {
        const file = does.attached && attachedFile(does.attached, { apiUrl, clock })
        return await bot.call(file ? { ...from, file } : from, does.command, does.args)
      }
      return does.is === 'tap' ? await bot.line(from, does.line) : spokenIn(NOT_OURS, from.language)
    } catch (error) {
      emit({ is: 'trouble', where: 'discord', why: 'an input was not answered', error })
      return spokenIn(FAULT, from.language)
    }
  }

  /** Puts the answer where "is thinking…" stands; the same words may be put there twice. */
  function show(asked: Asked, message: Message, replaces: boolean): TryAnswer {
    const route = Routes.webhookMessage(asked.applicationId, asked.token, '@original')
    const put = (plain: boolean, signal: AbortSignal) => {
      if (isSilent(message)) return replaces ? null : api.reply('DELETE', route, { signal })
      const body = render(message, { now: clock.now(), commands: commands(), plain })
      // Refused as a file, it is shown as text as far as there is room. Named, it takes the place of one of an earlier attempt.
      if (!message.file || plain) return api.reply('PATCH', route, { body, signal })
      const { name, text } = message.file
      const files = [{ name, data: Buffer.from(text), contentType: contentType(name) }]
      return api.reply('PATCH', route, {
        body: { ...body, attachments: [{ id: '0', filename: name }] },
        files,
        signal,
      })
    }
    // Discord limits edits of old messages. Then the answer is a message of its own.
    const follow = (plain: boolean, signal: AbortSignal) =>
      api.reply('POST', Routes.webhook(asked.applicationId, asked.token), {
        body: render(message, { now: clock.now(), commands: commands(), plain }),
        signal,
      })
    let isRefused = false
    return async (to, { plain }, signal) => {
      const limitMs = message.file ? FILE_ATTEMPT_MS : ATTEMPT_MS
      const once = async (work: typeof put): Promise<Delivery> => {
        try {
          await within(clock, limitMs, signal, async (limit) => work(plain, limit))
          return { is: 'sent', ref: { address: to, id: '@original' } }
        } catch (error) {
          const outcome = outcomeOf(error)
          // An interaction is answered on a path of its own: its limits and its end say nothing about the chat.
          if (outcome.is === 'gone') return { is: 'rejected', why: outcome.why }
          return outcome.is === 'delayed' ? { ...outcome, scope: 'message' } : outcome
        }
      }
      if (isRefused) return once(follow)
      const shown = await once(put)
      isRefused = replaces && !message.file && shown.is === 'delayed' && shown.retryAfterMs !== null
      return isRefused ? once(follow) : shown
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
      if (stopped || !mayAct() || seen.has(raw.id)) return
      remember(seen, raw.id, true, REMEMBERED)
      const work = begin(raw).catch((error: unknown) =>
        emit({
          is: 'trouble',
          where: 'discord',
          why: `an interaction was not answered: ${whyOf(error)}`,
          error,
        }),
      )
      working.add(work)
      void work.finally(() => working.delete(work))
    },
    async stop() {
      stopped = true
      await endsWithin(clock, STOP_MS, Promise.all(working))
    },
  }

  async function begin(raw: APIInteraction): Promise<void> {
    const asked = readInteraction(raw, clock.now())
    if (!asked) return
    if (asked.sighting) channels.sight(asked.sighting)
    if (asked.directChannel !== null) channels.knows(asked.from.by.user, asked.directChannel)
    await answer(asked)
  }
}

function cannotCall(role: string): Message {
  return role === EVERYONE
    ? say(words('discord.everyone'))
    : say(words('discord.silent-role', { role }), words('discord.silent-role.mend'))
}

function whyOf(error: unknown): string {
  return outcomeOf(error).why
}
