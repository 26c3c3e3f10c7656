import { type Form, list, model, notModelled, oneOf, text, truth, whole } from '../form.ts'
import { isSnowflake } from '../ids.ts'
import { checkComponents, type Row } from './components.ts'
import { checkEmbeds, type Embed } from './embeds.ts'

/** https://docs.discord.com/developers/resources/message#create-message */
const CONTENT = 2000
const NONCE = 25
const MOST_MENTIONS = 100
const MOST_FILES = 10
/** https://docs.discord.com/developers/resources/message#message-object-message-flags */
const SUPPRESS_EMBEDS = 4
export const EPHEMERAL = 64
export const SUPPRESS_NOTIFICATIONS = 4096
const COMPONENTS_V2 = 32_768

export interface Mentions {
  parse: string[]
  users: string[]
  roles: string[]
}

/** What a message body asks for; undefined means "not said", which an edit leaves as it is. */
export interface Draft {
  content: string | undefined
  embeds: Embed[] | undefined
  rows: Row[] | undefined
  flags: number
  mentions: Mentions | null
  nonce: string | null
  enforceNonce: boolean
  replyTo: { messageId: string; mustExist: boolean } | null
  attachments: { id: string; filename: string | null; description: string | null }[] | undefined
}

const FIELDS = [
  'content tts nonce enforce_nonce embeds components allowed_mentions flags',
  'message_reference attachments sticker_ids poll username avatar_url thread_name',
  'applied_tags',
].flatMap((fields) => fields.split(' '))
const REFERENCE = ['message_id', 'channel_id', 'guild_id', 'fail_if_not_exists', 'type']

/** A `post` goes to a channel, an `answer` to an interaction; an `edit` changes what is there, its flags stay. */
export function checkMessage(form: Form, value: unknown, kind: 'post' | 'answer' | 'edit'): Draft {
  const body = model(form, value ?? {}, FIELDS) ?? {}
  for (const other of ['poll', 'thread_name', 'applied_tags', 'username', 'avatar_url']) {
    if (body[other] !== undefined && body[other] !== null) notModelled(form.at(other), other)
  }
  truth(form.at('tts'), body['tts'])
  list(form.at('sticker_ids'), body['sticker_ids'], { max: 3 })
  const content = body['content'] === null ? '' : text(form.at('content'), body['content'], { max: CONTENT })
  return {
    content,
    embeds: body['embeds'] === undefined ? undefined : checkEmbeds(form.at('embeds'), body['embeds']),
    rows:
      body['components'] === undefined
        ? undefined
        : checkComponents(form.at('components'), body['components']),
    flags: kind === 'edit' ? 0 : checkFlags(form.at('flags'), body['flags'], kind),
    mentions: checkMentions(form.at('allowed_mentions'), body['allowed_mentions']),
    nonce: checkNonce(form.at('nonce'), body['nonce']),
    enforceNonce: truth(form.at('enforce_nonce'), body['enforce_nonce']),
    replyTo: checkReference(form.at('message_reference'), body['message_reference']),
    attachments: checkAttachments(form.at('attachments'), body['attachments']),
  }
}

function checkFlags(form: Form, value: unknown, kind: 'post' | 'answer'): number {
  const flags = whole(form, value, { min: 0, max: 2 ** 31 - 1 }) ?? 0
  if (flags & COMPONENTS_V2) notModelled(form, 'components V2')
  const known = SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2 | (kind === 'answer' ? EPHEMERAL : 0)
  if (flags & ~known) form.fail('MESSAGE_FLAGS_INVALID', `These flags cannot be set here: ${flags & ~known}`)
  return flags
}

function checkMentions(form: Form, value: unknown): Mentions | null {
  if (value === undefined || value === null) return null
  const said = model(form, value, ['parse', 'users', 'roles', 'replied_user'])
  if (!said) return null
  truth(form.at('replied_user'), said['replied_user'])
  const parse = list(form.at('parse'), said['parse'], { max: 3 }).flatMap(
    (one, index) => oneOf(form.at('parse', index), one, ['everyone', 'users', 'roles']) ?? [],
  )
  const ids = (key: 'users' | 'roles') => {
    const found = list(form.at(key), said[key], { max: MOST_MENTIONS })
    for (const [index, id] of found.entries()) checkSnowflake(form.at(key, index), id)
    if (found.length > 0 && parse.includes(key)) {
      const why = `parse:["${key}"] and ${key}: [ids...] are mutually exclusive.`
      form.fail('MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', why)
    }
    return found.map(String)
  }
  return { parse, users: ids('users'), roles: ids('roles') }
}

function checkNonce(form: Form, value: unknown): string | null {
  if (Number.isInteger(value)) return String(value)
  return text(form, value, { max: NONCE }) ?? null
}

function checkReference(form: Form, value: unknown): Draft['replyTo'] {
  if (value === undefined || value === null) return null
  const said = model(form, value, REFERENCE)
  if (!said) return null
  if (said['type'] !== undefined && said['type'] !== 0) notModelled(form.at('type'), 'forwarding')
  checkSnowflake(form.at('message_id'), said['message_id'])
  return { messageId: String(said['message_id']), mustExist: said['fail_if_not_exists'] !== false }
}

function checkAttachments(form: Form, value: unknown): Draft['attachments'] {
  if (value === undefined || value === null) return undefined
  return list(form, value, { max: MOST_FILES }).flatMap((item, index) => {
    const at = form.at(index)
    const one = model(at, item, ['id', 'filename', 'description', 'title', 'duration_secs', 'waveform'])
    if (!one) return []
    const short = (key: 'filename' | 'description') => text(at.at(key), one[key], { max: 1024 }) ?? null
    return [{ id: String(one['id']), filename: short('filename'), description: short('description') }]
  })
}

export function checkSnowflake(form: Form, value: unknown): void {
  if (!isSnowflake(value)) form.fail('NUMBER_TYPE_COERCE', `Value "${String(value)}" is not snowflake.`)
}
