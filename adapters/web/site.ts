import { type Context, Hono } from 'hono'
import { z } from 'zod'

import type { Bot } from '../../src/chat/bot.ts'
import type { Glance } from '../../src/chat/holdings.ts'
import { createPerMinute } from '../../src/lib/time/per-minute.ts'
import type { Identity } from '../../src/message/address.ts'
import { inWords, USUAL_LANGUAGE, words } from '../../src/message/message.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Egress } from '../../src/runtime/egress.ts'
import type { Emit } from '../../src/runtime/event.ts'
import type { FetchHandler, Http, Peer } from '../../src/runtime/http.ts'
import { type Key, LANGUAGES, sayings } from '../../src/words/words.ts'
import { formsOf } from './answer/forms.ts'
import type { Asking, Speech } from './answer/speech.ts'
import { type Asset, type Assets, loadAssets } from './serve/assets.ts'
import { browserLanguage, hostRefusal, jsonOf, type Refusal, siteRefusal } from './serve/refusals.ts'
import { securityHeaders } from './serve/headers.ts'
import type { Streams } from './serve/streams.ts'
import { cookieOf, identityOf, secretOf, sessionCookie } from './sign-in/credential.ts'
import { createDiscordTrips, type DiscordApp } from './sign-in/discord.ts'
import { browserName, createDoor, type Entry } from './sign-in/door.ts'

/** Looks at a course, and new streams, of one session in a minute. */
const COURSES_A_MINUTE = 60
const STREAMS_A_MINUTE = 60

/** The keys of sentences that the page's own code says. */
const PAGE_WORDS = ['pageui.', 'alert.button.', 'figure.far', 'message.locale']

const SIGN_IN = z.union([
  z.strictObject({ code: z.string().min(1).max(64) }),
  z.strictObject({ initData: z.string().min(1).max(4_096) }),
])
const ID = z.string().regex(/^[\w-]{1,64}$/)
const ARGS = z.record(z.string().max(64), z.union([z.string().max(4_000), z.number(), z.boolean()]))
/** Fields of an input that may acknowledge something. */
const SEEN = { id: ID, seenUntil: z.number().finite().nonnegative() }
const LINE = z.strictObject({ ...SEEN, line: z.string().min(1).max(4_000) })
const CALL = z.strictObject({ ...SEEN, command: z.string().min(1).max(64), args: ARGS })
const TRY = z.strictObject({ id: ID, kind: z.string().regex(/^[a-z-]{1,40}$/), args: ARGS })
const COURSE = z.object({
  market: z.string().min(1).max(200),
  since: z.coerce.number().finite().nonnegative(),
  columns: z.coerce.number().int().min(1).max(4_000),
})

interface Env {
  Bindings: { peer: Peer }
}
type Asked = Context<Env>

/** Who asks: the session, and what it sees now. */
interface Visitor {
  bot: Bot
  by: Identity
  glance: Glance
}

/** The world of the page. */
export interface WebWorld {
  clock: Clock
  emit: Emit
  egress: Egress
  http: Http
  /** Uniform in [0, 1). */
  random: () => number
  /** Vouches for the launch data of Mini Apps; null without Telegram. A secret. */
  telegramToken: string | null
  hasDiscord: boolean
  /** Null where nobody signs in by Discord. */
  discord: DiscordApp | null
  /** The folder of the page's files. */
  files: URL
  /** 32 random bytes in base64url. */
  newSecret: () => string
}

