import type { Course } from '../chat/holdings.ts'
import type { Notifier } from '../chat/notifier.ts'
import type { View } from '../command/context.ts'
import type { Text } from '../message/message.ts'
import type { DayPicture, Draw, DrawingOrder, Picture } from '../message/picture.ts'
import type { Chat } from '../people/chat.ts'
import type { DigestTold } from '../people/digest.ts'
import type { EscalatedTo } from '../people/escalation.ts'
import { type Clock, createAlarm, createYield } from '../runtime/clock.ts'
import { type AlertTransition, type Emit, newsOf } from '../runtime/event.ts'
import type { QueuedPicture } from '../store/change.ts'

interface Pictures {
  /** Draws for the reader of that chat, an urgent one before all others. Null: it could not be drawn. */
  draw(picture: Picture, chat: Chat, isUrgent: boolean): Promise<Uint8Array | null>
  /** Queues a picture behind words that are said there now. Nothing where the platform shows none. */
  follow(chatId: number, picture: Picture<Text>): void
  /** A committed transition of an alert. */
  transitioned(transition: AlertTransition): void
  /** An alert is told in another chat as well, and that is committed. */
  escalated(to: EscalatedTo): void
  /** The words of a digest are committed: queues the picture of its day, once that is read from the record. */
  digestTold(told: DigestTold): void
  idle(): Promise<void>
  /** Pictures that are not queued yet are left out. */
  stop(): void
}

/** Words that can leave at once have left by then: neither making a picture nor a commit for it holds them up. */
const BEHIND_WORDS_MS = 100
/** How long the others wait for their turn while the pictures of many alerts are made. */
const SLICE_MS = 2
/** Alerts within that time that are considered. The worst come first. */
const MOST_ALERTS = 200
/** Pictures that follow alerts within that time into one chat. The words tell of all. */
const MOST_AT_ONCE = 4
/** A picture of bars draws no prices. */
const NO_COURSE = { times: [], prices: [], gaps: [] }

/** Wider than a picture, so that every wick is in it. */
const COLUMNS = 1_080

