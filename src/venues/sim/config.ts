import { z } from 'zod'

import { SCENARIO_NAMES } from './scenarios/index.ts'

/**
 * Market seconds per real second. A recorded hour takes a minute; the invented markets need more speed to
 * show something.
 */
const REPLAY_SPEED = 60
const DEMO_SPEED = 600
/** The prices of a snapshot stay as they are. */
const SNAPSHOT_SPEED = 1

/** A `.env` line without a value (`SIM_SEED=`) counts as not set. */
const set = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema)

const yes = (name: string) =>
  set(z.enum(['0', '1'], `${name} is 1 or not set.`).optional()).transform((value) => value === '1')

const number = (allowed: (value: number) => boolean, message: string) =>
  set(
    z
      .string()
      .trim()
      .refine((text) => /^-?\d+(\.\d+)?$/.test(text) && allowed(Number(text)), message)
      .transform(Number)
      .optional(),
  )

/** The variables of the simulated venue. */
export const schema = z
  .object({
    SIM_REPLAY: set(z.string().trim().optional()),
    SIM_REPLAY_SYMBOL: set(
      z
        .string()
        .trim()
        .regex(/^[A-Za-z0-9/_-]{1,20}$/, 'SIM_REPLAY_SYMBOL is the symbol of one market, such as BTC.')
        .optional(),
    ),
    SIM_SNAPSHOT: set(z.string().trim().optional()),
    SIM_SPEED: number(
      (value) => value >= 0 && value <= 100_000,
      'SIM_SPEED is how many market seconds pass in a second: a number from 0, which stands still, to 100000.',
    ),
    SIM_SEED: number((value) => Number.isSafeInteger(value), 'SIM_SEED is a whole number, such as 7.'),
    SIM_TRADERS: number(
      (value) => Number.isInteger(value) && value >= 0 && value <= 50_000,
      'SIM_TRADERS is how many more wallets trade there: a whole number up to 50000.',
    ),
    SIM_OWNERS: number(
      (value) => Number.isInteger(value) && value >= 0 && value <= 200_000,
      'SIM_OWNERS is how many more wallets hold positions there: a whole number up to 200000.',
    ),
    SIM_SCENARIO: set(
      z.enum(SCENARIO_NAMES, `SIM_SCENARIO is one of ${SCENARIO_NAMES.join(', ')}.`).optional(),
    ),
    SIM_RATE: number(
      (value) => value > 0 && value <= 100_000,
      'SIM_RATE is how many requests a second somebody may send: a number above 0; leave it out for no limit.',
    ),
    SIM_PORT: number(
      (value) => Number.isInteger(value) && value >= 0 && value <= 65_535,
      'SIM_PORT is a port from 1 to 65535, or 0 for any free one.',
    ),
    SIM_ONCE: yes('SIM_ONCE'),
    SIM_CONTROL: yes('SIM_CONTROL'),
  })
  .refine((env) => !env.SIM_ONCE || env.SIM_REPLAY !== undefined, {
    path: ['SIM_ONCE'],
    // Reports this together with the other mistakes.
    when: () => true,
    error:
      'SIM_ONCE=1 ends the bot with the replay, but there is none: set SIM_REPLAY to a CSV file, or remove SIM_ONCE.',
  })
  .refine((env) => env.SIM_SNAPSHOT === undefined || env.SIM_REPLAY === undefined, {
    path: ['SIM_SNAPSHOT'],
    when: () => true,
    error: 'SIM_SNAPSHOT and SIM_REPLAY are two venues: set one of them.',
  })
  .transform((env) => ({
    replayFile: env.SIM_REPLAY,
    snapshotFile: env.SIM_SNAPSHOT,
    replaySymbol: env.SIM_REPLAY_SYMBOL,
    speed: env.SIM_SPEED ?? usualSpeed(env),
    seed: env.SIM_SEED ?? 1,
    traders: env.SIM_TRADERS ?? 0,
    walletCount: env.SIM_OWNERS ?? 0,
    scenario: env.SIM_SCENARIO,
    perSecond: env.SIM_RATE ?? null,
    port: env.SIM_PORT,
    once: env.SIM_ONCE,
    control: env.SIM_CONTROL,
  }))

function usualSpeed(env: { SIM_REPLAY?: string | undefined; SIM_SNAPSHOT?: string | undefined }): number {
  if (env.SIM_SNAPSHOT !== undefined) return SNAPSHOT_SPEED
  return env.SIM_REPLAY === undefined ? DEMO_SPEED : REPLAY_SPEED
}

/** The venue that runs when no venue is configured. */
export const fallback = true

export const database = 'data/sim.sqlite'

export function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(env).some(([name, value]) => name.startsWith('SIM_') && value?.trim())
}
