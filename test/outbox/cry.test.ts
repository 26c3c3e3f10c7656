import { expect, test } from 'vitest'

import type { Chat, ChatAdapter } from '../../src/chat.ts'
import type { Delivery } from '../../src/delivery.ts'
import type { Event } from '../../src/event.ts'
import { createCry } from '../../src/outbox/cry.ts'
import { handClock } from '../support/clock.ts'

const HOME: Chat = {
  id: 1,
  address: { platform: 'red', chat: 'olga', thread: null },
  title: null,
  personId: 1,
  private: true,
  mention: null,
  brokenBecause: null,
  quiet: null,
  digest: null,
  pin: null,
}

test.each<[string, Delivery, string]>([
  ['has blocked us', { is: 'gone', why: 'bot was blocked by the user' }, 'bot was blocked by the user'],
  ['refuses it', { is: 'rejected', why: '400 Bad Request' }, '400 Bad Request'],
  ['has moved', { is: 'moved', to: { ...HOME.address, chat: 'elsewhere' } }, 'the chat has moved'],
])(
  'when the chat of the operator %s, the log says that they do not know that nothing is kept',
  async (_how, outcome, why) => {
    const events: Event[] = []
    const adapter = { deliver: async () => outcome } as Partial<ChatAdapter> as ChatAdapter
    const clock = handClock()
    const cry = createCry({
      clock,
      emit: (event) => events.push(event),
      random: () => 0,
      adapters: new Map([['red', adapter]]),
      chats: () => [HOME],
      dress: (message) => message,
    })
    cry.hear('disk full')
    await clock.advance(1)
    expect(events).toMatchObject([{ is: 'trouble', where: 'outbox', why: expect.stringContaining(why) }])
    cry.stop()
  },
)
