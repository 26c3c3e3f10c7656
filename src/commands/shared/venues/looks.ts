import type { View } from '../../../command/context.ts'
import { type Text, words } from '../../../message/message.ts'
import { venueNameOf, venueOfPart } from '../../../venue/venue-name.ts'
import type { PositionsAnswer } from '../../../venue/venue.ts'
import type { Wallet } from '../../../venue/wallet.ts'

/** A venue that gave no answer about a wallet, and its last look there (wall time); null if there was none. */
export interface SilentVenue {
  venue: string
  at: number | null
  /** Our own budget had no turn for it. */
  queued: boolean
}

/** The venues that an answer about a wallet lacks. */
export function silentVenues(
  { looks, status }: Pick<View, 'looks' | 'status'>,
  wallet: Wallet,
  { failedParts }: PositionsAnswer,
): SilentVenue[] {
  const { venues } = status()
  const failed = failedParts.filter(({ part }) => venues.includes(part))
  if (failed.length === 0) return []
  const seen = looks(wallet)
  return failed.map(({ part, queued = false }) => {
    const look = seen.find(({ venue = venues[0] }) => venue === part)
    return { venue: part, at: look?.at ?? null, queued }
  })
}

/** The answer without the failures of these venues. */
export function withoutFailuresAt(
  answer: PositionsAnswer,
  silent: readonly SilentVenue[],
  venues: readonly string[],
): PositionsAnswer {
  if (silent.length === 0) return answer
  const names = new Set(silent.map(({ venue }) => venue))
  return {
    ...answer,
    failedParts: answer.failedParts.filter(({ part }) => !names.has(venueOfPart(part, venues))),
  }
}

/** The venues at which an answer shows positions or money, in their order. Empty for a program of one venue. */
export function knownAt({ positions, accounts }: PositionsAnswer, venues: readonly string[]): string[] {
  const funded = accounts.filter(({ equityUsd }) => equityUsd === null || equityUsd !== 0n)
  const ids = [...positions, ...funded].map(({ accountId }) => accountId)
  const known = new Set(ids.map((id) => venueNameOf(id, venues)))
  return venues.filter((venue) => known.has(venue))
}

/** `Known on hyperliquid and lighter.`; nothing in a program of one venue. */
export function knownLines(venues: readonly string[]): Text[] {
  const last = venues.at(-1)
  if (last === undefined) return []
  const before = venues.slice(0, -1).join(', ')
  const named = before === '' ? last : words('venue.and', { first: before, last })
  return [words('watch.known-on', { venues: named })]
}

/** `lighter shows nobody’s orders`; nothing where every venue shows them. */
export function hiddenOrders(venues: readonly string[]): Text[] {
  return venues.length === 0 ? [] : [words('orders.hidden', { venues: venues.join(', '), n: venues.length })]
}
