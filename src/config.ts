import { z } from 'zod'

import { nearest } from './lib/nearest.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** What `config.ts` of a venue or an adapter declares. */
export interface PluginConfig {
  schema: z.ZodType
  isConfigured(env: Env): boolean
}

export interface Config {
  venue: string
  adapters: string[]
  marketPollMs: number
  ownerPollMinMs: number
  ownerPollMaxMs: number
  requestsPerSecond: number
  access: 'claim' | 'open'
  maxWallets: number
  maxRules: number
  maxCommandsPerMinute: number
  database: string
  httpHost: string
  httpPort: number
  httpPortIsDefault: boolean
  logLevel: string
  /** Whether LOG_LEVEL was set, or is ours to choose. */
  logLevelIsDefault: boolean
}

export type ConfigParse = { ok: true; config: Config } | { ok: false; mistakes: string[] }

const wholeNumber = (name: string, least: number, most: number, fallback: number) =>
  z
    .string()
    .default(String(fallback))
    .refine((text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most, {
      message: `${name} is a whole number from ${least} to ${most}, such as ${fallback}.`,
    })
    .transform(Number)

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

function arePolls(value: unknown): boolean {
  const polls = z.object({ OWNER_POLL_MIN_MS: z.number(), OWNER_POLL_MAX_MS: z.number() })
  return polls.safeParse(value).success
}

const core = z
  .object({
    MARKET_POLL_MS: wholeNumber('MARKET_POLL_MS', 50, 600_000, 2_000),
    OWNER_POLL_MIN_MS: wholeNumber('OWNER_POLL_MIN_MS', 50, 600_000, 2_000),
    OWNER_POLL_MAX_MS: wholeNumber('OWNER_POLL_MAX_MS', 50, 3_600_000, 60_000),
    VENUE_REQUESTS_PER_SECOND: wholeNumber('VENUE_REQUESTS_PER_SECOND', 1, 100_000, 20),
    ACCESS: z.enum(['claim', 'open'], { message: 'ACCESS is claim or open.' }).default('claim'),
    MAX_WALLETS: wholeNumber('MAX_WALLETS', 1, 10_000, 20),
    MAX_RULES: wholeNumber('MAX_RULES', 1, 100_000, 100),
    MAX_COMMANDS_PER_MINUTE: wholeNumber('MAX_COMMANDS_PER_MINUTE', 1, 10_000, 30),
    DATABASE_URL: z
      .string()
      .refine((text) => !/^[a-z]+:\/\//i.test(text) || text.startsWith('file://'), {
        message: 'DATABASE_URL is the path of a file, such as data/perch.sqlite.',
      })
      .optional(),
    HTTP_HOST: z.string().default('127.0.0.1'),
    HTTP_PORT: wholeNumber('HTTP_PORT', 0, 65_535, 8_080),
    LOG_LEVEL: z
      .enum(LOG_LEVELS, { message: `LOG_LEVEL is one of ${LOG_LEVELS.join(', ')}.` })
      .default('info'),
  })
  .refine(({ OWNER_POLL_MIN_MS, OWNER_POLL_MAX_MS }) => OWNER_POLL_MIN_MS <= OWNER_POLL_MAX_MS, {
    message: 'OWNER_POLL_MIN_MS must not be larger than OWNER_POLL_MAX_MS.',
    // Also beside other mistakes, where these two are figures.
    when: ({ value }) => arePolls(value),
  })

/** Reads the environment; pure. Every mistake is reported, each as a sentence; an empty variable counts as unset. */
export function parseConfig(
  given: Env,
  plugins: { venues: Record<string, PluginConfig>; adapters: Record<string, PluginConfig> },
): ConfigParse {
  const env = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const mistakes: string[] = []
  const parsed = core.safeParse(env)
  if (!parsed.success) mistakes.push(...parsed.error.issues.map(({ message }) => message))

  const configured = Object.keys(plugins.adapters).filter((name) => plugins.adapters[name]?.isConfigured(env))
  const asked =
    env['ADAPTERS']?.split(',').map((name) => name.trim()) ??
    (configured.length > 0 ? configured : ['terminal'])
  const adapters = [...new Set(asked)]
  for (const name of adapters) checkPlugin('ADAPTERS', name, plugins.adapters, env, mistakes)

  const venue = env['VENUE'] ?? (env['VENUE_URL'] === undefined ? 'sim' : 'perps-data')
  checkPlugin('VENUE', venue, plugins.venues, env, mistakes)
  const earnest = adapters.filter((name) => name !== 'terminal')
  if (env['VENUE'] === undefined && env['VENUE_URL'] === undefined && earnest.length > 0) {
    mistakes.push(
      `With ${earnest.join(' and ')}, say where the positions are: set VENUE_URL, or VENUE=sim to play with the simulated venue.`,
    )
  }
  if (!parsed.success || mistakes.length > 0) return { ok: false, mistakes }
  const { data } = parsed
  return {
    ok: true,
    config: {
      venue,
      adapters,
      marketPollMs: data.MARKET_POLL_MS,
      ownerPollMinMs: data.OWNER_POLL_MIN_MS,
      ownerPollMaxMs: data.OWNER_POLL_MAX_MS,
      requestsPerSecond: data.VENUE_REQUESTS_PER_SECOND,
      access: data.ACCESS,
      maxWallets: data.MAX_WALLETS,
      maxRules: data.MAX_RULES,
      maxCommandsPerMinute: data.MAX_COMMANDS_PER_MINUTE,
      database:
        data.DATABASE_URL?.replace(/^file:\/\//, '') ??
        (venue === 'sim' ? 'data/sim.sqlite' : 'data/perch.sqlite'),
      httpHost: data.HTTP_HOST,
      httpPort: data.HTTP_PORT,
      httpPortIsDefault: env['HTTP_PORT'] === undefined,
      logLevel: data.LOG_LEVEL,
      logLevelIsDefault: env['LOG_LEVEL'] === undefined,
    },
  }
}

/** Values of these variables must never be written anywhere. */
export function secretsOf(env: Env): string[] {
  return Object.entries(env)
    .filter(
      ([name, value]) => /(TOKEN|KEY|SECRET|PASSWORD)$/.test(name) && value !== undefined && value !== '',
    )
    .map(([, value]) => value ?? '')
}

function checkPlugin(
  variable: string,
  name: string,
  plugins: Record<string, PluginConfig>,
  env: Env,
  mistakes: string[],
): void {
  const plugin = Object.hasOwn(plugins, name) ? plugins[name] : undefined
  if (!plugin) {
    const names = Object.keys(plugins)
    const near = nearest(name, names)
    mistakes.push(
      `${variable} names “${name.slice(0, 40)}”, which I do not have.${near === null ? '' : ` Did you mean ${near}?`} There are: ${names.join(', ')}.`,
    )
    return
  }
  const result = plugin.schema.safeParse(env)
  if (!result.success) mistakes.push(...result.error.issues.map(({ message }) => message))
}
