import type { Asking } from '../../../venue/venue.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import { unreadable } from '../../http/reply.ts'
import type { Recorded } from '../wire/record.ts'
import type { LastRead } from './freshness.ts'
import { forgottenBeyond, isFull, type Source } from './sources.ts'
import { countFrom, EMPTY, newestGap, put, type Shelf, type Span, wholeFrom, within } from './stretches.ts'

/** Elements that were younger than this when they were read are read again: the venue may be late, and its clock is not ours. */
const SETTLED_MS = 600_000
/** A page is asked for a span that probably has this share of a page: a full one takes another request. */
const AIMED = 0.7
/** After a page with few elements, the next span is at most so many times as long. */
const GROWTH = 8
/** The most elements that are kept of a list. */
const MOST_ELEMENTS = 20_000

/** A list of one wallet, which is read from its newest part on. The venue sends the oldest first. */
export interface List {
  /** Begins to read a span that ends now, or with the last read while `isFresh` says that nothing can be missing. */
  begin(since: number, now: number, mono: number, isFresh: (last: LastRead) => boolean): void
  /** Reads one page. Returns false if nothing of the span is left to read. */
  advance(asking: Asking): Promise<boolean>
  /** From when on the list is whole up to now; null if its newest part was not read. */
  wholeFrom(): number | null
  elements(): readonly Recorded[]
  /** Bounds the memory of the list. */
  trim(): void
}

export function createList(source: Source, wallet: Wallet): List {
  let shelf: Shelf = EMPTY
  let span: Span = { from: 0, to: 0 }
  /** How long a span to ask for, by the last page; null before the first full one. */
  let lengthMs: number | null = null
  /** The span up to the last read in which the venue has forgotten nothing. */
  let sure: Span | null = null
  let beganMono = -Infinity
  let isFirst = true
  let isComplete = false
  /** When the newest part was last read. */
  let last: LastRead | null = null

  /** New elements since the last read are mostly one page, however long ago that was. */
  const newestSpan = ({ from, to }: Span): Span => {
    const isWhole = lengthMs === null || (isFirst && from > span.from)
    return { from: isWhole ? from : Math.max(from, to - Math.floor(lengthMs ?? 0)), to }
  }

  const keep = (kept: Span) => {
    shelf = within(shelf, kept)
    const [from, to] = [Math.max(sure?.from ?? 0, kept.from), Math.min(sure?.to ?? 0, kept.to)]
    sure = sure && from <= to ? { from, to } : null
  }

  /** The venue sends nothing before this time, or we cannot read it. */
  const beginsAt = (from: number) => {
    keep({ from, to: Infinity })
    shelf = { ...shelf, from: Math.max(shelf.from, from) }
  }

  function take(asked: Span, isNewest: boolean, sent: readonly Recorded[]): void {
    const times = sent.map(({ at }) => at).toSorted((a, b) => a - b)
    const [first = asked.from, newest = asked.from] = [times[0], times.at(-1)]
    if (first < asked.from || (!isNewest && newest > asked.to))
      throw unreadable('it has elements of another time than the one that was asked for')
    if (!isFull(source, sent.length)) {
      const to = isNewest ? Math.max(asked.to, newest) : asked.to
      shelf = put(shelf, { from: asked.from, to }, sent)
      if (isNewest) toldUntil(to)
      const growth = Math.min(GROWTH, (AIMED * source.perPage) / Math.max(sent.length, 1))
      if (lengthMs !== null) lengthMs = Math.max(lengthMs, (asked.to - asked.from + 1) * growth)
    } else if (newest > asked.from) {
      if (sent[0]?.at !== first) throw unreadable('its newest elements come first')
      // The last millisecond may go on at the next page, which begins there.
      shelf = put(shelf, { from: asked.from, to: newest - 1 }, sent)
      lengthMs = AIMED * (newest - first + 1)
    } else {
      // One millisecond has more than a page: nothing can read the rest of it.
      beginsAt(newest + 1)
      if (isNewest && newest >= asked.to) {
        shelf = put(shelf, { from: newest + 1, to: newest + 1 }, [])
        toldUntil(newest + 1)
      }
    }
    if (newestGap(shelf, span) === null) complete()
  }

  function toldUntil(to: number): void {
    span = { ...span, to }
    last = { until: to, mono: beganMono }
  }

  /** From when on the list is whole up to now: the venue may have forgotten some of the part that was just read. */
  function sureFrom(): number | null {
    const from = wholeFrom(shelf, span.to)
    if (from === null) return null
    const known = sure && sure.from >= from && sure.to >= from ? sure : null
    const isOlder = known === null || from < known.from
    const isNewer = known === null || span.to > known.to
    if (!isOlder && !isNewer) return from
    // Everything newer counts, too: the venue keeps the newest of all.
    const most = forgottenBeyond(source, countFrom(shelf, isOlder ? from : known.to + 1))
    const oldest = most === null ? undefined : shelf.elements.at(-most)
    return oldest ? Math.min(isNewer ? Infinity : known.from, oldest.at + 1) : from
  }

  /** A part that the venue may have forgotten is read again by the next call: more elements show that it has not. */
  function complete(): void {
    isComplete = true
    const from = sureFrom()
    if (from === null) return
    keep({ from, to: Infinity })
    sure = { from, to: span.to }
  }

  return {
    begin(since, now, mono, isFresh) {
      // The wall clock may have been set back.
      const fresh = last !== null && last.until <= now + SETTLED_MS && isFresh(last) ? last : null
      beganMono = mono
      isFirst = true
      isComplete = false
      if (fresh === null) {
        last = null
        keep({ from: 0, to: Math.min(shelf.read.at(-1)?.to ?? 0, now) - SETTLED_MS })
      }
      span = fresh
        ? { from: Math.min(since, fresh.until), to: fresh.until }
        : { from: since, to: Math.max(now, since) }
    },
    async advance(asking) {
      const gap = isComplete ? null : newestGap(shelf, span)
      if (gap === null) return false
      const asked = newestSpan(gap)
      const isNewest = asked.to === span.to
      const sent = await source.page(wallet, { from: asked.from, to: isNewest ? null : asked.to }, asking)
      isFirst = false
      take(asked, isNewest, sent)
      return !isComplete
    },
    wholeFrom: sureFrom,
    elements: () => shelf.elements,
    trim() {
      const oldest = shelf.elements.at(-MOST_ELEMENTS)
      if (oldest) keep({ from: oldest.at + 1, to: Infinity })
    },
  }
}
