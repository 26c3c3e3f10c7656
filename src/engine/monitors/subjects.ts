import { type SubjectId, subjectKey } from '../../alert/subject-id.ts'
import type {
  AccountSubject,
  MarketSamples,
  OwnerSubject,
  Subject,
  VenueSubject,
} from '../../alert/subject.ts'
import type { Account } from '../../venue/account.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Gone } from '../../venue/closed-position.ts'
import { notional, type Position } from '../../venue/position.ts'
import { MARKETS } from '../../venue/source.ts'
import { onBrokenScale } from '../../venue/venue.ts'
import type { Owner } from '../../venue/wallet.ts'
import { figuresOf, poolsOf, sharingOf } from '../memory/accounts.ts'
import { type Memory, symbolOf, walletLabel } from '../memory/memory.ts'
import type { OwnerView } from '../memory/wallet-view.ts'
import { blindnessOf, isBlind, type Look, positionsOf, seenMs, viewOf, wallAt } from './context.ts'
import { type Guard, ownersOfRule } from './monitors.ts'
import { ordersNow } from './subject-inputs.ts'

/** What the guard is about, if it can be seen now; null freezes it. */
export function seenSubject(look: Look, guard: Guard, gone: readonly Gone[] = []): Subject | null {
  const { subject } = guard.id
  if (subject.is === 'owner') return ownerSubject(look, guard, subject.owner, gone)
  if (subject.is === 'account') return accountSubject(look, guard, subject)
  if (subject.is === 'venue') return venueSubject(look, guard)
  const market = look.crossing ?? look.memory.markets.get(subject.marketId)
  if (!market || look.tick - market.tick > look.marketStaleMs || isBlind(look, MARKETS)) return null
  const shared = {
    ...judgedNow(look, guard),
    market: market.value,
    price: toNumber(market.value.price),
    marketAt: wallAt(look, market.tick),
  }
  if (subject.is === 'market') {
    const fundingRate = toNumber(market.value.fundingRatePerDay)
    const samples = samplesOf(look, subject.marketId)
    const positions = heldThere(look, guard, subject.marketId)
    return { is: 'market', ...shared, fundingRate, samples, positions }
  }
  const held = viewOf(look, subject.owner)?.held.get(subjectKey(subject))
  if (!held || held.missingSince !== null) return null
  const unseen = blindnessOf(look, subject.owner, subject.accountId)?.since ?? null
  if (onBrokenScale(held.position.entryPrice, market.value.price)) return null
  const isOfBefore = held.seenTick <= look.memory.ranTick
  const before = held.seenTick === -Infinity ? 'restart' : 'stop'
  const remembered = isOfBefore && unseen === null ? before : false
  return {
    is: 'position',
    ...shared,
    // What happened while Perch was away is known when its wallet is read.
    awaySince: remembered ? null : shared.awaySince,
    position: held.position,
    positionAt: isOfBefore ? held.seenAt : wallAt(look, held.seenTick),
    unseenSince: unseen,
    remembered,
    ...ordersIn(look, guard, subject.owner),
    wallet: walletName(look, guard, subject.owner),
  }
}

function accountSubject(
  look: Look,
  guard: Guard,
  { owner, accountId: pool }: OnAccount,
): AccountSubject | null {
  const view = viewOf(look, owner)
  const seen = view && figuresOf(view, pool)
  if (!view || !seen) return null
  const sharing = sharingOf(view, pool)
  // What has become of one that is missing is not known yet: its account may look better for having lost it.
  if (sharing.length === 0 || sharing.some(({ missingSince }) => missingSince !== null)) return null
  const positions = sharing.map(({ position }) => ({
    position,
    symbol: symbolOf(look.memory, position.marketId),
    price: look.memory.markets.get(position.marketId)?.value.price ?? null,
  }))
  const worth = ({ position, price }: (typeof positions)[number]) =>
    notional(position, price ?? position.entryPrice)
  const accountAt = wallAt(look, seen.seenTick)
  const dark = [pool, ...sharing.map(({ position }) => position.accountId)].flatMap(
    (accountId) => blindnessOf(look, owner, accountId)?.since ?? [],
  )
  return {
    is: 'account',
    ...judgedNow(look, guard),
    account: seen.account,
    name: nameOfAccount(view, walletName(look, guard, owner), pool),
    accountAt,
    unseenSince: dark.length > 0 ? Math.min(...dark) : seen.seenTick < view.tick ? accountAt : null,
    positions: positions.toSorted((a, b) => worth(b) - worth(a)),
    toldBeside: look.warned?.has(guard.key) ?? false,
  }
}

