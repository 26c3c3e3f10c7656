import { join } from 'node:path'

import type { Chat } from '../../../src/people/chat.ts'
import type { Delivery } from '../../../src/message/delivery.ts'
import { createDispatcher } from '../../../src/outbox/dispatcher.ts'
import type { Change } from '../../../src/store/change.ts'
import { aChat, aPerson } from '../../support/fixtures.ts'
import { newDatabase } from '../../support/new-database.ts'
import { chatsIn } from '../../support/outbox.ts'
import { aRow, sends, temporaryFolder } from '../../support/store.ts'
import type { Talk } from './session.ts'
import { openStore } from '../../support/open-store.ts'

/** The real outbox between the scripted bot and the platform; it knows ann's private chat as chat 1. */
export interface OutboxBehind {
  /** How each attempt at an answer ended. */
  endings: Delivery[]
  changes: Change[]
  /** Something critical for ann, through the store. */
  warns(message: ReturnType<typeof aRow>['message']): Promise<void>
  /** Lets the clock run, and what it starts come to rest. */
  passes(ms: number): Promise<void>
}

const STEP_MS = 250

export async function behindOutbox(
  { platform, bot, adapter, met }: Talk,
  test: (outbox: OutboxBehind) => Promise<void>,
): Promise<void> {
  const { clock, ann } = platform
  const { home } = await met(ann, 'home')
  const endings: Delivery[] = []
  const changes: Change[] = []
  const chat = aChat({ id: 1, address: home })
  const chats = new Map<number, Chat>([[1, chat]])
  const store = await openStore(newDatabase(join(temporaryFolder(), 'perch.sqlite')), 'sim', clock)
  await store.memory.commit([
    { is: 'person', person: aPerson() },
    { is: 'chat', chat },
  ])
  const dispatcher = createDispatcher({
    store: store.outbox,
    clock,
    emit: () => {},
    random: () => 0.5,
    adapters: new Map([[adapter().name, adapter()]]),
    chats: chatsIn(chats),
    async change(change) {
      // That it is handed on to another chat has tests of its own.
      if (change.is === 'undelivered') return
      changes.push(change)
      if (change.is !== 'chat-broken') return
      chats.set(1, { ...chat, brokenBecause: change.why })
      await store.memory.commit([{ is: 'chat', chat: { ...chat, brokenBecause: change.why } }])
    },
    delivered() {},
    draw: async () => null,
    localize: (message) => message,
  })
  await dispatcher.start()
  bot.answersThrough((to, attempt) =>
    dispatcher.answer(to, async (...given) => {
      const ending = await attempt(...given)
      endings.push(ending)
      return ending
    }),
  )
  try {
    await test({
      endings,
      changes,
      async warns(message) {
        await store.memory.commit(sends(aRow({ id: 1, urgency: 0, message, queuedAt: clock.now() })))
        dispatcher.nudge()
        await platform.settles()
      },
      async passes(ms) {
        for (let passed = 0; passed < ms; passed += STEP_MS) {
          await clock.advance(STEP_MS)
          await platform.settles()
        }
      },
    })
  } finally {
    await dispatcher.stop()
    await store.admin.close()
  }
}
