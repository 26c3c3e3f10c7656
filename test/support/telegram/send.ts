import { mayPost, openChat, openTopic } from './access.ts'
import { checkMarkup, isObject, readMarkup } from './markup.ts'
import { badRequest } from './refusal.ts'
import type { Args, Upload } from './request.ts'
import { caption, messageText } from './text.ts'
import { messageWire } from './wire.ts'
import { type Chat, type Message, record, show, statusOf, unixSeconds, type World } from './world.ts'

/** Sending, editing and deleting. Checks come in the order of the real server, so that its first complaint is ours. */
export function sendMessage(world: World, args: Args): unknown {
  checkPreview(args)
  const content = messageText(args)
  return post(world, 'sendMessage', args, { ...content, previewOff: previewOff(args) })
}

/** https://core.telegram.org/bots/api#sendphoto */
const LARGEST_PHOTO_BYTES = 10 * 1024 * 1024
const MOST_PIXELS = 10_000
const MOST_TIMES_WIDER = 20

export function sendFile(world: World, args: Args, kind: 'photo' | 'document'): unknown {
  const content = caption(args)
  const upload = args.file(kind)
  const known = world.files.get(args.text(kind))
  const file = upload ?? known
  if (!file && args.text(kind) === '') throw badRequest(`There is no ${kind} in the request`)
  if (!file) throw badRequest('wrong file identifier/HTTP URL specified')
  if (file.bytes === 0) throw badRequest('file must be non-empty')
  if (kind === 'photo') checkPhoto(file)
  if (upload) world.limits.upload(upload.bytes)
  const id = upload ? `file-${world.files.size + 1}` : args.text(kind)
  world.files.set(id, file)
  return post(world, kind === 'photo' ? 'sendPhoto' : 'sendDocument', args, {
    ...content,
    file: { ...file, kind, id },
  })
}

/** https://core.telegram.org/bots/api#sendphoto: width and height together, and their ratio. */
function checkPhoto({ bytes, pixels }: Upload): void {
  if (bytes > LARGEST_PHOTO_BYTES) throw badRequest('PHOTO_INVALID_DIMENSIONS')
  if (!pixels) throw badRequest('IMAGE_PROCESS_FAILED')
  const { width, height } = pixels
  const ratio = Math.max(width / height, height / width)
  if (width + height > MOST_PIXELS || !(ratio <= MOST_TIMES_WIDER))
    throw badRequest('PHOTO_INVALID_DIMENSIONS')
}

function post(world: World, method: string, args: Args, content: Partial<Message>): unknown {
  const reply = replyParameters(args)
  const markup = readMarkup(args)
  const chat = openChat(world, args, 'write')
  const thread = openTopic(args, chat)
  const replied = reply && chat.messages.get(reply.messageId)
  if (reply && (!replied || replied.deleted) && !reply.orNot) {
    throw badRequest('message to be replied not found')
  }
  checkMarkup(markup, false, chat.kind === 'private')
  mayPost(world, chat)
  world.limits.message(chat)
  const message = show(world, method, {
    chat,
    from: chat.kind === 'channel' ? null : world.bot,
    thread: thread ?? (chat.topics && replied ? replied.thread : null),
    replyTo: replied && !replied.deleted ? replied.id : null,
    silent: args.flag('disable_notification'),
    markup,
    ...content,
  })
  return messageWire(message)
}

function replyParameters(args: Args): { messageId: number; orNot: boolean } | null {
  if (!args.has('reply_parameters')) {
    const messageId = args.whole('reply_to_message_id')
    return messageId > 0 ? { messageId, orNot: args.flag('allow_sending_without_reply') } : null
  }
  if (args.text('reply_parameters') === '') return null
  const given = args.json('reply_parameters')
  if (given === undefined) throw badRequest("Can't parse reply parameters JSON object")
  if (!isObject(given)) throw badRequest('Object expected as reply parameters')
  if (Object.keys(given).length === 0) return null
  const id = given['message_id']
  if (id === undefined) throw badRequest('Can\'t find field "message_id"')
  const messageId = typeof id === 'string' || typeof id === 'number' ? Number(id) : NaN
  if (!Number.isInteger(messageId)) throw badRequest('Field "message_id" must be a valid Number')
  return messageId > 0 ? { messageId, orNot: given['allow_sending_without_reply'] === true } : null
}

