import { feedKey, feedOf } from '../feed.ts'
import type { Feed, FeedKey } from '../feed.ts'
import { age } from '../figure.ts'
import { bounded, item, text } from '../message.ts'
import type { Item, Text } from '../message.ts'
import { silent } from './decision.ts'
import type { Decision } from './decision.ts'
import type { Effect } from './effect.ts'
import { bookOf, feedWords } from './feed-words.ts'
import { rulesOverOwner } from './guards.ts'
import type { Look } from './look.ts'
import { hearersOfMargin } from './margin-feeds.ts'
import { nearDanger, walletLabel } from './memory.ts'
import type { Memory } from './memory.ts'
import { comparison, lastSeen, NAMED, ownersIn } from './standings.ts'
import type { Fresh } from './standings.ts'
import type { Turn } from './turn.ts'

/** Characters of the reason: more would not fit an item. */
const REASON = 80
/** How long the return of a wallet waits for that of others, so that they are told together. */
const GATHER_MS = 60_000
/** Wallets that were last read this near to each other went dark in one outage: those near danger are told so soon. */
const ONE_OUTAGE_MS = 30_000

/** Some of what fails, which is told as one thing. */
type Feeds = readonly [FeedKey, ...FeedKey[]]

/** A wallet, one account of it, or its margin. */
export function isWallet(feed: FeedKey): boolean {
  return 'owner' in feedOf(feed)
}

/** What is one thing to people: the markets of one book go dark and come back together. */
export function asOne(memory: Memory, feeds: readonly FeedKey[]): Feeds[] {
  const groups = Map.groupBy(feeds, (key) => {
    const feed = feedOf(key)
    const book = feed.is === 'market' ? bookOf(memory, feed.marketId) : null
    return book === null ? key : `book/${book}`
  })
  return [...groups.values()].flatMap(([first, ...others]): Feeds[] => (first ? [[first, ...others]] : []))
}

/** Says once per chat that we cannot see, and what was last seen. States stay as they are. */
export function goBlind(memory: Memory, feeds: Feeds, trouble: string, now: number): Turn {
  const known = (feed: FeedKey) =>
    memory.blind.get(feed) ?? { since: memory.sight.get(feed)?.at ?? now, why: trouble }
  const chats = new Map<number, FeedKey[]>()
  for (const feed of feeds) {
    for (const chatId of concerned(memory, feedOf(feed))) {
      // Whoever was told and not yet of the return knows nothing else.
      if (!memory.told.of(feed).has(chatId)) chats.set(chatId, [...(chats.get(chatId) ?? []), feed])
    }
  }
  const decisions = [...chats].flatMap(([chatId, [first, ...others]]) =>
    first === undefined ? [] : [blindIn(memory, chatId, [first, ...others], known, now)],
  )
  const fresh = feeds.filter((feed) => !memory.blind.has(feed))
  return { learned: fresh.map((feed): Effect => ({ is: 'blind', feed, ...known(feed) })), decisions }
}

function blindIn(
  memory: Memory,
  chatId: number,
  feeds: Feeds,
  known: (feed: FeedKey) => { since: number; why: string },
  now: number,
): Decision {
  const named = namesOf(feeds)
  const since = Math.min(...feeds.map((feed) => known(feed).since))
  const lines: Text[] = [
    ['since ', { time: since, as: 'clock' }, `: ${known(feeds[0]).why.slice(0, REASON)}`],
    ...lastSeen(memory, named, chatId),
    ...alsoFailing(memory, feeds[0], chatId),
    ...goesOn(named[0]),
  ]
  const isKnown = outageIsKnown(memory, feeds[0], chatId, since)
  const title = `I cannot see ${feedWords(memory, named, chatId)}${isKnown ? ' either' : ''}`
  const rows = feeds.map((feed): Effect => ({ is: 'feed', row: { feed, chatId, ...known(feed) } }))
  return report(chatId, feeds[0], now, item('blind', title, lines), rows, isKnown)
}

function namesOf([first, ...others]: Feeds): readonly [Feed, ...Feed[]] {
  return [feedOf(first), ...others.map(feedOf)]
}

/** The scope of an outage: what fails as well and is far from danger, so that it is told later. */
function alsoFailing(memory: Memory, feed: FeedKey, chatId: number): Text[] {
  const told = feedOf(feed)
  if (told.is !== 'owner' || !nearDanger(memory, told.owner)) return []
  const failing = [...ownersIn(memory, chatId)].filter((owner) => {
    const other = feedKey({ is: 'owner', owner })
    return memory.trouble.has(other) && !memory.blind.has(other) && !nearDanger(memory, owner)
  })
  if (failing.length === 0) return []
  const personId = memory.chats.get(chatId)?.personId ?? 0
  const names = failing.slice(0, NAMED).map((owner) => walletLabel(memory, personId, owner))
  const more = failing.length > NAMED ? ` and ${failing.length - NAMED} more` : ''
  return [`also failing, far from danger: ${names.join(', ')}${more}`]
}