function venueSubject(look: Look, guard: Guard): VenueSubject | null {
  const { markets, marketsAt, roster } = look.memory
  if (!marketsAt) return null
  return {
    is: 'venue',
    ...judgedNow(look, guard),
    books: roster.books(),
    marketsAt: wallAt(look, marketsAt.tick),
    market: (id) => markets.get(id)?.value,
    held: (marketId) => heldThere(look, guard, marketId),
  }
}

type OnAccount = Extract<SubjectId, { is: 'account' }>

function ownerSubject(look: Look, guard: Guard, owner: Owner, gone: readonly Gone[]): OwnerSubject | null {
  const view = viewOf(look, owner)
  // Failed and incomplete reads are not folded: they neither count nor reset. An account that fails stays as it was.
  if (!view || view.completeTick === null || view.completeTick !== view.tick) return null
  return {
    is: 'owner',
    ...judgedNow(look, guard),
    owner,
    wallet: walletName(look, guard, owner),
    positionAt: wallAt(look, view.tick),
    // Whatever the rules' scopes: what is known does not change with them, only what is told.
    positions: [...view.held.values()].map(({ position }) => position),
    missing: [...view.held].flatMap(([key, { missingSince }]) => (missingSince === null ? [] : [key])),
    ...ordersIn(look, guard, owner),
    accounts: accountsOf(view),
    unread: [...view.unread.keys()],
    gone: [...gone],
    market: (id) => look.memory.markets.get(id)?.value,
    symbol: (id) => symbolOf(look.memory, id),
  }
}

/** Of a kind that asks for them. */
function ordersIn(look: Look, { kind }: Guard, owner: Owner): Pick<OwnerSubject, 'orders' | 'ordersAt'> {
  const seen = kind.reads === 'orders' ? ordersNow(look, owner) : null
  return seen ?? { orders: null, ordersAt: null }
}

function accountsOf({ accounts, tick }: OwnerView): Account[] {
  const all: Account[] = []
  for (const { account, seenTick } of accounts.values()) if (seenTick === tick) all.push(account)
  return all
}

function judgedNow({ memory, now }: Look, { key }: Guard) {
  return { now, awaySince: memory.unseen.has(key) ? memory.aliveAt : null }
}

/** The wallet as whoever made a rule behind this knows it. */
function walletName({ memory }: Look, { rules }: Guard, owner: Owner): string {
  const maker = rules.find(({ personId }) => memory.watches.of(owner).has(personId)) ?? rules[0]
  return walletLabel(memory, maker.personId, owner)
}

function heldThere(look: Look, guard: Guard, marketId: string): { position: Position; wallet: string }[] {
  const owners = new Set(guard.rules.flatMap((rule) => ownersOfRule(look.memory, rule)))
  return [...owners].flatMap((owner) =>
    positionsOf(look, owner)
      .filter((position) => position.marketId === marketId)
      .map((position) => ({ position, wallet: walletName(look, guard, owner) })),
  )
}

/** What this run has seen of a market, for whoever asks: most kinds do not. */
function samplesOf(look: Look, marketId: string): MarketSamples {
  const { memory, now, tick } = look
  return {
    rates: (ms) =>
      memory.rates
        .of(marketId)
        .filter((one) => one.tick >= tick - ms)
        .map((one) => ({ rate: one.rate, at: wallAt(look, one.tick) })),
    range(ms) {
      const range = memory.samples.range(marketId, tick - ms)
      if (range === null) return null
      const { low, high, knownTick } = range
      const known = wallAt(look, knownTick)
      return {
        low: { price: low.price, at: wallAt(look, low.tick) },
        high: { price: high.price, at: wallAt(look, high.tick) },
        darkMs: Math.max(ms - (known >= now ? 0 : seenMs(look, marketId, known)), 0),
      }
    },
  }
}

/** `BTC short · main`, `BTC`, `main`, `main · xyz`. */
export function nameOfSubject(memory: Memory, subject: SubjectId, personId: number): string {
  if (subject.is === 'market') return symbolOf(memory, subject.marketId)
  if (subject.is === 'venue') return 'the venue'
  const wallet = walletLabel(memory, personId, subject.owner)
  if (subject.is === 'owner') return wallet
  if (subject.is === 'account')
    return nameOfAccount(memory.owners.get(subject.owner), wallet, subject.accountId)
  return `${symbolOf(memory, subject.marketId)} ${subject.side} · ${wallet}`
}

/** An account is named beside its wallet where that is not the only one in use. */
export function nameOfAccount(view: OwnerView | undefined, wallet: string, pool: string): string {
  const others = view ? poolsOf(view).filter((one) => one !== pool) : []
  return others.length === 0 ? wallet : `${wallet} · ${pool}`
}
