import { localize } from '../../src/outbox/localize.ts'
import { kinds } from '../../src/alerts/index.ts'
import type { Inbound } from '../../src/chat/bot.ts'
import type { Command } from '../../src/command/command.ts'
import type { Read, ReadResult, Recall, View } from '../../src/command/context.ts'
import { commandList } from '../../src/commands/index.ts'
import type { Speaker } from '../../src/dialog/access.ts'
import { createDialog } from '../../src/dialog/dialog.ts'
import type { Vocabulary } from '../../src/dialog/parse/vocabulary.ts'
import { inWords, type Text } from '../../src/message/message.ts'
import type { Picture } from '../../src/message/picture.ts'
import type { Chat } from '../../src/people/chat.ts'
import type { PendingQuestion } from '../../src/people/question.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { Change, Changed } from '../../src/store/change.ts'
import type { Order, Preview } from '../../src/venue/order.ts'
import type { PositionsAnswer } from '../../src/venue/venue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { type HandClock, handClock, NOON } from '../support/clock.ts'
import {
  aMonitor,
  ALICE,
  aMarket,
  anOrder,
  aPerson,
  aPosition,
  aRule,
  aWatch,
  BOB,
  exact,
} from '../support/fixtures.ts'

export const commands = commandList(kinds)

const markets = [
  aMarket({ id: '100', symbol: 'ETH', volume24hUsd: exact('5000000') }),
  aMarket({ id: '200', symbol: 'BTC', price: exact('97678'), volume24hUsd: exact('9000000') }),
  aMarket({ id: '300', symbol: 'Sol', price: exact('171.3') }),
]
const positions = [
  aPosition({ accountId: '170141183460469231731687303715884105001' }),
  aPosition({ marketId: '300', accountId: '170141183460469231731687303715884105002', size: exact('-7') }),
]

/** Alice's wallet is main, Bob's is my hedge; two ETH long, seven Sol short; one alert fires. */
export function aView(over: Partial<View> = {}, venues: readonly string[] = []): View {
  const seen = { at: NOON - 3_000, mono: 0 }
  const rule = aRule({ id: 7, kind: 'liquidation-distance', params: { tiers: [0.1] } })
  return {
    watches: () => [aWatch({ label: 'main' }), aWatch({ wallet: BOB, label: 'my hedge' })],
    follows: () => [],
    named: (personId) => [
      ...(over.watches?.(personId) ?? [
        aWatch({ label: 'main' }),
        aWatch({ wallet: BOB, label: 'my hedge' }),
      ]),
      ...(over.follows?.(personId) ?? []),
    ],
    rules: () => [rule],
    rulesIn: () => [],
    language: () => 'en',
    detail: () => 'short',
    pictures: () => 'on',
    theme: () => 'dark',
    markets: () => new Map(markets.map((market) => [market.id, market])),
    listed: () => new Map(markets.map((market) => [market.id, { value: market, ...seen }])),
    market: (id) => {
      const market = markets.find((one) => one.id === id)
      return market ? { value: market, ...seen } : null
    },
    priceStandsMs: () => 0,
    positionSeenAt: () => null,
    unreadable: () => [],
    symbol: (id) => markets.find((market) => market.id === id)?.symbol ?? `market ${id}`,
    marketsAt: () => seen,
    accounts: () => [],
    looks: () => [{ ...seen, whole: true }],
    oldestLookMs: () => 3_000,
    sight: () => ({ mono: 0, whole: true, nearDanger: false, unasked: [] }),
    positions: (wallet) => (wallet === ALICE ? { value: positions, ...seen } : null),
    firing: () => [
      {
        alertId: 41,
        kind: rule.kind,
        params: rule.params,
        ruleIds: [rule.id],
        subject: aMonitor().subject,
        about: 'ETH long · main',
        severity: 'critical',
        tier: 1,
        since: NOON - 60_000,
        value: 0.05,
        headroom: 0.04,
        acknowledgement: { is: 'waiting', since: NOON - 60_000, reminders: 0, remindAt: null },
        isGone: false,
      },
    ],
    firingIn: () => [],
    mutes: () => [],
    held: () => [],
    escalation: () => ({ first: null, wrong: null, other: null, steps: [], handovers: [] }),
    delegates: () => [],
    helped: () => [],
    helping: () => [],
    delegationAsked: () => null,
    drill: () => null,
    pending: () => [],
    pendingIn: () => [],
    monitor: () => null,
    zone: () => null,
    failing: () => ({ own: [], others: 0 }),
    failureOf: () => null,
    person: () => null,
    session: () => null,
    sessions: () => [],
    opensPage: () => false,
    question: () => null,
    linkMaker: () => null,
    linkClaimant: () => null,
    chatAt: () => null,
    personAt: () => null,
    chatsIn: () => [],
    chat: () => null,
    numbers: () => '1,234.5',
    chats: () => [home],
    claimed: () => true,
    blind: () => ({ own: [], others: 0 }),
    status: () => ({
      venue: 'stage',
      venues,
      hidesOrders: [],
      version: '0.1.0',
      upMs: 1_000,
      wallets: 2,
      oldestWalletMs: null,
      marketStaleMs: 10_000,
      rules: 1,
      brokenChats: 0,
      seats: 1,
      failure: null,
      standing: null,
    }),
    ...over,
  }
}

