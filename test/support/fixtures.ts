import type { AlertState } from '../../src/alert/alert-state.ts'
import type { Rule } from '../../src/alert/alert.ts'
import type { MonitorId } from '../../src/alert/monitor.ts'
import type {
  AccountSubject,
  MarketSubject,
  WalletSubject,
  PositionSubject,
  VenueSubject,
} from '../../src/alert/subject.ts'
import type { Chat } from '../../src/people/chat.ts'
import type { Person, Watch } from '../../src/people/person.ts'
import type { RuleDraft } from '../../src/store/change.ts'
import type { Snapshot } from '../../src/store/snapshot.ts'
import type { Account } from '../../src/venue/account.ts'
import { type Amount, magnitude, parseDecimal, toNumber } from '../../src/venue/amount.ts'
import type { Market } from '../../src/venue/market.ts'
import type { Order } from '../../src/venue/order.ts'
import { type Position, side } from '../../src/venue/position.ts'
import type { BalancesAnswer } from '../../src/venue/record/balances.ts'
import type { Twap } from '../../src/venue/record/twap.ts'
import type { CloseRecord } from '../../src/venue/venue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { NOON } from './clock.ts'

export const ALICE: Wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
export const BOB: Wallet = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

/** An amount as people write it; a test that misspells one fails. */
export function exact(text: string): Amount {
  const amount = parseDecimal(text)
  if (amount === null) throw new Error(`“${text}” is no decimal`)
  return amount
}

export function aMarket(over: Partial<Market> = {}): Market {
  return {
    id: '100',
    symbol: 'ETH',
    price: exact('2500'),
    priceName: 'index',
    fundingRatePerDay: exact('0.0005'),
    fundingVelocityPerDay: null,
    otherPrice: null,
    delisted: false,
    isolatedOnly: false,
    dex: null,
    accountId: null,
    fundingEveryMs: null,
    price24hAgo: null,
    skew: null,
    openInterest: null,
    longOpenInterest: null,
    shortOpenInterest: null,
    maxOpenInterest: null,
    maxOpenInterestUsd: null,
    liquidityLongUsd: null,
    liquidityShortUsd: null,
    makerFee: null,
    takerFee: null,
    maintenanceRatio: null,
    trades24h: null,
    volume24hUsd: null,
    ...over,
  }
}

/** Closed by a sale at 2600, as the venue records it. */
export function anEnding(over: Partial<CloseRecord> = {}, position = aPosition()): CloseRecord {
  return {
    accountId: position.accountId,
    marketId: position.marketId,
    side: side(position),
    how: 'closed',
    size: magnitude(position.size),
    price: exact('2600'),
    realisedPnlUsd: exact('200'),
    feesUsd: exact('4'),
    at: NOON,
    ...over,
  }
}

/** Two ETH long from 2500, liquidated at 2000. */
export function aPosition(over: Partial<Position> = {}): Position {
  return {
    wallet: ALICE,
    accountId: '1',
    marketId: '100',
    size: exact('2'),
    entryPrice: exact('2500'),
    liquidationPrice: exact('2000'),
    margin: null,
    leverage: null,
    fundingUsd: null,
    breakEvenPrice: null,
    realisedPnlUsd: null,
    openedAt: null,
    ...over,
  }
}

export function aTwap(over: Partial<Twap> = {}): Twap {
  return {
    ...{ id: '7', accountId: '1', marketId: '100', size: exact('2'), filled: null, priceLimit: null },
    ...{ trigger: null, durationMs: 3_600_000, reduceOnly: false, startedAt: NOON, state: 'running' },
    ...{ at: NOON, why: null },
    ...over,
  }
}

export function anOrder(over: Partial<Order> = {}): Order {
  return {
    id: '1',
    state: 'pending',
    venueStatus: 'Committed',
    type: null,
    accountId: '1',
    marketId: '100',
    size: exact('1'),
    limit: null,
    takeProfit: null,
    stopLoss: null,
    reduceOnly: null,
    isProtective: false,
    createdAt: null,
    expiresAt: null,
    ...over,
  }
}

/** A position as a rule sees it at this price; both readings are two seconds old. */
export function seenAt(
  price: number,
  position = aPosition(),
  over: Partial<PositionSubject> = {},
): PositionSubject {
  return {
    is: 'position',
    position,
    market: aMarket({ price: exact(price.toFixed(18)) }),
    price,
    now: NOON,
    marketAt: NOON - 2_000,
    positionAt: NOON - 2_000,
    unseenSince: null,
    remembered: false,
    awaySince: null,
    label: 'main',
    orders: null,
    ordersAt: null,
    ...over,
  }
}

/** A market as a rule sees it at this funding rate: a fraction per day, as text so that 1e-18 is itself. */
export function rateOf(
  rate: string,
  positions: Position[] = [],
  over: Partial<MarketSubject> = {},
): MarketSubject {
  const market = aMarket({ fundingRatePerDay: exact(rate), ...over.market })
  const price = toNumber(market.price)
  const seen = { price, at: NOON - 2_000 }
  return {
    is: 'market',
    price,
    samples: { range: () => ({ low: seen, high: seen, darkMs: 0 }), rates: () => [] },
    fundingRate: toNumber(market.fundingRatePerDay),
    now: NOON,
    marketAt: NOON - 2_000,
    awaySince: null,
    positions: positions.map((position) => ({ position, label: 'main' })),
    ...over,
    market,
  }
}

