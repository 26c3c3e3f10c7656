import type { Clock } from '../../../runtime/clock.ts'
import type { Emit } from '../../../runtime/event.ts'
import { type Hearing, type Push, VenueError } from '../../../venue/venue.ts'
import type { Accounts, News } from '../accounts.ts'
import type { Markets } from '../markets.ts'
import { type Channel, channelKey } from '../rules/places.ts'
import type { Trades } from '../trades.ts'
import { type Frame, readFrame } from '../wire/frames.ts'
import { createConnections } from './connections.ts'
import { createFollowed } from './followed.ts'
import { createHealth } from './health.ts'
import { createInOrder } from './in-order.ts'
import { createPace } from './pace.ts'
import { createSubscriptions } from './subscriptions.ts'

/** How often subscriptions are looked after. */
const LOOK_MS = 250
/** How often the wanted channels are chosen anew: a read may have found new accounts. */
const CHOOSE_MS = 1_000
/** The venue pushes prices about once a second. After this long without any, another connection is opened. */
const SILENT_MS = 10_000
/** A whole wallet is read so rarely, since the death of one quiet subscription shows in nothing else. */
const READ_EVERY_MS = 30 * 60_000
/** A frame that nobody can read may be about any account of its connection. Those are renewed once in this time. */
const RENEW_ALL_MS = 600_000

const PRICES: Channel = { purpose: 'market_stats', of: 'all' }
/** https://apidocs.lighter.xyz/docs/data-structures-constants-and-errors */
const [TOO_MANY_REQUESTS, TOO_MANY_SUBSCRIPTIONS, TOO_MANY_ACCOUNTS] = [23_000, 23_001, 23_002]
const [TOO_MANY_CONNECTIONS, TOO_MANY_MESSAGES, TOO_MANY_IN_FLIGHT] = [23_003, 30_009, 30_010]
/** Our view of a connection and the venue's may differ for a moment. */
const HARMLESS = /already subscribed|not subscribed/i

