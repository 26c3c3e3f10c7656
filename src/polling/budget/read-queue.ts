import { createHeap } from '../../lib/data/heap.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { type Ages, calmIntervalMs, dueMono, isHinted, type PolledWallet } from './schedule.ts'

/** Why a wallet is read: a position is missing, it is due, or people who only follow it want to know. */
type Purpose = 'missing' | 'due' | 'followed'

/** The wallets that wait to be read. A waiting wallet costs nothing until it is due. */
interface Queue {
  /** Adds the wallet or moves it. */
  put(polled: PolledWallet): void
  drop(wallet: Wallet): void
  /** Removes and returns the wallet to read now; null if none is due. Regular turns rest until `turnsMono`. */
  take(why: Purpose, mono: number, turnsMono?: number): Wallet | null
  /** When the first of them is due. */
  next(why: Purpose, turnsMono?: number): number | null
  /** Whether the wallet that was taken last had a regular turn. */
  wasTurn(): boolean
}

/** Priority of wallets never read: before all that were read, however long ago. */
const NEVER_READ = -1e12
const FAR_AWAY = 1e6
/**
 * Urgent wallets get every third turn. Their prices come with every list of markets, so reading them more often would
 * gain little.
 */
const URGENT_EVERY = 3

/**
 * Orders the wallets to read. Wallets not read in this run go first, the nearest to liquidation before others. Then due
 * wallets follow in turn, so that a short budget makes all wait longer in proportion. Wallets near danger and wallets
 * whose read failed get every third turn while others wait. Hinted wallets get every other one of the remaining turns.
 * So no group, however large, starves the rest.
 */
export function createQueue(ages: Ages): Queue {
  const missing = createHeap<Wallet>()
  const urgent = createHeap<Wallet>()
  const hinted = createHeap<Wallet>()
  const neverRead = createHeap<Wallet>()
  /** All reads of wallets that nobody guards wait here, apart from those of guarded ones. */
  const followed = createHeap<Wallet>()
  const others = createLine()
  /** Order of arrival of wallets that were never read and have no known distance. */
  const came = new Map<Wallet, number>()
  let latest = 0
  let sinceUrgent = URGENT_EVERY
  let wasHinted = false

  const leave = (wallet: Wallet) => {
    for (const heap of [missing, urgent, hinted, neverRead, followed]) heap.delete(wallet)
    others.leave(wallet)
  }
  /** The priority of a wallet that was never read. */
  const ahead = (wallet: Wallet, rememberedDistance: number) => {
    if (rememberedDistance < FAR_AWAY) return NEVER_READ + rememberedDistance
    came.set(wallet, came.get(wallet) ?? ++latest)
    return NEVER_READ + FAR_AWAY + (came.get(wallet) ?? 0)
  }
  const isDue = (heap: typeof urgent, mono: number) => (heap.peek()?.priority ?? Infinity) <= mono
  let wasTurn = false
  const nextOther = (turnsMono = -Infinity) => {
    const never = neverRead.peek()?.priority
    const next = never === undefined ? others.next() : undefined
    return never ?? (next === undefined ? undefined : Math.max(next, turnsMono))
  }
  const takeOther = () => {
    const first = neverRead.pop()
    wasTurn = !first
    if (!first) return others.take()
    others.passBy(calmIntervalMs(ages) / (1 + neverRead.size + others.size))
    return first.key
  }

  return {
    drop(wallet) {
      leave(wallet)
      others.forget(wallet)
      came.delete(wallet)
    },
    put(polled) {
      const { wallet, confirm, nearDanger, failures, rememberedDistance, againMono } = polled
      leave(wallet)
      const due = dueMono(polled, ages)
      if (Number.isFinite(due)) came.delete(wallet)
      const at = Number.isFinite(due) ? due : ahead(wallet, rememberedDistance)
      if (polled.isOnlyFollowed) followed.set(wallet, Math.min(at, againMono ?? Infinity))
      else if (confirm) missing.set(wallet, at)
      else if (againMono !== null && againMono < due) missing.set(wallet, againMono)
      else if (nearDanger || failures > 0) urgent.set(wallet, at)
      else if (isHinted(polled)) hinted.set(wallet, at)
      else if (!Number.isFinite(due)) neverRead.set(wallet, at)
      else others.join(wallet, polled.readMono ?? 0, due)
    },
    wasTurn: () => wasTurn,
    take(why, mono, turnsMono) {
      wasTurn = false
      if (why !== 'due') {
        const heap = why === 'missing' ? missing : followed
        return isDue(heap, mono) ? (heap.pop()?.key ?? null) : null
      }
      others.move(mono)
      const hasUrgent = isDue(urgent, mono)
      const hasHinted = isDue(hinted, mono)
      const hasOthers = (nextOther(turnsMono) ?? Infinity) <= mono
      if (!hasUrgent && !hasHinted && !hasOthers) return null
      const isTheirs = hasUrgent && (sinceUrgent >= URGENT_EVERY - 1 || !(hasOthers || hasHinted))
      sinceUrgent = isTheirs ? 0 : sinceUrgent + 1
      if (isTheirs) return urgent.pop()?.key ?? null
      wasHinted = hasHinted && !(hasOthers && wasHinted)
      return wasHinted ? (hinted.pop()?.key ?? null) : takeOther()
    },
    next(why, turnsMono) {
      const heaps = { missing: [missing], due: [urgent, hinted], followed: [followed] }[why]
      const heads = heaps.flatMap((heap) => heap.peek()?.priority ?? [])
      const other = why === 'due' ? nextOther(turnsMono) : undefined
      const all = other === undefined ? heads : [...heads, other]
      return all.length === 0 ? null : Math.min(...all)
    },
  }
}

