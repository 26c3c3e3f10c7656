import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { errorText } from '../../lib/text/error-text.ts'
import { type Chat, reasonText } from '../../people/chat.ts'
import { command, isAtTerminal } from '../../command/command.ts'
import type { Context, Failure, Recall } from '../../command/context.ts'
import { age } from '../../message/figure.ts'
import {
  item,
  type Item,
  joined,
  type Message,
  message,
  say,
  type Text,
  words,
} from '../../message/message.ts'
import type { Source } from '../../venue/source.ts'
import { isSlow } from '../../venue/venue-load.ts'
import { escalationTroubles } from '../../people/escalation.ts'
import { firingLines, firingText } from '../shared/firing-lines.ts'
import { ageNote } from '../shared/readings.ts'
import { turnsLines, venueLoadItem } from '../shared/venue-load.ts'
import { ownStateLines, pricesAreCurrent, stateLine } from '../shared/venues/state.ts'
import { sourceName } from './pinned-status.ts'

const BLIND = 4
const FIRING = 5
/** A standby that is nearer than this to its leader takes over at once. */
const NEAR_S = 10
const SECOND_MS = 1_000
/** A short answer has nine lines, its title included. It names two unseen sources and counts the others. */
const SHORT = { lines: 8, named: 2, unseen: 3, wrong: 3 }

/** Says whether Perch sees the venue and how old its readings are, or keeps a live card. */
export default command({
  name: 'status',
  aliases: ['ping'],
  summary: words('menu.status'),
  examples: ['/status', '/status pin', '/status unpin', '/status full'],
  args: z.object({
    what: argument.choice(['pin', 'unpin', 'full'], words('status.what.asks')).optional(),
    chat: argument.text(words('status.chat.asks')).optional(),
  }),
  run(context, { what, chat = null }) {
    if (what === undefined) return short(context)
    return what === 'full' ? full(context) : keepCard(context, what === 'pin', chat)
  },
})

/** Answers a person: whether I see, which alerts are on, and whether alerts reach them. */
async function short(context: Context): Promise<Message> {
  const { view, recall, person } = context
  const status = view.status()
  const sources = blindLines(context)
  const firing = firingOf(context)
  const { waiting, parked } = await recall.backlog().catch(() => ({ waiting: 0, parked: 0 }))
  const broken = view.chats(person.id).filter(({ brokenBecause }) => brokenBecause !== null)
  const wrong = escalationTroubles(view.escalation(person.id))
  const lines: Text[] = [
    ...seenLines(context),
    ...limitedLines(sources, SHORT.named).slice(0, SHORT.unseen),
    ...context.venueLoads().flatMap(({ turns }) => (isSlow(turns) ? turnsLines(turns) : [])),
    ...wrong.slice(0, SHORT.wrong),
    ...broken.slice(0, 1).map(brokenLine),
    ...(waiting > 0 ? [words('status.waiting', { n: waiting })] : []),
    ...(parked > 0 ? [words('status.parked', { n: parked })] : []),
    ...(person.operator && status.standing?.standbys.length === 0 ? [words('status.standby.none')] : []),
    firingText(firing.length),
  ]
  lines.push(...firingLines(context, firing, Math.max(SHORT.lines - lines.length - 1, 0)))
  return message([...failureItems(status.failure), headItem(context, sources, lines)], {
    buttons: [
      { label: words('shown.button.refresh'), line: '/status', replace: true },
      { label: words('status.button.details'), line: '/status full', replace: true },
    ],
  })
}

function headItem({ view, reader }: Context, { own, others }: BlindLines, lines: Text[]): Item {
  const sees = own.length === 0 && others.length === 0 && pricesAreCurrent(view, reader.now)
  return item(sees ? 'plain' : 'blind', words(sees ? 'status.sees' : 'status.blind'), lines)
}