/** Answers every request below `/page`. */
export default function createSite(
  world: WebWorld & { bot: () => Bot | null; streams: Streams; speech: Speech },
): FetchHandler {
  const { clock, emit, http, streams, speech, discord, telegramToken } = world
  const isEncrypted = new URL(http.url).protocol === 'https:'
  const headers = securityHeaders(
    { telegram: telegramToken !== null, discord: world.hasDiscord },
    isEncrypted,
  )
  const cookie = sessionCookie(http.url)
  const door = createDoor(world)
  const redirect = `${http.url}/page/discord`
  const trips = discord === null ? null : createDiscordTrips(discord, { ...world, redirect })
  let loading: Promise<Assets> | null = null
  /** All files, read once. After a failure the next request reads them again. */
  const assets = () => {
    loading ??= loadAssets(wordFiles(), world.files).catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
  const courses = createPerMinute(COURSES_A_MINUTE)
  const openings = createPerMinute(STREAMS_A_MINUTE)

  const site = new Hono<Env>()

  const says = (c: Asked, key: Key) =>
    inWords(words(key as 'web.no-proof'), browserLanguage(c.req.raw) ?? undefined)
  const refuse = (c: Asked, status: Refusal['status'] | 401 | 404 | 429 | 503, key: Key) =>
    c.json({ says: says(c, key) }, status)
  const stranger = (c: Asked) => c.json({ says: says(c, 'web.sign-in'), discord: trips !== null }, 401)

  /** Null for a stranger. A session that has ended is one as well. */
  const visitorOf = (c: Asked): Visitor | null => {
    const bot = world.bot()
    const secret = secretOf(c.req.raw, cookie.name)
    if (bot === null || secret === null) return null
    const by = identityOf(secret)
    const glance = bot.glance(by)
    return glance === null ? null : { bot, by, glance }
  }
  const sessionName = (c: Asked, by: Identity) => world.bot()?.sessionName(by) ?? nameOf(c)
  const asking = (c: Asked, by: Identity, id: string, seenUntil: number): Asking => ({
    ...{ by, id, seenUntil, name: sessionName(c, by), language: browserLanguage(c.req.raw) },
    signal: c.req.raw.signal,
  })
  const entered = (c: Asked, entry: Entry, body: (secret: string) => object) => {
    if (entry.is === 'refused')
      return door.isSlip(c.env.peer.address) ? refuse(c, 401, entry.why) : refuse(c, 429, 'web.too-many')
    c.header('set-cookie', cookie.holding(entry.secret, entry.livesMs))
    return c.json(body(entry.secret))
  }
  /** The session that this browser had before ends: nobody could reach it any more. */
  const leave = async (before: Visitor | null): Promise<boolean> => {
    if (before === null) return true
    try {
      await before.bot.signOut(before.by)
      return true
    } catch (error) {
      emit({ is: 'trouble', where: 'web', why: 'a page could not be signed out', error })
      return false
    } finally {
      streams.end(before.by.user)
    }
  }

  site.use(async (c, next) => {
    const isData = !/^\/page(?:\/a\/|\/worker\.js$|\/discord$|\/?$)/.test(c.req.path)
    const refusal = hostRefusal(c.req.raw, http) ?? (isData ? siteRefusal(c.req.raw) : null)
    if (refusal) c.res = refuse(c, refusal.status, refusal.why)
    else if (isData && world.bot() === null) c.res = refuse(c, 503, 'page.away')
    else await next()
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
    return undefined
  })
  site.onError((error, c) => {
    emit({ is: 'trouble', where: 'web', why: 'a request was not answered', error })
    return c.json({ says: says(c, 'platform.failed') }, 500)
  })
  site.notFound((c) => refuse(c, 404, 'page.not-found'))

  site.get('/page', async (c) => {
    const language = browserLanguage(c.req.raw) ?? USUAL_LANGUAGE
    c.header('vary', 'accept-language')
    return sent(c, (await assets()).document(language), 'no-cache')
  })
  // Without the slash, addresses in the page are right behind any path of PUBLIC_URL.
  site.get('/page/', (c) => c.redirect('../page', 308))
  site.get('/page/worker.js', async (c) => {
    c.header('service-worker-allowed', '../page')
    return sent(c, (await assets()).at('worker.js'), 'no-cache')
  })
  site.get('/page/a/*', async (c) =>
    sent(c, (await assets()).at(c.req.path.slice('/page/'.length)), 'public, max-age=31536000, immutable'),
  )

  site.get('/page/session', (c) => {
    const visitor = visitorOf(c)
    if (!visitor) return stranger(c)
    const { at, reader, simulated } = visitor.glance
    // The name by which acknowledgements from this page are known.
    return c.json({ name: sessionName(c, visitor.by), at, reader, simulated })
  })
  site.post('/page/session', async (c) => {
    const bot = world.bot()
    const asked = await jsonOf(c.req.raw, SIGN_IN)
    if (asked.is === 'refused') return refuse(c, asked.refusal.status, asked.refusal.why)
    if (bot === null) return refuse(c, 503, 'page.away')
    const { value } = asked
    const before = visitorOf(c)
    const isCode = 'code' in value
    const entry = await (isCode
      ? door.byCode(bot, value.code, nameOf(c))
      : door.byInitData(bot, value.initData, nameOf(c)))
    if (entry.is === 'in') await leave(before)
    return entered(c, entry, (token) => (isCode ? {} : { token }))
  })
  site.delete('/page/session', async (c) => {
    const hasEnded = await leave(visitorOf(c))
    // This browser forgets it in any case. /pages in a chat still shows a session that could not be ended.
    c.header('set-cookie', cookie.ended)
    return hasEnded ? c.json({}) : refuse(c, 503, 'platform.failed')
  })

  site.get('/page/glance', (c) => {
    const visitor = visitorOf(c)
    return visitor ? c.json(visitor.glance) : stranger(c)
  })
  site.get('/page/events', (c) => {
    const visitor = visitorOf(c)
    if (!visitor) return stranger(c)
    // A HEAD is answered as a GET without a body: nobody would read or end that stream.
    if (c.req.raw.method !== 'GET') return refuse(c, 404, 'page.not-found')
    const { bot, by, glance } = visitor
    if (!openings.allows(by.user, clock.monotonic())) return refuse(c, 429, 'web.too-many')
    return streams.open(bot, by, glance, c.req.raw.signal)
  })
  site.get('/page/course', async (c) => {
    const visitor = visitorOf(c)
    if (!visitor) return stranger(c)
    const asked = COURSE.safeParse(c.req.query())
    if (!asked.success) return refuse(c, 400, 'web.bad-request')
    if (!courses.allows(visitor.by.user, clock.monotonic())) return refuse(c, 429, 'web.too-many')
    const { market, since, columns } = asked.data
    const course = await visitor.bot.course(visitor.by, market, since, columns)
    if (course === 'busy') return refuse(c, 503, 'page.busy')
    return course === null ? refuse(c, 404, 'page.not-found') : c.json(course)
  })
  site.get('/page/forms', (c) => {
    const visitor = visitorOf(c)
    if (!visitor) return stranger(c)
    const { bot, glance } = visitor
    return c.json({ forms: formsOf(bot.commands, 'alert', glance.reader.language) ?? [] })
  })

  const answered = (c: Asked, answer: Awaited<ReturnType<Speech['line']>>) => {
    if (answer === 'away') return refuse(c, 503, 'page.away')
    // Perch is silent to those who say too much: on a page that would look like an answer.
    return answer === null ? refuse(c, 429, 'web.too-many') : c.json({ answer })
  }
  const hears = <T>(
    path: string,
    shape: z.ZodType<T>,
    how: (c: Asked, by: Identity, said: T) => ReturnType<Speech['line']>,
  ) =>
    site.post(path, async (c) => {
      const visitor = visitorOf(c)
      if (!visitor) return stranger(c)
      const asked = await jsonOf(c.req.raw, shape)
      if (asked.is === 'refused') return refuse(c, asked.refusal.status, asked.refusal.why)
      return answered(c, await how(c, visitor.by, asked.value))
    })
  hears('/page/line', LINE, (c, by, { id, seenUntil, line }) =>
    speech.line(asking(c, by, id, seenUntil), line),
  )
  hears('/page/call', CALL, (c, by, { id, seenUntil, command, args }) =>
    speech.call(asking(c, by, id, seenUntil), command, args),
  )
  hears('/page/try', TRY, (c, by, { id, kind, args }) =>
    speech.call(asking(c, by, id, clock.now()), `try ${kind}`, args),
  )

  if (trips !== null) {
    const trip = isEncrypted ? '__Host-perch-trip' : 'perch-trip'
    // Discord leads back from another site, where browsers send no strict cookie.
    const tripCookie = (value: string, seconds: number) =>
      `${trip}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isEncrypted ? '; Secure' : ''}`
    site.get('/page/discord', async (c) => {
      const bot = world.bot()
      if (bot === null) return refuse(c, 503, 'page.away')
      const query = new URL(c.req.url).searchParams
      if (!query.has('state') && !query.has('error')) {
        if (!trips.allows()) return refuse(c, 429, 'web.too-many')
        const { url, state } = trips.begin()
        c.header('set-cookie', tripCookie(state, Math.floor(trips.livesMs / 1_000)))
        return c.redirect(url, 303)
      }
      const state = cookieOf(c.req.raw, trip, /^[\w-]{43}$/)
      c.header('set-cookie', tripCookie('', 0))
      const user = await trips.end(state, query, c.req.raw.signal)
      const entry = user && (await door.byIdentity(bot, { ...user, platform: 'discord' }, nameOf(c)))
      if (entry?.is === 'in')
        c.header('set-cookie', cookie.holding(entry.secret, entry.livesMs), { append: true })
      // The page says the reason in its own words.
      return c.redirect(
        entry?.is === 'in' ? '../page' : `../page#refused=${user === null ? 'proof' : 'unknown'}`,
        303,
      )
    })
  }

  return (request, peer) => site.fetch(request, { peer })
}

function sent(c: Asked, asset: Asset | null, caching: string): Response | Promise<Response> {
  if (asset === null) return c.notFound()
  c.header('etag', asset.etag)
  c.header('cache-control', caching)
  c.header('vary', 'accept-encoding', { append: true })
  if (c.req.header('if-none-match') === asset.etag) return c.body(null, 304)
  const isZipped = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  c.header('content-type', asset.type)
  if (isZipped) c.header('content-encoding', 'gzip')
  return c.body(Uint8Array.from(isZipped ? asset.zipped : asset.body))
}

function nameOf(c: Asked): string {
  return browserName(c.req.header('user-agent') ?? '')
}

/** The sentences of the page's own code, by language. */
function wordFiles(): Record<string, string> {
  return Object.fromEntries(
    LANGUAGES.map((language) => [language, JSON.stringify(sayings(language, PAGE_WORDS))]),
  )
}
