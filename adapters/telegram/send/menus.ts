import { isDeepStrictEqual } from 'node:util'

import type { Declaration } from '../../../src/chat/declaration.ts'
import { inWords } from '../../../src/message/message.ts'
import { type Clock, waited } from '../../../src/runtime/clock.ts'
import { type Api, isObject, waitMs } from './api.ts'

interface Entry {
  command: string
  description: string
}

/** https://core.telegram.org/bots/api#botcommand and #setmycommands */
const LONGEST_DESCRIPTION = 256
const MAX_COMMANDS = 100
const NAME = /^[a-z0-9_]{1,32}$/
const LIMIT_MS = 10_000
const TRIES = 8

/** The audience of each menu, and which commands it shows. */
const SCOPES: readonly { type: string; shows: (command: Declaration) => boolean }[] = [
  { type: 'all_private_chats', shows: ({ who }) => who !== 'operator' },
  { type: 'all_group_chats', shows: ({ audience, who }) => audience === 'chat' && who !== 'person' },
  { type: 'all_chat_administrators', shows: ({ audience }) => audience !== 'person' },
]

/** Sets the command menus. Sets only those that differ, because Telegram limits these calls. */
export async function setMenus(
  { api, clock, random }: { api: Api; clock: Clock; random: () => number },
  commands: readonly Declaration[],
  signal: AbortSignal,
): Promise<string[]> {
  const failed: string[] = []
  for (const { type, shows } of SCOPES) {
    const wanted = entries(commands.filter((command) => command.who !== 'local' && shows(command)))
    if (!(await setMenu({ api, clock, random }, type, wanted, signal))) failed.push(type)
  }
  return failed
}

async function setMenu(
  { api, clock, random }: { api: Api; clock: Clock; random: () => number },
  type: string,
  commands: readonly Entry[],
  signal: AbortSignal,
): Promise<boolean> {
  const scope = { type }
  for (let tries = 1; tries <= TRIES && !signal.aborted; tries++) {
    const now = await api.call('getMyCommands', { scope }, LIMIT_MS, signal)
    if (now.is === 'answered' && now.body.ok && isDeepStrictEqual(plain(now.body.result), commands))
      return true
    const set = await api.call('setMyCommands', { commands, scope }, LIMIT_MS, signal)
    if (set.is === 'answered' && set.body.ok) return true
    if (!(await waited(clock, waitMs(set, tries, random()), signal))) return false
  }
  return false
}

function entries(commands: readonly Declaration[]): Entry[] {
  return commands
    .filter(({ name }) => NAME.test(name))
    .slice(0, MAX_COMMANDS)
    .map(({ name, summary }) => ({
      command: name,
      description: [...inWords(summary)].slice(0, LONGEST_DESCRIPTION).join(''),
    }))
}

function plain(result: unknown): unknown[] {
  if (!Array.isArray(result)) return []
  return result.map((one: unknown) =>
    isObject(one) ? { command: one['command'], description: one['description'] } : one,
  )
}
