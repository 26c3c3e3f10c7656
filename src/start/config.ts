import { z } from 'zod'

import { edits, nearest } from '../lib/text/nearest.ts'
import type { NextCell } from '../people/cell.ts'
import { areTogether, CELL_MISTAKE, nextCellOf, peopleVariables, wholeNumber } from './people-limits.ts'
import { chooseAdapters, chooseStore, chooseVenues, type Env, type Plugins } from './plugins.ts'

/** The bot's own settings, after plugins were opened. */
export interface Settings {
  marketPollMs: number
  walletPollMinMs: number
  walletPollMaxMs: number
  requestsPerSecond: number
  access: 'claim' | 'open'
  maxWallets: number
  maxFollowed: number
  maxRules: number
  /** As many may come by themselves where anybody may. */
  maxPeople: number
  /** Where people go once this Perch is full; null or left out: it has no such limit. */
  nextCell?: NextCell | null
  maxCommandsPerMinute: number
}

/** The limits of each person. */
export function limitsOf({ maxWallets, maxFollowed, maxRules, maxCommandsPerMinute }: Settings) {
  return {
    wallets: maxWallets,
    followed: maxFollowed,
    rules: maxRules,
    commandsPerMinute: maxCommandsPerMinute,
  }
}

export interface Config extends Settings {
  /** The first one has bare ids in the database. */
  venues: readonly string[]
  adapters: string[]
  /** Those of them where people come to us. */
  chats: readonly string[]
  /** Notifiers that are not opened: nothing configures them. */
  unopened: string[]
  store: string
  /** As DATABASE_URL says it, for the store to understand. */
  database: string
  /** Private hosts that people may name all the same. */
  allowedHosts: readonly string[]
  /** Public address of our HTTP port, without a slash at the end; null if there is none. */
  publicUrl: string | null
  /** Another word ends all buttons that were sent before. */
  buttonKey: string | null
  /** A dead man's switch; null for none. A secret. */
  heartbeatUrl: string | null
  httpHost: string
  httpPort: number
  httpPortIsDefault: boolean
  logLevel: string
  /** Whether LOG_LEVEL was set, or is ours to choose. */
  logLevelIsDefault: boolean
}

