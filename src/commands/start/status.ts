import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import type { Chat } from '../../people/chat.ts'
import { command } from '../../command/command.ts'
import type { Context, Failure, Recall } from '../../command/context.ts'
import { ageText } from '../../lib/text/format.ts'
import { age, ago } from '../../message/figure.ts'
import { type Item, item, type Message, message, say, type Text, text } from '../../message/message.ts'
import { escalationTroubles } from '../../people/escalation.ts'
import type { Watch } from '../../people/person.ts'
import { PIN_EVERY_MS } from '../../people/pin.ts'
import type { Source } from '../../venue/source.ts'
import { firingLines, firingText } from '../shared/firing-lines.ts'
import { count } from '../shared/pages.ts'
import { venueLoadItem } from '../shared/venue-load.ts'

const BLIND = 4
const FIRING = 5

/** Says whether Perch sees the venue and how old its readings are, or pins a message that shows it. */
export default command({
  name: 'status',
  aliases: ['ping'],
  summary: 'Is everything working?',
  examples: ['/status', '/status pin', '/status unpin'],
  args: z.object({
    what: argument.choice(['pin', 'unpin'], 'pin or unpin').optional(),
    chat: argument.text('the name of a chat that you have bound, if it is not for this one').optional(),
  }),
  run: (context, { what, chat = null }) =>
    what === undefined ? seen(context) : keepPinned(context, what === 'pin', chat),
})

async function seen(context: Context): Promise<Message> {
  const { view, recall } = context
  const messages = await messagesText(recall)
  const { now } = context.reader
  const status = view.status()
  const markets = view.marketsAt()
  const blind = [...blindLines(context), ...failingLines(context)]
  const sees = blind.length === 0 && markets !== null && now - markets.at <= status.marketStaleMs
  const read =
    markets === null
      ? 'the markets were never read'
      : text`${count(view.markets().size, 'market')}, read ${ago(now - markets.at)}`
  return message(
    [
      ...failureItems(status.failure),
      item(sees ? 'plain' : 'blind', sees ? 'I see the venue' : 'I do not see everything', [
        read,
        walletsText(status.wallets, status.oldestWalletMs),
      ]),
      ...(blind.length > 0 ? [item('plain', 'What I cannot see', blind)] : []),
      venueLoadItem(context.venueLoad(), status.wallets, now),
      firingItem(context),
      item('plain', 'Messages', [messages, ...brokenLines(context, status.brokenChats)]),
      ...escalationItems(context),
      item('plain', text`Perch ${{ code: status.version }}, up ${age(status.upMs)}`, [
        ['venue ', { code: status.venue }],
      ]),
    ],
    { buttons: [{ label: 'Refresh', line: '/status', replace: true }] },
  )
}

/** If the store cannot be read, waiting messages cannot be counted. */
async function messagesText(recall: Recall): Promise<string> {
  try {
    const { waiting, parked } = await recall.backlog()
    return `${waiting} waiting, ${parked} given up`
  } catch (error) {
    return `what waits cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

function failureItems(failure: Failure | null): Item[] {
  if (failure === null) return []
  return [
    item('blind', 'I cannot keep anything now', [
      ['since ', { time: failure.since, as: 'clock' }, `: ${failure.why}`],
      'Warnings wait or are lost until that is mended.',
    ]),
  ]
}

function walletsText(wallets: number, oldestMs: number | null): Text {
  if (wallets === 0) return 'no wallet is watched'
  const behind = oldestMs === null ? 'not all of them read yet' : text`the oldest read ${ago(oldestMs)}`
  return text`${count(wallets, 'wallet')}, ${behind}`
}

/** The markets are everybody's; of wallets, only one's own are named. */
function blindLines({ view, person }: Context): Text[] {
  const watches = view.watches(person.id)
  const { own, others } = view.blind(person.id)
  const lines = own
    .slice(0, BLIND)
    .map(({ source, since, why }): Text => [
      `${sourceName(source, watches, view)} since `,
      { time: since, as: 'clock' },
      `: ${why}`,
    ])
  const more = own.length - lines.length
  return [
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(others > 0 ? [`${count(others, 'wallet')} of other people`] : []),
  ]
}

function sourceName(source: Source, watches: readonly Watch[], view: Context['view']): string {
  if ('wallet' in source) {
    const label = watches.find(({ wallet }) => wallet === source.wallet)?.label ?? ''
    if (source.is === 'wallet') return label
    if (source.is === 'orders') return `orders of ${label}`
    return source.is === 'margin' ? `margin of ${label}` : `${label} in ${source.accountId}`
  }
  if (source.is === 'markets') return 'markets'
  return view.symbol(source.marketId)
}

/** Wallets whose last read has failed, but which are not reported as BLIND yet. */
function failingLines({ view, person, reader }: Context): Text[] {
  const watches = view.watches(person.id)
  const { own, others } = view.failing(person.id)
  const lines = own.slice(0, BLIND).map(({ source, seenAt, why }) => {
    const seen = seenAt === null ? 'never read' : text`read ${ago(reader.now - seenAt)}`
    return text`${sourceName(source, watches, view)}: ${seen}, then not any more: ${why}`
  })
  const more = own.length > BLIND ? [`and ${own.length - BLIND} more`] : []
  return [...lines, ...more, ...(others > 0 ? [`${count(others, 'wallet')} of other people, just now`] : [])]
}

function firingItem(context: Context) {
  const { view, person } = context
  const firing = [...view.firing(person.id), ...view.helping(person.id)]
  return item('plain', firingText(firing.length), firingLines(context, firing, FIRING))
}

function brokenLines({ view, person }: Context, all: number): string[] {
  const own = view.chats(person.id).filter(({ brokenBecause }) => brokenBecause !== null)
  const lines = own
    .slice(0, BLIND)
    .map(
      ({ title, address, brokenBecause }) =>
        `I cannot write to ${title ?? address.platform}: ${brokenBecause}`,
    )
  return [`${count(all, 'chat')} broken`, ...lines]
}

function escalationItems({ view, person }: Context): Item[] {
  const wrong = escalationTroubles(view.escalation(person.id))
  return wrong.length > 0 ? [item('plain', 'What is critical may not reach whom it should', wrong)] : []
}

/** Begins or ends the message that is kept up to date: in one's private chat, or in a chat that one has bound. */
async function keepPinned(context: Context, begins: boolean, named: string | null): Promise<Message> {
  const { change, commands } = context
  if (commands.some(({ who }) => who === 'local'))
    return say('What is printed here stays as it is. Say /status to see what I see.')
  const chat = meant(context, named)
  if (!chat)
    return say(
      named === null
        ? 'Write to me in our private chat first.'
        : `You have bound no chat ${named}. See /channel list.`,
    )
  const { refused } = await change({ is: begins ? 'pin' : 'unpin', chatId: chat.id })
  if (refused !== null) return say(refused)
  const where = chat.private ? 'our private chat' : (chat.title ?? 'that chat')
  if (!begins) return say(`The message in ${where} is not kept up to date any more`)
  return say(
    `A message in ${where} shows when I looked last`,
    `I write it anew every ${ageText(PIN_EVERY_MS)}, without a sound. Pin it, so that it stays in sight.`,
    'Delete it to end that, or say /status unpin.',
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
