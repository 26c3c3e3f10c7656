import { MARKETS } from '../feed.ts'
import type { FeedKey } from '../feed.ts'
import { guardKey } from '../guard.ts'
import type { GuardKey } from '../guard.ts'
import { feedsOf } from './feeds.ts'
import { isAgreed } from './handovers.ts'
import type { Memory } from './memory.ts'
import { restOf } from './quiet.ts'
import type { Turn } from './turn.ts'

/** Of what a turn has changed the deadlines. */
interface Touched {
  feeds: Set<FeedKey>
  guards: Set<GuardKey>
  /** Chats: of their quiet hours and summaries, and of what they wait for to be confirmed. */
  rests: Set<number>
  waits: Set<number>
  agreed: boolean
  pricesSeen: boolean
}

export function touchedBy(memory: Memory, { learned, decisions }: Turn): Touched {
  const touched: Touched = {
    feeds: new Set(),
    guards: new Set(),
    rests: new Set(),
    waits: new Set(),
    agreed: false,
    pricesSeen: false,
  }
  const { feeds, guards, rests, waits } = touched
  for (const effect of [...learned, ...decisions.flatMap(({ effects }) => effects)]) {
    for (const feed of feedsOf(effect)) feeds.add(feed)
    const chatId = restOf(effect)
    if (chatId !== null) rests.add(chatId)
    touched.agreed ||= isAgreed(effect)
    touched.pricesSeen ||= effect.is === 'seen' && effect.feed === MARKETS
    if (effect.is === 'unconfirmed') waits.add(effect.chatId)
    if (effect.is === 'settled' && memory.unconfirmed.of(effect.chatId).size === 0) waits.add(effect.chatId)
    // Quiet hours and summaries are of their zone.
    if (effect.is === 'person') for (const id of memory.chatsOf.of(effect.person.id).keys()) rests.add(id)
    if (effect.is === 'state') guards.add(guardKey(effect.row.guard))
    if (effect.is === 'state-gone') guards.add(guardKey(effect.guard))
    // What has no state wakes for nothing, and had its end of one told of above; what is due to be said again of what is only
    // remembered waits for its wallet as long as it did.
    if (effect.is === 'judged' && !effect.remembered && memory.states.has(effect.key)) guards.add(effect.key)
    if (effect.is === 'forgotten') guards.add(effect.key)
  }
  return touched
}
