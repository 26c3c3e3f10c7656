import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { uptime } from 'node:os'

import { kinds } from '../alerts/index.ts'
import type { ActionPress } from '../chat/action-link.ts'
import { type Conversation, isConversation } from '../chat/conversation.ts'
import { createDrawing } from '../drawing/drawing.ts'
import type { Address } from '../message/address.ts'
import { USUAL_LANGUAGE } from '../message/message.ts'
import { buttonKey, createActionLinks } from '../net/action-links.ts'
import { createEgress } from '../net/egress.ts'
import { startHttp } from '../net/http-server.ts'
import { endWithVenue } from '../ops/ending.ts'
import { watchHealth } from '../ops/liveness/health.ts'
import { startHeartbeat } from '../ops/liveness/heartbeat.ts'
import { tellSupervisor } from '../ops/liveness/supervisor.ts'
import { startWatchdog } from '../ops/liveness/watchdog.ts'
import { blackener, logEvents } from '../ops/log.ts'
import { startMetrics } from '../ops/metrics/metrics-server.ts'
import { backUpNightly } from '../ops/nightly.ts'
import { watchStandbys } from '../ops/standby-watch.ts'
import { timed } from '../ops/timed-store.ts'
import { walBytes, watchWal } from '../ops/wal-growth.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import type { Egress } from '../runtime/egress.ts'
import { createEvents, type Events } from '../runtime/event.ts'
import type { Route } from '../runtime/route.ts'
import type { Http } from '../runtime/http.ts'
import type { OpenBackups } from '../store/backup.ts'
import { browsable, derivedFrom, openAdapters } from './adapters.ts'
import { type App, createApp } from './app.ts'
import type { Config } from './config.ts'
import { configured, entry, refuse, venueToForget } from './environment.ts'
import { takenStore, type TakenStore } from './leading.ts'
import { secretsOf, withoutPassword } from './secrets.ts'
import { openVenues } from './venues.ts'

/** Longer than this and the end is forced: a supervisor would kill us anyway. */
const STOP_LIMIT_MS = 9_000

/** The exit code of a process that led and may not go on: another one leads, or soon will. */
const LEADS_NO_MORE = 3

const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Reads the environment, opens the plugins that it names, and runs until a signal or a command ends it. */
export default async function run(): Promise<void> {
  await begin().catch((error: unknown) => refuse(error, false))
}

async function begin(): Promise<void> {
  const { env } = process
  const config = await configured()
  const events = createEvents()
  const monotonic = () => uptime() * 1_000
  logEvents(events, { level: logLevel(config), secrets: secretsOf(env), monotonic })
  process.on('uncaughtException', (error) => die(events, error))
  process.on('unhandledRejection', (error) => die(events, error))
  try {
    await watch(config, events)
  } catch (error) {
    refuse(error, /^(?:debug|trace)$/.test(config.logLevel))
  }
}

async function watch(config: Config, events: Events): Promise<void> {
  const { env } = process
  const { emit } = events
  const clock = systemClock(() => uptime() * 1_000)
  const egress = createEgress({ clock, allowed: config.allowedHosts })
  const { marketPollMs, publicUrl } = config
  const health = watchHealth({ events, clock, marketPollMs })
  const supervisor = tellSupervisor({ env, pid: process.pid, events, clock, report: health.report })
  const settings = { ...config, version: version() }
  const metrics = startMetrics({
    events,
    clock,
    about: {
      ...settings,
      venue: config.venues.join(','),
      venues: config.venues,
      kinds: kinds.map(({ name }) => name),
    },
  })
  const routes: Route[] = [health.route, metrics.route]
  const server = await startHttp({
    host: config.httpHost,
    port: config.httpPort,
    // A public address leads to this very port, so no other one will do.
    portIsDefault: config.httpPortIsDefault && publicUrl === null,
    publicPath: publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, ''),
    routes,
    emit,
  })
  const stopBeside = async () => {
    await server.stop()
    health.stop()
    supervisor.stop()
    metrics.stop()
    emit({ is: 'stopped' })
  }
  const forgets = venueToForget(process.argv.slice(2))
  const taken = await takenStore({
    ...{ config, clock, emit, forgets: forgets !== null },
    async stopped() {
      await stopBeside()
      process.exit(0)
    },
    over(why) {
      emit({ is: 'trouble', where: 'lead', why: `this process ends: ${why}` })
      process.exit(LEADS_NO_MORE)
    },
  })
  try {
    const beside = { health, metrics, server, routes, stop: stopBeside }
    await serve({ config, settings, events, clock, egress, beside, forgets, taken })
  } catch (error) {
    await taken.letGo()
    throw error
  }
}

