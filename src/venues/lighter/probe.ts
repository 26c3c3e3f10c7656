import { errorText } from '../../lib/text/error-text.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { type Amount, fromNumber, parseDecimal } from '../../venue/amount.ts'
import type { Asking } from '../../venue/venue.ts'
import { parseWallet, type Wallet } from '../../venue/wallet.ts'
import { createAsk } from '../http/ask.ts'
import { openLine } from '../http/line.ts'
import { isFields, parseJson } from '../http/reply.ts'
import { openTransport, type Transport } from '../http/request.ts'
import { createApi, isLimit } from './api.ts'
import { schema, urlOf } from './config.ts'
import { ACCOUNT, MARKET, POSITION, STATS, TRADE, TRADE_KINDS } from './probing/documented.ts'
import { addTo, compared, type Shape } from './probing/shape.ts'
import { compareAccount, rateUnit } from './probing/sums.ts'
import { readFrame } from './wire/frames.ts'

const LIMIT_MS = 20_000
/** The venue asks every minute whether we are there. */
const LISTEN_MS = 75_000
/** Below this, only rounding differs. */
const MAX_APART = 1e-5
const SILENCE = { pingAfterMs: 15_000, deadAfterMs: 30_000 }

/**
 * `npm run probe:lighter -- 0x…` reads all accounts of one address, listens for a while, and prints how what comes
 * differs from what is documented. It prints no address, no account and no amount. An interrupt ends the listening alone.
 */
async function probe(wallet: Wallet, url: string, token: string | null): Promise<void> {
  const clock = systemClock()
  const shapes = new Map<string, Shape>()
  const transport = noting(openTransport(new URL(url), clock), shapes)
  const ask = createAsk({
    ...{ transport, clock, emit: () => {}, random: () => 0.5, secret: token, isLimit },
  })
  const api = createApi(ask, token)
  const asking: Asking = {
    patience: 'poll',
    limitMs: LIMIT_MS,
    signal: new AbortController().signal,
    spend: (request) => request(() => {}),
  }
  say(`Reads ${url}${token === null ? '' : ' with a token'}.`)
  const list = await tried(api.list('markets', asking))
  const hourly = await tried(api.rates('markets', asking))
  const read = await tried(api.accounts(wallet, 'positions', asking))
  if (read === null) say('The venue does not know this address, or its accounts cannot be used.')
  const markets = new Map((list?.listed ?? []).map((each) => [each.id, each]))
  say(`${markets.size} markets, ${read?.accounts.length ?? 0} accounts.`)
  for (const { why } of read?.failed ?? []) say(`CANNOT BE USED: an account: ${why}`)
  for (const { what, why } of [...(list?.unusable ?? []), ...(read?.unusable ?? [])]) {
    say(`CANNOT BE USED: ${what.replaceAll(/\d{4,}/g, '…')}: ${why}`)
  }

  say('\nFields of the answers, beside what is documented')
  differs(shapes, 'account', 'accounts[]', ACCOUNT)
  differs(shapes, 'account', 'accounts[].positions[]', POSITION)
  differs(shapes, 'orderBookDetails', 'order_book_details[]', MARKET)

  say('\nOur own sums beside the figures of the venue')
  for (const account of read?.accounts ?? []) {
    for (const { what, apart } of compareAccount(account, markets)) {
      const by = apart === null ? 'cannot be compared' : `${(apart * 1e6).toFixed(1)} millionths apart`
      say(`  ${what}: ${by}${apart !== null && apart > MAX_APART ? ', THEY DISAGREE' : ''}`)
    }
  }

  say(`\nListens for ${LISTEN_MS / 1_000} s, or until Ctrl+C`)
  const ids = (read?.accounts ?? []).map(({ id }) => id)
  const rates = await listen(`${url.replace(/^http/i, 'ws')}/stream`, { clock, ids, shapes })
  differs(shapes, 'market_stats', 'market_stats.<id>', STATS)
  differs(shapes, 'account_all', 'positions.<id>', POSITION)
  differs(shapes, 'account_all', 'trades.<id>[]', TRADE)
  const unit = hourly && rateUnit(rates, hourly)
  say(
    `  the pushed funding rates of an hour are ${unit ?? 'too few to tell'}${unit === 'per cent' ? '' : ', WE TAKE THEM FOR PER CENT'}`,
  )
  for (const [name, shape] of shapes) {
    say(`\n${name}`)
    for (const [path, types] of shape) say(`  ${path}: ${[...types].join(' or ')}`)
  }
  await transport.close()
}

