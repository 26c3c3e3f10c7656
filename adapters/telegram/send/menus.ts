import { isDeepStrictEqual } from 'node:util'

import type { Declaration } from '../../../src/chat/declaration.ts'
import { inWords, USUAL_LANGUAGE, words } from '../../../src/message/message.ts'
import { type Clock, waited } from '../../../src/runtime/clock.ts'
import { type Language, LANGUAGES } from '../../../src/words/words.ts'
import { type Api, isObject, waitMs } from './api.ts'

/** https://core.telegram.org/bots/api#botcommand and #setmycommands */
const LONGEST_COMMAND_DESCRIPTION = 256
const NAME = /^[a-z0-9_]{1,32}$/
/** https://core.telegram.org/bots/api#setmydescription and #setmyshortdescription */
const LONGEST_DESCRIPTION = 512
const LONGEST_SHORT_DESCRIPTION = 120
/** A longer menu is scrolled on a phone. The rest is behind /help. */
const MAX_COMMANDS = 12
const LIMIT_MS = 10_000
const TRIES = 8

/** One setting of the bot: where it is read and set, and what it must be. */
interface Setting {
  /** As it is called in the log. */
  name: string
  read: string
  set: string
  /** The parameters of both calls. */
  at: object
  wanted: object
  /** The part of the answer to compare with `wanted`. */
  found(result: unknown): object
}

/** The audience of each menu, in the order of use there, and which commands it shows. */
const SCOPES: readonly { type: string; place: 'private' | 'group'; shows(command: Declaration): boolean }[] =
  [
    { type: 'all_private_chats', place: 'private', shows: ({ who }) => who !== 'operator' },
    {
      type: 'all_group_chats',
      place: 'group',
      shows: ({ audience, who }) => (audience === 'chat' || audience === 'place') && who !== 'person',
    },
    { type: 'all_chat_administrators', place: 'group', shows: ({ audience }) => audience !== 'person' },
  ]

/**
 * Sets the menus of commands, the menu button and the bot's descriptions, in every language. Sets only those that differ,
 * because Telegram limits these calls. Returns those that failed.
 */
export async function setMenus(
  world: { api: Api; clock: Clock; random: () => number },
  commands: readonly Declaration[],
  signal: AbortSignal,
): Promise<string[]> {
  const failed: string[] = []
  for (const setting of [...LANGUAGES.flatMap((language) => inLanguage(commands, language)), MENU_BUTTON])
    if (!(await keep(world, setting, signal))) failed.push(setting.name)
  return failed
}

/** https://core.telegram.org/bots/api#menubuttoncommands: the button opens the menu of commands. */
const MENU_BUTTON: Setting = {
  name: 'menu button',
  read: 'getChatMenuButton',
  set: 'setChatMenuButton',
  at: {},
  wanted: { menu_button: { type: 'commands' } },
  found: (result) => ({ menu_button: { type: isObject(result) ? result['type'] : null } }),
}

/** The usual language has no code: everybody without words of their own reads it. */
function inLanguage(commands: readonly Declaration[], language: Language): Setting[] {
  const code = language === USUAL_LANGUAGE ? {} : { language_code: language }
  const name = (what: string) => (language === USUAL_LANGUAGE ? what : `${what} ${language}`)
  const menus = SCOPES.map(({ type, place, shows }): Setting => ({
    name: name(type),
    read: 'getMyCommands',
    set: 'setMyCommands',
    at: { scope: { type }, ...code },
    wanted: { commands: entries(commands.filter(shows), place, language) },
    found: (result) => ({ commands: Array.isArray(result) ? result.map(plain) : [] }),
  }))
  const described = (field: string, method: string, text: string): Setting => ({
    name: name(field),
    read: `get${method}`,
    set: `set${method}`,
    at: code,
    wanted: { [field]: text },
    found: (result) => ({ [field]: isObject(result) ? result[field] : null }),
  })
  const long = cutTo(inWords(words('menu.description'), language), LONGEST_DESCRIPTION)
  const short = cutTo(inWords(words('menu.short-description'), language), LONGEST_SHORT_DESCRIPTION)
  return [
    ...menus,
    described('description', 'MyDescription', long),
    described('short_description', 'MyShortDescription', short),
  ]
}

async function keep(
  { api, clock, random }: { api: Api; clock: Clock; random: () => number },
  { read, set, at, wanted, found }: Setting,
  signal: AbortSignal,
): Promise<boolean> {
  for (let tries = 1; tries <= TRIES && !signal.aborted; tries++) {
    const now = await api.call(read, at, LIMIT_MS, signal)
    if (now.is === 'answered' && now.body.ok && isDeepStrictEqual(found(now.body.result), wanted)) return true
    const done = await api.call(set, { ...at, ...wanted }, LIMIT_MS, signal)
    if (done.is === 'answered' && done.body.ok) return true
    if (!(await waited(clock, waitMs(done, tries, random()), signal))) return false
  }
  return false
}

function entries(commands: readonly Declaration[], place: 'private' | 'group', language: Language): object[] {
  const rank = ({ menu }: Declaration) => menu?.[place] ?? Infinity
  return commands
    .filter((one) => NAME.test(one.name) && rank(one) < Infinity)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_COMMANDS)
    .map(({ name, summary }) => ({
      command: name,
      description: cutTo(inWords(summary, language), LONGEST_COMMAND_DESCRIPTION),
    }))
}

function cutTo(text: string, most: number): string {
  return [...text].slice(0, most).join('')
}

function plain(one: unknown): unknown {
  return isObject(one) ? { command: one['command'], description: one['description'] } : one
}