type ConfigParse = { ok: true; config: Config } | { ok: false; mistakes: string[] }

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** A host as it stands in a URL, not a URL. */
function isHost(text: string): boolean {
  return /^[^/@?#\s]+$/.test(text) && URL.canParse(`http://${text}`)
}

/** As addresses spell it, but with its port also where that is the usual one. */
function spelt(host: string): string {
  return `${new URL(`http://${host}`).hostname}${/:\d+$/.exec(host)?.[0] ?? ''}`
}

const PUBLIC_URL =
  'PUBLIC_URL is where the world reaches HTTP_PORT: https://perch.example.com, or with a path behind it.'

/** An address to which a path can be added. */
function isPublic(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && !/[?#]/.test(text) && `${search}${hash}${username}${password}` === ''
}

const HEARTBEAT_URL =
  'HEARTBEAT_URL is the address of a dead man’s switch, such as https://hc-ping.com/your-uuid.'

function isSwitch(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hash, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && `${hash}${username}${password}` === ''
}

function arePolls(value: unknown): boolean {
  const polls = z.object({ OWNER_POLL_MIN_MS: z.number(), OWNER_POLL_MAX_MS: z.number() })
  return polls.safeParse(value).success
}

/** Variables that every configuration reads. */
export const core = z
  .object({
    MARKET_POLL_MS: wholeNumber(
      'MARKET_POLL_MS',
      50,
      600_000,
      2_000,
      'Milliseconds between two reads of all markets.',
    ),
    OWNER_POLL_MIN_MS: wholeNumber(
      'OWNER_POLL_MIN_MS',
      50,
      600_000,
      2_000,
      'Milliseconds between two reads of a wallet near danger.',
    ),
    OWNER_POLL_MAX_MS: wholeNumber(
      'OWNER_POLL_MAX_MS',
      50,
      3_600_000,
      60_000,
      'Milliseconds between two reads of a wallet far from danger.',
    ),
    VENUE_REQUESTS_PER_SECOND: wholeNumber(
      'VENUE_REQUESTS_PER_SECOND',
      1,
      100_000,
      20,
      'Ceiling of requests a second, in weight where the venue weighs requests. A 429 lowers it, success raises it again.',
    ),
    ACCESS: z.enum(['claim', 'open'], { message: 'ACCESS is claim or open.' }).default('claim').meta({
      description:
        '`claim`: the first person who sends the one-time code becomes the operator and can `/invite`. `open`: anybody may use the bot.',
    }),
    MAX_WALLETS: wholeNumber('MAX_WALLETS', 1, 10_000, 20, 'Wallets that one person can watch.'),
    MAX_FOLLOWED: wholeNumber('MAX_FOLLOWED', 0, 10_000, 50, 'Wallets that one person can only follow.'),
    MAX_RULES: wholeNumber(
      'MAX_RULES',
      1,
      100_000,
      100,
      'Rules that one person can set. Rules that `/watch` or a preset arms do not count.',
    ),
    ...peopleVariables,
    MAX_COMMANDS_PER_MINUTE: wholeNumber(
      'MAX_COMMANDS_PER_MINUTE',
      1,
      10_000,
      30,
      'Commands a minute from one person. A terminal has no limit.',
    ),
    ALLOWED_HOSTS: z
      .string()
      .default('')
      .transform((text) =>
        text
          .toLowerCase()
          .split(',')
          .map((host) => host.trim())
          .filter((host) => host !== ''),
      )
      .refine((hosts) => hosts.every(isHost), {
        message:
          'ALLOWED_HOSTS is a list of hosts, each with a port or without: hooks.lan, 192.168.1.5:8080.',
      })
      .transform((hosts) => hosts.map(spelt))
      .meta({
        description:
          'Hosts of your own network that people can name, with commas: `push.lan,192.168.1.5:8080`. Other private addresses are refused.',
      }),
    BUTTON_KEY: z.string().min(1).optional().meta({
      description: 'Any word. Another word ends all notification buttons that were sent before. A secret.',
    }),
    PUBLIC_URL: z
      .string()
      .trim()
      .refine(isPublic, { message: PUBLIC_URL })
      .transform((text) => new URL(text).href.replace(/\/+$/, ''))
      .optional()
      .meta({
        description:
          'Public address of `HTTP_PORT`: `https://perch.example.com`. With it, notifications have buttons, and the page opens on other machines.',
      }),
    HEARTBEAT_URL: z.string().trim().refine(isSwitch, { message: HEARTBEAT_URL }).optional().meta({
      description:
        'Address of a dead man’s switch, pinged while warnings would reach people: `https://hc-ping.com/…`. A secret.',
    }),
    HTTP_HOST: z.string().default('127.0.0.1').meta({
      description: 'Interface on which the page, `/mcp`, `/healthz`, `/readyz` and `/metrics` are served.',
    }),
    HTTP_PORT: wholeNumber(
      'HTTP_PORT',
      0,
      65_535,
      8_080,
      'Port of the page, `/mcp`, `/healthz`, `/readyz`, `/metrics` and the buttons of `PUBLIC_URL`. 0 takes any free port. If the default port is taken, Perch takes a free one and says so; a configured port that is taken stops the start.',
    ),
    LOG_LEVEL: z
      .enum(LOG_LEVELS, { message: `LOG_LEVEL is one of ${LOG_LEVELS.join(', ')}.` })
      .default('info')
      .meta({
        usual: '`info`; `warn` in an interactive terminal',
        description: `Least level of the log on standard error: ${LOG_LEVELS.join(', ')}.`,
      }),
  })
  .refine(({ OWNER_POLL_MIN_MS, OWNER_POLL_MAX_MS }) => OWNER_POLL_MIN_MS <= OWNER_POLL_MAX_MS, {
    message: 'OWNER_POLL_MIN_MS must not be larger than OWNER_POLL_MAX_MS.',
    // Reported in addition to other mistakes, if both values are figures.
    when: ({ value }) => arePolls(value),
  })
  .refine(areTogether, CELL_MISTAKE)

/**
 * The IANA zone that TZ names, also in quotes or with a blank behind it. Null: it names the file of the machine, whose zone
 * Node finds without it. Undefined: neither, such as `UTC+2`, whose sign programs read in both ways.
 */
export function timeZoneOf(given: string): string | null | undefined {
  const named = given
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim()
    .replace(/^:/, '')
  if (named === '' || named === '/etc/localtime') return null
  const zone = /\/zoneinfo\/(.+)$/.exec(named)?.[1] ?? named
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** PowerShell's `>` writes UTF-16, and editors add a byte order mark. */
export function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes)
}

const read = z.string().optional()

/** Variables that are read before the other schemas, to choose them. */
export const choices = z.object({
  VENUE: read.meta({
    usual: 'the venue whose own variables are set, else `sim`',
    description:
      'Where readings come from: `hyperliquid`, `lighter`, `perps-data` or `sim`, or several with commas, such as `hyperliquid,lighter`. The database belongs to the first one, so keep it first. With a chat other than the terminal, the simulated venue must be named.',
  }),
  ADAPTERS: read.meta({
    usual: 'those whose token is set; `terminal` if nobody could speak otherwise',
    description:
      'Platforms to open, by the names of their folders, with commas. Nothing else is opened then.',
  }),
  WEB: z.enum(['on', 'off'], { message: 'WEB is on or off.' }).default('on').meta({
    description: '`off` opens neither the page, nor its notifications, nor the door for assistants.',
  }),
  DATABASE_URL: read.meta({
    usual: '`data/perch.sqlite`; `data/sim.sqlite` with the simulated venue',
    description:
      'Database file, as a path or a `file:` URL. It belongs to the first venue and remembers the others. `journal:postgres://…` keeps it in PostgreSQL first, for [a standby](operations.md#a-standby).',
  }),
  TZ: read.meta({
    usual: 'the zone of the machine',
    description: 'Time zone of people who have chosen none: `Europe/Berlin`.',
  }),
})

/** Reads the environment; pure. Every mistake is reported, each as a sentence; an empty variable counts as unset. */
export function parseConfig(given: Env, plugins: Plugins): ConfigParse {
  const env = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const mistakes: string[] = []
  const parsed = core.safeParse(env)
  if (!parsed.success) mistakes.push(...parsed.error.issues.map(({ message }) => message))

  const { TZ: zone } = env
  if (zone !== undefined && timeZoneOf(zone) === undefined)
    mistakes.push(`TZ is a time zone, such as Europe/Berlin. I do not know ${zone}.`)
  mistakes.push(...(choices.safeParse(env).error?.issues.map(({ message }) => message) ?? []))
  const plugs = [...Object.values(plugins.venues), ...Object.values(plugins.adapters)]
  const ours = variablesOf([choices, core, ...plugs.map(({ schema }) => schema)]).filter(
    (name) => name.length >= SHORTEST_GUESSED,
  )
  mistakes.push(...misspelt(env, ours))
  const { adapters, chats } = chooseAdapters(env, plugins.adapters, mistakes)
  // A notifier is as earnest as a chat. A page is as earnest as the chats beside it.
  const earnest = adapters.filter((name) => plugins.adapters[name]?.besides !== true)
  const venues = chooseVenues(env, plugins, earnest, mistakes)
  const { store, database } = chooseStore(env, plugins, venues?.[0], mistakes)
  if (!parsed.success || venues === null || store === null || mistakes.length > 0)
    return { ok: false, mistakes }
  const { data } = parsed
  return {
    ok: true,
    config: {
      venues,
      adapters,
      chats,
      unopened: Object.keys(plugins.adapters).filter(
        (name) => plugins.adapters[name]?.notifyOnly === true && !adapters.includes(name),
      ),
      store,
      marketPollMs: data.MARKET_POLL_MS,
      walletPollMinMs: data.OWNER_POLL_MIN_MS,
      walletPollMaxMs: data.OWNER_POLL_MAX_MS,
      requestsPerSecond: data.VENUE_REQUESTS_PER_SECOND,
      access: data.ACCESS,
      maxWallets: data.MAX_WALLETS,
      maxFollowed: data.MAX_FOLLOWED,
      maxRules: data.MAX_RULES,
      maxPeople: data.MAX_PEOPLE,
      nextCell: nextCellOf(data),
      maxCommandsPerMinute: data.MAX_COMMANDS_PER_MINUTE,
      database,
      allowedHosts: data.ALLOWED_HOSTS,
      publicUrl: data.PUBLIC_URL ?? null,
      buttonKey: data.BUTTON_KEY ?? null,
      heartbeatUrl: data.HEARTBEAT_URL ?? null,
      httpHost: data.HTTP_HOST,
      httpPort: data.HTTP_PORT,
      httpPortIsDefault: env['HTTP_PORT'] === undefined,
      logLevel: data.LOG_LEVEL,
      logLevelIsDefault: env['LOG_LEVEL'] === undefined,
    },
  }
}

/** First words that other programs' variables share (`HTTP_PROXY`). Unknown variables with these are not reported. */
const EVERYBODYS = new Set(['ACCESS', 'DATABASE', 'HTTP', 'LOG', 'MAX', 'NEXT', 'PUBLIC'])

/** Other programs have variables like our shorter names, TZ and WEB: those are no misspelling. */
const SHORTEST_GUESSED = 4

/** A short name may differ by one letter, a longer one by two. */
const SHORT = 6

/** The variables that these schemas read. */
function variablesOf(schemas: readonly z.core.$ZodType[]): string[] {
  return schemas.flatMap((schema) => {
    if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
    if (schema instanceof z.ZodPipe) return variablesOf([schema.in])
    // Slow, so only for schemas that are neither.
    return Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {})
  })
}

