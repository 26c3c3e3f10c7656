import { remember } from '../../lib/data/remember.ts'
import { doubledMs } from '../../lib/time/backoff.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Account } from '../../venue/account.ts'
import type { FailedPart } from '../../venue/record/lacking.ts'
import { type Asking, OTHER_ACCOUNTS, type PositionsAnswer } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Info } from './info.ts'
import type { Dexes } from './markets.ts'
import { accountsOf, type Counted, fundsIn, haveLeft } from './rules/accounts.ts'
import { AGAIN_MS, createLooks, type Seen } from './rules/looks.ts'
import { inTime, isQueued, partsWithoutAnswer } from './rules/parts.ts'
import { accountOf, type Dex, dexOf } from './wire/dexes.ts'
import type { Spot } from './wire/spot.ts'
import type { DexState } from './wire/state.ts'

/** The account mode is read again after this where weight is left over, and at the latest after the second. */
const MODE_AGED_MS = 3_600_000
const MODE_OLD_MS = 12 * 3_600_000
/** Before a person is told that nothing is open, every dex was read no longer ago than this. */
const LOOK_PERSON_MS = 10_000
/** Without its mode, an account cannot be shown: retry soon, then ever more rarely. */
const MODE_AGAIN = { firstMs: 10_000, longestMs: AGAIN_MS }
/** An impossible margin ratio is believed for this long after the mode was asked for again. */
const BELIEVED_MS = 60_000
/** Spot balances move with prices too: older ones are not used for an account. */
const SPOT_FRESH_MS = 12_000
/** A push that repeats the same venue time for longer than this is frozen. */
const FROZEN_MS = 12_000
const MAX_REMEMBERED_WALLETS = 20_000

/** The cached facts of a wallet, so that a read need not fetch them all. */
interface Known {
  dexes: Map<Dex, Seen>
  /** The venue's time of the last trade in a dex that no answer shows yet. */
  tradedAt: Map<Dex, number>
  /** Null until the mode has been read once. */
  mode: { is: Account['mode'] | null; dueMono: number; failures: number }
  /** When an impossible margin ratio last made us ask for the mode again. */
  doubtedMono: number
  /** Collateral has left a dex since the mode was read, without a trade and without a move of a price. */
  hasMoved: boolean
  /** The last balances that were read or pushed. */
  spot: { is: Spot; mono: number } | null
  /** The venue time of the newest answer, and when we first saw that time. */
  asOf: { time: number; mono: number }
}

/**
 * The dexes of a wallet that were read, all dexes in their order, and whether every dex that matters was
 * read.
 */
interface Looked {
  states: readonly DexState[]
  order: readonly Dex[]
  whole: boolean
}

export interface Wallets {
  positions(wallet: Wallet, asking: Asking): Promise<PositionsAnswer>
  /**
   * Takes a push: every dex of the wallet, and its last balances. Returns null when the push is frozen or
   * older than the newest answer. `doubtful`: its margin is impossible, and only a read can tell why.
   */
  tell(
    wallet: Wallet,
    states: readonly DexState[],
    failedParts: FailedPart[],
  ): { answer: PositionsAnswer; whole: boolean; doubtful: boolean } | null
  /** Recognises trades of these wallets, also before their first read. */
  watch(watched: readonly Wallet[]): void
  /**
   * Takes a public trade of an address (in lower case). Returns its wallet if we know it and have not looked
   * at that dex since.
   */
  traded(user: string, coin: string, at: number): Wallet | null
  /** Takes pushed balances. */
  tellSpot(wallet: Wallet, spot: Spot): void
  /** Whether the wallet's collateral is in spot; null until its mode has been read. */
  sharesCollateral(wallet: Wallet): boolean | null
  /** The dexes in which the wallet has positions; always with the main dex. */
  heldDexes(wallet: Wallet): Dex[]
  emptyDexes(wallet: Wallet): Dex[]
  mode(
    wallet: Wallet,
    call: 'positions' | 'preview' | 'balances',
    asking: Asking,
  ): Promise<Account['mode'] | null>
}

