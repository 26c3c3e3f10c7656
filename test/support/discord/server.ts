import type { ServerResponse } from 'node:http'

import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { breathe } from '../clock.ts'
import { listen } from '../http.ts'
import type { Registered } from './commands.ts'
import { createFaults, type Fault } from './faults.ts'
import { createGateway, type GatewayControl } from './gateway.ts'
import { type Guild, guildOf, userOf } from './handles.ts'
import { type Answer, type Asked as Incoming, read, send } from './http.ts'
import { createLedger, type Ledger, type Request } from './ledger.ts'
import { createLimits, type Limits } from './limits.ts'
import type { Event } from './news.ts'
import { type Person, personHandle } from './people.ts'
import { answer, match } from './rest.ts'
import { createWorld, type SentFile } from './world.ts'

/** Discord's own interval is about 41 s; tests of heartbeats shorten it. */
const HEARTBEAT_MS = 41_250
const TOKEN = 'the-bot-token-of-the-stand-in'
/** https://docs.discord.com/developers/events/gateway#session-start-limit-object */
const SESSION_STARTS = 1000
const INVALID_LIMIT = 10_000
/** Turns of the event loop without an event after which nobody is about to make one. */
const QUIET_TURNS = 10

export interface Discord extends AsyncDisposable {
  /** For `rest.api` of discord.js, and DISCORD_API_URL. */
  readonly apiUrl: string
  readonly token: string
  readonly applicationId: string
  readonly botId: string
  /** The guild of that name, with the bot in it. A new one may be of a certain shard. */
  guild(name: string, how?: { shard?: number }): Guild
  /** Somebody outside of any guild, who has installed the app for themselves unless told otherwise. */
  user(name: string, how?: { installed?: boolean }): Person
  /** A file that somebody chooses for an option: `runs('/import', { file })`. */
  uploads(file: SentFile): { id: string }
  readonly gateway: GatewayControl
  readonly ledger: Ledger
  /** Global commands, or those of a guild. */
  commands(guild?: { id: string }): readonly Registered[]
  /** How often commands were put. */
  commandPuts(): number
  fault(...faults: Fault[]): void
  clearFaults(): void
  /** Requests that hang are broken off. */
  release(): void
  limit(limits: Limits): void
  /** Nothing listens any more, and every connection breaks. */
  down(): Promise<void>
  up(): Promise<void>
  /** Opens another address of the same API, and returns it: requests there are noted with this name. */
  door(name: string): Promise<string>
  listen(hear: (event: Event) => void): () => void
  /** Resolves when every request is answered or held on purpose: for a hand clock's `restsWhen`. */
  idle(): Promise<void>
  /** Resolves once a request is held by a fault: only the clock can end that. */
  holds(): Promise<void>
  stop(): Promise<void>
}

export interface DiscordOptions {
  clock?: Clock
  limits?: Limits
  heartbeatMs?: number
  sessionStarts?: number
  invalidLimit?: number
  /** How many shards Discord asks for; with fewer it closes with 4011. */
  shards?: number
  /** How many sessions may begin at once. */
  maxConcurrency?: number
  /** Least time between two sessions of a bucket: Discord's is 5 s, and 0 lets all begin at once. */
  identifyGapMs?: number
  port?: number
}

