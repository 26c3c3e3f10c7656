import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { type Chat, reasonText } from '../../people/chat.ts'
import { command } from '../../command/command.ts'
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
import { isSlow } from '../../venue/venue-load.ts'
import { escalationTroubles } from '../../people/escalation.ts'
import { firingLines, firingText } from '../shared/firing-lines.ts'
import { ageNote } from '../shared/readings.ts'
import { turnsLines, venueLoadItem } from '../shared/venue-load.ts'
import { sourceName } from './pinned-status.ts'

const BLIND = 4
const FIRING = 5
/** A short answer has nine lines, its title included. */
const SHORT = { lines: 8, blind: 2, wrong: 3 }

/** Says whether Perch sees the venue and how old its readings are, or keeps a live card. */
export default command({
  name: 'status',
  aliases: ['ping'],
  summary: words('menu.status'),
  examples: ['/status', '/status pin', '/status unpin', '/status full'],
  args: z.object({
    what: argument.choice(['pin', 'unpin', 'full'], 'pin, unpin or full').optional(),
    chat: argument.text('the name of a chat that you have bound, if it is not for this one').optional(),
  }),
  run(context, { what, chat = null }) {
    if (what === undefined) return short(context)
    return what === 'full' ? full(context) : keepCard(context, what === 'pin', chat)
  },
})

/** Answers a person: whether I see, which alerts are on, and whether alerts reach them. */
async function short(context: Context): Promise<Message> {
  const { view, recall, person, reader } = context
  const status = view.status()
  const { turns } = context.venueLoad()
  const unseen = [...blindLines(context, SHORT.blind), ...failingLines(context, SHORT.blind)].slice(
    0,
    SHORT.blind,
  )
  const firing = firingOf(context)
  const { waiting, parked } = await recall.backlog().catch(() => ({ waiting: 0, parked: 0 }))
  const broken = view.chats(person.id).filter(({ brokenBecause }) => brokenBecause !== null)
  const wrong = escalationTroubles(view.escalation(person.id))
  const lines: Text[] = [
    joined([marketsText(context), ownWalletsText(context)], ' · '),
    ...unseen,
    ...(isSlow(turns) ? turnsLines(turns) : []),
    ...wrong.slice(0, SHORT.wrong),
    ...broken.slice(0, 1).map(brokenLine),
    ...(waiting > 0 ? [words('status.waiting', { n: waiting })] : []),
    ...(parked > 0 ? [words('status.parked', { n: parked })] : []),
    firingText(firing.length),
  ]
  lines.push(...firingLines(context, firing, Math.max(SHORT.lines - lines.length - 1, 0)))
  return message([...failureItems(status.failure), headItem(context, lines, reader.now)], {
    buttons: [
      { label: words('shown.button.refresh'), line: '/status', replace: true },
      { label: words('status.button.details'), line: '/status full', replace: true },
    ],
  })
}

function headItem(context: Context, lines: Text[], now: number): Item {
  const { view } = context
  const markets = view.marketsAt()
  const blind = [...blindLines(context, 1), ...failingLines(context, 1)]
  const sees = blind.length === 0 && markets !== null && now - markets.at <= view.status().marketStaleMs
  return item(sees ? 'plain' : 'blind', words(sees ? 'status.sees' : 'status.blind'), lines)
}

/** Everything, also what is of use to the operator alone. */
async function full(context: Context): Promise<Message> {
  const { view, recall } = context
  const messages = await messagesText(recall)
  const { now } = context.reader
  const status = view.status()
  const blind = [...blindLines(context, BLIND), ...failingLines(context, BLIND)]
  const read = [marketsText(context), walletsText(status.wallets, status.oldestWalletMs)]
  return message(
    [
      ...failureItems(status.failure),
      headItem(context, read, now),
      ...(blind.length > 0 ? [item('plain', words('status.unseen'), blind)] : []),
      venueLoadItem(context.venueLoad(), status.wallets, now),
      firingItem(context),
      item('plain', words('status.messages'), [messages, ...brokenLines(context, status.brokenChats)]),
      ...escalationItems(context),
      item('plain', words('status.perch', { version: { code: status.version }, age: age(status.upMs) }), [
        words('status.venue', { venue: { code: status.venue } }),
      ]),
    ],
    { buttons: [{ label: words('shown.button.refresh'), line: '/status full', replace: true }] },
  )
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
    return words('status.uncounted', { why: error instanceof Error ? error.message : String(error) })
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

/** Only of this person: others’ wallets may be older. */
function ownWalletsText({ view, person, reader }: Context): Text {
  const watches = view.watches(person.id)
  const times = watches.flatMap(({ wallet }) => view.positions(wallet)?.at ?? [])
  return walletsText(watches.length, times.length < watches.length ? null : reader.now - Math.min(...times))
}

function walletsText(wallets: number, oldestMs: number | null): Text {
  if (wallets === 0) return words('status.wallets.none')
  if (oldestMs === null) return words('status.wallets.unread', { n: wallets })
  return words('status.wallets', { n: wallets, age: ageNote(0, oldestMs) })
}

/** The markets are everybody's; of wallets, only one's own are named. */
function blindLines({ view, person }: Context, most: number): Text[] {
  const watches = view.watches(person.id)
  const { own, others } = view.blind(person.id)
  const lines = own.slice(0, most).map(({ source, since, why }) => {
    const what = sourceName(source, watches, view)
    return words('status.blind-since', { what, time: { time: since, as: 'clock' }, why })
  })
  const more = own.length - lines.length
  return [
    ...lines,
    ...(more > 0 ? [words('shown.more', { n: String(more) })] : []),
    ...(others > 0 ? [words('status.others', { n: others })] : []),
  ]
}

/** Wallets whose last read has failed, but which are not reported as BLIND yet. */
function failingLines({ view, person, reader }: Context, most: number): Text[] {
  const watches = view.watches(person.id)
  const { own, others } = view.failing(person.id)
  const lines = own.slice(0, most).map(({ source, seenAt, why }) => {
    const age = seenAt === null ? words('status.never') : ageNote(seenAt, reader.now)
    return words('status.failing', { what: sourceName(source, watches, view), age, why })
  })
  const more = own.length > most ? [words('shown.more', { n: String(own.length - most) })] : []
  return [...lines, ...more, ...(others > 0 ? [words('status.others.now', { n: others })] : [])]
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

/** Begins or ends a live card: in one's private chat, or in a chat that one has bound. */
async function keepCard(context: Context, begins: boolean, named: string | null): Promise<Message> {
  const { change, commands, cardShown } = context
  if (commands.some(({ who }) => who === 'local')) return say(words('card.terminal'))
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
