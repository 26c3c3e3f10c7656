import type { Limits, Rate } from '../chat.ts'

/** Token buckets that keep our sends below a platform's limits. Pure but for its own memory; time comes in. */
export interface Pace {
  /** Sends that may start on the platform now. */
  room(tick: number): number
  /** When the platform takes another send; `tick` means now. */
  roomAt(tick: number): number
  /** When the chat may be sent to next, whatever else the platform is busy with; `tick` means now. */
  freeAt(chat: string, tick: number): number
  /** A send starts. */
  spend(chat: string, group: boolean, tick: number): void
  /** Chats that have to wait. */
  tired(tick: number): string[]
}

interface Bucket {
  rate: Rate
  tokens: number
  tick: number
}

export function createPace(limits: Limits): Pace {
  const platform = full(limits.platform, 0)
  // A chat whose buckets are full is as good as one never seen, so only the others are remembered.
  const chats = new Map<string, Bucket[]>()

  const freeAt = (chat: string, tick: number) =>
    (chats.get(chat) ?? []).reduce((latest, bucket) => Math.max(latest, nextAt(bucket, tick)), tick)

  return {
    room(tick) {
      refill(platform, tick)
      return Math.floor(platform.tokens)
    },
    roomAt: (tick) => nextAt(platform, tick),
    freeAt,
    spend(chat, group, tick) {
      const buckets = chats.get(chat) ?? [full(limits.chat, tick)]
      if (group && limits.group && buckets.length === 1) buckets.push(full(limits.group, tick))
      chats.set(chat, buckets)
      for (const bucket of [platform, ...buckets]) {
        refill(bucket, tick)
        bucket.tokens -= 1
      }
    },
    tired(tick) {
      const waiting: string[] = []
      for (const [chat, buckets] of chats) {
        if (freeAt(chat, tick) > tick) waiting.push(chat)
        else if (buckets.every(({ tokens, rate }) => tokens >= rate.burst)) chats.delete(chat)
      }
      return waiting
    },
  }
}

function full(rate: Rate, tick: number): Bucket {
  return { rate, tokens: rate.burst, tick }
}

function refill(bucket: Bucket, tick: number): void {
  const { burst, perSecond } = bucket.rate
  const elapsed = Math.max(tick - bucket.tick, 0)
  bucket.tokens = Math.min(burst, bucket.tokens + (elapsed / 1_000) * perSecond)
  bucket.tick = Math.max(tick, bucket.tick)
}

function nextAt(bucket: Bucket, tick: number): number {
  refill(bucket, tick)
  const missing = 1 - bucket.tokens
  return missing <= 0 ? tick : tick + Math.ceil((missing / bucket.rate.perSecond) * 1_000)
}
