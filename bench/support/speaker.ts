import type { Inbound } from '../../src/chat/bot.ts'

/** The private chat of a person by number, on a platform of a benchmark. */
export function chatOf(platform: string, person: number) {
  return { platform, chat: `c${person}`, thread: null }
}

/** A message that this person writes now, in their private chat. `id` differs for every message. */
export function speaker(platform: string, person: number, id: string): Inbound {
  const home = chatOf(platform, person)
  return {
    id,
    by: { platform, user: `u${person}` },
    name: `p${person}`,
    chat: home,
    home,
    private: true,
    mayConfigure: true,
    whisper: false,
    answersApart: false,
    language: null,
    writtenAt: Date.now(),
    seenUntil: Date.now(),
  }
}