/**
 * Returns a sentence for each unknown variable that looks like one of ours. Otherwise a typing mistake would silently
 * change nothing.
 */
function misspelt(env: Env, known: readonly string[]): string[] {
  const names = [...new Set(known)]
  // A variable that starts with `VENUE_` is meant for us even if its end is unknown.
  const ours = new Set(names.filter((name) => name.includes('_')).map(firstWord))
  return Object.keys(env)
    .filter((name) => !names.includes(name))
    .flatMap((name) => {
      const near = names.find((one) => isNear(name.toUpperCase(), one))
      if (near !== undefined) return [`I do not know ${name}. Did you mean ${near}?`]
      const first = firstWord(name)
      if (!name.includes('_') || EVERYBODYS.has(first) || !ours.has(first)) return []
      const likely = nearest(name, names)
      return [
        likely === null
          ? `I do not know ${name}. Remove it; docs/configuration.md lists all variables.`
          : `I do not know ${name}. Did you mean ${likely}? Else remove it.`,
      ]
    })
}

/** A shell has fifty variables of its own: most differ by more letters in length alone, which costs nothing to see. */
function isNear(typed: string, name: string): boolean {
  const most = name.length <= SHORT ? 1 : 2
  return Math.abs(typed.length - name.length) <= most && edits(typed, name) <= most
}

function firstWord(name: string): string {
  return name.split('_', 1)[0]?.toUpperCase() ?? ''
}
