import { openChat } from './access.ts'
import { isObject } from './markup.ts'
import { badRequest } from './refusal.ts'
import { type Args, args as argsOf } from './request.ts'
import type { Command, World } from './world.ts'

/** https://core.telegram.org/bots/api#botcommand and #setmycommands */
const MOST_COMMANDS = 100
const LONGEST_NAME = 32
const LONGEST_DESCRIPTION = 256

/** The command menus, one for each scope and language. */
export function setMyCommands(world: World, args: Args): unknown {
  const commands = readCommands(args)
  const key = scopeAndLanguage(world, args)
  for (const { command, description } of commands) {
    if (command === '') throw badRequest('Command must be non-empty')
    if ([...command].length > LONGEST_NAME) {
      throw badRequest(`Command length must not exceed ${LONGEST_NAME}`)
    }
    if (description === '') throw badRequest('Command description must be non-empty')
    if ([...description].length > LONGEST_DESCRIPTION) {
      throw badRequest(`Command description length must not exceed ${LONGEST_DESCRIPTION}`)
    }
    if (!/^[a-z0-9_]+$/.test(command)) throw badRequest('BOT_COMMAND_INVALID')
  }
  if (commands.length > MOST_COMMANDS) throw badRequest('BOT_COMMANDS_TOO_MUCH')
  world.menus.set(key, commands)
  return true
}

export function getMyCommands(world: World, args: Args): unknown {
  return world.menus.get(scopeAndLanguage(world, args)) ?? []
}

export function deleteMyCommands(world: World, args: Args): unknown {
  world.menus.delete(scopeAndLanguage(world, args))
  return true
}

/** https://core.telegram.org/bots/api#setmydescription and #setmyshortdescription */
const LONGEST_TEXT = { description: 512, short_description: 120 }

/** What people read of the bot before they have started it, one text for each language. */
export function setText(world: World, args: Args, field: keyof typeof LONGEST_TEXT): unknown {
  const language = languageOf(args)
  const text = args.text(field).trim()
  if ([...text].length > LONGEST_TEXT[field]) throw badRequest(`bot ${field.replace('_', ' ')} is too long`)
  world.texts.set(`${field} ${language}`.trim(), text)
  return true
}

/** A language without a text of its own shows the text without a language. */
export function getText(world: World, args: Args, field: keyof typeof LONGEST_TEXT): unknown {
  const language = languageOf(args)
  return { [field]: world.texts.get(`${field} ${language}`.trim()) ?? world.texts.get(field) ?? '' }
}

/** https://core.telegram.org/bots/api#menubutton, of all private chats or of one. */
export function setChatMenuButton(world: World, args: Args): unknown {
  const place = args.text('chat_id') || 'all'
  const button = args.text('menu_button') === '' ? { type: 'default' } : args.json('menu_button')
  if (!isObject(button)) throw badRequest("Can't parse menu button JSON object")
  const { type } = button
  if (typeof type !== 'string' || !/^(default|commands|web_app)$/.test(type)) {
    throw badRequest("Can't parse menu button: MenuButton has unsupported type")
  }
  world.texts.set(`menu_button ${place}`, type)
  return true
}

export function getChatMenuButton(world: World, args: Args): unknown {
  return { type: world.texts.get(`menu_button ${args.text('chat_id') || 'all'}`) ?? 'default' }
}

function readCommands(args: Args): Command[] {
  if (args.text('commands') === '') return []
  const given = args.json('commands')
  if (given === undefined) throw badRequest("Can't parse commands JSON object")
  if (!Array.isArray(given)) throw badRequest('Expected an Array of BotCommand')
  return given.map((one: unknown) => {
    const wrong = (why: string) => badRequest(`Can't parse BotCommand: ${why}`)
    if (!isObject(one)) throw wrong('expected an Object')
    const field = (name: string): string => {
      const value = one[name]
      if (value === undefined) throw wrong(`Can't find field "${name}"`)
      if (typeof value !== 'string') throw wrong(`Field "${name}" must be of type String`)
      return value.trim()
    }
    return { command: field('command').replace(/^\//, ''), description: field('description') }
  })
}

function scopeAndLanguage(world: World, args: Args): string {
  const scope = readScope(world, args)
  return `${scope} ${languageOf(args)}`.trim()
}

function languageOf(args: Args): string {
  const language = args.text('language_code')
  if (!/^([a-z]{2})?$/.test(language)) throw badRequest('Invalid language code specified')
  return language
}

function readScope(world: World, args: Args): string {
  if (args.text('scope') === '') return 'default'
  const wrong = (why: string) => badRequest(`Can't parse BotCommandScope: ${why}`)
  const scope = args.json('scope')
  if (scope === undefined) throw badRequest("Can't parse BotCommandScope JSON object")
  if (!isObject(scope)) throw wrong('BotCommandScope must be an Object')
  const { type, chat_id: chatId, user_id: userId } = scope
  if (typeof type !== 'string') throw wrong('Can\'t find field "type"')
  if (/^(default|all_(private_chats|group_chats|chat_administrators))$/.test(type)) return type
  if (!/^chat(_administrators|_member)?$/.test(type)) throw wrong('Unsupported type specified')
  if (typeof chatId !== 'string' && typeof chatId !== 'number') throw wrong('Can\'t find field "chat_id"')
  if (chatId === '') throw wrong('Empty chat_id specified')
  const user = type === 'chat_member' ? Number(userId) : null
  if (user !== null && !(user > 0)) throw wrong('Invalid user_id specified')
  const chat = openChat(world, argsOf(new Map([['chat_id', String(chatId)]])), 'members')
  if (chat.kind === 'channel') throw badRequest("can't change commands in channel chats")
  if (type !== 'chat' && chat.kind === 'private') {
    throw badRequest("can't use specified scope in private chats")
  }
  return [type, chat.id, ...(user === null ? [] : [user])].join(' ')
}
