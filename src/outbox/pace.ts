import type { Limits, Rate } from '../chat.ts'

/** Token buckets that keep our sends below a platform's limits. Pure but for its own memory; time comes in. */
export interface Pace {
  /** Sends that may start on the platform now. */
  room(tick: number): number
  /** When the chat may be sent to next; `tick` or earlier means now. */
  freeAt(chat: string, group: boolean, tick: number): number
  /** A send starts. */
  spend(chat: string, group: boolean, tick: number): void
}

interface Bucket {
  tokens: number
  tick: number
}

export function createPace(limits: Limits): Pace {
  const platform = full(limits.platform, 0)
  const chats = new Map<string, { own: Bucket; group: Bucket | null }>()

  const bucketsOf = (chat: string, group: boolean, tick: number) => {
    const known = chats.get(chat)
    if (known) return known
    if (chats.size > 10_000) forgetFull(tick)
    const fresh = {
      own: full(limits.chat, tick),
      group: group && limits.group ? full(limits.group, tick) : null,
    }
    chats.set(chat, fresh)
    return fresh
  }
  const forgetFull = (tick: number) => {
    for (const [chat, { own, group }] of chats) {
      refill(own, limits.chat, tick)
      if (group && limits.group) refill(group, limits.group, tick)
      if (own.tokens >= limits.chat.burst && (!group || group.tokens >= (limits.group?.burst ?? 0))) chats.delete(chat)
    }
  }
  return {
    room(tick) {
      refill(platform, limits.platform, tick)
      return Math.floor(platform.tokens)
    },
    freeAt(chat, group, tick) {
      const buckets = bucketsOf(chat, group, tick)
      const own = nextAt(buckets.own, limits.chat, tick)
      const shared = nextAt(platform, limits.platform, tick)
      const grouped = buckets.group && limits.group ? nextAt(buckets.group, limits.group, tick) : tick
      return Math.max(own, shared, grouped)
    },
    spend(chat, group, tick) {
      const buckets = bucketsOf(chat, group, tick)
      refill(platform, limits.platform, tick)
      refill(buckets.own, limits.chat, tick)
      platform.tokens -= 1
      buckets.own.tokens -= 1
      if (buckets.group && limits.group) {
        refill(buckets.group, limits.group, tick)
        buckets.group.tokens -= 1
      }
    },
  }
}

function full({ burst }: Rate, tick: number): Bucket {
  return { tokens: burst, tick }
}

function refill(bucket: Bucket, { burst, perSecond }: Rate, tick: number): void {
  const gained = (Math.max(tick - bucket.tick, 0) / 1_000) * perSecond
  bucket.tokens = Math.min(burst, bucket.tokens + gained)
  bucket.tick = tick
}

function nextAt(bucket: Bucket, rate: Rate, tick: number): number {
  refill(bucket, rate, tick)
  return bucket.tokens >= 1 ? tick : tick + Math.ceil(((1 - bucket.tokens) / rate.perSecond) * 1_000)
}
