import type { View } from '../../../command/context.ts'
import { type Text, words } from '../../../message/message.ts'
import type { Watch } from '../../../people/person.ts'
import { ageNote } from '../readings.ts'

type Seen = Pick<View, 'marketsAt' | 'status' | 'looks' | 'oldestLookMs'>

/** The names of several venues, each with its name in sources: undefined for the first. */
function named({ status }: Pick<View, 'status'>): { venue: string; at: string | undefined }[] {
  return status().venues.map((venue, place) => ({ venue, at: place === 0 ? undefined : venue }))
}

/** When the prices of each venue were last seen (wall time); null before that. */
function pricesAt(view: Pick<View, 'marketsAt' | 'status'>): (number | null)[] {
  const venues = named(view)
  return venues.length === 0
    ? [view.marketsAt()?.at ?? null]
    : venues.map(({ at }) => view.marketsAt(at)?.at ?? null)
}

/** When the oldest prices were seen (wall time). Null if those of some venue were never seen. */
export function oldestPricesAt(view: Pick<View, 'marketsAt' | 'status'>): number | null {
  const all = pricesAt(view)
  const known = all.filter((at) => at !== null)
  return known.length < all.length ? null : Math.min(...known)
}

/** Whether the prices of every venue are current. */
export function pricesAreCurrent(view: Pick<View, 'marketsAt' | 'status'>, now: number): boolean {
  const at = oldestPricesAt(view)
  return at !== null && now - at <= view.status().marketStaleMs
}

/** `lighter: prices live · wallets 12 s old`, a line for each venue of several: of these wallets. */
export function ownStateLines(view: Seen, watches: readonly Watch[], now: number): Text[] {
  const looks = watches.map(({ wallet }) => view.looks(wallet))
  return named(view).map(({ venue, at }) => {
    const known = looks.flatMap((all) => {
      const look = all.find((one) => one.venue === at)
      return look?.isUnknown ? [] : [look?.at ?? null]
    })
    const read = known.filter((time) => time !== null)
    const isEach = read.length === known.length
    const oldest = isEach && read.length > 0 ? Math.min(...read) : null
    return lineOf(venue, view.marketsAt(at)?.at ?? null, known.length === 0 ? 'none' : oldest, now)
  })
}

/** The line of one venue, of all wallets. */
export function stateLine(view: Seen, name: string, now: number): Text[] {
  return named(view).flatMap(({ venue, at }) => {
    if (venue !== name) return []
    const ms = view.oldestLookMs(at)
    return [agesText(view.marketsAt(at)?.at ?? null, ms === null ? null : now - ms, now)]
  })
}

function lineOf(venue: string, prices: number | null, wallets: number | 'none' | null, now: number): Text {
  return words('shown.because', { what: venue, why: agesText(prices, wallets, now) })
}

function agesText(prices: number | null, wallets: number | 'none' | null, now: number): Text {
  const age = (at: number | null, unread: Text) => (at === null ? unread : ageNote(at, now))
  const priced = age(prices, words('venue.unread'))
  return wallets === 'none'
    ? words('venue.prices', { prices: priced })
    : words('venue.ages', { prices: priced, wallets: age(wallets, words('venue.unread.some')) })
}
