import type { OpenConversation } from '../../src/chat/conversation.ts'
import { schema } from './config.ts'
import { createDiscord } from './discord.ts'

/** Opens the bot whose token is in the environment. */
export default (async ({ env, clock, emit, random, mayAct }) =>
  createDiscord({
    ...schema.parse(env),
    clock,
    emit,
    random,
    ...(mayAct && { mayAct }),
  })) satisfies OpenConversation
