import { age } from '../../message/figure.ts'
import { bounded, type Item, item, type Text, text } from '../../message/message.ts'
import { type Feed, type FeedKey, feedKey, feedOf } from '../../venue/source.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { Look } from '../monitors/context.ts'
import { type Decision, silent } from '../monitors/decision.ts'
import type { Reports } from '../monitors/turn.ts'
import { concerned, hears } from './audience.ts'
import { comparison, type Fresh, lastSeen, remembered } from './last-known.ts'
import { alsoFailing, isWallet, outageIsKnown } from './outage.ts'
import { bookOf, feedWords } from './wording.ts'

/** Characters of the reason: more would not fit an item. */
const REASON = 80
/** How long the return of a wallet waits for that of others, so that they are told together. */
const GATHER_MS = 60_000
/** Some of what fails, which is told as one thing. */
type Feeds = readonly [FeedKey, ...FeedKey[]]

/** What fails from now on, or goes on failing while some have yet to hear of it. */
export interface Lost {
  feeds: Feeds
  why: string
  /** The only chats that may not have heard of it; all that it concerns, where it is left out. */
  among?: Iterable<number>
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
export function goBlind(
  memory: Memory,
  lost: readonly Lost[],
  now: number,
): { learned: Effect[]; reports: Reports } {
  const known = new Map<FeedKey, { since: number; why: string }>()
  for (const { feeds, why } of lost)
    for (const feed of feeds)
      known.set(feed, memory.blind.get(feed) ?? { since: memory.sight.get(feed)?.at ?? now, why })
  const fresh = [...known].filter(([feed]) => !memory.blind.has(feed))
  const told = new Map<number, { of: Lost; feeds: FeedKey[] }[]>()
  function* chats(): Generator<number> {
    for (const of of lost) {
      for (const feed of of.feeds) {
        for (const chatId of of.among ?? concerned(memory, feed)) {
          note(chatId, of, feed)
          yield chatId
        }
      }
    }
  }
  function note(chatId: number, of: Lost, feed: FeedKey): void {
    const all = told.get(chatId) ?? []
    told.set(chatId, all)
    const last = all.at(-1)
    if (last?.of === of) last.feeds.push(feed)
    else all.push({ of, feeds: [feed] })
  }
  function decide(chatId: number): Decision[] {
    return (told.get(chatId) ?? []).flatMap(({ feeds }) => {
      // Whoever was told and not yet of the return knows nothing else.
      const [first, ...others] = [...new Set(feeds)].filter(
        (feed) => hears(memory, feed, chatId) && !memory.told.of(feed).has(chatId),
      )
      return first === undefined ? [] : [blindIn(memory, chatId, [first, ...others], known, now)]
    })
  }
  return {
    learned: fresh.map(([feed, { since, why }]): Effect => ({ is: 'blind', feed, since, why, at: now })),
    reports: { chats: chats(), decide },
  }
}

function blindIn(
  memory: Memory,
  chatId: number,
  feeds: Feeds,
  all: ReadonlyMap<FeedKey, { since: number; why: string }>,
  now: number,
): Decision {
  const known = (feed: FeedKey) => all.get(feed) ?? { since: now, why: '' }
  const named = namesOf(feeds)
  const since = Math.min(...feeds.map((feed) => known(feed).since))
  const lines: Text[] = [
    ['since ', { time: since, as: 'clock' }, `: ${shortened(known(feeds[0]).why)}`],
    ...lastSeen(memory, named, chatId),
    ...alsoFailing(memory, feeds[0], chatId),
    ...goesOn(named[0]),
  ]
  const isKnown = outageIsKnown(memory, feeds[0], chatId, since)
  const title = `I cannot see ${feedWords(memory, named, chatId)}${isKnown ? ' either' : ''}`
  const rows = feeds.map((feed): Effect => ({ is: 'feed', row: { feed, chatId, ...known(feed) } }))
  return report(chatId, feeds[0], now, item('blind', title, lines), rows, isKnown)
}

/** A reason, or as much of it as fits before an ellipsis. */
function shortened(why: string): string {
  const points = [...why]
  return points.length <= REASON ? why : `${points.slice(0, REASON - 1).join('')}…`
}

function namesOf([first, ...others]: Feeds): readonly [Feed, ...Feed[]] {
  return [feedOf(first), ...others.map(feedOf)]
}

/** What people may rely on meanwhile. */
function goesOn(feed: Feed): Text[] {
  if (feed.is === 'orders')
    return ['Its positions are watched as before; what rests on orders is told when I see them again.']
  if (feed.is === 'margin') return ['Its positions are watched as before: each by its own price.']
  return 'owner' in feed
    ? ['I go on by the last known positions and the price: worse is told, nothing counts as over.']
    : ['Alerts stay as they were. I tell you when I see again.']
}

/** The report on return, to whoever was told: blind from–to, and how the positions stand against what was last seen. */
export function seeAgain(
  look: Look,
  feeds: ReadonlySet<FeedKey>,
  fresh: Fresh,
  before: Fresh = remembered(look.memory),
): { learned: Effect[]; reports: Reports } {
  const { memory, tick } = look
  const learned: Effect[] = []
  for (const feed of feeds) if (memory.blind.has(feed)) learned.push({ is: 'sighted', feed, tick })
  const returning = new Map<number, Set<FeedKey>>()
  function decide(chatId: number): Decision[] {
    const told = [...(returning.get(chatId) ?? [])].filter((feed) => memory.told.of(feed).has(chatId))
    // Whoever is told that a wallet is back is told of its accounts with it.
    const whole = new Set(told)
    const parts = told.filter((feed) => whole.has(walletOf(feed)))
    return asOne(
      memory,
      told.filter((feed) => !parts.includes(feed)),
    ).map((group) => {
      const within = parts.filter((feed) => walletOf(feed) === group[0])
      return returnIn(look, chatId, group, within, { before, fresh })
    })
  }
  return { learned, reports: { chats: whoReturns(look, feeds, returning), decide } }
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
  seen: { before: Fresh; fresh: Fresh },
): Decision {
  const named = namesOf(feeds)
  const sinceOf = (feed: FeedKey) => memory.told.of(feed).get(chatId)?.since ?? now
  const since = Math.min(...[...feeds, ...within].map(sinceOf))
  const lines: Text[] = [blindText(since, now), ...comparison(memory, named, chatId, seen)]
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
function* whoReturns(
  { memory, tick }: Look,
  feeds: ReadonlySet<FeedKey>,
  all: Map<number, Set<FeedKey>>,
): Generator<number> {
  const tell = (feed: FeedKey, chatId: number) => all.set(chatId, (all.get(chatId) ?? new Set()).add(feed))
  for (const feed of feeds) {
    const patient = tick - (memory.returned.get(feed) ?? tick) < GATHER_MS
    for (const chatId of memory.told.of(feed).keys()) {
      const others = isWallet(feed)
        ? [...memory.toldIn.of(chatId).keys()].filter((one) => isWallet(one) && !feeds.has(one))
        : []
      const stillBlind = others.some((one) => memory.blind.has(one))
      if (stillBlind && patient) continue
      tell(feed, chatId)
      for (const one of others) if (!memory.blind.has(one)) tell(one, chatId)
      yield chatId
    }
  }
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
