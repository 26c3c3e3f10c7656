import { toNumber } from '../amount.ts'
import type { Market } from '../market.ts'
import { distanceText } from '../lib/format.ts'
import { age, bounded, item } from '../message.ts'
import type { Item, Text } from '../message.ts'
import type { Owner } from '../owner.ts'
import { distance, positionKey, side } from '../position.ts'
import type { Position } from '../position.ts'
import type { Outcome } from './judge.ts'
import { nearDanger, walletLabel } from './memory.ts'
import type { Blindness, Memory } from './memory.ts'
import { ownersOfRule } from './subjects.ts'

/** How long a feed may be dark before people are told, beyond the time in which it was due anyway (DESIGN 6). */
const MARKETS_DARK_MS = 10_000
const NEAR_OWNER_DARK_MS = 30_000
const FAR_OWNER_DARK_MS = 180_000
/** Positions named in one report, and code points of the reason: more would not fit an item. */
const NAMED = 3
const REASON = 80

export interface Pace {
  marketPollMs: number
  ownerPollMinMs: number
  ownerPollMaxMs: number
}

/** How old the last whole look at a feed may be. */
export function patienceMs(memory: Memory, feed: string, pace: Pace): number {
  if (!feed.startsWith('owner/')) return pace.marketPollMs + MARKETS_DARK_MS
  return nearDanger(memory, ownerOf(feed))
    ? pace.ownerPollMinMs + NEAR_OWNER_DARK_MS
    : pace.ownerPollMaxMs + FAR_OWNER_DARK_MS
}

/** A feed is wanted while somebody's rules rest on it. */
export function wanted(memory: Memory, feed: string): boolean {
  if (feed === 'markets') return true
  if (feed.startsWith('owner/')) return memory.watches.has(ownerOf(feed))
  return memory.watchlist.watches(marketOf(feed))
}

/** Says once per chat that we cannot see, and what was last seen. States stay as they are. */
export function goBlind(memory: Memory, feed: string, now: number): Outcome[] {
  const since = memory.sight.get(feed)?.at ?? now
  const why = memory.trouble.get(feed) ?? 'no answer so far'
  const told = (chatId: number) => addTold(memory, feed, { since, why, chats: new Set([chatId]) })
  return concerned(memory, feed).map((chatId) => {
    const lines: Text[] = [
      ['since ', { time: since, as: 'clock' }, `: ${why.slice(0, REASON)}`],
      ...lastSeen(memory, feed, chatId),
      'Alerts stay as they were. I tell you when I see again.',
    ]
    const said = item('blind', `I cannot see ${nameOf(memory, feed, chatId)}`, lines)
    return {
      ...report(chatId, now, said, { is: 'feed', row: { feed, chatId, since, why } }),
      apply: () => told(chatId),
    }
  })
}

function addTold(memory: Memory, feed: string, { since, why, chats }: Blindness): void {
  const known = memory.feeds.get(feed)?.chats ?? []
  memory.feeds.set(feed, { since, why, chats: new Set([...known, ...chats]) })
}

/**
 * The report on return: blind from–to, and how the positions stand against what was last seen. The feed counts as
 * seen at once, so that the same turn can judge; where the report cannot be committed, it is blind again.
 */
export function seeAgain(memory: Memory, feed: string, fresh: Fresh, now: number): Outcome[] {
  const blindness = memory.feeds.get(feed)
  if (!blindness) return []
  memory.feeds.delete(feed)
  return [...blindness.chats].map((chatId) => {
    const lines: Text[] = [
      [
        'I was blind from ',
        { time: blindness.since, as: 'clock' },
        ' to ',
        { time: now, as: 'clock' },
        ` (${age(now - blindness.since)})`,
      ],
      ...comparison(memory, feed, chatId, fresh),
    ]
    const said = item('good', `I see ${nameOf(memory, feed, chatId)} again`, lines)
    return {
      ...report(chatId, now, said, { is: 'feed-gone', feed, chatId }),
      failed: () => addTold(memory, feed, { ...blindness, chats: new Set([chatId]) }),
    }
  })
}

/** What the new reading says, before memory takes it over. */
export interface Fresh {
  market(id: string): Market | undefined
  positions(owner: Owner): Iterable<Position>
}

