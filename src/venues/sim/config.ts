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
    SIM_REPLAY: set(z.string().trim().optional()).meta({
      description: 'CSV file to replay: a time and a close column, better with open, high and low.',
    }),
    SIM_REPLAY_SYMBOL: set(
      z
        .string()
        .trim()
        .regex(/^[A-Za-z0-9/_-]{1,20}$/, 'SIM_REPLAY_SYMBOL is the symbol of one market, such as BTC.')
        .optional(),
    ).meta({ usual: '`BTC`', description: 'Market on which the CSV is replayed.' }),
    SIM_SNAPSHOT: set(z.string().trim().optional()).meta({
      description:
        'Recorded answer of `GET /markets` to begin with. Prices stand still unless the control door moves them.',
    }),
    SIM_SPEED: number(
      (value) => value >= 0 && value <= 100_000,
      'SIM_SPEED is how many market seconds pass in a second: a number from 0, which stands still, to 100000.',
    ).meta({
      usual: `\`${DEMO_SPEED}\`; \`${REPLAY_SPEED}\` with a replay; \`${SNAPSHOT_SPEED}\` with a snapshot`,
      description: 'Market seconds per real second. 0 stands still.',
    }),
    SIM_SEED: number((value) => Number.isSafeInteger(value), 'SIM_SEED is a whole number, such as 7.').meta({
      usual: '`1`',
      description: 'Seed of the invented markets.',
    }),
    SIM_TRADERS: number(
      (value) => Number.isInteger(value) && value >= 0 && value <= 50_000,
      'SIM_TRADERS is how many more wallets trade there: a whole number up to 50000.',
    ).meta({ usual: '`0`', description: 'How many further wallets trade by themselves.' }),
    SIM_OWNERS: number(
      (value) => Number.isInteger(value) && value >= 0 && value <= 200_000,
      'SIM_OWNERS is how many more wallets hold positions there: a whole number up to 200000.',
    ).meta({ usual: '`0`', description: 'How many further wallets hold positions, from `0x7777…000` on.' }),
    SIM_SCENARIO: set(
      z.enum(SCENARIO_NAMES, `SIM_SCENARIO is one of ${SCENARIO_NAMES.join(', ')}.`).optional(),
    ).meta({ description: `Story to play: ${SCENARIO_NAMES.map((name) => `\`${name}\``).join(', ')}.` }),
    SIM_RATE: number(
      (value) => value > 0 && value <= 100_000,
      'SIM_RATE is how many requests a second somebody may send: a number above 0; leave it out for no limit.',
    ).meta({
      usual: 'no limit',
      description: 'Requests a second from one address or key before it is answered with 429.',
    }),
    SIM_PORT: number(
      (value) => Number.isInteger(value) && value >= 0 && value <= 65_535,
      'SIM_PORT is a port from 1 to 65535, or 0 for any free one.',
    ).meta({
      usual: 'any free one; `4700` for `npm run venue`',
      description: 'Port of the simulated venue.',
    }),
    SIM_ONCE: yes('SIM_ONCE').meta({
      description:
        '`1` ends the bot with the replay: exit 0 when everything was sent, 1 when that took more than 60 s.',
    }),
    SIM_CONTROL: yes('SIM_CONTROL').meta({
      description: '`1` opens the control door `/_sim/…`, which moves prices and breaks things.',
    }),
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
