import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import * as discord from '../../adapters/discord/config.ts'
import * as ntfy from '../../adapters/ntfy/config.ts'
import * as pushover from '../../adapters/pushover/config.ts'
import * as telegram from '../../adapters/telegram/config.ts'
import * as terminal from '../../adapters/terminal/config.ts'
import * as webhook from '../../adapters/webhook/config.ts'
import { type Config, decoded, parseConfig, timeZoneOf } from '../../src/start/config.ts'
import {
  type AdapterConfig,
  type Env,
  envOf,
  type PluginConfig,
  type Plugins,
  type VenueConfig,
} from '../../src/start/plugins.ts'
import { secretsOf, withoutPassword } from '../../src/start/secrets.ts'
import * as journal from '../../src/stores/journal/config.ts'
import * as sqlite from '../../src/stores/sqlite/config.ts'
import * as hyperliquid from '../../src/venues/hyperliquid/config.ts'
import * as perpsData from '../../src/venues/perps-data/config.ts'
import * as sim from '../../src/venues/sim/config.ts'

/** A plug that needs one variable, and is configured by it. */
function needing(variable: string): VenueConfig {
  const missing = { error: `${variable} is missing: ask your provider for one.` }
  return {
    configuredBy: variable,
    schema: z.object({ [variable]: z.string(missing) }),
    isConfigured: (env) => env[variable] !== undefined,
  }
}
const free: PluginConfig = { schema: z.object({}), isConfigured: () => false, fallback: true }

const plugins = {
  venues: {
    acme: { ...needing('ACME_WS_URL'), database: 'data/acme.sqlite' },
    sim: {
      ...free,
      schema: z.object({ SIM_SEED: z.string().optional() }),
      isConfigured: (env: Env) => env['SIM_SEED'] !== undefined,
      database: 'data/sim.sqlite',
    },
    'perps-data': needing('VENUE_URL'),
  },
  adapters: {
    terminal: free,
    telegram: needing('TELEGRAM_BOT_TOKEN'),
    discord: needing('DISCORD_BOT_TOKEN'),
    pager: { ...needing('PAGER_TOKEN'), notifyOnly: true },
  },
  stores: { lake: { schemes: ['lake', 'lakes'] }, sqlite: { schemes: ['file', ''] } },
}

function config(env: Env): Config {
  const parsed = parseConfig(env, plugins)
  if (!parsed.ok) throw new Error(parsed.mistakes.join('\n'))
  return parsed.config
}

function mistakes(env: Env, among: Plugins = plugins): string[] {
  const parsed = parseConfig(env, among)
  return parsed.ok ? [] : parsed.mistakes
}

const EARNEST = { VENUE_URL: 'https://venue.example' }