/** Everything, also what is of use to the operator alone. */
async function full(context: Context): Promise<Message> {
  const { view, recall } = context
  const messages = await messagesText(recall)
  const { now } = context.reader
  const status = view.status()
  const sources = blindLines(context)
  const blind = limitedLines(sources, BLIND)
  const isOne = status.venues.length === 0
  const known = isOne ? [marketsText(context), walletsText(status.wallets, status.oldestWalletMs)] : []
  const read = [...known, ...followedText(context)]
  return message(
    [
      ...failureItems(status.failure),
      headItem(context, sources, read),
      ...(blind.length > 0 ? [item('plain', words('status.unseen'), blind)] : []),
      ...context
        .venueLoads()
        .map((one) => venueLoadItem(one, status.wallets, now, stateLine(view, one.venue ?? '', now))),
      firingItem(context),
      item('plain', words('status.messages'), [messages, ...brokenLines(context, status.brokenChats)]),
      ...escalationItems(context),
      ...outageItems(context),
      ...standingItems(context),
      item('plain', words('status.perch', { version: { code: status.version }, age: age(status.upMs) }), [
        words('status.venue', { venue: { code: status.venue } }),
        ...seatsLines(context),
      ]),
    ],
    { buttons: [{ label: words('shown.button.refresh'), line: '/status full', replace: true }] },
  )
}

/** The operator starts the next Perch before this one is full. */
function seatsLines({ person, view, nextCell }: Context): Text[] {
  if (!person.operator || nextCell === null) return []
  return [words('status.seats', { taken: view.status().seats, all: nextCell.fullAt })]
}

/** The age of prices and of one's own wallets: at each venue of several. */
function seenLines(context: Context): Text[] {
  const { view, person, reader } = context
  const lines = ownStateLines(view, view.watches(person.id), reader.now)
  return lines.length > 0
    ? [...lines, ...followedText(context)]
    : [joined([marketsText(context), ownWalletsText(context)], ' · ')]
}

function marketsText({ view, reader }: Context): Text {
  const markets = view.marketsAt()
  return markets === null
    ? words('status.markets.never')
    : words('status.markets', { n: view.markets().size, age: ageNote(markets.at, reader.now) })
}

/** If the store cannot be read, waiting messages cannot be counted. */
async function messagesText(recall: Recall): Promise<Text> {
  try {
    const { waiting, parked } = await recall.backlog()
    return words('status.counts', { waiting: String(waiting), parked: String(parked) })
  } catch (error) {
    return words('status.uncounted', { why: errorText(error) })
  }
}

function failureItems(failure: Failure | null): Item[] {
  if (failure === null) return []
  return [
    item('blind', words('status.unsaved'), [
      words('status.since', { time: { time: failure.since, as: 'clock' }, why: failure.why }),
      words('status.lost'),
    ]),
  ]
}

/** Who leads and who could take over: for the operator, where processes share a store. */
function standingItems({ view, person }: Context): Item[] {
  const { standing, upMs } = view.status()
  if (standing === null || !person.operator) return []
  const { name, standbys } = standing
  const lines = standbys.map((one) => {
    const which = { name: { code: one.name } }
    return one.behindSeconds < NEAR_S
      ? words('status.standby', which)
      : words('status.standby.behind', { ...which, age: age(one.behindSeconds * SECOND_MS) })
  })
  const none = words('status.standby.none')
  return [
    item(
      lines.length > 0 ? 'plain' : 'blind',
      words('status.leads', { name: { code: name }, age: age(upMs) }),
      lines.length > 0 ? lines : [none],
    ),
  ]
}

/** Only of this person: others’ wallets may be older. */
function ownWalletsText(context: Context): Text {
  const { view, person, reader } = context
  const watches = view.watches(person.id)
  const times = watches.flatMap(({ wallet }) => view.positions(wallet)?.at ?? [])
  const oldestMs = times.length < watches.length ? null : reader.now - Math.min(...times)
  const followed = followedText(context)
  // Without an own wallet, the followed ones alone are counted.
  if (watches.length === 0 && followed.length > 0) return joined(followed, '')
  return joined([walletsText(watches.length, oldestMs), ...followed], ', ')
}

/** Their age is another one: they are read only while no guarded wallet waits. */
function followedText({ view, person }: Context): Text[] {
  const followed = view.follows(person.id).length
  return followed === 0 ? [] : [words('status.followed', { n: followed })]
}

function walletsText(wallets: number, oldestMs: number | null): Text {
  if (wallets === 0) return words('status.wallets.none')
  if (oldestMs === null) return words('status.wallets.unread', { n: wallets })
  return words('status.wallets', { n: wallets, age: ageNote(0, oldestMs) })
}

/** Lines about unseen sources: one for each of this person's own, and counts of other people's wallets. */
interface BlindLines {
  own: readonly Text[]
  others: readonly Text[]
}