/** The venue as a rule sees it, when its one book lists these symbols, whose ids are the same. */
export function listing(symbols: readonly string[], over: Partial<VenueSubject> = {}): VenueSubject {
  const listed = new Map(symbols.map((symbol) => [symbol, symbol]))
  return {
    is: 'venue',
    dexes: new Map([['', { symbols: listed, sureOf: 'some' }]]),
    now: NOON,
    marketsAt: NOON - 2_000,
    awaySince: null,
    market: () => undefined,
    held: () => [],
    ...over,
  }
}

/** A wallet as a rule sees it, with all of its positions. */
export function holding(positions: Position[], over: Partial<WalletSubject> = {}): WalletSubject {
  return {
    is: 'wallet',
    accounts: [],
    failedParts: [],
    missing: [],
    orders: null,
    ordersAt: null,
    wallet: ALICE,
    label: 'main',
    now: NOON,
    positionAt: NOON - 2_000,
    awaySince: null,
    positions,
    gone: [],
    taken: [],
    hasRecords: () => true,
    reducing: [],
    returned: [],
    renamed: [],
    market: (id) => (id === '100' ? aMarket() : undefined),
    symbol: (id) => (id === '100' ? 'ETH' : `market ${id}`),
    ...over,
  }
}

/** Equity of $1,000 that needs half of it for maintenance. */
export function anAccount(over: Partial<Account> = {}): Account {
  return {
    wallet: ALICE,
    accountId: '1',
    pool: over.accountId ?? '1',
    mode: 'single',
    equityUsd: exact('1000'),
    maintenanceUsd: exact('500'),
    marginRatio: 0.5,
    withdrawableUsd: null,
    ...over,
  }
}

/** An account as a rule sees it at this ratio of its maintenance of $500 to its equity, two seconds old. */
export function someBalances(over: Partial<BalancesAnswer> = {}): BalancesAnswer {
  return {
    ...{ perps: [], spot: [], vaults: [], staking: null, subAccounts: [], unusable: [], failedParts: [] },
    ...over,
  }
}

export function accountAt(marginRatio: number | null, over: Partial<AccountSubject> = {}): AccountSubject {
  const position = aPosition({ margin: 'cross' })
  return {
    is: 'account',
    account: anAccount({ marginRatio }),
    name: 'main',
    now: NOON,
    accountAt: NOON - 2_000,
    unseenSince: null,
    awaySince: null,
    positions: [{ position, symbol: 'ETH', price: exact('2500') }],
    toldBeside: false,
    ...over,
  }
}

/** The guard of `aRule` over Alice's long position in ETH. */
export function aMonitor(over: Partial<MonitorId> = {}): MonitorId {
  const subject = { is: 'position', wallet: ALICE, accountId: '1', marketId: '100', side: 'long' } as const
  return { chatId: 1, kind: 'liquidation-distance', identity: '', subject, ...over }
}

/** Told, and not heeded; it is not said again. */
export function aFiring(
  over: Partial<Extract<AlertState, { is: 'firing' }>> = {},
): Extract<AlertState, { is: 'firing' }> {
  const { since = NOON } = over
  return {
    is: 'firing',
    tier: 1,
    alertId: 40,
    since,
    acknowledgement: { is: 'waiting', since, reminders: 0, remindAt: null },
    ...over,
  }
}

export function aRule(over: Partial<Rule> = {}): Rule {
  return {
    id: 7,
    personId: 1,
    chatId: 1,
    kind: 'liquidation-distance',
    params: { tiers: [0.2, 0.1, 0.05] },
    identity: '',
    wallet: null,
    market: null,
    armedByWatch: false,
    holdMs: 0,
    ...over,
  }
}

/** A rule as a command asks for it. */
export function aDraft(over: Partial<RuleDraft> = {}): RuleDraft {
  const params = { tiers: [0.1] }
  return {
    kind: 'liquidation-distance',
    params,
    wallet: null,
    market: null,
    armedByWatch: false,
    holdMs: 0,
    ...over,
  }
}

export function aPerson(over: Partial<Person> = {}): Person {
  const identities = [{ platform: 'terminal', user: 'alice' }]
  return {
    id: 1,
    operator: true,
    zone: 'UTC',
    numbers: '1,234.5',
    language: null,
    spoken: null,
    detail: 'short',
    pictures: 'on',
    theme: 'dark',
    preset: null,
    identities,
    defaultChat: 1,
    fallbackChat: null,
    escalateFrom: 3,
    steps: [],
    ...over,
  }
}

export function aChat(over: Partial<Chat> = {}): Chat {
  const id = over.id ?? 1
  const address = { platform: 'terminal', chat: `chat-${id}`, thread: null }
  return {
    id,
    address,
    title: null,
    personId: 1,
    private: true,
    mention: null,
    brokenBecause: null,
    quiet: null,
    digest: null,
    weekly: null,
    pin: null,
    acksBy: 'known',
    ...over,
  }
}

export function aWatch(over: Partial<Watch> = {}): Watch {
  return { personId: 1, wallet: ALICE, label: 'main', since: NOON, as: 'own', ...over }
}

/** Alice, her chat and her wallet; no rule yet. */
export function remembered(over: Partial<Snapshot> = {}): Snapshot {
  return {
    persons: [aPerson()],
    chats: [aChat()],
    watches: [aWatch()],
    rules: [],
    questions: [],
    sessions: [],
    states: [],
    memos: [],
    wallets: [],
    sources: [],
    codes: [],
    delegations: [],
    failingSince: [],
    escalatedTo: [],
    mutes: [],
    held: [],
    drills: [],
    last: { person: 1, chat: 1, rule: 7, alert: 40, row: 100, session: 0 },
    aliveAt: null,
    pricesAt: null,
    holes: [],
    ...over,
  }
}