function checkPreview(args: Args): void {
  if (args.text('link_preview_options') === '') return
  const given = args.json('link_preview_options')
  if (given === undefined) throw badRequest("Can't parse link preview options JSON object")
  if (!isObject(given)) throw badRequest('Object expected as link preview options')
}

function previewOff(args: Args): boolean {
  const given = args.json('link_preview_options')
  return isObject(given) ? given['is_disabled'] === true : args.flag('disable_web_page_preview')
}

export function editText(world: World, args: Args): unknown {
  checkPreview(args)
  const content = messageText(args)
  return edit(world, 'editMessageText', args, (message) => {
    if (message.file) throw badRequest('there is no text in the message to edit')
    return content
  })
}

export function editMarkup(world: World, args: Args): unknown {
  return edit(world, 'editMessageReplyMarkup', args, ({ text, entities }) => ({ text, entities }))
}

export function editCaption(world: World, args: Args): unknown {
  const content = caption(args)
  return edit(world, 'editMessageCaption', args, (message) => {
    if (!message.file) throw badRequest('there is no caption in the message to edit')
    return content
  })
}

/** Without a keyboard in the call the message loses its own. */
function edit(
  world: World,
  method: string,
  args: Args,
  content: (message: Message) => Pick<Message, 'text' | 'entities'>,
): unknown {
  const markup = readMarkup(args)
  if (!args.has('chat_id') && !args.has('message_id')) throw badRequest('Message identifier is not specified')
  const chat = openChat(world, args, 'edit')
  const message = find(chat, args, 'message to edit')
  checkMarkup(markup, true, chat.kind === 'private')
  if (!isOwn(world, message) || chat.is !== 'there') throw badRequest("Message can't be edited")
  const next = { ...content(message), markup }
  if (chat.person) mayPost(world, chat)
  if (appearance(next) === appearance(message)) {
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    )
  }
  world.limits.message(chat)
  Object.assign(message, next, { editDate: unixSeconds(world) })
  record(world, 'edited', method, message)
  return messageWire(message)
}

function appearance({ text, entities, markup }: Pick<Message, 'text' | 'entities' | 'markup'>): string {
  return JSON.stringify([text, entities, markup?.rows ?? []])
}

function find(chat: Chat, args: Args, what: string): Message {
  const message = chat.messages.get(args.whole('message_id'))
  if (!message || message.deleted) throw badRequest(`${what} not found`)
  return message
}

function isOwn(world: World, { from, chat, service }: Message): boolean {
  return service === null && (from === world.bot || (from === null && chat.kind === 'channel'))
}

/** https://core.telegram.org/bots/api#pinchatmessage: in a group the bot must be an administrator. */
export function pinMessage(world: World, args: Args, isKept: boolean): unknown {
  if (args.text('chat_id') === '') throw badRequest('Chat identifier is not specified')
  const chat = openChat(world, args, 'write')
  const message = find(chat, args, `message to ${isKept ? 'pin' : 'unpin'}`)
  if (chat.kind !== 'private' && !['creator', 'administrator'].includes(statusOf(chat, world.bot)))
    throw badRequest('not enough rights to manage pinned messages in the chat')
  message.pinned = isKept
  return true
}

/** https://core.telegram.org/bots/api#deletemessage */
const DELETABLE_S = 48 * 3600

export function deleteMessage(world: World, args: Args): unknown {
  if (args.text('chat_id') === '') throw badRequest('Chat identifier is not specified')
  if (args.whole('message_id') <= 0) throw badRequest('Message identifier is not specified')
  const chat = openChat(world, args, 'write')
  const message = find(chat, args, 'message to delete')
  const mine = isOwn(world, message) || chat.kind === 'private'
  if (!mine || unixSeconds(world) - message.date > DELETABLE_S) {
    throw badRequest("Message can't be deleted for everyone")
  }
  message.deleted = true
  record(world, 'deleted', 'deleteMessage', message)
  return true
}