/** Whether this chat was rung for the outage that has taken a wallet far from danger: it is told without ringing again. */
function outageIsKnown(memory: Memory, feed: FeedKey, chatId: number, since: number): boolean {
  const dark = feedOf(feed)
  if (!('owner' in dark) || nearDanger(memory, dark.owner)) return false
  return [...memory.toldIn.of(chatId)].some(([other, row]) => {
    const lasts = isWallet(other) && memory.blind.has(other)
    return lasts && since < row.since + ONE_OUTAGE_MS
  })
}

/** What people may rely on meanwhile. */
function goesOn(feed: Feed): Text[] {
  if (feed.is === 'margin') return ['Its positions are watched as before: each by its own price.']
  return 'owner' in feed
    ? ['I go on by the last known positions and the price: worse is told, nothing counts as over.']
    : ['Alerts stay as they were. I tell you when I see again.']
}

/** The report on return, to whoever was told: blind from–to, and how the positions stand against what was last seen. */
export function seeAgain(look: Look, feeds: ReadonlySet<FeedKey>, fresh: Fresh): Turn {
  const { memory, tick } = look
  const learned: Effect[] = []
  for (const feed of feeds) if (memory.blind.has(feed)) learned.push({ is: 'sighted', feed, tick })
  const decisions = [...returning(look, feeds)].flatMap(([chatId, back]) => {
    // Whoever is told that a wallet is back is told of its accounts with it.
    const whole = new Set(back)
    const parts = back.filter((feed) => whole.has(walletOf(feed)))
    return asOne(
      memory,
      back.filter((feed) => !parts.includes(feed)),
    ).map((group) => {
      const within = parts.filter((feed) => walletOf(feed) === group[0])
      return returnIn(look, chatId, group, within, fresh)
    })
  })
  return { learned, decisions }
}

function walletOf(feed: FeedKey): FeedKey {
  const part = feedOf(feed)
  return 'owner' in part && part.is !== 'owner' ? feedKey({ is: 'owner', owner: part.owner }) : ''
}

function returnIn(
  { memory, now }: Look,
  chatId: number,
  feeds: Feeds,
  within: readonly FeedKey[],
  fresh: Fresh,
): Decision {
  const named = namesOf(feeds)
  const sinceOf = (feed: FeedKey) => memory.told.of(feed).get(chatId)?.since ?? now
  const since = Math.min(...[...feeds, ...within].map(sinceOf))
  const lines: Text[] = [blindText(since, now), ...comparison(memory, named, chatId, fresh)]
  const said = item('good', `I see ${feedWords(memory, named, chatId)} again`, lines)
  const effects = [...feeds, ...within].flatMap((feed): Effect[] => [
    { is: 'feed-gone', feed, chatId },
    { is: 'gap', gap: { chatId, feed, since: sinceOf(feed), until: now } },
  ])
  return report(chatId, feeds[0], now, said, effects)
}

/** Two times of the clock would be the same minute. */
const SHORT_MS = 120_000

function blindText(since: number, now: number): Text {
  if (now - since < SHORT_MS) return text`I was blind for ${age(now - since)}`
  const clock = (time: number) => ({ time, as: 'clock' }) as const
  return text`I was blind from ${clock(since)} to ${clock(now)} (${age(now - since)})`
}

/** By chat, the feeds whose return is told now: wallets that come back one after the other are one message. */
function returning({ memory, tick }: Look, feeds: ReadonlySet<FeedKey>): Map<number, FeedKey[]> {
  const all = new Map<number, Set<FeedKey>>()
  const tell = (feed: FeedKey, chatId: number) => all.set(chatId, (all.get(chatId) ?? new Set()).add(feed))
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
  return new Map([...all].map(([chatId, back]) => [chatId, [...back]]))
}

function report(
  chatId: number,
  feed: FeedKey,
  now: number,
  item: Item,
  effects: readonly Effect[],
  known = false,
): Decision {
  const isReturn = item.tone === 'good'
  const quiet = isReturn || known
  const reason = isReturn ? 'sighted' : 'blind'
  const decision = silent(chatId, [...effects])
  const said = { severity: 'warning', order: now, about: feed, quiet } as const
  decision.said.push({ ...said, item: bounded(item), reason, alertIds: [] })
  return decision
}

/** Chats with a rule that rests on the feed; for the venue itself also the operator's own chat. */
function concerned(memory: Memory, feed: Feed): Set<number> {
  if (feed.is === 'owner') return new Set(rulesOverOwner(memory, feed.owner).map(({ chatId }) => chatId))
  if (feed.is === 'margin') return hearersOfMargin(memory, feed.owner)
  if (feed.is === 'account') {
    const held = [...(memory.owners.get(feed.owner)?.held.values() ?? [])]
    const own = held.filter(({ position }) => position.accountId === feed.accountId)
    const there = new Set(own.map(({ position }) => position.marketId))
    const rules = rulesOverOwner(memory, feed.owner)
    const speaking = rules.filter(({ market }) => market === null || there.has(market.id))
    return new Set(speaking.map(({ chatId }) => chatId))
  }
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