/** Opens the plugins, and runs until a signal or a command ends it. */
async function serve({
  config,
  settings,
  events,
  clock,
  egress,
  beside,
  forgets,
  taken,
}: {
  config: Config
  settings: Config & { version: string }
  events: Events
  clock: Clock
  egress: Egress
  /** The parts that run already, and go on until the very end. */
  beside: {
    health: ReturnType<typeof watchHealth>
    metrics: ReturnType<typeof startMetrics>
    server: Awaited<ReturnType<typeof startHttp>>
    routes: Route[]
    stop(): Promise<void>
  }
  /** The venue whose records are taken away first. */
  forgets: string | null
  taken: TakenStore
}): Promise<void> {
  const { health, metrics, server, routes } = beside
  const { env } = process
  const { emit } = events
  const world = { env, clock, emit, random: Math.random, egress }
  const { database, publicUrl } = config
  const { venue, identities } = await openVenues(config.venues, world)
  if (forgets !== null) {
    const { identity, rules, alerts, positions } = await taken.forget(forgets, identities)
    process.stderr.write(
      `Removed the records of ${identity}. Rules: ${rules}, alerts: ${alerts}, positions: ${positions}.\n`,
    )
  }
  const store = timed(await taken.open(identities), clock, emit)
  const openBackups = await entry<OpenBackups>('../stores/', config.store, 'backups.ts')
  const nightly = backUpNightly({ clock, emit, list: openBackups({ url: database }).list })
  const standbys = watchStandbys({ events, clock })
  const wal = watchWal({ clock, emit, bytes: async () => walBytes((await store.admin.size([])).files) })
  let app: App | null = null
  const press = async (pressed: ActionPress) => {
    if (app === null) throw new Error('the bot is starting')
    return app.press(pressed)
  }
  const languageAt = (there: Address) => app?.languageAt(there) ?? USUAL_LANGUAGE
  const keyOf = async () => buttonKey(await store.admin.secret(), config.buttonKey)
  const at = { url: publicUrl ?? browsable(server.url), isPublic: publicUrl !== null }
  const actionLinks = createActionLinks({ ...at, key: await keyOf(), clock, emit, press, languageAt })
  routes.push(actionLinks.route)
  const { linkFor } = actionLinks
  const http: Http = { ...at, mount: server.mount, linkFor }
  const { adapters, clients } = await openAdapters(config.adapters, {
    ...world,
    http,
    isOperators: (there) => app?.isOperators(there) ?? false,
    personAt: (there) => app?.personAt(there) ?? null,
    secret: derivedFrom(() => store.admin.secret()),
    linkFor: http.isPublic ? linkFor : null,
    ...(taken.isShared && { mayAct: taken.holds }),
  })
  const heartbeat =
    config.heartbeatUrl === null
      ? null
      : startHeartbeat({
          ...{ url: config.heartbeatUrl, egress, clock, emit, report: health.report },
          waiting: async () => (await store.admin.size(config.adapters)).waiting,
          hide: blackener(secretsOf(env)),
        })
  const drawing = createDrawing({ clock, emit })
  let ending = false
  const end = (exitCode: number, why: string) => {
    if (ending) return
    ending = true
    emit({ is: 'stopping', why })
    clock.wakeAt(clock.monotonic() + STOP_LIMIT_MS, () => {
      emit({ is: 'trouble', where: 'stop', why: `not everything ended within ${STOP_LIMIT_MS} ms` })
      // Another process need not wait for the end of the lease.
      void taken.letGo().then(() => process.exit(1))
    })
    heartbeat?.stop()
    nightly.stop()
    wal.stop()
    standbys.stop()
    const parts = [
      () => drawing.stop(),
      async () => app?.stop(),
      () => venue.close(),
      () => store.admin.close(),
      () => beside.stop(),
    ]
    const stopped = async () => {
      // While the database does not answer, the outbox cannot note its last outcomes: all the rest is closed as ever.
      for (const stop of parts)
        await stop().catch((error: unknown) =>
          emit({ is: 'trouble', where: 'stop', why: 'a part did not end as it should', error }),
        )
      process.exit(exitCode)
    }
    void stopped()
  }
  const chats = adapters.filter(({ name }) => config.chats.includes(name)).filter(isConversation)
  const claimable = chats.filter(({ operatorSitsHere }) => !operatorSitsHere)
  const claimCode = claimable.length > 0 ? newCode() : null
  const quit = () => end(0, '/quit')
  app = await createApp({
    venue,
    store,
    adapters,
    clients,
    page: config.adapters.includes('web') ? at : null,
    assistants: config.adapters.includes('assistant') ? at : null,
    unopened: config.unopened,
    clock,
    events,
    settings,
    newCode,
    newToken,
    claimCode,
    draw: drawing.draw,
    lead: taken,
    quit,
    random: Math.random,
  })
  const { stats } = app
  metrics.begin({ stats, kept: () => store.admin.size(config.adapters) })
  if (venue.endsBot) endWithVenue({ events, clock, ...app, end })
  process.on('SIGTERM', () => end(0, 'SIGTERM'))
  process.on('SIGINT', () => end(0, 'SIGINT'))
  taken.handOver()
  await app.start()
  startWatchdog({ clock, emit })
  if (claimCode !== null && !app.claimed()) {
    // Not in the log: a reader of logs must not be able to take the bot over.
    process.stderr.write(
      `To become the operator, send this to the bot in a private chat: ${claimLine(claimCode, claimable)}\n`,
    )
  }
  // Notifiers receive nothing and connect only to send, and clients come to our own port: they count as connected.
  const silent = [...adapters.filter((adapter) => !isConversation(adapter)), ...clients]
  for (const { name: platform } of silent) emit({ is: 'platform', platform, why: null })
  emit({
    is: 'started',
    version: settings.version,
    venue: venue.identity,
    adapters: config.adapters,
    database: withoutPassword(database),
  })
  // Node would write what it has compiled at the end, and a process that is killed has none.
  flushCompileCache()
}