function report(chatId: number, now: number, said: Item, write: Outcome['writes'][number]): Outcome {
  return {
    chatId,
    said: [
      { item: bounded(said), severity: 'warning', order: now, alertIds: [], quiet: said.tone === 'good' },
    ],
    mentions: [],
    steps: [],
    writes: [write],
    transition: null,
    apply() {},
  }
}

/** Chats with a rule that rests on the feed; for the venue itself also the operator's own chat. */
function concerned(memory: Memory, feed: string): number[] {
  const chats = new Set<number>()
  for (const rule of memory.rules.values()) {
    const owners = ownersOfRule(memory, rule)
    const rests =
      feed === 'markets' ||
      (feed.startsWith('owner/') && owners.includes(ownerOf(feed))) ||
      (feed.startsWith('market/') &&
        (rule.market?.id === marketOf(feed) ||
          owners.some((owner) => holdsIn(memory, owner, marketOf(feed)))))
    if (rests) chats.add(rule.chatId)
  }
  if (feed === 'markets') {
    for (const { operator, defaultChat } of memory.persons.values()) {
      if (operator && defaultChat !== null) chats.add(defaultChat)
    }
  }
  return [...chats]
}

function holdsIn(memory: Memory, owner: Owner, marketId: string): boolean {
  return [...(memory.owners.get(owner)?.held.values() ?? [])].some(
    ({ position }) => position.marketId === marketId,
  )
}

function ownerOf(feed: string): Owner {
  return feed.slice('owner/'.length) as Owner
}

function marketOf(feed: string): string {
  return feed.slice('market/'.length)
}

function nameOf(memory: Memory, feed: string, chatId: number): string {
  if (feed === 'markets') return 'the venue'
  const personId = memory.chats.get(chatId)?.personId ?? 0
  if (feed.startsWith('owner/')) return `wallet ${walletLabel(memory, personId, ownerOf(feed))}`
  const id = marketOf(feed)
  return `the market ${memory.markets.get(id)?.value.symbol ?? id}`
}

interface Standing {
  key: string
  name: string
  distance: number
}

/** The chat's positions that rest on the feed, nearest to liquidation first. */
function standings(memory: Memory, feed: string, chatId: number, fresh: Fresh): Standing[] {
  const all: Standing[] = []
  const owners = new Set<Owner>()
  for (const rule of memory.rules.values()) {
    if (rule.chatId !== chatId) continue
    for (const owner of ownersOfRule(memory, rule)) owners.add(owner)
  }
  for (const owner of owners) {
    if (feed.startsWith('owner/') && owner !== ownerOf(feed)) continue
    for (const position of fresh.positions(owner)) {
      if (feed.startsWith('market/') && position.marketId !== marketOf(feed)) continue
      const market = fresh.market(position.marketId)
      if (!market || position.liquidationPrice === null) continue
      const towards = side(position)
      all.push({
        key: positionKey(position),
        name: `${market.symbol} ${towards}`,
        distance: distance(towards, toNumber(market.price), toNumber(position.liquidationPrice)),
      })
    }
  }
  return all.sort((a, b) => a.distance - b.distance)
}

function remembered(memory: Memory): Fresh {
  return {
    market: (id) => memory.markets.get(id)?.value,
    positions: (owner) =>
      [...(memory.owners.get(owner)?.held.values() ?? [])].map(({ position }) => position),
  }
}

function lastSeen(memory: Memory, feed: string, chatId: number): string[] {
  const all = standings(memory, feed, chatId, remembered(memory))
  const named = all
    .slice(0, NAMED)
    .map(({ name, distance }) => `last seen: ${name} ${distanceText(distance)} from liquidation`)
  return all.length > NAMED ? [...named, `and ${all.length - NAMED} more`] : named
}

function comparison(memory: Memory, feed: string, chatId: number, fresh: Fresh): string[] {
  const before = new Map(
    standings(memory, feed, chatId, remembered(memory)).map((one) => [one.key, one.distance]),
  )
  const all = standings(memory, feed, chatId, fresh)
  const named = all.slice(0, NAMED).map(({ key, name, distance }) => {
    const was = before.get(key)
    return `${name} ${distanceText(distance)} from liquidation${was === undefined ? '' : ` (was ${distanceText(was)})`}`
  })
  return all.length > NAMED ? [...named, `and ${all.length - NAMED} more`] : named
}
