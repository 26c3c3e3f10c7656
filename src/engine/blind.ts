import { toNumber } from '../amount.ts'
import { feedKey, feedOf } from '../feed.ts'
import type { Feed, FeedKey } from '../feed.ts'
import type { Market } from '../market.ts'
import { age, percentAway } from '../figure.ts'
import { bounded, item, text } from '../message.ts'
import type { Item, Text } from '../message.ts'
import type { Owner } from '../owner.ts'
import { distance, fromLiquidation, positionKey, side } from '../position.ts'
import type { Position } from '../position.ts'
import { silent } from './decision.ts'
import type { Decision } from './decision.ts'
import type { Effect } from './effect.ts'
import { ownersOfRule, rulesOverOwner } from './guards.ts'
import type { Look } from './look.ts'
import { nearDanger, walletLabel } from './memory.ts'
import type { Memory } from './memory.ts'
import type { Turn } from './turn.ts'

/** Positions named in one report, and characters of the reason: more would not fit an item. */
const NAMED = 3
const REASON = 80
/** How long the return of a wallet waits for that of others, so that they are told together. */
const GATHER_MS = 60_000
/** Wallets that were last read this near to each other went dark in one outage: those near danger are told so soon. */
const ONE_OUTAGE_MS = 30_000

/** Says once per chat that we cannot see, and what was last seen. States stay as they are. */
export function goBlind(memory: Memory, feed: FeedKey, trouble: string, now: number): Turn {
  const known = memory.blind.get(feed)
  const { since, why } = known ?? { since: memory.sight.get(feed)?.at ?? now, why: trouble }
  // Whoever was told and not yet of the return knows nothing else.
  const chats = [...concerned(memory, feedOf(feed))].filter((chatId) => !memory.told.of(feed).has(chatId))
  const decisions = chats.map((chatId) => {
    const lines: Text[] = [
      ['since ', { time: since, as: 'clock' }, `: ${why.slice(0, REASON)}`],
      ...lastSeen(memory, feedOf(feed), chatId),
      ...alsoFailing(memory, feed, chatId),
      ...goesOn(feedOf(feed)),
    ]
    const known = outageIsKnown(memory, feed, chatId, since)
    const said = item(
      'blind',
      `I cannot see ${feedWords(memory, feedOf(feed), chatId)}${known ? ' either' : ''}`,
      lines,
    )
    return report(chatId, feed, now, said, { is: 'feed', row: { feed, chatId, since, why } }, known)
  })
  return { learned: known ? [] : [{ is: 'blind', feed, since, why }], decisions }
}

/** The scope of an outage: what fails as well and is far from danger, so that it is told later. */
function alsoFailing(memory: Memory, feed: FeedKey, chatId: number): Text[] {
  const told = feedOf(feed)
  if (told.is !== 'owner' || !nearDanger(memory, told.owner)) return []
  const personId = memory.chats.get(chatId)?.personId ?? 0
  const failing = [...ownersIn(memory, chatId)].filter((owner) => {
    const other = feedKey({ is: 'owner', owner })
    return memory.trouble.has(other) && !memory.blind.has(other) && !nearDanger(memory, owner)
  })
  if (failing.length === 0) return []
  const names = failing.slice(0, NAMED).map((owner) => walletLabel(memory, personId, owner))
  const more = failing.length > NAMED ? ` and ${failing.length - NAMED} more` : ''
  return [`also failing, far from danger: ${names.join(', ')}${more}`]
}

/** Whether this chat was rung for the outage that has taken a wallet far from danger: it is told without ringing again. */
function outageIsKnown(memory: Memory, feed: FeedKey, chatId: number, since: number): boolean {
  const dark = feedOf(feed)
  if (dark.is !== 'owner' || nearDanger(memory, dark.owner)) return false
  return [...memory.toldIn.of(chatId)].some(([other, row]) => {
    const lasts = feedOf(other).is === 'owner' && memory.blind.has(other)
    return lasts && since < row.since + ONE_OUTAGE_MS
  })
}

/** The wallets that a chat's rules speak of. */
export function ownersIn(memory: Memory, chatId: number): Set<Owner> {
  return new Set([...memory.rulesIn.of(chatId).values()].flatMap((rule) => ownersOfRule(memory, rule)))
}

/** What people may rely on meanwhile. */
function goesOn(feed: Feed): Text[] {
  return feed.is === 'owner'
    ? ['I go on by the last known positions and the price: worse is told, nothing counts as over.']
    : ['Alerts stay as they were. I tell you when I see again.']
}

/** The report on return, to whoever was told: blind from–to, and how the positions stand against what was last seen. */
export function seeAgain(look: Look, feeds: ReadonlySet<FeedKey>, fresh: Fresh): Turn {
  const { memory, now, tick } = look
  const learned: Effect[] = []
  const decisions: Decision[] = []
  for (const feed of feeds) if (memory.blind.has(feed)) learned.push({ is: 'sighted', feed, tick })
  for (const [feed, chatIds] of returning(look, feeds)) {
    for (const chatId of chatIds) {
      const since = memory.told.of(feed).get(chatId)?.since ?? now
      const lines: Text[] = [blindText(since, now), ...comparison(memory, feedOf(feed), chatId, fresh)]
      const said = item('good', `I see ${feedWords(memory, feedOf(feed), chatId, fresh)} again`, lines)
      const told = report(chatId, feed, now, said, { is: 'feed-gone', feed, chatId })
      told.effects.push({ is: 'gap', gap: { chatId, feed, since, until: now } })
      decisions.push(told)
    }
  }
  return { learned, decisions }
}

