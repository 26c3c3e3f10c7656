import type { OperatorNotice } from '../../../src/chat/bot.ts'
import { age } from '../../../src/message/figure.ts'
import { words } from '../../../src/message/message.ts'
import type { LongOutage } from './standing.ts'

/** A message names so many shards, and counts the others. */
const NAMED = 6

/** Tells the operator that shards have been down for long, or (null) that all are up again. */
export function outageNotice(long: LongOutage | null, count: number): OperatorNotice {
  if (long === null) return { title: words('discord.shards-up', { count: String(count) }), lines: [] }
  const { shards, since, why } = long
  const more = shards.length - NAMED
  const named = shards.slice(0, NAMED).join(', ')
  const n = shards.length
  return {
    title: words('discord.shards-down', {
      ...{ n: String(n), count: String(count) },
      time: { time: since, as: 'clock' },
    }),
    lines: [
      words('discord.shards-down.which', { shards: more > 0 ? `${named} +${more}` : named, why }),
      words('discord.shards-down.still', { n }),
    ],
  }
}

/** Tells the operator that Discord lets no session begin for a while. */
export function usedUpNotice(total: number, ms: number): OperatorNotice {
  return {
    title: words('discord.used-up', { age: age(ms) }),
    lines: [words('discord.used-up.why', { total: String(total) }), words('discord.used-up.still')],
  }
}