/** After a start, or when the venue is back, very many wallets need a place. Others may run after this many. */
const MAX_PLACED_AT_ONCE = 500

/** Wallets that wait for their read, each at the place that it should have now. */
interface Waiting {
  /** Something about this wallet has changed. */
  moved(wallet: Wallet): void
  /** Gives some of the changed wallets their place. Returns whether none is left. */
  place(): boolean
  /** Removes and returns the wallet to read now; null if none is due. Regular turns rest until `turnsMono`. */
  take(why: Purpose, mono: number, turnsMono?: number): PolledWallet | null
  /** When the first of them is due. */
  next(why: Purpose, turnsMono?: number): number | null
  /** Whether the wallet that was taken last had a regular turn. */
  wasTurn(): boolean
  drop(wallet: Wallet): void
}

export function createWaiting(world: {
  ages: Ages
  /** Null: nobody watches the wallet. */
  polledOf(wallet: Wallet): PolledWallet | null
  isRead(wallet: Wallet): boolean
  forget(wallet: Wallet): void
}): Waiting {
  const { ages, polledOf } = world
  const queue = createQueue(ages)
  /** Changed wallets that have no new place yet. */
  const unplaced = new Set<Wallet>()

  function put(wallet: Wallet): void {
    // It gets its place after the read.
    if (world.isRead(wallet)) return
    const polled = polledOf(wallet)
    if (polled) return queue.put(polled)
    queue.drop(wallet)
    world.forget(wallet)
  }

  return {
    moved: (wallet) => void unplaced.add(wallet),
    place() {
      let left = MAX_PLACED_AT_ONCE
      for (const wallet of unplaced) {
        if (left-- === 0) return false
        put(wallet)
        unplaced.delete(wallet)
      }
      return true
    },
    take(why, mono, turnsMono) {
      const next = () => queue.take(why, mono, turnsMono)
      for (let wallet = next(); wallet !== null; wallet = next()) {
        // Time alone or a push may have changed the demand since the wallet got its place.
        const polled = polledOf(wallet)
        if (polled && dueMono(polled, ages) <= mono && purposeOf(polled) === why) return polled
        put(wallet)
      }
      return null
    },
    next: (why, turnsMono) => queue.next(why, turnsMono),
    wasTurn: () => queue.wasTurn(),
    drop: (wallet) => queue.drop(wallet),
  }
}

function purposeOf({ isOnlyFollowed, confirm }: PolledWallet): Purpose {
  if (isOnlyFollowed) return 'followed'
  return confirm ? 'missing' : 'due'
}

/** Wallets that wait for their turn. */
interface Line {
  /** It was read at `readMono` and is due at `dueMono`. */
  join(wallet: Wallet, readMono: number, dueMono: number): void
  /** It does not wait any more. */
  leave(wallet: Wallet): void
  /** It will not return. */
  forget(wallet: Wallet): void
  /** Advances the time, which makes some due. */
  move(mono: number): void
  /**
   * Another wallet had a turn outside this line, worth this part of a round. The slow clock advances so that wallets
   * placed one after the other come again in that order.
   */
  passBy(partMs: number): void
  /** When the first of them is or was due; undefined if none waits. */
  next(): number | undefined
  /** The due wallet to read now. */
  take(): Wallet | null
  readonly size: number
}

/** Share of real time that the slow clock includes. Between wallets of equal worth, it favours the one read first. */
const CREEP = 0.001

/**
 * Returns no wallet before it is due. When turns are short, due wallets are ordered by a slow clock that advances with
 * the turns. By that clock each waits as long as it would with enough turns. So a wallet that should be read six times
 * as often is, and none waits for ever. Ordered by real time, all would be late by the same amount, and their different
 * worth would hardly matter.
 */
function createLine(): Line {
  const early = createHeap<Wallet>()
  const due = createHeap<Wallet>()
  /** The slow clock at the read of each wallet, so that joining again keeps its place. */
  const reads = new Map<Wallet, { mono: number; slowMono: number }>()
  let movedMono = 0
  let slowMono = 0

  function leave(wallet: Wallet): void {
    early.delete(wallet)
    due.delete(wallet)
  }

  function move(mono: number): void {
    if (mono <= movedMono) return
    slowMono += (mono - movedMono) * CREEP
    movedMono = mono
    for (let first = early.peek(); first && first.priority <= mono; first = early.peek()) {
      early.pop()
      const read = reads.get(first.key)
      if (read) due.set(first.key, read.slowMono + first.priority - read.mono)
    }
  }

  return {
    leave,
    move,
    join(wallet, readMono, dueMono) {
      leave(wallet)
      if (reads.get(wallet)?.mono !== readMono) {
        move(readMono)
        reads.set(wallet, { mono: readMono, slowMono: slowMono - (movedMono - readMono) * CREEP })
      }
      early.set(wallet, dueMono)
    },
    passBy(partMs) {
      slowMono += partMs
    },
    forget(wallet) {
      leave(wallet)
      reads.delete(wallet)
    },
    next: () => (due.size > 0 ? movedMono : early.peek()?.priority),
    take() {
      const first = due.pop()
      if (!first) return null
      slowMono = Math.max(slowMono, first.priority)
      return first.key
    },
    get size() {
      return early.size + due.size
    },
  }
}
