import { type Form, list, model, oneOf, required } from './form.ts'
import {
  ANSWER_WITHIN_MS,
  COMMAND,
  COMPLETION,
  type Interaction,
  MOST_FOLLOW_UPS,
  SUBMIT,
  TAP,
  TOKEN_LASTS_MS,
} from './interactions.ts'
import type { Message } from './messages.ts'
import { checked, refusal } from './refusals.ts'
import { attach, pings } from './rest-channels.ts'
import type { Call, Route } from './rest.ts'
import { checkMessage, type Draft, EPHEMERAL } from './validate/message.ts'
import { checkModal } from './validate/modal.ts'
import { checkChoice, type Choice, STRING } from './validate/options.ts'
import { messageJson } from './wire.ts'

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-interaction-callback-type */
const MESSAGE = 4
const DEFERRED_MESSAGE = 5
const DEFERRED_UPDATE = 6
const UPDATE = 7
const CHOICES = 8
const MODAL = 9
const ALLOWED = {
  [COMMAND]: [MESSAGE, DEFERRED_MESSAGE, MODAL],
  [TAP]: [MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, MODAL],
  // A dialog opens no other one.
  [SUBMIT]: [MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE],
  [COMPLETION]: [CHOICES],
} as const
const MOST_CHOICES = 25
/** Answers to interactions mention users only, unless told. */
const MENTIONED_BY_DEFAULT = ['users']
const NOTHING: Draft = {
  content: undefined,
  embeds: undefined,
  rows: undefined,
  attachments: undefined,
  flags: 0,
  mentions: null,
  nonce: null,
  enforceNonce: false,
  replyTo: null,
}

const callback: Route['answer'] = (call) => {
  const { world, params, query, at } = call
  const interaction = world.interactions.get(params['id'] ?? '')
  if (!interaction || interaction.token !== params['token']) throw refusal('unknownInteraction')
  if (interaction.callback !== null) throw refusal('alreadyAcknowledged')
  if (at - interaction.at > ANSWER_WITHIN_MS) throw refusal('unknownInteraction')
  const respond = checked((form) => readCallback(form, call, interaction))
  respond()
  interaction.ackedAt = at
  world.news.happened({ is: 'acknowledged', interaction })
  if (query.get('with_response') !== 'true') return { status: 204 }
  const { original, id, type } = interaction
  const message = original && messageJson(world, original)
  return {
    status: 200,
    body: {
      interaction: { id, type, ...(original ? { response_message_id: original.id } : {}) },
      resource: { type: interaction.callback, ...(message ? { message } : {}) },
    },
  }
}

/** Checks the callback; what it returns does it. */
function readCallback(form: Form, call: Call, interaction: Interaction): () => void {
  const { world } = call
  const { place, user, message, type: kind } = interaction
  const body = model(form, call.body, ['type', 'data']) ?? {}
  const type = oneOf<4 | 5 | 6 | 7 | 8 | 9>(form.at('type'), body['type'], ALLOWED[kind])
  const at = form.at('data')
  const answer = (draft: Draft, thinking: boolean) => () => {
    const visibleTo = draft.flags & EPHEMERAL ? user : null
    const where = { place, origin: 'answer', interactionId: interaction.id, visibleTo, thinking } as const
    const whom = thinking ? [] : pings(world, place, draft, MENTIONED_BY_DEFAULT)
    interaction.original = world.messages.add(draft, where, attach(call, draft), whom)
    interaction.callback = type ?? null
  }
  switch (type) {
    case MESSAGE:
      return answer(checkMessage(at, body['data'], 'answer'), false)
    case DEFERRED_MESSAGE: {
      const { flags } = checkMessage(at, body['data'], 'answer')
      return answer({ ...NOTHING, flags: flags & EPHEMERAL }, true)
    }
    case DEFERRED_UPDATE:
    case UPDATE: {
      if (!message) form.at('type').fail('BASE_TYPE_CHOICES', 'There is no message to update')
      const draft = type === UPDATE ? checkMessage(at, body['data'], 'edit') : null
      return () => {
        if (draft && message) world.messages.edit(message, draft, attach(call, draft))
        interaction.original = message
        interaction.callback = type
      }
    }
    case MODAL: {
      const modal = checkModal(at, body['data'])
      return () => {
        interaction.modal = modal
        interaction.callback = type
      }
    }
    case CHOICES: {
      const choices = readChoices(at, body['data'], interaction)
      return () => {
        interaction.choices = choices
        interaction.callback = type
      }
    }
    case undefined:
      if (body['type'] === undefined) required(form.at('type'))
      return () => {}
    default:
      return type satisfies never
  }
}