/** The line that works on the platforms that are open: some want each argument named. */
function claimLine(code: string, claimable: readonly Conversation[]): string {
  const lines = claimable.map(({ name, namesArguments }) => ({
    name,
    line: namesArguments ? `/start code:${code}` : `/start ${code}`,
  }))
  const [first] = lines
  return first && lines.every(({ line }) => line === first.line)
    ? first.line
    : lines.map(({ name, line }) => `${line} (on ${name})`).join(', or ')
}

/** If a person reads the conversation and the log in one terminal, only important lines are logged. */
function logLevel({ logLevel: level, logLevelIsDefault }: Config): string {
  return logLevelIsDefault && process.stderr.isTTY && process.stdout.isTTY ? 'warn' : level
}

/** 60 bits in letters and digits that cannot be taken for each other. */
function newCode(): string {
  const letters = Array.from({ length: 12 }, () => CODE_LETTERS.charAt(randomInt(CODE_LETTERS.length)))
  return [0, 4, 8].map((from) => letters.slice(from, from + 4).join('')).join('-')
}

/** The prefix tells people, and programs that look for lost secrets, what it opens. */
function newToken(): string {
  return `perch_${randomBytes(32).toString('base64url')}`
}

function version(): string {
  const { version: own } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as {
    version: string
  }
  return own
}

function die(events: Events, error: unknown): never {
  events.emit({ is: 'trouble', where: 'process', why: 'an error that nobody caught ends the process', error })
  process.exit(1)
}
