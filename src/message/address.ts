/** A human as a platform knows them. */
export interface Identity {
  platform: string
  user: string
}

/** One destination as a platform knows it. `thread` is a topic or thread inside the chat. */
export interface Address {
  platform: string
  chat: string
  thread: string | null
}

/** The platform's own id of a sent message. */
export interface SentRef {
  address: Address
  id: string
}

export function sameAddress(a: Address, b: Address): boolean {
  return a.platform === b.platform && a.chat === b.chat && a.thread === b.thread
}

/** A key for maps: a platform's ids hold no line break. */
export function addressKey({ platform, chat, thread }: Address): string {
  return `${platform}\n${chat}\n${thread ?? ''}`
}

/** The key of the whole chat with all its threads. */
export function placeKey({ platform, chat }: Pick<Address, 'platform' | 'chat'>): string {
  return `${platform}\n${chat}`
}

export function identityKey({ platform, user }: Identity): string {
  return `${platform}\n${user}`
}

/** `telegram user 42`, for a person without a known name. */
export function identityText({ platform, user }: Identity): string {
  return `${platform} user ${user}`
}

/** Whether a word of a line names a chat: by a @name, or by the number and perhaps the topic of a Telegram chat. */
export function isPlaceName(word: string): boolean {
  return /^(?:@\w{4,32}|-100\d{5,}(?:\/\d+)?)$/.test(word)
}
