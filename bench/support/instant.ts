import type { Conversation } from '../../src/chat/conversation.ts'
import type { Send } from '../../src/chat/notifier.ts'
import { INSTANT } from './crowd.ts'

const RATE = { burst: 1e9, perSecond: 1e9 }

/** A platform that takes everything at once. */
export function instant(took: (send: Send) => void = () => {}): Conversation {
  let id = 0
  return {
    ...{ name: INSTANT, operatorSitsHere: false, mentions: false, destination: null, receipts: null },
    limits: { platform: RATE, chat: RATE, group: null },
    start: async () => {},
    stop: async () => {},
    inspect: async () => null,
    edit: async (ref) => ({ is: 'sent', ref }),
    async deliver(send) {
      took(send)
      return { is: 'sent', ref: { address: send.to, id: String(++id) } }
    },
  }
}