/** Sources that are BLIND come before those whose last read has failed. Only the person's own wallets are named. */
function blindLines({ view, person, reader }: Context): BlindLines {
  const watches = view.watches(person.id)
  const [blind, failing] = [view.blind(person.id), view.failing(person.id)]
  const nameOf = (source: Source) => sourceName(source, watches, view)
  return {
    own: [
      ...blind.own.map(({ source, since, why }) =>
        words('status.blind-since', { what: nameOf(source), time: { time: since, as: 'clock' }, why }),
      ),
      ...failing.own.map(({ source, seenAt, why }) => {
        const age = seenAt === null ? words('status.never') : ageNote(seenAt, reader.now)
        return words('status.failing', { what: nameOf(source), age, why })
      }),
    ],
    others: [
      ...(blind.others > 0 ? [words('status.others', { n: blind.others })] : []),
      ...(failing.others > 0 ? [words('status.others.now', { n: failing.others })] : []),
    ],
  }
}

function limitedLines({ own, others }: BlindLines, most: number): Text[] {
  const more = own.length - most
  return [...own.slice(0, most), ...(more > 0 ? [words('shown.more', { n: String(more) })] : []), ...others]
}

function firingOf({ view, person }: Context) {
  return [...view.firing(person.id), ...view.helping(person.id)]
}

function firingItem(context: Context) {
  const firing = firingOf(context)
  return item('plain', firingText(firing.length), firingLines(context, firing, FIRING))
}

function brokenLines({ view, person }: Context, all: number): Text[] {
  const own = view.chats(person.id).filter(({ brokenBecause }) => brokenBecause !== null)
  return [words('status.broken', { n: all }), ...own.slice(0, BLIND).map(brokenLine)]
}

function brokenLine({ title, address, brokenBecause }: Chat): Text {
  return words('status.cannot-write', {
    chat: title ?? address.platform,
    why: reasonText(brokenBecause ?? ''),
  })
}

function escalationItems({ view, person }: Context): Item[] {
  const wrong = escalationTroubles(view.escalation(person.id))
  return wrong.length > 0 ? [item('plain', words('status.no-reach'), wrong)] : []
}

/** Only the operator can mend that. */
function outageItems({ person, platformOutages }: Context): Item[] {
  if (!person.operator) return []
  return platformOutages().map(({ platform, since, why }) => {
    const name = platform.charAt(0).toUpperCase() + platform.slice(1)
    const title = words('status.unreached', { platform: name, time: { time: since, as: 'clock' } })
    return item('plain', title, [why])
  })
}

/** Begins or ends a live card: in one's private chat, or in a chat that one has bound. */
async function keepCard(context: Context, begins: boolean, named: string | null): Promise<Message> {
  const { change, commands, cardShown } = context
  if (isAtTerminal(commands)) return say(words('card.terminal'))
  const chat = meant(context, named)
  if (!chat) return say(named === null ? words('card.no-chat') : words('card.not-bound', { chat: named }))
  const { refused } = await change({ is: begins ? 'pin' : 'unpin', chatId: chat.id })
  if (refused !== null) return say(refused)
  const title = chat.title ?? named ?? ''
  if (!begins) return say(chat.private ? words('card.off') : words('card.off.in', { chat: title }))
  const fared = await cardShown(chat.id)
  const stop = ['/status unpin', ...(named === null ? [] : [named])].join(' ')
  return message(
    [
      item('plain', chat.private ? words('card.on') : words('card.on.in', { chat: title }), [
        words(chat.private ? 'card.shows' : 'card.shows.bound'),
        ...(fared?.is === 'refused' ? [words('card.not-pinned', { why: fared.why })] : []),
      ]),
    ],
    { buttons: [{ label: words('card.button.stop'), line: stop, replace: true }] },
  )
}

function meant({ from, person, view }: Context, named: string | null): Chat | undefined {
  const own = view.chats(person.id)
  if (named === null) {
    const here = view.chatAt(from.private ? from.chat : from.home)
    return own.find(({ id }) => id === here?.id)
  }
  const isMeant = ({ title, address: { chat, thread } }: Chat) =>
    [title, thread === null ? chat : `${chat}/${thread}`].includes(named.trim())
  return own.find((chat) => !chat.private && isMeant(chat))
}
