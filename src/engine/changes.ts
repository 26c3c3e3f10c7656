import type { Change } from '../store.ts'
import { back, bind, broken, moved, notice, testChat, unbind, undeliverable } from './changes/chats.ts'
import { nothing } from './changes/decided.ts'
import type { Decided } from './changes/decided.ts'
import { forget, meet, putCode, redeem, settings } from './changes/people.ts'
import { drafted, dropRules, setRule, unwatch, watch } from './changes/rules.ts'
import type { Memory } from './memory.ts'

/** Decides what people and platforms ask to be changed. */
export function decideChange(memory: Memory, change: Change, now: number): Decided {
  switch (change.is) {
    case 'meet':
      return meet(memory, change)
    case 'code':
      return putCode(memory, change.code)
    case 'redeem':
      return redeem(memory, change, now)
    case 'settings':
      return settings(memory, change)
    case 'forget':
      return forget(memory, change.personId, now)
    case 'watch':
      return watch(memory, change, now)
    case 'unwatch':
      return unwatch(memory, change.personId, change.owner, now)
    case 'rule':
      return setRule(memory, drafted(memory, change.personId, change.chatId, change.draft), now)
    case 'remove': {
      const rule = memory.rules.get(change.ruleId)
      return rule?.personId === change.personId ? dropRules(memory, [rule], now) : nothing()
    }
    case 'bind':
      return bind(memory, change)
    case 'unbind':
      return unbind(memory, change.chatId, now)
    case 'test':
      return testChat(memory, change.chatId, now)
    case 'chat-broken':
      return broken(memory, change.chatId, change.why, now)
    case 'chat-back':
      return back(memory, change.chatId)
    case 'chat-moved':
      return moved(memory, change.chatId, change.to)
    case 'notice':
      return notice(memory, change.words, now)
    case 'undeliverable':
      return undeliverable(memory, change, now)
  }
}
