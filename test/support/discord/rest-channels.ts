import { model } from './form.ts'
import { mustPost, mustSee, type Place } from './guilds.ts'
import { type Attachment, type Message, pingsOf } from './messages.ts'
import { checked, refusal } from './refusals.ts'
import type { Call, Route } from './rest.ts'
import { checkMessage, checkSnowflake, type Draft } from './validate/message.ts'
import { channelJson, messageJson } from './wire.ts'
import { directMessages, findRole, type World } from './world.ts'

/** "The past few minutes": https://docs.discord.com/developers/resources/message#create-message */
const NONCE_LASTS_MS = 3 * 60_000
const PAGE = 50

const seen = ({ world, params }: Call): Place => {
  checked((form) => checkSnowflake(form.at('channel_id'), params['channel']))
  return mustSee(world.places.get(params['channel'] ?? ''))
}

/** A message of the channel that everybody sees. */
const there = (call: Call): Message => {
  const place = seen(call)
  checked((form) => checkSnowflake(form.at('message_id'), call.params['message']))
  const message = call.world.messages.find(call.params['message'] ?? '')
  if (!message || message.place !== place || message.deletedAt !== null || message.visibleTo) {
    throw refusal('unknownMessage')
  }
  return message
}

/** The places of the files are the ids in `attachments`: https://docs.discord.com/developers/reference#uploading-files. */
export const attach = (
  { world, files }: Call,
  { attachments = [] }: Partial<Pick<Draft, 'attachments'>>,
): Attachment[] =>
  files.map(({ place, ...file }) => {
    const said = attachments.find(({ id }) => id === place)
    return { ...file, id: world.newId(), description: said?.description ?? null }
  })

/** Whom a new message notifies. */
export function pings(
  world: World,
  { may }: Pick<Place, 'may'>,
  { content = '', mentions }: Draft,
  byDefault: readonly string[],
): string[] {
  const user = (id: string) => world.users.get(id)?.name
  const role = (id: string) => {
    const found = findRole(world, id)
    const everyone = found && world.guilds.has(found.id)
    return found && !everyone && (found.mentionable || may.mentionEveryone) ? found.name : undefined
  }
  return pingsOf(content, mentions, { user, role }, byDefault)
}

const post: Route['answer'] = (call) => {
  const { world, body, files } = call
  const place = seen(call)
  const draft = checked((form) => checkMessage(form, body, 'post'))
  const what = {
    embeds: (draft.embeds ?? []).length > 0,
    files: files.length > 0,
    reply: draft.replyTo !== null,
  }
  mustPost(place, what, world.guilds.values())
  const key = `${place.id} ${draft.nonce}`
  const before = draft.enforceNonce && draft.nonce !== null ? world.nonces.get(key) : undefined
  const first =
    before && world.clock.monotonic() - before.at <= NONCE_LASTS_MS && world.messages.find(before.messageId)
  if (first) return { status: 200, body: messageJson(world, first) }
  checkReply(world, place, draft)
  const byDefault = ['users', 'roles', ...(place.may.mentionEveryone ? ['everyone'] : [])]
  const message = world.messages.add(
    draft,
    { place, origin: 'post' },
    attach(call, draft),
    pings(world, place, draft, byDefault),
  )
  if (draft.nonce !== null) world.nonces.set(key, { messageId: message.id, at: world.clock.monotonic() })
  return { status: 200, body: messageJson(world, message) }
}

function checkReply({ messages }: World, place: Place, { replyTo }: Draft): void {
  if (!replyTo) return
  const found = messages.find(replyTo.messageId)
  if (found?.place === place && found.deletedAt === null) return
  checked((form) => {
    if (replyTo.mustExist) form.at('message_reference').fail('REPLIES_UNKNOWN_MESSAGE', 'Unknown message')
  })
  replyTo.messageId = ''
}

const openDirectMessages: Route['answer'] = ({ world, body }) => {
  const id = checked((form) => {
    const said = model(form, body, ['recipient_id'])
    checkSnowflake(form.at('recipient_id'), said?.['recipient_id'])
    return String(said?.['recipient_id'])
  })
  const user = world.users.get(id)
  if (!user || user.bot) throw refusal('wrongRecipient')
  return { status: 200, body: channelJson(directMessages(world, user)) }
}

/** https://docs.discord.com/developers/resources/message#pin-message */
const pin =
  (isKept: boolean): Route['answer'] =>
  (call) => {
    const message = there(call)
    if (!message.place.may.pin) throw refusal('missingPermissions')
    message.pinned = isKept
    return { status: 204 }
  }

export const channelRoutes: readonly Route[] = [
  { method: 'PUT', path: '/channels/:channel/messages/pins/:message', answer: pin(true) },
  { method: 'DELETE', path: '/channels/:channel/messages/pins/:message', answer: pin(false) },
  { method: 'POST', path: '/channels/:channel/messages', answer: post },
  {
    method: 'GET',
    path: '/channels/:channel/messages',
    answer(call) {
      const place = seen(call)
      const all = place.may.history ? call.world.messages.all() : []
      const here = all.filter((one) => one.place === place && !one.visibleTo && one.deletedAt === null)
      return {
        status: 200,
        body: here
          .slice(-PAGE)
          .toReversed()
          .map((one) => messageJson(call.world, one)),
      }
    },
  },
  {
    method: 'GET',
    path: '/channels/:channel/messages/:message',
    answer: (call) => ({ status: 200, body: messageJson(call.world, there(call)) }),
  },
  {
    method: 'PATCH',
    path: '/channels/:channel/messages/:message',
    answer(call) {
      const { world } = call
      const message = there(call)
      const draft = checked((form) => checkMessage(form, call.body, 'edit'))
      world.messages.edit(message, draft, attach(call, draft))
      return { status: 200, body: messageJson(world, message) }
    },
  },
  {
    method: 'DELETE',
    path: '/channels/:channel/messages/:message',
    answer(call) {
      call.world.messages.remove(there(call))
      return { status: 204 }
    },
  },
  {
    method: 'GET',
    path: '/channels/:channel',
    answer: (call) => ({ status: 200, body: channelJson(seen(call)) }),
  },
  {
    method: 'POST',
    path: '/channels/:channel/typing',
    answer(call) {
      mustPost(seen(call), { embeds: false, files: false, reply: false }, call.world.guilds.values())
      return { status: 204 }
    },
  },
  { method: 'POST', path: '/users/@me/channels', answer: openDirectMessages },
]
