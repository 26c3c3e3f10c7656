import {
  ALERT_MS,
  BASE_MB,
  COMMIT_MS,
  DISCORD_PER_SECOND,
  GUARD_MB,
  GUILDS_A_SHARD,
  IDLE_CORE,
  JOURNAL_MS,
  ROWS_A_COMMIT,
  SHARD_STARTS_MS,
  STARS_A_MESSAGE,
  TELEGRAM_PAID_PER_SECOND,
  TELEGRAM_PER_SECOND,
  WALLETS_AN_ADDRESS,
  WEIGHT_A_MINUTE,
  WEIGHT_A_READ,
} from './limits.ts'
import { lastSentS } from './wave.ts'

/** The assumptions. Each is an argument of `npm run simulate:scale`, by this name. */
export const ASSUMED = {
  people: { value: 0, says: 'people in all; left out: 10,000, 100,000 and 1,000,000' },
  wallets: { value: 1.5, says: 'wallets that a person watches' },
  guards: { value: 8, says: 'alerts that cover a position of a wallet, together' },
  'share-telegram': { value: 0.7, says: 'share of people on Telegram; the others are on Discord' },
  'share-critical': { value: 1, says: 'share of people who get a critical alert in the wave' },
  messages: { value: 1, says: 'critical messages of such a person; those that wait for one chat become one' },
  goal: { value: 60, says: 'seconds until the last of them is sent; then backups are asked' },
  wave: { value: 10, says: 'seconds in which the prices cross their lines' },
  'people-a-guild': { value: 20, says: 'people on Discord for each server that Perch is in' },
  node: { value: 0, says: '1: a Hyperliquid node of your own answers, without a limit' },
  paid: { value: 0, says: '1: paid broadcasts of Telegram, which Perch cannot ask for yet' },
  standby: { value: 1, says: 'standbys of each cell' },
  'machine-gb': { value: 8, says: 'memory of a machine, of which three quarters are used' },
  'machine-cores': { value: 4, says: 'cores of a machine, of which half are used' },
  'machine-usd': { value: 20, says: 'price of a machine a month' },
  'address-usd': { value: 1, says: 'price of an address a month' },
  'database-usd': { value: 60, says: 'price of PostgreSQL with a replica a month, for 100 cells' },
  'node-usd': { value: 600, says: 'price of two nodes a month: 16 cores, 64 GB, 500 GB each' },
  'star-usd': { value: 0.02, says: 'price of a Telegram Star' },
  seed: { value: 1, says: 'of the wave' },
} as const

export function usual(): Assumptions {
  const all = Object.entries(ASSUMED).map(([name, { value }]) => [name, value])
  return Object.fromEntries(all) as Assumptions
}

export type Assumptions = { [K in keyof typeof ASSUMED]: number }

/** A limit that one Perch meets: how many times over it is, with so many people. */
export interface Wall {
  name: WallName
  times: number
}
type WallName =
  | 'Telegram token'
  | 'Discord application'
  | 'Hyperliquid address'
  | 'processor'
  | 'memory'
  | 'journal'

export interface Scale {
  people: number
  /** If one Perch had them all, the narrowest first. */
  walls: readonly Wall[]
  /** Plays the wave: the others are figures at once. */
  alone(): Sent
  peopleACell: number
  cells: number
  /** Which limit makes a cell no larger. */
  cellWall: WallName
  inCell(): Sent
  /** Until each wallet of a full cell has been read again while all of them are near danger. */
  rereadS: number | null
  tokens: number
  addresses: number
  shards: { aCell: number; startS: number }
  memoryMb: { aCell: number; all: number }
  machines: number
  usdAMonth: number
  usdAWave: number
}

/** Seconds until the last critical alert is sent, on each platform. */
interface Sent {
  telegramS: number
  discordS: number
}