type InEnglish<T> = T extends { why: Text } ? Omit<T, 'why'> & { why: string } : T

/** A reading with its reason, if it has one, in English words. */
export function inEnglish<T extends object>(read: T): InEnglish<T> {
  const said = 'why' in read ? { ...read, why: inWords(read.why as Text) } : read
  return said as InEnglish<T>
}

export const vocabulary = (over: Partial<View> = {}, venues: readonly string[] = []): Vocabulary => ({
  view: aView(over, venues),
  personId: 1,
  numbers: '1,234.5',
  commands,
  kinds,
})

export const home: Chat = {
  id: 1,
  title: null,
  mention: null,
  personId: 1,
  private: true,
  brokenBecause: null,
  quiet: null,
  digest: null,
  weekly: null,
  pin: null,
  acksBy: 'known',
  address: {
    platform: 'red',
    chat: 'alice',
    thread: null,
  },
}

export function anInbound(over: Partial<Inbound> = {}): Inbound {
  const { address } = home
  return {
    id: '1',
    by: {
      platform: 'red',
      user: 'alice',
    },
    name: 'Ann',
    chat: address,
    home: address,
    writtenAt: NOON,
    seenUntil: NOON,
    private: true,
    mayConfigure: true,
    whisper: true,
    answersApart: false,
    language: null,
    ...over,
  }
}

