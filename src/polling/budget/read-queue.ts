import { createHeap } from '../../lib/data/heap.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { type Ages, calmIntervalMs, dueMono, isHinted, type PolledWallet } from './schedule.ts'
import { createLine } from './wait-line.ts'

/** Who waits to be read: nobody who only waits costs anything. */
interface Queue {
  /** Takes it in, or moves it. */
  put(polled: PolledWallet): void
  drop(wallet: Wallet): void
  /** Takes out who is to be read now; null when nobody is due. */
  take(why: 'missing' | 'due', mono: number): Wallet | null
  /** When the first of them is due. */
  next(why: 'missing' | 'due'): number | null
}

/** Before everybody who was read, however long ago. */
const NEVER_READ = -1e12
const FAR_AWAY = 1e6
/** Their price is looked at with every list, and is confirmed by a read of its own: half of all turns would not make it newer. */
const URGENT_EVERY = 3

/**
 * Who was not read in this run goes first, by how near its end it was; then whoever is due, in turn: a short budget makes
 * all of them wait longer in the same proportion. Those near danger, and those of which a look has failed, have every third
 * turn while somebody else waits; those of whom a list of markets speaks every other one of the rest: however many they
 * are, the others are not forgotten.
 */
export function createQueue(ages: Ages): Queue {
  const missing = createHeap<Wallet>()
  const urgent = createHeap<Wallet>()
  const hinted = createHeap<Wallet>()
  const failedParts = createHeap<Wallet>()
  const others = createLine()
  /** Of those that were never read and of which nothing is remembered: the order in which they came. */
  const came = new Map<Wallet, number>()
  let latest = 0
  let sinceUrgent = URGENT_EVERY
  let wasHinted = false

  const leave = (wallet: Wallet) => {
    for (const heap of [missing, urgent, hinted, failedParts]) heap.delete(wallet)
    others.leave(wallet)
  }
  /** The place of one that was never read. */
  const ahead = (wallet: Wallet, rememberedDistance: number) => {
    if (rememberedDistance < FAR_AWAY) return NEVER_READ + rememberedDistance
    came.set(wallet, came.get(wallet) ?? ++latest)
    return NEVER_READ + FAR_AWAY + (came.get(wallet) ?? 0)
  }
  const isDue = (heap: typeof urgent, mono: number) => (heap.peek()?.priority ?? Infinity) <= mono
  const nextOther = () => failedParts.peek()?.priority ?? others.next()
  const takeOther = () => {
    const first = failedParts.pop()
    if (!first) return others.take()
    others.passBy(calmIntervalMs(ages) / (1 + failedParts.size + others.size))
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
      if (confirm) missing.set(wallet, at)
      else if (againMono !== null && againMono < due) missing.set(wallet, againMono)
      else if (nearDanger || failures > 0) urgent.set(wallet, at)
      else if (isHinted(polled)) hinted.set(wallet, at)
      else if (!Number.isFinite(due)) failedParts.set(wallet, at)
      else others.join(wallet, polled.readMono ?? 0, due)
    },
    take(why, mono) {
      if (why === 'missing') return isDue(missing, mono) ? (missing.pop()?.key ?? null) : null
      others.move(mono)
      const hasUrgent = isDue(urgent, mono)
      const hasHinted = isDue(hinted, mono)
      const hasOthers = (nextOther() ?? Infinity) <= mono
      if (!hasUrgent && !hasHinted && !hasOthers) return null
      const isTheirs = hasUrgent && (sinceUrgent >= URGENT_EVERY - 1 || !(hasOthers || hasHinted))
      sinceUrgent = isTheirs ? 0 : sinceUrgent + 1
      if (isTheirs) return urgent.pop()?.key ?? null
      wasHinted = hasHinted && !(hasOthers && wasHinted)
      return wasHinted ? (hinted.pop()?.key ?? null) : takeOther()
    },
    next(why) {
      const heads = (why === 'missing' ? [missing] : [urgent, hinted]).flatMap(
        (heap) => heap.peek()?.priority ?? [],
      )
      const other = why === 'due' ? nextOther() : undefined
      const all = other === undefined ? heads : [...heads, other]
      return all.length === 0 ? null : Math.min(...all)
    },
  }
}

/** After a start, and when the venue is back, very many need a place: others have their turn between so many of them. */
const PLACED_AT_ONCE = 500

/** Wallets that wait for their turn, each in the place that it should have now. */
interface Waiting {
  /** Something of it has changed. */
  moved(wallet: Wallet): void
  /** Gives some of those that have changed their place; whether all have theirs. */
  place(): boolean
  /** Takes out who is to be read now; null when nobody is due. */
  take(why: 'missing' | 'due', mono: number): PolledWallet | null
  /** When the first of them is due. */
  next(why: 'missing' | 'due'): number | null
  drop(wallet: Wallet): void
}

export function createWaiting(world: {
  ages: Ages
  /** Null: nobody watches it. */
  polledOf(wallet: Wallet): PolledWallet | null
  isRead(wallet: Wallet): boolean
  forget(wallet: Wallet): void
}): Waiting {
  const { ages, polledOf } = world
  const queue = createQueue(ages)
  /** Of whom it is not known yet what has changed. */
  const unplaced = new Set<Wallet>()

  function put(wallet: Wallet): void {
    // It moves when it has been read.
    if (world.isRead(wallet)) return
    const polled = polledOf(wallet)
    if (polled) return queue.put(polled)
    queue.drop(wallet)
    world.forget(wallet)
  }

  return {
    moved: (wallet) => void unplaced.add(wallet),
    place() {
      let left = PLACED_AT_ONCE
      for (const wallet of unplaced) {
        if (left-- === 0) return false
        put(wallet)
        unplaced.delete(wallet)
      }
      return true
    },
    take(why, mono) {
      for (let wallet = queue.take(why, mono); wallet !== null; wallet = queue.take(why, mono)) {
        // What it waited for may have changed with time alone, or by what the venue has told.
        const polled = polledOf(wallet)
        if (polled && dueMono(polled, ages) <= mono && polled.confirm === (why === 'missing')) return polled
        put(wallet)
      }
      return null
    },
    next: (why) => queue.next(why),
    drop: (wallet) => queue.drop(wallet),
  }
}