/** Follows all markets and these accounts. Returns the pushed rates as they are written. */
async function listen(
  url: string,
  { clock, ids, shapes }: { clock: Clock; ids: readonly string[]; shapes: Map<string, Shape> },
): Promise<Map<string, Amount>> {
  const counts = new Map<string, number>()
  const kinds = new Set<string>()
  const rates = new Map<string, Amount>()
  const channels = ['market_stats/all', ...ids.flatMap((id) => [`account_all/${id}`, `user_stats/${id}`])]
  const line = openLine({
    ...{ url, clock, silence: () => SILENCE, look: () => {} },
    opened: () => channels.forEach((channel) => line.say(JSON.stringify({ type: 'subscribe', channel }))),
    ping: () => line.say('{"type":"ping"}'),
    heard(text) {
      const said = heard(text)
      counts.set(said.type, (counts.get(said.type) ?? 0) + 1)
      if (said.type.startsWith('subscribed/')) say(`  ${said.type}`)
      const [, name = said.type] = said.type.split('/')
      addTo(shapeOf(shapes, name), said.body)
      for (const kind of said.kinds) kinds.add(kind)
      for (const [id, rate] of said.rates) rates.set(id, rate)
      if (said.why !== null) say(`  CANNOT BE USED: ${said.type}: ${said.why}`)
      if (said.type === 'ping') line.say('{"type":"pong"}')
    },
  })
  const end = () => line.cut('we have heard enough')
  const callOff = clock.wakeAt(clock.monotonic() + LISTEN_MS, end)
  process.once('SIGINT', end)
  say(`  ended: ${await line.over}`)
  process.off('SIGINT', end)
  callOff()
  for (const [type, count] of counts) say(`  ${type}: ${count}`)
  for (const kind of kinds)
    say(`  trades of the kind ${kind}${TRADE_KINDS.includes(kind) ? '' : ', WHICH IS NEW'}`)
  return rates
}

interface Heard {
  type: string
  body: unknown
  kinds: string[]
  rates: [string, Amount][]
  /** Null if we can use it. */
  why: string | null
}

function heard(text: string): Heard {
  const said: Heard = { type: 'no JSON', body: null, kinds: [], rates: [], why: null }
  try {
    said.body = parseJson(text)
    if (isFields(said.body)) said.type = typeof said.body['type'] === 'string' ? said.body['type'] : 'no type'
    const frame = readFrame(text)
    if (frame.is === 'unreadable') said.why = frame.why
    if (frame.is === 'error') said.why = `error ${frame.code ?? 'without a code'}: ${frame.text}`
    if (frame.is === 'account') said.kinds = frame.trades.map(({ kind }) => kind)
    if (frame.is === 'markets') said.rates = ratesIn(said.body)
  } catch (error) {
    said.why = errorText(error)
  }
  return said
}

/** The rates as they are written, before we decide on their unit. */
function ratesIn(body: unknown): [string, Amount][] {
  const stats = isFields(body) && isFields(body['market_stats']) ? body['market_stats'] : {}
  return Object.entries(stats).flatMap(([id, each]): [string, Amount][] => {
    const sent = isFields(each) ? each['current_funding_rate'] : null
    const rate =
      typeof sent === 'string' ? parseDecimal(sent) : typeof sent === 'number' ? fromNumber(sent) : null
    return rate === null ? [] : [[id, rate]]
  })
}

function differs(
  shapes: ReadonlyMap<string, Shape>,
  name: string,
  below: string,
  documented: readonly string[],
): void {
  const shape: Shape = shapes.get(name) ?? new Map()
  if (![...shape.keys()].some((path) => path.startsWith(`${below}.`)))
    return say(`  ${below}: nothing was sent`)
  const { missing, unknown } = compared(shape, below, documented)
  say(`  ${below}: lacks ${missing.join(', ') || 'nothing'}; new is ${unknown.join(', ') || 'nothing'}`)
}

function shapeOf(shapes: Map<string, Shape>, name: string): Shape {
  const shape: Shape = shapes.get(name) ?? new Map()
  shapes.set(name, shape)
  return shape
}

/** Notes the fields of every answer, by the name of its request. */
function noting(transport: Transport, shapes: Map<string, Shape>): Transport {
  return {
    ...transport,
    send: (request, limitMs, signal, read) =>
      transport.send(request, limitMs, signal, (reply) => {
        const name = /\/v1\/([\w-]+)/.exec(request.path)?.[1] ?? request.path
        say(`  ${name}: ${reply.status}${reply.retryAfter === null ? '' : ', with a Retry-After'}`)
        try {
          addTo(shapeOf(shapes, name), parseJson(reply.text))
        } catch (error) {
          say(`  CANNOT BE USED: ${errorText(error)}`)
        }
        return read(reply)
      }),
  }
}

async function tried<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    say(`  CANNOT BE USED: ${errorText(error)}`)
    return null
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (import.meta.main) {
  const parsed = parseWallet(process.argv[2] ?? '')
  const settings = schema.safeParse(process.env)
  if (parsed.ok && settings.success) {
    await probe(parsed.wallet, urlOf(settings.data), settings.data.LIGHTER_TOKEN ?? null)
  } else {
    const why = parsed.ok ? (settings.error?.issues[0]?.message ?? '') : parsed.why
    process.stderr.write(`${why} Say: npm run probe:lighter -- 0x…\n`)
    process.exitCode = 1
  }
}