/** A dialog with the real commands, over a view and readings that do not change. */
export function aDialog(
  over: {
    seen?: readonly string[]
    clock?: HandClock
    speaker?: Partial<Speaker>
    view?: Partial<View>
    /** The names of several venues. */
    venues?: readonly string[]
    perMinute?: number
    /** In place of a store that takes everything. */
    change?: (change: Change) => Promise<Changed>
    /** Of the wallet main. */
    orders?: Order[]
    unasked?: string[]
    /** What a market cost at some time; not recorded where left out. */
    priceAt?: (marketId: string, at: number) => Promise<number | null>
    /** Records of money, balances and TWAPs that the venue shows; none where it is left out. */
    records?: Partial<Pick<Read, 'ledger' | 'ledgerAt' | 'balances' | 'twaps'>>
    commands?: readonly Command[]
    /** What the venue says to every order; it does not answer where left out. */
    preview?: Preview
    /** The answer for each wallet; else ALICE holds the usual positions, and nobody else holds any. */
    answers?: (wallet: Wallet) => PositionsAnswer
    /** The past of alerts; none where left out. */
    recall?: Partial<Recall>
  } = {},
) {
  const events: Event[] = []
  const pictures: Picture<Text>[] = []
  let asked: PendingQuestion | null = null
  const view = aView({ question: () => asked, person: () => speaker.person, ...over.view }, over.venues)
  const clock = over.clock ?? handClock()
  const read = <T>(value: T): Promise<ReadResult<T>> =>
    Promise.resolve({ is: 'read', reading: { value, at: clock.now(), mono: clock.monotonic() }, late: null })
  const readings: Read = {
    positions: (wallet) =>
      read(
        over.answers?.(wallet) ?? {
          positions: wallet === ALICE ? positions : [],
          accounts: [],
          unusable: [],
          failedParts: [],
          totalCount: null,
        },
      ),
    markets: () => read(view.markets()),
    market(id) {
      const market = view.listed().get(id)?.value ?? view.markets().get(id)
      return market ? read(market) : Promise.resolve({ is: 'unseen', why: 'The venue did not answer.' })
    },
    orders: (wallet) =>
      read({
        orders:
          wallet === ALICE
            ? (over.orders ?? [anOrder(), anOrder({ id: 'habc', size: 'all', isProtective: true })])
            : [],
        unusable: [],
        unasked: over.unasked ?? [],
      }),
    preview: () =>
      over.preview
        ? read(over.preview)
        : Promise.resolve({ is: 'unseen', why: 'The venue did not answer within 2500 ms.' }),
    identify: () => Promise.resolve(null),
    masterOf: () => null,
    ...{ ledger: null, ledgerAt: () => null, balances: null, twaps: null, ...over.records },
  }
  const speaker: Speaker = {
    person: aPerson({ operator: true }),
    own: home,
    bound: null,
    local: true,
    isFull: false,
    ...over.speaker,
  }
  const dialog = createDialog({
    commands: over.commands ?? commands,
    kinds,
    introduction: [],
    isPlayMoney: false,
    follow: (_chatId, picture) => void pictures.push(picture),
    localize: (message) => localize(message, { numbers: '1,234.5', simulated: false }),
    view,
    read: readings,
    venueLoads: () =>
      (over.venues ?? [null]).map((venue) => ({
        ...{ venue, push: null, weighed: false },
        spent: { markets: 30, wallets: 10, asked: 2, atMost: 1_200, coversMs: 60_000 },
        turns: { everyMs: 45_000, wishedMs: 60_000 },
      })),
    clock,
    past: {
      priceAt: over.priceAt ?? (() => Promise.resolve(null)),
      backtest({ kind: name }) {
        const kind = kinds.find((one) => one.name === name)
        const nothing = {
          now: [],
          unseen: 0,
          since: null,
          fired: [],
          gaps: [],
          byMinute: false,
          cut: false,
          later: [],
          beside: [],
        }
        return Promise.resolve(kind?.is === 'level' ? { kind, ...nothing } : null)
      },
    },
    recall: {
      alert: () => Promise.resolve(null),
      timeline: () => Promise.resolve([]),
      alerts: () => Promise.resolve([]),
      messageOf: () => Promise.resolve(null),
      deliveryStatus: () => Promise.resolve([]),
      backlog: () =>
        Promise.resolve({
          waiting: 0,
          parked: 0,
        }),
      ...over.recall,
    },
    emit: (event) => void events.push(event),
    listen: () => () => {},
    tryAgain() {},
    expectAnswer() {},
    nextCell: null,
    platformOutages: () => [],
    limits: {
      wallets: 20,
      followed: 50,
      rules: 100,
      commandsPerMinute: over.perMinute ?? Infinity,
    },
    meet: () => Promise.resolve(speaker),
    recognise: () => speaker,
    change(change) {
      if (over.change) return over.change(change)
      if (change.is === 'question') asked = change.question && { ...change, ...change.question, personId: 1 }
      return Promise.resolve({ rules: [], refused: null, repeated: false })
    },
    seen: ({ id }) => Promise.resolve(over.seen?.includes(id) ?? false),
    inspect: () => Promise.resolve(null),
    checkDestination: () => Promise.resolve(null),
    cardShown: () => Promise.resolve(null),
    newCode: () => 'ABCD-EFGH-JKLM',
    newToken: () => 'perch_TOKEN',
    page: null,
    assistants: null,
    isClaim: () => false,
    quit() {},
  })
  return { dialog, events, pictures, clock }
}
