import * as fc from 'fast-check'

import type { Priority } from '../../src/message/delivery.ts'
import { CHAT_TROUBLES, type Kind, PLATFORM_TROUBLES } from './troubles.ts'

/** Like Telegram's and Discord's. */
export const LIMITS = {
  telegram: {
    platform: { burst: 2, perSecond: 28 },
    chat: { burst: 3, perSecond: 1 },
    group: { burst: 5, perSecond: 0.25 },
  },
  discord: { platform: { burst: 5, perSecond: 40 }, chat: { burst: 10, perSecond: 2 }, group: null },
}
type PlatformName = keyof typeof LIMITS

/** Three people with a private chat on each platform, and a group that the first of them has bound. */
export const PLACES: readonly { chat: number; platform: PlatformName; person: number; group: boolean }[] = [
  ...[1, 2, 3].map((chat) => ({ chat, platform: 'telegram' as const, person: chat, group: false })),
  ...[4, 5, 6].map((chat) => ({ chat, platform: 'discord' as const, person: chat - 3, group: false })),
  { chat: 7, platform: 'telegram', person: 1, group: true },
]

/** From and to, in milliseconds since the beginning. */
export interface Span {
  from: number
  to: number
}
export interface Trouble extends Span, Kind {
  name: string
}

export const LAST_SECOND = 420
const spanOf = (from: number, seconds: number): Span => ({ from: from * 1_000, to: (from + seconds) * 1_000 })
const troubleOf = (kinds: Record<string, Kind>) =>
  fc
    .record({
      kind: fc.constantFrom(...Object.entries(kinds)),
      from: fc.integer({ min: 0, max: 60 }),
      seconds: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 1, max: 120 }) },
        { weight: 1, arbitrary: fc.integer({ min: 120, max: LAST_SECOND - 61 }) },
      ),
    })
    .map(({ kind: [name, kind], from, seconds }): Trouble => ({ name, ...kind, ...spanOf(from, seconds) }))

export const plans = fc.record({
  chats: fc.array(fc.option(troubleOf(CHAT_TROUBLES), { freq: 2 }), { minLength: 7, maxLength: 7 }),
  telegram: fc.option(troubleOf(PLATFORM_TROUBLES), { freq: 2 }),
  discord: fc.option(troubleOf(PLATFORM_TROUBLES), { freq: 2 }),
  found: fc.array(
    fc.record({
      second: fc.integer({ min: 0, max: 120 }),
      chat: fc.constantFrom(...PLACES.map(({ chat }) => chat)),
      monitor: fc.constantFrom('a', 'b'),
      urgency: fc.constantFrom<Priority | 'answer'>(0, 0, 0, 1, 2, 'answer'),
    }),
    { minLength: 5, maxLength: 50 },
  ),
  deaths: fc.array(
    fc.record({
      second: fc.integer({ min: 0, max: 200 }),
      when: fc.constantFrom('at rest', 'row taken', 'send begun', 'send taken'),
      seconds: fc.integer({ min: 0, max: 30 }),
    }),
    { maxLength: 4 },
  ),
  seed: fc.nat(),
})
export type Plan = typeof plans extends fc.Arbitrary<infer One> ? One : never
export type Death = Plan['deaths'][number]
