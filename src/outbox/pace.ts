import type { Limits } from '../chat/notifier.ts'
import { fullBucket, nextAt, type Rate, take, type TokenBucket, tokensAt } from '../lib/time/token-bucket.ts'
import type { Address } from '../message/address.ts'

/** The pace of a platform, or of one of its servers and of the rest. */
export interface PacedPart {
  platform: string
  server?: { start: string; inside: boolean }
  pace: Pace
}

export function pacesOf(platform: string, { server, ...limits }: Limits): PacedPart[] {
  if (!server) return [{ platform, pace: createPace(limits) }]
  const { start, ...own } = server
  return [
    { platform, server: { start, inside: true }, pace: createPace({ ...limits, ...own }) },
    { platform, server: { start, inside: false }, pace: createPace(limits) },
  ]
}

export function isServed({ server }: PacedPart, { chat }: Address): boolean {
  return server === undefined || chat.startsWith(server.start) === server.inside
}

/** Keeps our sends below a platform's limits. */
export interface Pace {
  /** How many sends may start on the platform now, if it is to take `left` more after them. */
  room(mono: number, left?: Left): number
  /** When the platform takes another send; `mono` means now. */
  roomAt(mono: number): number
  /** When the chat may be sent to next, apart from its platform's capacity; `mono` means now. */
  freeAt(chat: string, mono: number): number
  /** A send that was counted does not start. */
  refund(chat: string, mono: number): void
  /** Counts a send that starts. */
  spend(chat: string, group: boolean, mono: number): void
  /** Chats that have to wait before they take a send, and `left` more after it. */
  tired(mono: number, left?: Left): string[]
  /** Chats that were sent to lately, while the platform has at most half of its rest left. */
  served(mono: number): string[]
}

/** Sends that are left over: so many, or half of those that a full bucket takes at once. */
export type Left = number | 'half'

interface Account {
  rate: Rate
  bucket: TokenBucket
}

export function createPace(limits: Limits): Pace {
  const full = (rate: Rate, mono: number): Account => ({ rate, bucket: fullBucket(rate, mono) })
  const platform = full(limits.platform, -Infinity)
  // Chats whose buckets are not full. A full one equals a new one.
  const chats = new Map<string, Account[]>()

  const isFull = ({ rate, bucket }: Account, mono: number) => tokensAt(bucket, rate, mono) >= rate.burst
  const freeAt = (chat: string, mono: number) =>
    Math.max(mono, ...(chats.get(chat) ?? []).map(({ rate, bucket }) => nextAt(bucket, rate, mono)))
  /** A rate that never takes two sends at once cannot keep one back. */
  const sendsAt = ({ rate, bucket }: Account, mono: number, left: Left) =>
    Math.floor(tokensAt(bucket, rate, mono)) -
    Math.min(left === 'half' ? Math.floor(rate.burst / 2) : left, rate.burst - 1)

  return {
    room: (mono, left = 0) => sendsAt(platform, mono, left),
    roomAt: (mono) => nextAt(platform.bucket, platform.rate, mono),
    freeAt,
    spend(chat, group, mono) {
      const shares = limits.share ? [limits.share] : []
      const accounts = chats.get(chat) ?? [limits.chat, ...shares].map((rate) => full(rate, mono))
      if (group && limits.group && accounts.length === 1 + shares.length)
        accounts.push(full(limits.group, mono))
      chats.set(chat, accounts)
      for (const account of [platform, ...accounts]) account.bucket = take(account.bucket, account.rate, mono)
    },
    refund(chat, mono) {
      for (const account of [platform, ...(chats.get(chat) ?? [])])
        account.bucket = take(account.bucket, account.rate, mono, -1)
    },
    served: (mono) =>
      tokensAt(platform.bucket, platform.rate, mono) > Math.max(platform.rate.burst / 2, 1)
        ? []
        : [...chats].flatMap(([chat, [own]]) => (own && !isFull(own, mono) ? [chat] : [])),
    tired(mono, left = 0) {
      const waiting: string[] = []
      for (const [chat, accounts] of chats) {
        if (accounts.some((account) => sendsAt(account, mono, left) < 1)) waiting.push(chat)
        else if (accounts.every((account) => isFull(account, mono))) chats.delete(chat)
      }
      return waiting
    },
  }
}