/** Makes the pictures that follow words. Words never wait for one, and a picture that cannot be made is left out. */
export function createPictures(world: {
  clock: Clock
  adapters: ReadonlyMap<string, Notifier>
  view: Pick<View, 'chat' | 'zone' | 'language' | 'numbers' | 'theme'>
  simulated: boolean
  emit: Emit
  /** Draws one; null where nothing draws. */
  draw: Draw | null
  /** The recorded prices of a market since then (wall time), thinned to so many pixel columns. */
  course(market: string, since: number, columns: number): Promise<Course | 'busy'>
  /** The picture behind a digest; null where nobody wants one, nothing was held, or nothing is recorded. */
  pictureOfDay(told: DigestTold): Promise<Picture<Text> | null>
  /** The course of such a picture; null where it is not known any more. */
  day(picture: DayPicture): Promise<DrawingOrder['course'] | null>
  /** The picture of an alert for its own chat or for another one; null where nobody wants one. */
  pictureOf(alertId: number, elsewhere: number | null): { chatId: number; picture: Picture<Text> } | null
  queue(pictures: readonly QueuedPicture[]): Promise<void>
}): Pictures {
  const { clock, adapters, view, simulated, emit } = world
  const underWay = new Set<Promise<void>>()
  const news: number[] = []
  const escalations: EscalatedTo[] = []
  let isStopped = false
  const ofAnswers: QueuedPicture[] = []
  const behindWords = createAlarm(clock, () => {
    put(ofAnswers.splice(0))
    begin(() => queueOf(news.splice(0), escalations.splice(0)))
  })

  function isShown(chatId: number): boolean {
    const platform = view.chat(chatId)?.address.platform
    return world.draw !== null && adapters.get(platform ?? '')?.limits.pictures !== undefined
  }

  function put(pictures: readonly QueuedPicture[]): void {
    const shown = pictures.filter(({ chatId }) => isShown(chatId))
    if (shown.length > 0) begin(() => world.queue(shown))
  }

  function begin(queueing: () => Promise<void>): void {
    if (isStopped) return
    const work = queueing()
      .catch((error: unknown) => {
        emit({ is: 'trouble', where: 'pictures', why: 'pictures could not be queued', error })
      })
      .finally(() => void underWay.delete(work))
    underWay.add(work)
  }

  async function queueOf(alerts: readonly number[], others: readonly EscalatedTo[]): Promise<void> {
    const breathe = createYield(clock, SLICE_MS)
    const isNews = new Set(alerts)
    // A reminder brings a picture only to somebody who is told for the first time.
    const elsewhere = others.filter(({ alertId, isNew }) => isNew || isNews.has(alertId))
    const own = alerts.map((alertId) => ({ alertId, chatId: null }))
    const all: QueuedPicture[] = []
    for (const { alertId, chatId } of [...own, ...elsewhere]) {
      const one = world.pictureOf(alertId, chatId)
      if (one !== null && isShown(one.chatId)) all.push({ ...one, alertId })
      await breathe()
    }
    // A position and its account may be told in one chat at once.
    const few = fewOfEach([...new Map(all.map((one) => [keyOf(one), one])).values()])
    if (few.length > 0) await world.queue(few)
  }

  async function courseOf(picture: Picture): Promise<DrawingOrder['course'] | null> {
    if (picture.is === 'day') return world.day(picture)
    if (picture.is === 'ladder' || picture.is === 'funding') return NO_COURSE
    const { market, since, until } = picture
    const course = await world.course(market, since, COLUMNS)
    return course === 'busy' ? null : cut(course, { since, until })
  }

  return {
    async draw(picture, { personId, address }, isUrgent) {
      if (world.draw === null) return null
      const course = await courseOf(picture)
      if (course === null) return null
      const reader = {
        zone: view.zone(personId) ?? 'UTC',
        language: view.language(personId),
        numbers: view.numbers(personId),
        theme: view.theme(personId),
      }
      const { format = 'card' } = picture
      const isText = adapters.get(address.platform)?.limits.pictures === 'text'
      const order: DrawingOrder = {
        picture,
        course,
        reader,
        simulated,
        format,
        ...(isText && { as: 'text' }),
      }
      return world.draw(order, isUrgent)
    },
    follow(chatId, picture) {
      // While an answer is under way, or waits to be sent again, no picture leaves for its chat.
      if (isStopped || ofAnswers.length >= MOST_ALERTS) return
      ofAnswers.push({ chatId, alertId: null, picture })
      behindWords.setUnlessSet(BEHIND_WORDS_MS)
    },
    transitioned(transition) {
      const alertId = newsOf(transition)
      if (isStopped || alertId === null || news.length >= MOST_ALERTS || world.draw === null) return
      news.push(alertId)
      behindWords.setUnlessSet(BEHIND_WORDS_MS)
    },
    escalated(to) {
      if (isStopped || escalations.length >= MOST_ALERTS || world.draw === null) return
      escalations.push(to)
      behindWords.setUnlessSet(BEHIND_WORDS_MS)
    },
    digestTold(told) {
      const { chatId } = told
      if (!isShown(chatId)) return
      begin(async () => {
        const picture = await world.pictureOfDay(told)
        if (picture !== null) await world.queue([{ chatId, alertId: null, picture }])
      })
    },
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
    stop() {
      isStopped = true
      behindWords.off()
    },
  }
}

function keyOf({ chatId, picture }: QueuedPicture): string {
  const of = 'market' in picture ? picture.market : picture.is
  return [chatId, of, ...(picture.is === 'position' ? [picture.wallet, picture.side] : [])].join(' ')
}

/** Keeps the worst ones of each chat, the nearest to liquidation first. Only one alone fills a phone. */
function fewOfEach(pictures: readonly QueuedPicture[]): QueuedPicture[] {
  const ofChats = Map.groupBy(pictures, ({ chatId }) => chatId)
  return [...ofChats.values()].flatMap((all) => {
    if (all.length === 1) return all
    const worst = all.toSorted((a, b) => awayOf(a.picture) - awayOf(b.picture)).slice(0, MOST_AT_ONCE)
    return worst.map((one) => ({ ...one, picture: { ...one.picture, format: 'strip' as const } }))
  })
}

function awayOf(picture: Picture<Text>): number {
  return (picture.is === 'position' ? picture.distance : null) ?? Number.MAX_VALUE
}

/** The record is read up to now, and the picture may have waited. */
function cut(
  { times, prices, gaps }: Course,
  { since, until }: { since: number; until: number },
): Pick<Course, 'times' | 'prices' | 'gaps'> {
  const places = [...times.keys()].filter((place) => {
    const at = times[place] ?? 0
    return at >= since && at <= until
  })
  return {
    times: places.map((place) => times[place] ?? 0),
    prices: places.map((place) => prices[place] ?? 0),
    gaps: gaps.flatMap((gap) => {
      const one = { since: Math.max(gap.since, since), until: Math.min(gap.until, until) }
      return one.since < one.until ? [one] : []
    }),
  }
}