export function createWallets(world: {
  info: Info
  dexes: Dexes
  clock: Clock
  /** Since when every trade of this dex has been heard; null if some may have been missed. */
  heardSince(dex: Dex): number | null
  /** This answer lacks the wallet's last trade: it is to be read again. */
  behind(wallet: Wallet): void
}): Wallets {
  const { info, dexes, clock } = world
  const looks = createLooks(world)
  const wallets = new Map<Wallet, Known>()
  const byAddress = new Map<string, Wallet>()

  function knownOf(wallet: Wallet): Known {
    const known = wallets.get(wallet) ?? {
      dexes: new Map(),
      tradedAt: new Map(),
      mode: { is: null, dueMono: -Infinity, failures: 0 },
      doubtedMono: -Infinity,
      hasMoved: false,
      spot: null,
      asOf: { time: -Infinity, mono: -Infinity },
    }
    remember(wallets, wallet, known, MAX_REMEMBERED_WALLETS)
    remember(byAddress, wallet.toLowerCase(), wallet, MAX_REMEMBERED_WALLETS)
    return known
  }

  function takeState(known: Known, state: DexState): void {
    const { dex, held, unusable, time } = state
    const mono = clock.monotonic()
    for (const { position } of held) dexes.holds(position.marketId)
    const holds = held.length + unusable.length > 0
    const before = known.dexes.get(dex)
    const funds = held.length > 0 ? fundsIn(state) : null
    if (before?.funds && funds && haveLeft(before.funds, funds)) known.hasMoved = true
    // Once it is empty, read it again for a while: one answer proves nothing.
    const heldMono = holds || before?.holds ? mono : (before?.heldMono ?? -Infinity)
    known.dexes.set(dex, {
      ...{ holds, heldMono, time, readMono: mono, readAt: clock.now(), failedMono: -Infinity, funds },
    })
  }

  /** Whether an answer is older than a trade that was heard: the venue's servers may lag behind each other. */
  function isBehind({ tradedAt }: Known, states: readonly DexState[]): boolean {
    const behind = states.filter(({ dex, time }) => time !== null && time < (tradedAt.get(dex) ?? -Infinity))
    // The next answer is believed in any case.
    for (const { dex } of states) tradedAt.delete(dex)
    return behind.length > 0
  }

  function takeTime(known: Known, time: number): void {
    if (time !== known.asOf.time && time > -Infinity) known.asOf = { time, mono: clock.monotonic() }
  }

  async function modeOf(
    wallet: Wallet,
    call: 'positions' | 'preview' | 'balances',
    asking: Asking,
  ): Promise<Account['mode'] | null> {
    const known = knownOf(wallet)
    const lateMs = clock.monotonic() - known.mode.dueMono
    // It weighs ten reads. While many wallets wait, one that nothing speaks against may be older.
    const mayWait = asking.hasSpare?.() === false && lateMs < MODE_OLD_MS - MODE_AGED_MS
    if (lateMs < 0 || (mayWait && known.mode.failures === 0)) return known.mode.is
    try {
      const is = await info.mode(wallet, call, asking)
      known.mode = { is, dueMono: clock.monotonic() + MODE_AGED_MS, failures: 0 }
      known.hasMoved = false
    } catch {
      const failures = known.mode.failures + 1
      const againMs = known.mode.is === null ? doubledMs(failures, MODE_AGAIN) : AGAIN_MS
      known.mode = { ...known.mode, failures, dueMono: clock.monotonic() + againMs }
    }
    return known.mode.is
  }

  /** Accounts are an extra of this read: without the mode or the balances, the positions still count. */
  async function readAccounts(wallet: Wallet, read: Looked, asking: Asking): Promise<Account[]> {
    const mode = await modeOf(wallet, 'positions', asking)
    if (mode === null) return []
    const shown = await accountsIn(mode, wallet, read, asking)
    const known = knownOf(wallet)
    if (!isDoubtful(known, shown)) return shown
    known.doubtedMono = clock.monotonic()
    known.mode.dueMono = -Infinity
    const now = await modeOf(wallet, 'positions', asking)
    if (known.mode.failures > 0 || now === null) {
      known.doubtedMono = -Infinity
      return withoutRatios(shown)
    }
    if (now === mode) return shown
    // It has changed, so it may change again at once, also while the balances are read.
    known.doubtedMono = -Infinity
    const changed = await accountsIn(now, wallet, read, asking)
    return isDoubtful(known, changed) ? withoutRatios(changed) : changed
  }

  async function accountsIn(
    mode: Account['mode'],
    wallet: Wallet,
    read: Looked,
    asking: Asking,
  ): Promise<Account[]> {
    const spot: Spot | null =
      mode === 'single' ? null : await info.spot(wallet, 'positions', asking).catch(() => null)
    if (spot) knownOf(wallet).spot = { is: spot, mono: clock.monotonic() }
    return accounts(wallet, mode, read, spot)
  }

  /**
   * Little or nothing covers open positions any more: either they are about to be liquidated, or the collateral
   * has moved because the account's mode has changed. The mode decides, so it is asked for before anybody is
   * woken.
   */
  function isDoubtful(known: Known, shown: readonly Account[]): boolean {
    if (known.hasMoved && known.mode.is === 'single') return true
    const ratios = shown.flatMap(({ marginRatio }) => marginRatio ?? [])
    const isImpossible = ratios.some((ratio) => ratio >= 1)
    // An account that was covered meanwhile may have changed its mode once more.
    if (ratios.length > 0 && !isImpossible) known.doubtedMono = -Infinity
    return isImpossible && clock.monotonic() - known.doubtedMono > BELIEVED_MS
  }

  function accounts(
    wallet: Wallet,
    mode: Account['mode'],
    { states, order, whole }: Looked,
    spot: Spot | null,
  ): Account[] {
    const collateralOf = (dex: Dex) => dexes.collateral(dex) ?? (dex === null ? 0 : null)
    const used = states.filter(({ dex, held }) => dex === null || held.length > 0)
    const counted = used.flatMap((state): Counted[] => {
      const collateral = collateralOf(state.dex)
      return collateral === null ? [] : [{ state, collateral }]
    })
    const first = (collateral: number) => order.find((dex) => collateralOf(dex) === collateral) ?? null
    return accountsOf(wallet, mode, counted, spot, whole && counted.length === used.length, first)
  }

  return {
    mode: modeOf,
    heldDexes(wallet) {
      const known = knownOf(wallet)
      return [
        null,
        ...[...known.dexes].flatMap(([dex, seen]) => (dex !== null && looks.isHeld(seen) ? [dex] : [])),
      ]
    },
    emptyDexes(wallet) {
      const known = knownOf(wallet)
      return [...known.dexes].flatMap(([dex, seen]) => (dex !== null && !looks.isHeld(seen) ? [dex] : []))
    },
    sharesCollateral(wallet) {
      const mode = wallets.get(wallet)?.mode.is ?? null
      return mode === null ? null : mode !== 'single'
    },
    watch(watched) {
      for (const wallet of watched) remember(byAddress, wallet.toLowerCase(), wallet, MAX_REMEMBERED_WALLETS)
    },
    traded(user, coin, at) {
      const wallet = byAddress.get(user)
      const known = wallet === undefined ? undefined : wallets.get(wallet)
      if (wallet === undefined || known === undefined) return wallet ?? null
      const dex = dexOf(coin)
      const seen = known.dexes.get(dex)
      if (seen?.time != null && at <= seen.time) return null
      known.tradedAt.set(dex, at)
      // From now on a failed read of this dex may hide a position.
      if (seen) seen.heldMono = clock.monotonic()
      return wallet
    },
    tellSpot(wallet, spot) {
      knownOf(wallet).spot = { is: spot, mono: clock.monotonic() }
    },
    tell(wallet, states, failedParts) {
      const known = knownOf(wallet)
      const time = timeOf(states)
      const isSame = time === known.asOf.time && time > -Infinity
      if (time < known.asOf.time && time > -Infinity) return null
      if (isSame && clock.monotonic() - known.asOf.mono > FROZEN_MS) return null
      takeTime(known, time)
      const named = new Set<Dex>(states.map(({ dex }) => dex))
      for (const [dex, { holds }] of known.dexes) {
        const part = accountOf(dex)
        if (holds && !named.has(dex) && !failedParts.some((one) => one.part === part))
          failedParts.push({ part, why: 'what the venue pushes lacks it' })
      }
      for (const state of states) takeState(known, state)
      const { mode, spot } = known
      // Trades push balances, moving prices do not. Stale balances have to be read.
      const told = { states, order: states.map(({ dex }) => dex), whole: failedParts.length === 0 }
      const isFresh = spot !== null && clock.monotonic() - spot.mono <= SPOT_FRESH_MS
      const shown = mode.is === null ? [] : accounts(wallet, mode.is, told, isFresh ? spot.is : null)
      const doubtful = isDoubtful(known, shown)
      return {
        doubtful,
        answer: {
          positions: states.flatMap(({ held }) => held.map(({ position }) => position)),
          accounts: doubtful ? withoutRatios(shown) : shown,
          unusable: states.flatMap(({ unusable }) => unusable),
          failedParts,
          totalCount: null,
        },
        whole: !doubtful && (mode.is === 'single' || (mode.is !== null && isFresh)),
      }
    },
    async positions(wallet, asking) {
      const within = inTime(clock, asking)
      const began = clock.monotonic()
      const known = knownOf(wallet)
      const read = (dex: Dex) => info.state(wallet, dex, 'positions', within())
      const main = read(null)
      // `allSettled` reports its failure below, together with the other dexes.
      main.catch(() => {})
      const [list] = await Promise.allSettled([dexes.listedDexes('positions', within())])
      const listed = list.status === 'fulfilled' ? list.value.map(({ name }) => name) : null
      const names = listed ?? [...known.dexes.keys()].filter((dex) => dex !== null)
      const due = looks.due(known.dexes, names, asking.isTurn === true)
      const rest = asking.hasSpare?.() ? names.filter((dex) => !due.includes(dex)) : []
      const parts: Dex[] = [null, ...due, ...looks.spare(known.dexes, rest)]
      const reads = await Promise.allSettled([main, ...parts.slice(1).map(read)])
      const isEmpty = reads.every((each) => each.status === 'fulfilled' && isEmptyState(each.value))
      if (isEmpty && asking.patience === 'person') {
        const unread = looks
          .unreadFor(known.dexes, LOOK_PERSON_MS, names)
          .filter((dex) => !parts.includes(dex))
        parts.push(...unread)
        reads.push(...(await Promise.allSettled(unread.map(read))))
      }
      const states = reads.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      const failed = partsWithoutAnswer(parts.map(accountOf), reads)
      // These dexes were empty at their last read, so a failed read hides no known position.
      const idle = new Set(
        parts
          .filter((dex) => dex !== null && known.dexes.has(dex) && !looks.isHeld(known.dexes.get(dex)))
          .map(accountOf),
      )
      for (const { part, queued } of failed) {
        const seen = known.dexes.get(part)
        if (idle.has(part) && seen && !queued) seen.failedMono = clock.monotonic()
      }
      takeTime(known, timeOf(states))
      for (const state of states) takeState(known, state)
      if (isBehind(known, states)) world.behind(wallet)
      const failedParts: FailedPart[] = failed.filter(({ part }) => !idle.has(part))
      if (listed === null && known.dexes.size <= 1) {
        failedParts.push({
          part: OTHER_ACCOUNTS,
          why: 'which of them there are is not known yet',
          ...(list.status === 'rejected' && isQueued(list.reason) && { queued: true }),
        })
      }
      const unasked = looks.unasked(known.dexes, began)
      return {
        positions: states.flatMap(({ held }) => held.map(({ position }) => position)),
        accounts: await readAccounts(
          wallet,
          { states, order: [null, ...names], whole: failedParts.length === 0 },
          within(),
        ),
        unusable: states.flatMap(({ unusable }) => unusable),
        failedParts,
        ...(unasked.length > 0 && { unasked }),
        totalCount: null,
      }
    },
  }
}

function withoutRatios(accounts: readonly Account[]): Account[] {
  return accounts.map((account) => ({ ...account, equityUsd: null, marginRatio: null }))
}

function isEmptyState({ held, unusable }: DexState): boolean {
  return held.length + unusable.length === 0
}

function timeOf(states: readonly DexState[]): number {
  return Math.max(...states.map(({ time }) => time ?? -Infinity))
}