/** A Discord of our own on loopback: REST and gateway, as strict as the real one where it is known how strict that is. */
export async function startDiscord({
  clock = systemClock(),
  limits: firstLimits = {},
  heartbeatMs = HEARTBEAT_MS,
  sessionStarts = SESSION_STARTS,
  invalidLimit = INVALID_LIMIT,
  shards = 1,
  maxConcurrency = 1,
  identifyGapMs = 0,
  port = 0,
}: DiscordOptions = {}): Promise<Discord> {
  const world = createWorld(clock, TOKEN)
  const faults = createFaults()
  const limits = createLimits(clock, firstLimits)
  const requests: Request[] = []
  const held = new Set<ServerResponse>()
  const waiting: (() => void)[] = []
  const hold = (response: ServerResponse) => {
    held.add(response)
    response.once('close', () => held.delete(response))
    response.once('finish', () => held.delete(response))
    for (const notice of waiting.splice(0)) notice()
  }
  let occurrences = 0
  world.news.listen(() => occurrences++)
  const host = () => `127.0.0.1:${server.port}`
  const gatewayUrl = () => `ws://${host()}/gw`
  const gateway = createGateway(world, gatewayUrl, {
    ...{ heartbeatMs, sessionStarts, shards, maxConcurrency, identifyGapMs },
  })

  const banned: Answer = { status: 429, html: '<!doctype html><title>1015</title>You are being rate limited' }
  world.origin = () => `http://${host()}`
  const hear = (asked: Incoming, response: ServerResponse, door: string | null) => {
    const [, fileId] = /^\/ephemeral-attachments\/([^/]+)\//.exec(asked.path) ?? []
    if (fileId !== undefined) {
      const file = world.files.get(fileId)
      response.writeHead(file ? 200 : 404)
      return void response.end(file?.content)
    }
    const found = match(asked)
    const { name, path, major, route } = found
    const fault = faults.take(asked.method, path)
    const request: Request = {
      at: asked.at,
      door,
      route: name,
      method: asked.method,
      path,
      status: null,
      fault: fault?.kind ?? null,
      body: asked.body,
    }
    requests.push(request)
    const reply = (): Answer => {
      if (limits.invalid() >= invalidLimit) return banned
      const { headers, limited } = limits.ask(name, major, route?.path.startsWith('/interactions/') ?? false)
      if (limited) return { status: 429, body: limited, headers }
      const given = answer(asked, found, world, gateway, gatewayUrl())
      return { ...given, headers: { ...given.headers, ...headers } }
    }
    request.status = send(response, reply, fault, clock, hold)
    limits.answered(request.status, fault?.scope === 'shared')
    world.news.happened({ is: 'request', route: name, status: request.status })
  }
  const open = (at: number, door: string | null) =>
    listen(
      at,
      (request) => read(request, clock.monotonic(), faults.breaksOff),
      (asked, response) => hear(asked, response, door),
      (...upgrade) => gateway.upgrade(...upgrade),
    )
  const server = await open(port, null)
  const doors: (typeof server)[] = []
  const release = () => {
    for (const response of held) response.destroy()
    held.clear()
  }
  const down = async () => {
    release()
    const closed = [server, ...doors].map((one) => one.down())
    gateway.drop()
    await Promise.all(closed)
  }
  return {
    apiUrl: `http://${host()}/api`,
    token: TOKEN,
    applicationId: world.app.id,
    botId: world.bot.id,
    guild: (name, { shard = null }: { shard?: number | null } = {}) => guildOf(world, gateway, name, shard),
    user(name, { installed = true } = {}) {
      const user = userOf(world, name)
      user.installed = installed
      return personHandle(world, gateway, user, null)
    },
    uploads(file) {
      const id = world.newId()
      world.files.set(id, file)
      return { id }
    },
    gateway,
    ledger: createLedger(world, requests, () => limits.invalid()),
    commands: (guild) => world.commands.list(guild?.id ?? null),
    commandPuts: () => world.commands.puts(),
    fault: (...added) => added.forEach((fault) => faults.add(fault)),
    clearFaults: () => faults.clear(),
    release,
    limit: (next) => limits.set(next),
    down,
    async up() {
      for (const one of [server, ...doors]) await one.up()
    },
    async door(name) {
      const one = await open(0, name)
      doors.push(one)
      return `http://127.0.0.1:${one.port}/api`
    },
    listen: (hear) => world.news.listen(hear),
    async idle() {
      for (let quiet = 0, seen = -1; quiet < QUIET_TURNS; quiet++) {
        await breathe(1)
        if ([server, ...doors].some((one) => one.busy() > 0) || occurrences !== seen) quiet = 0
        seen = occurrences
      }
    },
    holds: () => (held.size > 0 ? breathe(10) : new Promise((resolve) => void waiting.push(resolve))),
    stop: down,
    [Symbol.asyncDispose]: down,
  }
}