/** The venue's push: all prices on one connection, and every account of the followed wallets on others. */
export function createFeed(world: {
  url: string
  clock: Clock
  emit: Emit
  random: () => number
  accounts: Accounts
  markets: Pick<Markets, 'tell' | 'cut'>
  trades: Pick<Trades, 'take'>
}): Push {
  const { clock, emit, accounts, markets, trades } = world
  let hearing: Hearing | null = null
  let callOff = () => {}
  let [choseMono, pricedMono] = [-Infinity, -Infinity]
  const renewed = new Map<number, number>()

  const health = createHealth({ clock, emit })
  const inOrder = createInOrder(accounts)
  const pace = createPace(clock)
  const connections = createConnections({
    ...world,
    pace,
    opened(_id, purpose) {
      if (purpose === 'market_stats') pricedMono = clock.monotonic()
      health.opened(purpose)
      look()
    },
    heard,
    lost(id, purpose, why) {
      subscriptions.lost(id)
      renewed.delete(id)
      if (purpose === 'market_stats') markets.cut()
      const isLast = ![...connections.all()].some((one) => one.purpose === purpose && one.isOpen)
      if (isLast) health.lost(purpose, why)
    },
  })
  const subscriptions = createSubscriptions({ clock, pace, connections })
  const followed = createFollowed({
    ...{ clock, accounts, subscriptions },
    tell: (wallet, answer, whole) => hearing?.wallet(wallet, answer, whole),
  })

  function look(): void {
    if (hearing === null) return
    const mono = clock.monotonic()
    if (mono - choseMono >= CHOOSE_MS) choose()
    if (mono - pricedMono >= SILENT_MS) missPrices()
    subscriptions.look()
  }

  function tick(): void {
    callOff = clock.wakeAt(clock.monotonic() + LOOK_MS, tick)
    try {
      look()
      followed.tellAgain(LOOK_MS)
    } catch (error) {
      emit({ is: 'trouble', where: 'push', why: String(error), error })
    }
  }

  function choose(): void {
    choseMono = clock.monotonic()
    const channels = followed.channels()
    subscriptions.want([PRICES, ...channels])
    const isIdle =
      channels.length === 0 && ![...connections.all()].some(({ purpose }) => purpose === 'account_all')
    if (isIdle) health.lost('account_all', null)
  }

  function missPrices(): void {
    const why = `no prices were told for ${SILENT_MS / 1_000} s`
    health.silent(why)
    for (const { id, purpose, isOpen } of connections.all())
      if (purpose === 'market_stats' && isOpen) connections.cut(id, why)
  }

  function heard(id: number, text: string): void {
    try {
      take(id, readFrame(text))
    } catch (error) {
      if (!(error instanceof VenueError))
        return emit({ is: 'trouble', where: 'push', why: String(error), error })
      health.unusable({ what: 'a frame', part: null, why: error.message })
      doubtSender(id, text)
    }
  }

  function take(id: number, frame: Frame): void {
    switch (frame.is) {
      case 'markets':
        return takeMarkets(frame)
      case 'account':
        return takeAccount(frame)
      case 'figures': {
        const key = channelKey({ purpose: 'user_stats', of: frame.account })
        if (frame.whole) subscriptions.confirmed(key)
        return subscriptions.isLive(key) ? tell(accounts.tellFigures(frame)) : undefined
      }
      case 'unreadable':
        health.unusable({ what: frame.channel.split('/')[0] ?? '', part: frame.account, why: frame.why })
        return doubt(frame.channel)
      case 'error':
        return refused(id, frame)
      case 'ping':
        return connections.greet(id, { type: 'pong' })
      case 'unsubscribed':
      case 'pong':
      case 'other':
        return undefined
    }
  }

  function takeMarkets({ read, whole }: Extract<Frame, { is: 'markets' }>): void {
    if (whole) subscriptions.confirmed(channelKey(PRICES))
    health.unusable(...read.unusable)
    if (read.stats.length > 0) {
      pricedMono = clock.monotonic()
      health.priced()
    }
    const { answer, whole: isAll } = markets.tell(read.stats, whole, hearing?.needed() ?? [])
    hearing?.markets({ ...answer, unusable: [...answer.unusable, ...read.unusable] }, isAll)
  }

  function takeAccount(frame: Extract<Frame, { is: 'account' }>): void {
    const { account } = frame
    const key = channelKey({ purpose: 'account_all', of: account })
    if (frame.whole) subscriptions.confirmed(key)
    const taken = inOrder.take(frame, subscriptions.isLive(key))
    const told = taken && accounts.tell(taken.frame)
    if (taken === null || told === null) return
    trades.take(account, told)
    tell(told)
    if (taken.isDoubtful) doubt(key)
    else if (told.doubtful) hearing?.changed(told.wallet)
  }

  function tell(told: News | null): void {
    if (told === null || !followed.has(told.wallet)) return
    health.unusable(...told.answer.unusable)
    followed.tell(told.wallet, told.answer)
  }

  /** The figures of this account may be wrong. */
  function doubt(key: string): void {
    const [purpose = '', account = ''] = key.split('/')
    subscriptions.renew(key)
    const wallet = purpose === 'account_all' ? accounts.walletOf(account) : null
    if (wallet !== null && followed.has(wallet)) hearing?.changed(wallet)
  }

  /** Half a frame may still name its channel. If it does not, every account of its connection is in doubt. */
  function doubtSender(id: number, text: string): void {
    const [, purpose = '', account = ''] = CHANNEL.exec(text) ?? []
    if (account !== '') return doubt(`${purpose}/${account}`)
    if (clock.monotonic() - (renewed.get(id) ?? -Infinity) < RENEW_ALL_MS) return
    renewed.set(id, clock.monotonic())
    for (const key of subscriptions.on(id)) if (key !== channelKey(PRICES)) subscriptions.renew(key)
  }

  function refused(id: number, { code, text }: Extract<Frame, { is: 'error' }>): void {
    if (HARMLESS.test(text)) return
    health.unusable({ what: 'an error frame', part: null, why: `${code ?? ''} ${text.slice(0, 100)}`.trim() })
    if (code === TOO_MANY_CONNECTIONS) return connections.refused()
    if (code === TOO_MANY_MESSAGES || code === TOO_MANY_REQUESTS) pace.rest()
    if (code === TOO_MANY_IN_FLIGHT) pace.fewerInFlight()
    subscriptions.refused(id, code === TOO_MANY_SUBSCRIPTIONS || code === TOO_MANY_ACCOUNTS)
  }

  return {
    start(hear) {
      hearing = hear
      pricedMono = clock.monotonic()
      tick()
    },
    follow(wallets) {
      followed.follow(wallets)
      choose()
    },
    readEveryMs: READ_EVERY_MS,
    status() {
      return {
        ...health.status(),
        subscriptions: subscriptions.confirmedCount(),
        wallets: { followed: followed.wholeCount(), allowed: subscriptions.allowed() },
      }
    },
    async stop() {
      hearing = null
      callOff()
      await connections.stop()
      health.stopped()
    },
  }
}

const CHANNEL = /"channel":\s*"(account_all|user_stats)[:/](\d{1,19})"/
