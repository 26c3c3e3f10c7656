import { sameAddress } from '../chat.ts'
import type { Address } from '../chat.ts'
import type { Chat } from '../person.ts'
import { destinationOf, keyOf } from './gates.ts'
import type { Destination, Gates } from './gates.ts'

/** Answers to commands that wait for their chat: behind what is critical, before everything else. */
export interface Answers {
  /** Resolves when the answer is out. */
  add(chat: Address, send: () => Promise<void>): Promise<void>
  waiting(): boolean
  /** Chats of which only critical rows may be taken now. */
  criticalOnly(tick: number): number[]
  /** Hands over, one after the other, what may go now; `fly` closes the chat's gate behind it. */
  launch(tick: number, fly: (answer: Answer) => void): void
  takeAll(): Answer[]
}

export interface Answer {
  to: Destination
  send: () => Promise<void>
  resolve: () => void
  reject: (why: unknown) => void
}

export function createAnswers(gates: Gates, chats: ReadonlyMap<number, Chat>): Answers {
  let answers: Answer[] = []
  return {
    add(chat, send) {
      const known = [...chats.values()].find(({ address }) => sameAddress(address, chat))
      const { platform } = chat
      const to = known ? destinationOf(known) : { key: keyOf(chat), platform, chatId: null, group: false }
      return new Promise((resolve, reject) => {
        answers.push({ to, send, resolve, reject })
      })
    },
    waiting: () => answers.length > 0,
    criticalOnly(tick) {
      const own = answers.map(({ to }) => to.chatId).filter((id) => id !== null)
      // One that could go now would else lose the platform's next place to a row of another chat.
      const ready = answers.filter(({ to }) => gates.isOpen(to, tick))
      const platforms = new Set(ready.map(({ to }) => to.platform))
      if (platforms.size === 0) return own
      const there = [...chats.values()].filter(({ address }) => platforms.has(address.platform))
      return [...own, ...there.map(({ id }) => id)]
    },
    launch(tick, fly) {
      const waiting = answers
      answers = []
      for (const answer of waiting) {
        if (gates.isOpen(answer.to, tick)) fly(answer)
        else answers.push(answer)
      }
    },
    takeAll: () => answers.splice(0),
  }
}
