import { createHash } from 'node:crypto'

import { MessageFlags, type RawFile, Routes } from 'discord.js'

import type { Send } from '../../../src/chat/notifier.ts'
import { remember } from '../../../src/lib/data/remember.ts'
import type { SentRef } from '../../../src/message/address.ts'
import type { Delivery } from '../../../src/message/delivery.ts'
import { inWords, type Message, plainText, readerOf, type Text, words } from '../../../src/message/message.ts'
import { reasonText } from '../../../src/people/chat.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Api } from './api.ts'
import type { Channels } from './channels.ts'
import { ATTACHMENT_DESCRIPTION, NONCE, NONCE_LASTS_MS } from './limits.ts'
import {
  discordCode,
  GIVEN_UP,
  MISSING_PERMISSIONS,
  NO_HISTORY,
  outcomeOf,
  UNKNOWN_CHANNEL,
} from './outcome.ts'
import { render } from './render.ts'
import { type CommandIds, cutTo } from './text.ts'

/** Sends whose first attempt is remembered: more than can be under way at once. */
const REMEMBERED = 1_000
const PICTURE = 'picture.png'

/** Posts and edits messages, one attempt each. */
export function createDelivery({
  api,
  channels,
  clock,
  commands,
}: {
  api: Api
  channels: Channels
  clock: Clock
  commands: () => CommandIds
}): {
  deliver(send: Send, signal: AbortSignal): Promise<Delivery>
  edit(ref: SentRef, message: Message, signal: AbortSignal): Promise<Delivery>
  pin(ref: SentRef, isKept: boolean, signal: AbortSignal): Promise<Text | null>
} {
  const firstTried = new Map<string, { mono: number; nonce: string }>()

  /**
   * While Discord remembers the nonce, it drops a repeat, so the repeat needs no mark. The nonce is that of the first
   * attempt: acknowledgements change the text, but it is the same message.
   */
  const identity = (send: Send): { nonce: string; isMarked: boolean } => {
    const first = firstTried.get(send.key)
    const nonce = first?.nonce ?? nonceOf(send)
    if (!first) remember(firstTried, send.key, { mono: clock.monotonic(), nonce }, REMEMBERED)
    const isForgotten = !first || clock.monotonic() - first.mono > NONCE_LASTS_MS
    return { nonce, isMarked: send.possibleRepeat && isForgotten }
  }
  const post = async (
    channel: string,
    body: Record<string, unknown>,
    signal: AbortSignal,
    picture?: Uint8Array,
  ): Promise<string> => {
    const route = Routes.channelMessages(channel)
    const put = (content: Record<string, unknown>) =>
      picture === undefined
        ? api.bot('POST', route, { body: content, signal })
        : api.upload(route, { body: content, files: [fileOf(picture)], signal })
    try {
      return idOf(await put(body))
    } catch (error) {
      if (discordCode(error) !== NO_HISTORY || body['message_reference'] === undefined) throw error
      const { message_reference: _reference, ...plain } = body
      return idOf(await put(plain))
    }
  }
  const attempt = async (
    to: SentRef['address'],
    signal: AbortSignal,
    work: (channel: string) => Promise<string>,
  ): Promise<Delivery> => {
    if (signal.aborted) return GIVEN_UP
    try {
      const channel = await channels.resolve(to, signal)
      if (channel === null) return { is: 'gone', why: inWords(words('why.no-chat')) }
      const id = await work(channel)
      channels.works(to, true)
      return { is: 'sent', ref: { address: to, id } }
    } catch (error) {
      if (discordCode(error) === UNKNOWN_CHANNEL) channels.forget(to)
      const outcome = outcomeOf(error)
      if (outcome.is === 'gone') channels.works(to, false)
      return outcome
    }
  }
  return {
    deliver: (send, signal) =>
      attempt(send.to, signal, (channel) => {
        const { message, silent, plain, replyTo, mention, picture } = send
        const { nonce, isMarked } = identity(send)
        const body = {
          ...render(message, {
            now: clock.now(),
            commands: commands(),
            plain,
            possibleRepeat: isMarked,
            role: mention === null ? null : roleIn(mention),
          }),
          ...(picture && { attachments: [described(message, clock.now())] }),
          nonce,
          enforce_nonce: true,
          ...(silent ? { flags: MessageFlags.SuppressNotifications } : {}),
          ...(replyTo ? { message_reference: { message_id: replyTo.id, fail_if_not_exists: false } } : {}),
        }
        return post(channel, body, signal, picture)
      }),
    edit: (ref, message, signal) =>
      attempt(ref.address, signal, async (channel) => {
        const body = render(message, { now: clock.now(), commands: commands() })
        return idOf(await api.edit(Routes.channelMessage(channel, ref.id), { body, signal }))
      }),
    async pin(ref, isKept, signal) {
      try {
        const channel = await channels.resolve(ref.address, signal)
        if (channel === null) return words('why.no-chat')
        await api.pin(isKept ? 'PUT' : 'DELETE', Routes.channelMessagesPin(channel, ref.id), { signal })
        return null
      } catch (error) {
        return discordCode(error) === MISSING_PERMISSIONS
          ? words('card.pin.rights.named')
          : reasonText(outcomeOf(error).why)
      }
    },
  }
}

/**
 * The same for all attempts of one message, and different for other messages. The content is part of it, as keys start
 * again with a new database.
 */
function nonceOf({ key, message: { items, table } }: Send): string {
  return createHash('sha256')
    .update(JSON.stringify([key, items, table]))
    .digest('base64url')
    .slice(0, NONCE)
}

function fileOf(png: Uint8Array): RawFile {
  return { name: PICTURE, data: Buffer.from(png), contentType: 'image/png' }
}

/** https://docs.discord.com/developers/resources/message#attachment-object: the description is read aloud. */
function described(message: Message, now: number): { id: string; filename: string; description: string } {
  const said = plainText(message.picture?.words ?? '', readerOf(message, now))
  return { id: '0', filename: PICTURE, description: cutTo(said, ATTACHMENT_DESCRIPTION) }
}

function idOf(answer: unknown): string {
  return (answer as { id: string }).id
}

/** `<@&123>` or `123`; null when that is no role. */
function roleIn(mention: string): string | null {
  return /^(?:<@&)?(\d{15,21})>?$/.exec(mention)?.[1] ?? null
}
