import type { OpenConversation } from '../../src/chat/conversation.ts'
import { schema } from './config.ts'
import { createDiscord } from './discord.ts'

/** The bot whose token the environment names. */
export default (async ({ env, clock, emit, random }) =>
  createDiscord({ ...schema.parse(env), clock, emit, random })) satisfies OpenConversation
