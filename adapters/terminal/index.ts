import process from 'node:process'

import type { OpenConversation } from '../../src/chat/conversation.ts'
import { createTerminal } from './terminal.ts'

/** The terminal that this process was started in, or the pipes in its place. */
export default (async ({ env, clock, emit, random }) =>
  createTerminal({
    input: process.stdin,
    output: process.stdout,
    clock,
    emit,
    env,
    random,
    // The first question about zones takes 15 ms, and the greeting shows no time.
    zone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
  })) satisfies OpenConversation