/** Two times of the clock would be the same minute. */
const SHORT_MS = 120_000

function blindText(since: number, now: number): Text {
  if (now - since < SHORT_MS) return text`I was blind for ${age(now - since)}`
  const clock = (time: number) => ({ time, as: 'clock' }) as const
  return text`I was blind from ${clock(since)} to ${clock(now)} (${age(now - since)})`
}

/** The feeds whose return is told now, and to which chats: wallets that come back one after the other are one message. */
function returning({ memory, tick }: Look, feeds: ReadonlySet<FeedKey>): Map<FeedKey, Set<number>> {
  const all = new Map<FeedKey, Set<number>>()
  const tell = (feed: FeedKey, chatId: number) => all.set(feed, (all.get(feed) ?? new Set()).add(chatId))
  const isWallet = (feed: FeedKey) => feedOf(feed).is === 'owner'
  for (const feed of feeds) {
    const patient = tick - (memory.returned.get(feed) ?? tick) < GATHER_MS
    for (const chatId of memory.told.of(feed).keys()) {
      const others = [...memory.toldIn.of(chatId).keys()].filter((one) => isWallet(one) && !feeds.has(one))
      const stillBlind = others.some((one) => memory.blind.has(one))
      if (isWallet(feed) && stillBlind && patient) continue
      tell(feed, chatId)
      if (isWallet(feed)) for (const one of others) if (!memory.blind.has(one)) tell(one, chatId)
    }
  }
  return all
}

/** What the new reading says, before memory takes it over. */
interface Fresh {
  market(id: string): Market | undefined
  positions(owner: Owner): Iterable<Position>
}

function report(
  chatId: number,
  feed: FeedKey,
  now: number,
  item: Item,
  effect: Effect,
  known = false,
): Decision {
  const isReturn = item.tone === 'good'
  const quiet = isReturn || known
  const reason = isReturn ? 'sighted' : 'blind'
  const decision = silent(chatId, [effect])
  const said = { severity: 'warning', order: now, about: feed, quiet } as const
  decision.said.push({ ...said, item: bounded(item), reason, alertIds: [] })
  return decision
}

/** Chats with a rule that rests on the feed; for the venue itself also the operator's own chat. */
function concerned(memory: Memory, feed: Feed): Set<number> {
  if (feed.is === 'owner') return new Set(rulesOverOwner(memory, feed.owner).map(({ chatId }) => chatId))
  if (feed.is === 'market') {
    const { marketId } = feed
    const holders = [...memory.holders.of(marketId).keys()]
    const there = holders
      .flatMap((owner) => rulesOverOwner(memory, owner))
      .filter(({ market }) => market === null || market.id === marketId)
    return new Set([...memory.rulesOn.of(marketId).values(), ...there].map(({ chatId }) => chatId))
  }
  const home = memory.chats.get(memory.persons.get(memory.operatorId ?? 0)?.defaultChat ?? 0)
  return new Set([...memory.rulesIn.groups(), ...(home ? [home.id] : [])])
}

/** `the venue`, `wallet main`, `the market BTC`. */
export function feedWords(
  memory: Memory,
  feed: Feed,
  chatId: number,
  fresh: Fresh = remembered(memory),
): string {
  if (feed.is === 'markets') return 'the venue'
  const personId = memory.chats.get(chatId)?.personId ?? 0
  if (feed.is === 'owner') return `wallet ${walletLabel(memory, personId, feed.owner)}`
  const { marketId } = feed
  return `the market ${fresh.market(marketId)?.symbol ?? memory.symbols.get(marketId) ?? marketId}`
}

interface Standing {
  key: string
  name: string
  distance: number
}

/** The chat's positions that rest on the feed, nearest to liquidation first. */
function standings(memory: Memory, feed: Feed, chatId: number, fresh: Fresh): Standing[] {
  const all: Standing[] = []
  for (const owner of ownersIn(memory, chatId)) {
    if (feed.is === 'owner' && owner !== feed.owner) continue
    for (const position of fresh.positions(owner)) {
      if (feed.is === 'market' && position.marketId !== feed.marketId) continue
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

function lastSeen(memory: Memory, feed: Feed, chatId: number): Text[] {
  const all = standings(memory, feed, chatId, remembered(memory))
  const named = all
    .slice(0, NAMED)
    .map(({ name, distance }) => text`last seen: ${name} ${fromLiquidation(distance)}`)
  return all.length > NAMED ? [...named, `and ${all.length - NAMED} more`] : named
}

function comparison(memory: Memory, feed: Feed, chatId: number, fresh: Fresh): Text[] {
  const before = new Map(
    standings(memory, feed, chatId, remembered(memory)).map((one) => [one.key, one.distance]),
  )
  const all = standings(memory, feed, chatId, fresh)
  const named = all.slice(0, NAMED).map(({ key, name, distance }) => {
    const was = before.get(key)
    return text`${name} ${fromLiquidation(distance)}${was === undefined || was <= 0 ? '' : text` (was ${percentAway(was)})`}`
  })
  return all.length > NAMED ? [...named, `and ${all.length - NAMED} more`] : named
}