function readChoices(form: Form, value: unknown, { focused }: Interaction): Choice[] {
  const body = model(form, value, ['choices'])
  return list(form.at('choices'), body?.['choices'], { max: MOST_CHOICES }).flatMap(
    (item, index) => checkChoice(form.at('choices', index), item, focused?.type ?? STRING) ?? [],
  )
}

/** The interaction that the token of the path belongs to, once it is acknowledged. */
function acknowledged({ world, params, at }: Call): Interaction {
  if (params['app'] !== world.app.id) throw refusal('unknownWebhook')
  const interaction = [...world.interactions.values()].find(({ token }) => token === params['token'])
  if (!interaction || at - interaction.at > TOKEN_LASTS_MS) throw refusal('wrongWebhookToken')
  const { callback: by } = interaction
  if (by === null || by === CHOICES || by === MODAL) throw refusal('unknownWebhook')
  return interaction
}

function meant(call: Call): Message {
  const { original, followUps } = acknowledged(call)
  const id = call.params['message']
  const message = id === '@original' ? original : [original, ...followUps].find((one) => one?.id === id)
  if (!message || message.deletedAt !== null) throw refusal('unknownMessage')
  return message
}

const edit: Route['answer'] = (call) => {
  const { world } = call
  const message = meant(call)
  const draft = checked((form) => checkMessage(form, call.body, 'edit'))
  world.messages.edit(message, draft, attach(call, draft))
  return { status: 200, body: messageJson(world, message) }
}

const followUp: Route['answer'] = (call) => {
  const { world } = call
  const interaction = acknowledged(call)
  const { original, user, place, followUps, guildInstalled } = interaction
  const draft = checked((form) => checkMessage(form, call.body, 'answer'))
  // The first one takes the place of "is thinking…", with the visibility that was chosen there.
  if (original?.thinking && original !== interaction.message) {
    world.messages.edit(original, draft, attach(call, draft))
    return { status: 200, body: messageJson(world, original) }
  }
  if (!guildInstalled && followUps.length >= MOST_FOLLOW_UPS) throw refusal('tooManyFollowUps')
  const visibleTo = draft.flags & EPHEMERAL ? user : null
  const where = { place, origin: 'follow-up', interactionId: interaction.id, visibleTo } as const
  const message = world.messages.add(
    draft,
    where,
    attach(call, draft),
    pings(world, place, draft, MENTIONED_BY_DEFAULT),
  )
  followUps.push(message)
  // Whoever waits for the answer sees it only now.
  world.news.happened({ is: 'edit', message })
  return { status: 200, body: messageJson(world, message) }
}

export const interactionRoutes: readonly Route[] = [
  { method: 'POST', path: '/interactions/:id/:token/callback', open: true, answer: callback },
  { method: 'POST', path: '/webhooks/:app/:token', open: true, answer: followUp },
  { method: 'PATCH', path: '/webhooks/:app/:token/messages/:message', open: true, answer: edit },
  {
    method: 'GET',
    path: '/webhooks/:app/:token/messages/:message',
    open: true,
    answer: (call) => ({ status: 200, body: messageJson(call.world, meant(call)) }),
  },
  {
    method: 'DELETE',
    path: '/webhooks/:app/:token/messages/:message',
    open: true,
    answer(call) {
      call.world.messages.remove(meant(call))
      return { status: 204 }
    },
  },
]
