import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseConfig, secretsOf } from '../src/config.ts'
import type { Config, Env, PluginConfig } from '../src/config.ts'

/** A plug that needs one variable, and is configured by it. */
function needing(variable: string): PluginConfig {
  const missing = { error: `${variable} is missing: ask your provider for one.` }
  return {
    schema: z.object({ [variable]: z.string(missing) }),
    isConfigured: (env) => env[variable] !== undefined,
  }
}
const free: PluginConfig = { schema: z.object({}), isConfigured: () => false }

const plugins = {
  venues: { sim: free, 'perps-data': needing('VENUE_URL') },
  adapters: {
    terminal: free,
    telegram: needing('TELEGRAM_BOT_TOKEN'),
    discord: needing('DISCORD_BOT_TOKEN'),
  },
}

function config(env: Env): Config {
  const parsed = parseConfig(env, plugins)
  if (!parsed.ok) throw new Error(parsed.mistakes.join('\n'))
  return parsed.config
}

function mistakes(env: Env): string[] {
  const parsed = parseConfig(env, plugins)
  return parsed.ok ? [] : parsed.mistakes
}

const EARNEST = { VENUE_URL: 'https://venue.example' }

describe('what nobody has set', () => {
  test('runs the simulated venue in a terminal', () => {
    expect(config({})).toEqual({
      venue: 'sim',
      adapters: ['terminal'],
      marketPollMs: 2_000,
      ownerPollMinMs: 2_000,
      ownerPollMaxMs: 60_000,
      requestsPerSecond: 20,
      access: 'claim',
      maxWallets: 20,
      maxRules: 100,
      maxCommandsPerMinute: 30,
      database: 'data/sim.sqlite',
      httpHost: '127.0.0.1',
      httpPort: 8_080,
      httpPortIsDefault: true,
      logLevel: 'info',
      logLevelIsDefault: true,
    })
  })

  test('may also be set to nothing', () => {
    expect(config({ VENUE: '', VENUE_URL: '', ADAPTERS: '', HTTP_PORT: '', LOG_LEVEL: '' })).toEqual(
      config({}),
    )
  })
})

describe('what is set', () => {
  test('a venue’s address is reason enough to use it', () => {
    expect(config(EARNEST)).toMatchObject({ venue: 'perps-data', database: 'data/perch.sqlite' })
  })

  test('a token is reason enough to open its chat', () => {
    expect(config({ ...EARNEST, TELEGRAM_BOT_TOKEN: 'x' }).adapters).toEqual(['telegram'])
    expect(config({ ...EARNEST, TELEGRAM_BOT_TOKEN: 'x', DISCORD_BOT_TOKEN: 'y' }).adapters).toEqual([
      'telegram',
      'discord',
    ])
  })

  test('chats can be listed, each is opened once', () => {
    const env = { ...EARNEST, TELEGRAM_BOT_TOKEN: 'x', ADAPTERS: 'terminal, telegram,terminal' }
    expect(config(env).adapters).toEqual(['terminal', 'telegram'])
  })

  test('figures, names and files', () => {
    const env = {
      MARKET_POLL_MS: '500',
      HTTP_PORT: '0',
      LOG_LEVEL: 'debug',
      DATABASE_URL: 'file:///tmp/a.sqlite',
    }
    expect(config(env)).toMatchObject({
      marketPollMs: 500,
      httpPort: 0,
      httpPortIsDefault: false,
      logLevel: 'debug',
      logLevelIsDefault: false,
      database: '/tmp/a.sqlite',
    })
  })
})

describe('play is never mistaken for earnest', () => {
  test('a real platform without a venue is refused: the simulated one must be asked for', () => {
    expect(mistakes({ TELEGRAM_BOT_TOKEN: 'x', DISCORD_BOT_TOKEN: 'y' })).toEqual([
      'With telegram and discord, say where the positions are: set VENUE_URL, or VENUE=sim to play with the simulated venue.',
    ])
    expect(mistakes({ TELEGRAM_BOT_TOKEN: 'x', ADAPTERS: 'terminal,telegram' })).toHaveLength(1)
  })

  test('asked for, it plays', () => {
    expect(config({ TELEGRAM_BOT_TOKEN: 'x', VENUE: 'sim' })).toMatchObject({
      venue: 'sim',
      database: 'data/sim.sqlite',
    })
  })
})

