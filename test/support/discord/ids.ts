import type { Clock } from '../../../src/runtime/clock.ts'

const DISCORD_EPOCH_MS = 1_420_070_400_000n
/** https://docs.discord.com/developers/reference#snowflakes */
const SNOWFLAKE = /^\d{15,21}$/

export type NewId = () => string

/** Snowflakes: the time in the upper bits, then a number that only grows. */
export function createIds(clock: Clock): NewId {
  let count = 0n
  return () => (((BigInt(Math.floor(clock.now())) - DISCORD_EPOCH_MS) << 22n) + count++).toString()
}

export function isSnowflake(id: unknown): id is string {
  return typeof id === 'string' && SNOWFLAKE.test(id)
}
