import type { Buffer } from 'node:buffer'

import type { Clock } from '../../../src/runtime/clock.ts'
import { type Commands, createCommands } from './commands.ts'
import { createPlace, type GuildState, type Place, type Role, type User } from './guilds.ts'
import { createIds, type NewId } from './ids.ts'
import type { Interaction } from './interactions.ts'
import { createMessages, type Messages } from './messages.ts'
import { createNews, type News } from './news.ts'

export interface SentFile {
  name: string
  content: Buffer
  /** The size that the interaction names, and the address, where these are not the true ones. */
  says?: { size?: number; url?: string }
}

/** Everything that this Discord knows. */
export interface World {
  clock: Clock
  newId: NewId
  news: News
  /** Null once it was reset, as Discord does to a bot that identifies too often. */
  token: string | null
  app: { id: string; name: string }
  bot: User
  guilds: Map<string, GuildState>
  places: Map<string, Place>
  users: Map<string, User>
  messages: Messages
  commands: Commands
  interactions: Map<string, Interaction>
  /** What people have chosen for a command, by id. */
  files: Map<string, SentFile>
  /** Where this Discord is. */
  origin: () => string
  /** Nonce and channel → the message that was made with it. */
  nonces: Map<string, { messageId: string; at: number }>
}

export function createWorld(clock: Clock, token: string): World {
  const newId = createIds(clock)
  const news = createNews()
  // The application's id differs from the bot user's on purpose, as it does for older applications.
  const bot: User = { id: newId(), name: 'Perch', bot: true, installed: false, open: false, dm: null }
  return {
    clock,
    newId,
    news,
    token,
    app: { id: newId(), name: 'Perch' },
    bot,
    guilds: new Map(),
    places: new Map(),
    users: new Map([[bot.id, bot]]),
    messages: createMessages(clock, newId, news),
    commands: createCommands(clock, newId),
    interactions: new Map(),
    files: new Map(),
    origin: () => 'http://127.0.0.1',
    nonces: new Map(),
  }
}

/** The direct messages between this user and the bot, opened when they are not. */
export function directMessages({ newId, places, bot }: World, user: User): Place {
  const dm = (user.dm ??= createPlace(newId, { name: user.name, kind: 'dm', people: [user] }))
  if (user === bot) throw new Error('The bot cannot write to itself')
  places.set(dm.id, dm)
  return dm
}

export function findRole({ guilds }: World, id: string): Role | undefined {
  for (const { roles } of guilds.values()) {
    const role = roles.find((one) => one.id === id)
    if (role) return role
  }
  return undefined
}