/** Computes what so many people need. Pure: the same assumptions give the same figures. */
export function scaleOf(given: Assumptions): Scale {
  const { people, standby } = given
  const walls = wallsOf(given, people)
  const [narrowest] = walls
  const cells = Math.max(1, Math.ceil(narrowest?.times ?? 1))
  const peopleACell = Math.ceil(people / cells)
  const memory = memoryMb(given, peopleACell)
  const running = cells * (1 + standby)
  const guilds = (peopleACell * (1 - given['share-telegram'])) / given['people-a-guild']
  const shards = Math.max(1, Math.ceil(guilds / GUILDS_A_SHARD))
  const machines = machinesFor(given, running, memory)
  const addresses = given.node === 1 ? machines : running
  return {
    people,
    walls,
    alone: () => sentIn(given, people),
    ...{ peopleACell, cells, cellWall: narrowest?.name ?? 'memory' },
    inCell: () => sentIn(given, peopleACell),
    rereadS: given.node === 1 ? null : (peopleACell * given.wallets * WEIGHT_A_READ * 60) / WEIGHT_A_MINUTE,
    tokens: cells,
    addresses,
    shards: { aCell: shards, startS: ((shards - 1) * SHARD_STARTS_MS) / 1_000 },
    memoryMb: { aCell: memory, all: memory * running },
    machines,
    usdAMonth:
      machines * given['machine-usd'] +
      addresses * given['address-usd'] +
      Math.ceil(cells / 100) * given['database-usd'] +
      given.node * given['node-usd'],
    usdAWave:
      given.paid *
      people *
      criticalShare(given, 'telegram') *
      given.messages *
      STARS_A_MESSAGE *
      given['star-usd'],
  }
}

function wallsOf(given: Assumptions, people: number): Wall[] {
  const alerts = people * given['share-critical'] * given.messages
  const { goal } = given
  const commitMs = (alerts / ROWS_A_COMMIT) * (COMMIT_MS + JOURNAL_MS)
  const walls: Wall[] = [
    {
      name: 'Telegram token',
      times: (peopleOn(given, people, 'telegram') * given.messages) / (perSecond(given) * goal),
    },
    {
      name: 'Discord application',
      times: (peopleOn(given, people, 'discord') * given.messages) / (DISCORD_PER_SECOND * goal),
    },
    {
      name: 'Hyperliquid address',
      times: given.node === 1 ? 0 : (people * given.wallets) / WALLETS_AN_ADDRESS,
    },
    { name: 'processor', times: (alerts * ALERT_MS) / 1_000 / goal },
    { name: 'memory', times: memoryMb(given, people) / usableMb(given) },
    { name: 'journal', times: commitMs / 1_000 / goal },
  ]
  return walls.toSorted((a, b) => b.times - a.times)
}

function criticalShare(given: Assumptions, platform: 'telegram' | 'discord'): number {
  const share = given['share-telegram']
  return given['share-critical'] * (platform === 'telegram' ? share : 1 - share)
}

function peopleOn(given: Assumptions, people: number, platform: 'telegram' | 'discord'): number {
  return Math.round(people * criticalShare(given, platform))
}

function perSecond({ paid }: Assumptions): number {
  return paid === 1 ? TELEGRAM_PAID_PER_SECOND : TELEGRAM_PER_SECOND
}

function sentIn(given: Assumptions, people: number): Sent {
  const { wave: waveS, messages: each, seed } = given
  const last = (chats: number, rate: number) => lastSentS({ chats, each, perSecond: rate, waveS, seed })
  return {
    telegramS: last(peopleOn(given, people, 'telegram'), perSecond(given)),
    discordS: last(peopleOn(given, people, 'discord'), DISCORD_PER_SECOND),
  }
}

function memoryMb({ wallets, guards }: Assumptions, people: number): number {
  return BASE_MB + people * wallets * guards * GUARD_MB
}

function usableMb(given: Assumptions): number {
  return given['machine-gb'] * 1_000 * 0.75
}

/** A standby is on another machine than its leader, or the machine's death takes both. */
function machinesFor(given: Assumptions, running: number, memory: number): number {
  const byMemory = Math.floor(usableMb(given) / memory)
  const byCores = Math.floor((given['machine-cores'] * 0.5) / IDLE_CORE)
  const needed = Math.ceil(running / Math.max(1, Math.min(byMemory, byCores)))
  return Math.max(1 + given.standby, needed)
}