describe('a variable that looks like one of ours and is none', () => {
  const real = {
    venues: { hyperliquid, 'perps-data': perpsData, sim },
    adapters: { terminal, telegram, discord, ntfy, pushover, webhook },
    stores: { sqlite },
  }
  test.each([
    ['VENUE_ULR', 'VENUE_URL'],
    ['MARKET_POL_MS', 'MARKET_POLL_MS'],
    ['DISCORD_TOKEN', 'DISCORD_BOT_TOKEN'],
    ['TELEGRAM_TOKEN', 'TELEGRAM_BOT_TOKEN'],
    ['SIM_REPLY', 'SIM_REPLAY'],
    ['venue_url', 'VENUE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['MAX_WALLET', 'MAX_WALLETS'],
    ['ADAPTER', 'ADAPTERS'],
  ])('%s ends the start, with the one that was meant: %s', (name, meant) => {
    expect(mistakes({ [name]: 'x' }, real)).toContainEqual(expect.stringContaining(`Did you mean ${meant}?`))
  })

  test('is told also where nothing is near it', () => {
    expect(mistakes({ OWNER_OF_THE_HOUSE: 'me' }, real)).toContainEqual(
      'I do not know OWNER_OF_THE_HOUSE. Remove it; docs/configuration.md lists all variables.',
    )
  })

  test('is not what every machine has, nor one that is empty', () => {
    const machine = {
      PATH: '/bin',
      HOME: '/root',
      HTTP_PROXY: 'http://proxy',
      HTTPS_PROXY: 'http://proxy',
      HOSTNAME: 'box',
      LOGNAME: 'me',
      PORT: '80',
      VENUE_ULR: ' ',
    }
    expect(mistakes(machine, real)).toEqual([])
  })
})

describe('what nobody has set', () => {
  test('runs the simulated venue in a terminal', () => {
    expect(config({})).toEqual({
      venues: ['sim'],
      adapters: ['terminal'],
      chats: ['terminal'],
      unopened: ['pager'],
      store: 'sqlite',
      marketPollMs: 2_000,
      walletPollMinMs: 2_000,
      walletPollMaxMs: 60_000,
      requestsPerSecond: 20,
      access: 'claim',
      maxWallets: 20,
      maxFollowed: 50,
      maxRules: 100,
      maxPeople: 100,
      nextCell: null,
      maxCommandsPerMinute: 30,
      database: 'data/sim.sqlite',
      allowedHosts: [],
      publicUrl: null,
      buttonKey: null,
      heartbeatUrl: null,
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

describe('HEARTBEAT_URL', () => {
  const url = 'https://hc-ping.com/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'

  test('is where a dead man’s switch is pinged, also in a network of one’s own', () => {
    for (const one of [url, 'http://switch.lan:8000/ping/key/perch?create=1'])
      expect(config({ HEARTBEAT_URL: one })).toMatchObject({ heartbeatUrl: one })
  })

  test.each(['hc-ping.com/uuid', 'ftp://hc-ping.com/uuid', 'https://me:pass@hc-ping.com/uuid', `${url}#x`])(
    'is not %s',
    (typed) => {
      expect(mistakes({ HEARTBEAT_URL: typed })).toEqual([
        expect.stringMatching(/^HEARTBEAT_URL is the address/),
      ])
    },
  )

  test('is a secret, whole and in part, and a slip of the finger is told', () => {
    expect(secretsOf({ HEARTBEAT_URL: url })).toEqual([url, '5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'])
    expect(mistakes({ HEARTBEAT_ULR: url })).toEqual([expect.stringContaining('Did you mean HEARTBEAT_URL?')])
  })
})

describe('PUBLIC_URL', () => {
  test.each([
    ['https://perch.example.com', 'https://perch.example.com'],
    ['https://perch.example.com/', 'https://perch.example.com'],
    ['https://example.com/perch//', 'https://example.com/perch'],
    ['HTTPS://Example.com:8443/Perch', 'https://example.com:8443/Perch'],
    ['http://perch.lan:8080', 'http://perch.lan:8080'],
  ])('%s is where the world reaches us', (typed, publicUrl) => {
    expect(config({ PUBLIC_URL: typed })).toMatchObject({ publicUrl })
  })

  test.each([
    'perch.example.com',
    'ftp://perch.example.com',
    'https://perch.example.com?x=1',
    'https://perch.example.com/?',
    'https://perch.example.com/#top',
    'https://ann:hunter2@perch.example.com',
    'https://',
  ])('%s is none, which is told beside all other mistakes', (typed) => {
    const told = mistakes({ PUBLIC_URL: typed, ACCESS: 'all' })
    expect(told).toEqual([
      'ACCESS is claim or open.',
      expect.stringMatching(/^PUBLIC_URL is where the world reaches HTTP_PORT: https/) as string,
    ])
    expect(told.join()).not.toContain('hunter2')
  })

  test('is no name that only we have', () => {
    expect(mistakes({ PUBLIC_SITE_NAME: 'x' })).toEqual([])
    expect(mistakes({ PUBLIC_URI: 'x' })).toEqual([expect.stringContaining('Did you mean PUBLIC_URL?')])
  })
})

describe('CELL_FULL_AT and NEXT_CELL_URL', () => {
  const NEXT_CELL_URL = 'https://t.me/PerchTwoBot'

  test('say when this Perch is full, and where people go then', () => {
    expect(config({ CELL_FULL_AT: '5000', NEXT_CELL_URL })).toMatchObject({
      nextCell: { fullAt: 5_000, url: NEXT_CELL_URL },
    })
    expect(config({})).toMatchObject({ nextCell: null })
  })

  test.each([{ CELL_FULL_AT: '5000' }, { NEXT_CELL_URL }])('go together: %j alone is a mistake', (env) => {
    expect(mistakes(env)).toEqual([
      'CELL_FULL_AT and NEXT_CELL_URL go together: the first says when this Perch is full, the second where people go then.',
    ])
  })

  test.each(['t.me/PerchTwoBot', 'http://t.me/PerchTwoBot', 'https://me:pass@t.me/x', 'https://t.me/a b'])(
    'no door is %s',
    (url) => {
      expect(mistakes({ CELL_FULL_AT: '5000', NEXT_CELL_URL: url })).toEqual([
        expect.stringMatching(/^NEXT_CELL_URL is an https address that people can open/),
      ])
    },
  )

  test.each(['0', '1000001', 'many', '1.5'])('no number of people is %s', (typed) => {
    expect(mistakes({ CELL_FULL_AT: typed, NEXT_CELL_URL })).toEqual([
      'CELL_FULL_AT is a whole number from 1 to 1000000, such as 5000.',
    ])
  })

  test('are told where a letter is wrong, and other programs’ variables are left alone', () => {
    expect(mistakes({ CELL_FULL: '5', NEXT_PUBLIC_URL: 'x' })).toEqual([
      expect.stringContaining('Did you mean CELL_FULL_AT?'),
    ])
  })
})

describe('what is set', () => {
  test('a venue’s address is reason enough to use it', () => {
    expect(config(EARNEST)).toMatchObject({ venues: ['perps-data'], database: 'data/perch.sqlite' })
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

  test('a place where nobody speaks is opened beside others', () => {
    const PAGER_TOKEN = 'p'
    expect(config({ ...EARNEST, PAGER_TOKEN }).adapters).toEqual(['terminal', 'pager'])
    expect(config({ ...EARNEST, PAGER_TOKEN, DISCORD_BOT_TOKEN: 'x' }).adapters).toEqual(['discord', 'pager'])
    expect(config({ ...EARNEST, PAGER_TOKEN, ADAPTERS: 'terminal' }).adapters).toEqual(['terminal'])
    expect(mistakes({ ...EARNEST, PAGER_TOKEN, ADAPTERS: 'pager' })).toEqual([
      'On pager I can tell, but nobody can tell me anything: add a chat to ADAPTERS.',
    ])
  })

  describe('a place to which people come from a chat', () => {
    const page: AdapterConfig = { ...free, fallback: false, besides: true }
    const among = {
      ...plugins,
      adapters: { ...plugins.adapters, page, post: { ...page, notifyOnly: true } },
    }
    const parsed = (env: Env) => parseConfig(env, among)

    test.each([
      [{}, ['terminal', 'page', 'post'], ['terminal']],
      [{ WEB: 'on' }, ['terminal', 'page', 'post'], ['terminal']],
      [{ WEB: 'off' }, ['terminal'], ['terminal']],
      [{ ...EARNEST, TELEGRAM_BOT_TOKEN: 'x' }, ['telegram', 'page', 'post'], ['telegram']],
      [{ ...EARNEST, PAGER_TOKEN: 'p' }, ['terminal', 'pager', 'page', 'post'], ['terminal']],
      [{ ADAPTERS: 'terminal' }, ['terminal'], ['terminal']],
      [{ ADAPTERS: 'page,terminal', WEB: 'off' }, ['page', 'terminal'], ['terminal']],
    ])('with %j', (env, adapters, chats) => {
      expect(parsed(env)).toMatchObject({ ok: true, config: { adapters, chats } })
    })

    test('is as earnest as the chats beside it', () => {
      expect(parsed({})).toMatchObject({ ok: true, config: { venues: ['sim'] } })
      expect(mistakes({ ADAPTERS: 'telegram,page', TELEGRAM_BOT_TOKEN: 'x' }, among)).toEqual([
        expect.stringMatching(/^With telegram, say where the positions are/),
      ])
    })

    test('is no place to begin', () => {
      expect(mistakes({ ADAPTERS: 'page' }, among)).toEqual([
        'Nobody can begin with page: people get in by a link from a chat. Add a chat to ADAPTERS.',
      ])
      expect(mistakes({ ...EARNEST, ADAPTERS: 'page,pager', PAGER_TOKEN: 'p' }, among)).toEqual([
        'Nobody can begin with page or pager: people get in by a link from a chat. Add a chat to ADAPTERS.',
      ])
    })

    test('is on or off, and names of three letters are no misspelt WEB', () => {
      expect(mistakes({ WEB: 'no' }, among)).toEqual(['WEB is on or off.'])
      expect(parsed({ DEB: 'x', WB: 'y' }).ok).toBe(true)
    })
  })

  test('hosts of one’s own network that people may name', () => {
    expect(config({}).allowedHosts).toEqual([])
    expect(config({ ALLOWED_HOSTS: 'Ntfy.lan, 192.168.1.5:8080,' }).allowedHosts).toEqual([
      'ntfy.lan',
      '192.168.1.5:8080',
    ])
    expect(config({ ALLOWED_HOSTS: 'BÜCHER.lan,ntfy.lan:443,[FD00::0:1]:80' }).allowedHosts).toEqual([
      'xn--bcher-kva.lan',
      'ntfy.lan:443',
      '[fd00::1]:80',
    ])
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
      store: 'sqlite',
      database: 'file:///tmp/a.sqlite',
    })
  })
})

describe('a venue chooses itself', () => {
  test('by its own variables, whichever they are', () => {
    expect(config({ ACME_WS_URL: 'wss://acme.example' })).toMatchObject({
      venues: ['acme'],
      database: 'data/acme.sqlite',
    })
    expect(config({ ACME_WS_URL: 'wss://acme.example', TELEGRAM_BOT_TOKEN: 'x' }).venues).toEqual(['acme'])
  })

  test.each([
    [{ ACME_WS_URL: 'wss://acme.example', ...EARNEST }, 'acme and perps-data'],
    [{ SIM_SEED: '7', ...EARNEST }, 'sim and perps-data'],
    [{ ACME_WS_URL: 'wss://acme.example', SIM_SEED: '7', ...EARNEST }, 'acme, sim and perps-data'],
  ])('not while others do so as well: %j', (env, names) => {
    expect(mistakes(env)).toEqual([
      `${names} are configured: name in VENUE the one that you mean, or several with commas.`,
    ])
    expect(config({ ...env, VENUE: 'perps-data' }).venues).toEqual(['perps-data'])
  })

  test('misspelt, it is not hidden by another one that is configured', () => {
    expect(mistakes({ ...EARNEST, VENUE: 'amce' })[0]).toContain('Did you mean acme?')
  })

  test('with none to play with, and none configured, nothing is started', () => {
    const { sim: _, ...venues } = plugins.venues
    expect(mistakes({}, { ...plugins, venues })).toEqual([
      'Say where the positions are: set ACME_WS_URL or VENUE_URL.',
    ])
  })
})

/** What a comma too many leads to. */
const EMPTY = 'VENUE has a comma without a name beside it: remove it.'

describe('several venues', () => {
  const ours: Plugins = {
    venues: { hyperliquid, sim, 'perps-data': perpsData },
    adapters: { terminal },
    stores: { sqlite },
  }

  test('are named with commas, the first one first, and the database is that one’s', () => {
    const env = { VENUE: 'perps-data, hyperliquid', VENUE_URL: 'https://venue.example' }
    const parsed = parseConfig(env, ours)
    const config = { venues: ['perps-data', 'hyperliquid'], database: 'data/perch.sqlite' }
    expect(parsed).toMatchObject({ ok: true, config })
  })

  test('VENUE_URL is the address of the first one alone', () => {
    const env = { VENUE: 'perps-data,hyperliquid', ...EARNEST, HYPERLIQUID_URL: 'http://127.0.0.1:1' }
    const names = ['perps-data', 'hyperliquid']
    expect(envOf(env, 'perps-data', names)['VENUE_URL']).toBe(EARNEST.VENUE_URL)
    const { VENUE_URL: _, ...left } = env
    expect(envOf(env, 'hyperliquid', names)).toEqual(left)
  })

  test.each([
    ['hyperliquid,hyperliquid', ['VENUE names hyperliquid twice: name each venue once.']],
    [
      'hyperliquid,sim',
      ['sim plays with invented money and runs alone: name only sim, or only hyperliquid.'],
    ],
    [
      'hyperliquid,perps-data',
      ['VENUE_URL is the address of hyperliquid, which VENUE names first: name perps-data first.'],
    ],
    ['hyperliquid,acme', [expect.stringContaining('VENUE names “acme”, which I do not have.')]],
    ['hyperliquid,', [EMPTY]],
    [', ', [EMPTY]],
  ])('%s is a mistake, told in a sentence', (VENUE, told) => {
    expect(mistakes({ VENUE, ...EARNEST }, ours)).toEqual(told)
  })

  test('mistakes in the settings of each are told', () => {
    const env = { VENUE: 'perps-data,hyperliquid', VENUE_URL: 'venue', HYPERLIQUID_URL: 'hyperliquid' }
    expect(mistakes(env, ours)).toEqual([
      expect.stringMatching(/^VENUE_URL must be a whole http/),
      expect.stringMatching(/^HYPERLIQUID_URL must be a whole http/),
    ])
  })
})

describe('a store is chosen by the scheme of DATABASE_URL', () => {
  test.each([
    ['lake://north/perch', 'lake'],
    ['LAKES:north', 'lake'],
    ['file:data/a.sqlite', 'sqlite'],
    ['data/a.sqlite', 'sqlite'],
    ['/var/a:b.sqlite', 'sqlite'],
    [String.raw`C:\perch\a.sqlite`, 'sqlite'],
    [' data/a.sqlite', 'sqlite'],
  ])('%s', (DATABASE_URL, store) => {
    expect(config({ DATABASE_URL })).toMatchObject({ store, database: DATABASE_URL.trim() })
  })

  test('a scheme that nobody knows is told with those there are, and without what may be secret', () => {
    expect(mistakes({ DATABASE_URL: 'postgres://perch:hush@localhost/perch' })).toEqual([
      'DATABASE_URL is the path of a file, such as data/perch.sqlite, or starts with lake:, lakes: or file:; I have no store for postgres: there.',
    ])
  })

  test('two stores that take the same one are told', () => {
    const stores = { ...plugins.stores, pond: { schemes: ['lake'] } }
    expect(mistakes({ DATABASE_URL: 'lake:x' }, { ...plugins, stores })).toEqual([
      'lake and pond both take “lake:” as DATABASE_URL: remove one of them.',
    ])
  })
})

describe('the plugs that Perch has', () => {
  const ours: Plugins = {
    venues: { hyperliquid, sim, 'perps-data': perpsData },
    adapters: { terminal, telegram, discord, ntfy, pushover, webhook },
    stores: { sqlite },
  }

  test.each([
    [{}, 'sim', ['terminal'], 'data/sim.sqlite'],
    [{ SIM_SEED: '7' }, 'sim', ['terminal'], 'data/sim.sqlite'],
    [EARNEST, 'perps-data', ['terminal'], 'data/perch.sqlite'],
    [{ ...EARNEST, DISCORD_BOT_TOKEN: 'x' }, 'perps-data', ['discord'], 'data/perch.sqlite'],
    [{ VENUE: 'hyperliquid' }, 'hyperliquid', ['terminal'], 'data/perch.sqlite'],
    [{ VENUE: 'hyperliquid', ...EARNEST }, 'hyperliquid', ['terminal'], 'data/perch.sqlite'],
    [{ VENUE: 'sim', DISCORD_BOT_TOKEN: 'x' }, 'sim', ['discord'], 'data/sim.sqlite'],
    [{ ...EARNEST, NTFY_URL: 'https://ntfy.lan' }, 'perps-data', ['terminal', 'ntfy'], 'data/perch.sqlite'],
  ])('with %j', (env, venue, adapters, database) => {
    const parsed = parseConfig(env, ours)
    expect(parsed).toMatchObject({
      ok: true,
      config: { venues: [venue], adapters, store: 'sqlite', database },
    })
  })

  test('with a real platform alone ask where the positions are', () => {
    expect(mistakes({ DISCORD_BOT_TOKEN: 'x' }, ours)).toEqual([
      'With discord, say where the positions are: set VENUE_URL, or VENUE=hyperliquid for Hyperliquid, or VENUE=sim to play with the simulated venue.',
    ])
  })
})

describe('play is never mistaken for earnest', () => {
  test('a real platform without a venue is refused: the simulated one must be asked for', () => {
    const { acme: _, ...venues } = plugins.venues
    expect(mistakes({ TELEGRAM_BOT_TOKEN: 'x', DISCORD_BOT_TOKEN: 'y' }, { ...plugins, venues })).toEqual([
      'With telegram and discord, say where the positions are: set VENUE_URL, or VENUE=sim to play with the simulated venue.',
    ])
    expect(mistakes({ TELEGRAM_BOT_TOKEN: 'x', ADAPTERS: 'terminal,telegram' })).toHaveLength(1)
  })

  test('its own variables do not ask for it there', () => {
    expect(mistakes({ TELEGRAM_BOT_TOKEN: 'x', SIM_SEED: '7' })).toEqual([
      'With telegram, say where the positions are: set ACME_WS_URL or VENUE_URL, or VENUE=sim to play with the simulated venue.',
    ])
    expect(config({ SIM_SEED: '7' }).venues).toEqual(['sim'])
  })

  test('asked for, it plays', () => {
    expect(config({ TELEGRAM_BOT_TOKEN: 'x', VENUE: 'sim' })).toMatchObject({
      venues: ['sim'],
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
    ['an address for a host', { ALLOWED_HOSTS: 'https://ntfy.lan/x' }, 'ALLOWED_HOSTS is a list of hosts'],
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
    ['a chat of no likeness', { ADAPTERS: 'pigeon' }, 'There are: terminal, telegram, discord, pager.'],
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

test('secrets are the values of variables that are called so, and passwords in addresses', () => {
  const env = {
    TELEGRAM_BOT_TOKEN: 'a',
    VENUE_API_KEY: 'b',
    SOME_SECRET: 'c',
    PASSWORD: 'd',
    DISCORD_BOT_TOKEN: '',
    VENUE_URL: 'https://venue.example',
    TOKEN_COUNT: '5',
    UNSET_TOKEN: undefined,
    DATABASE_URL: 'lake://perch:e@north/perch',
    PAGE_URL: 'https://f@page.example/perch:1@2',
  }
  expect(secretsOf(env)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('the password of a journal is a secret, however it is written, and nobody reads it at the start', () => {
  const of = (password: string) => `journal:postgres://perch:${password}@db.example/perch?cell=main`
  expect(secretsOf({ DATABASE_URL: of('hunter22') })).toEqual(['hunter22'])
  expect(secretsOf({ DATABASE_URL: of('p%40ss%2Fword') })).toEqual(['p%40ss%2Fword', 'p@ss/word'])
  expect(secretsOf({ DATABASE_URL: of('p@ss"word') })).toEqual(['p@ss"word', 'p%40ss%22word'])
  const inQuery = 'journal:postgres://db.example/perch?user=perch&password=hunter22'
  expect(secretsOf({ DATABASE_URL: inQuery })).toEqual(['hunter22'])
  for (const url of [of('hunter22'), of('abc'), of('p@ss"word'), inQuery])
    expect(withoutPassword(url)).toMatch(/^journal:postgres:\/\/(perch@)?db\.example\/perch\?\w+=\w+$/)
  expect(withoutPassword('data/perch.sqlite')).toBe('data/perch.sqlite')
  expect(withoutPassword('file:///a/b.sqlite')).toBe('file:///a/b.sqlite')
})

test.each([
  ['journal:data/perch.sqlite', 'DATABASE_URL of a journal is'],
  ['journal:postgres://db.example/perch?cell=Main', 'names the cell “Main”'],
  ['journal:postgres://perch:hunter22@db.example/perch?lease=0', 'The lease in DATABASE_URL'],
  // A standby of another cell, which would lead with these tokens.
  ['journal:postgres://db.example/perch?cel=second', 'has “cel”, which I don’t know'],
  ['journal:postgres://perch:hunter22#a@db.example/perch', 'The password in DATABASE_URL'],
  ['journal:postgres://perch:a/hunter22@db.example/perch', 'The password in DATABASE_URL'],
  ['journal:postgres://perch:a@b/hunter22@db.example/perch', 'The password in DATABASE_URL'],
])('%s as DATABASE_URL is a mistake like all others, and is told without a password', (url, sentence) => {
  const stores = { ...plugins.stores, journal }
  const parsed = parseConfig({ DATABASE_URL: url, ACCESS: 'all' }, { ...plugins, stores })
  const told = parsed.ok ? [] : parsed.mistakes
  expect(told).toEqual(['ACCESS is claim or open.', expect.stringContaining(sentence)])
  expect(told.join(' ')).not.toContain('hunter22')
})

describe('the zone of the machine', () => {
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['"Europe/Berlin"', 'Europe/Berlin'],
    ['Europe/Berlin ', 'Europe/Berlin'],
    [':Europe/Berlin', 'Europe/Berlin'],
    [':/etc/localtime', null],
    ['/usr/share/zoneinfo/Asia/Tokyo', 'Asia/Tokyo'],
    ['UTC+2', undefined],
    ['nonsense', undefined],
  ])('TZ=%s is %s', (given, zone) => expect(timeZoneOf(given)).toBe(zone))
})

test.each(['utf8', 'utf16le'] as const)(
  'a .env in %s is read, with a byte order mark or without',
  (encoding) => {
    const text = 'VENUE=sim\n'
    for (const mark of ['', '\uFEFF']) expect(decoded(Buffer.from(mark + text, encoding))).toBe(text)
  },
)