describe('a mistake is a sentence', () => {
  test.each([
    [
      'a poll that is no number',
      { MARKET_POLL_MS: 'fast' },
      'MARKET_POLL_MS is a whole number from 50 to 600000, such as 2000.',
    ],
    ['a poll that is too quick', { MARKET_POLL_MS: '49' }, 'MARKET_POLL_MS is a whole number'],
    ['half a request', { VENUE_REQUESTS_PER_SECOND: '0.5' }, 'VENUE_REQUESTS_PER_SECOND is a whole number'],
    ['a number with an exponent', { OWNER_POLL_MAX_MS: '6e4' }, 'OWNER_POLL_MAX_MS is a whole number'],
    ['a port that does not exist', { HTTP_PORT: '65536' }, 'HTTP_PORT is a whole number from 0 to 65535'],
    [
      'polls the wrong way round',
      { OWNER_POLL_MIN_MS: '5000', OWNER_POLL_MAX_MS: '4000' },
      'must not be larger than OWNER_POLL_MAX_MS',
    ],
    [
      'another database',
      { DATABASE_URL: 'postgres://localhost/perch' },
      'DATABASE_URL is the path of a file',
    ],
    ['a level of no log', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL is one of trace, debug, info,'],
    [
      'a venue misspelt',
      { VENUE: 'perp-data', ...EARNEST },
      'VENUE names “perp-data”, which I do not have. Did you mean perps-data?',
    ],
    [
      'a chat misspelt',
      { ADAPTERS: 'telegarm' },
      'ADAPTERS names “telegarm”, which I do not have. Did you mean telegram?',
    ],
    ['a chat of no likeness', { ADAPTERS: 'pigeon' }, 'There are: terminal, telegram, discord.'],
    ['a comma too many', { ADAPTERS: 'terminal,' }, 'ADAPTERS names “”'],
    ['a venue without its address', { VENUE: 'perps-data' }, 'VENUE_URL is missing'],
    ['a chat without its token', { ...EARNEST, ADAPTERS: 'discord' }, 'DISCORD_BOT_TOKEN is missing'],
  ])('%s', (_what, env, words) => {
    const [mistake] = mistakes(env)
    expect(mistake).toContain(words)
    expect(mistake).toMatch(/\.$/)
  })

  test.each(['../../etc', '__proto__', 'constructor', 'toString', '/etc/passwd', 'SIM'])(
    'VENUE=%s opens nothing',
    (VENUE) => {
      expect(mistakes({ VENUE })[0]).toContain('which I do not have')
      expect(mistakes({ ...EARNEST, ADAPTERS: VENUE })[0]).toContain('which I do not have')
    },
  )

  test('all of them are told in one go', () => {
    const all = mistakes({
      MARKET_POLL_MS: 'fast',
      HTTP_PORT: '-1',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
      OWNER_POLL_MIN_MS: '5000',
      OWNER_POLL_MAX_MS: '4000',
      ADAPTERS: 'pigeon,telegram',
      VENUE: 'mars',
    })
    for (const name of [
      'MARKET_POLL_MS',
      'HTTP_PORT',
      'LOG_LEVEL',
      'DATABASE_URL',
      'OWNER_POLL_MIN_MS',
      'pigeon',
      'TELEGRAM_BOT_TOKEN',
      'mars',
    ]) {
      expect(all.filter((mistake) => mistake.includes(name))).toHaveLength(1)
    }
    expect(all).toHaveLength(8)
  })

  test('none of them tells a secret', () => {
    const env = { TELEGRAM_BOT_TOKEN: 'hush-hush', HTTP_PORT: 'x', ADAPTERS: 'telegram' }
    expect(mistakes(env).join(' ')).not.toContain('hush')
  })
})

test('secrets are the values of variables that are called so', () => {
  const env = {
    TELEGRAM_BOT_TOKEN: 'a',
    VENUE_API_KEY: 'b',
    SOME_SECRET: 'c',
    PASSWORD: 'd',
    DISCORD_BOT_TOKEN: '',
    VENUE_URL: 'https://venue.example',
    TOKEN_COUNT: '5',
    UNSET_TOKEN: undefined,
  }
  expect(secretsOf(env)).toEqual(['a', 'b', 'c', 'd'])
})
