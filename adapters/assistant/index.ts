import { randomUUID } from 'node:crypto'

import type { OpenClient } from '../../src/chat/client.ts'
import { createAssistants } from './assistants.ts'

/** Assistants of people, by the Model Context Protocol on our own HTTP server. */
export default (async ({ clock, emit, http }) =>
  createAssistants({ clock, emit, http, newId: randomUUID })) satisfies OpenClient
