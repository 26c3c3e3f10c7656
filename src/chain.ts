import type { Chat } from './chat.ts'

/** Where a person is told, and where what that chat does not take or nobody answers goes as well. */
export interface Chain {
  first: Chat | null
  /** Null: nowhere else. */
  other: Chat | null
}

/** Why what is critical may reach nobody, in one sentence; null when it does not end nowhere. */
export function chainEnd({ first, other }: Chain): string | null {
  if (first === null)
    return 'I have no private chat with you: nothing of yours reaches you. Write to me there.'
  const { platform } = first.address
  const broken = first.brokenBecause !== null
  if (other !== null)
    return broken ? `I cannot write to you on ${platform}; ${other.address.platform} stands in.` : null
  return broken
    ? `I cannot write to you on ${platform}, and nothing stands in: /link adds a platform.`
    : `If ${platform} fails, nothing stands in for it: /link adds a platform.`
}

/** The chat that keeps a person's digest: of several, which is so when two became one person, the first. */
export function digestKeeper(chats: readonly Chat[]): Chat | undefined {
  return chats
    .filter((chat) => chat.private && chat.digest !== null)
    .reduce<Chat | undefined>((first, chat) => (first && first.id < chat.id ? first : chat), undefined)
}
