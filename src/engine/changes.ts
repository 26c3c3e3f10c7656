import type { Change } from '../change.ts'
import { back, bind, broken, moved, notice, testChat, unbind, undeliverable } from './changes/chats.ts'
import { nothing, together } from './changes/decided.ts'
import type { Decided } from './changes/decided.ts'
import { copied } from './changes/untaken.ts'
import { agree, disagree, handover } from './changes/agreements.ts'
import { overForOthers } from './changes/others.ts'
import { answerLink, askLink, putCode, redeem } from './changes/codes.ts'
import { forget, meet, settings } from './changes/people.ts'
import { found, lost } from './changes/reached.ts'
import { drafted, dropRules, setRule, unwatch, watch } from './changes/rules.ts'
import { drill, heedDrill } from './changes/drill.ts'
import { heed } from './changes/heed.ts'
import { merged } from './changes/merge.ts'
import { pin, pinned, unpin } from './changes/pins.ts'
import { place } from './changes/places.ts'
import { digest, mute, quiet, unmute } from './changes/quiet.ts'
import { quoted } from './changes/quoted.ts'
import type { Look } from './look.ts'

type Deciders = { [Is in Change['is']]: (look: Look, change: Extract<Change, { is: Is }>) => Decided }

const DECIDERS: Deciders = {
  meet: ({ memory }, change) => meet(memory, change),
  code: ({ memory, now }, change) => putCode(memory, change, now),
  redeem: ({ memory, now }, change) => redeem(memory, change, now),
  'ask-link': ({ memory, now }, change) => askLink(memory, change, now),
  'answer-link': ({ memory, now }, change) => answerLink(memory, change, now),
  agree: ({ memory, now }, change) => agree(memory, change, now),
  disagree: ({ memory, now }, change) => disagree(memory, change, now),
  handover,
  settings,
  forget: (look, { personId }) => forget(look, personId),
  watch,
  unwatch,
  rule: (look, { personId, chatId, draft }) => setRule(drafted(look, personId, chatId, draft)),
  remove(look, { personId, ruleId }) {
    const rule = look.memory.rules.get(ruleId)
    return rule?.personId === personId ? dropRules(look, [rule]) : nothing()
  },
  place: ({ memory }, change) => place(memory, change),
  pin: ({ memory }, { chatId }) => pin(memory, chatId),
  pinned: ({ memory }, { chatId, ref }) => pinned(memory, chatId, ref),
  unpin: ({ memory }, { chatId }) => unpin(memory, chatId),
  heed,
  quiet: ({ memory }, change) => quiet(memory, change),
  mute: ({ memory }, change) => mute(memory, change),
  digest,
  drill,
  'drill-heeded': heedDrill,
  unmute: ({ memory }, change) => unmute(memory, change),
  bind: ({ memory }, change) => bind(memory, change),
  unbind: (look, { chatId }) => unbind(look, chatId),
  test: ({ memory, now }, { chatId }) => testChat(memory, chatId, now),
  'chat-broken': (look, { chatId, why }) =>
    together(broken(look.memory, chatId, why, look.now), lost(look, chatId, why)),
  'chat-back': (look, { chatId }) => together(back(look.memory, chatId), found(look, chatId)),
  'chat-moved': (look, { chatId, to }) => moved(look, chatId, to),
  notice: ({ memory, now }, change) => notice(memory, change, now),
  quoted,
  untaken: ({ memory, now }, change) => copied(memory, change, now),
  merge: merged,
  undeliverable: ({ memory, now }, change) => undeliverable(memory, change, now),
}

/** Decides what people and platforms ask to be changed. */
export function decideChange(look: Look, change: Change): Decided {
  const decided = (DECIDERS[change.is] as (look: Look, change: Change) => Decided)(look, change)
  return { ...decided, effects: [...decided.effects, ...overForOthers(look, decided.effects)] }
}
