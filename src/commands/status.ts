import { z } from 'zod'

import { chainTroubles } from '../chain.ts'
import type { Context, Failure, Recall } from '../context.ts'
import { argument } from '../argument.ts'
import { command } from '../command.ts'
import type { Feed } from '../feed.ts'
import { age, ago } from '../figure.ts'
import { item, message, text } from '../message.ts'
import type { Item, Message, Text } from '../message.ts'
import type { Watch } from '../person.ts'
import { firingLines, firingText } from './words/firing.ts'
import { keepPinned } from './words/pinned.ts'
import { count } from './words/pages.ts'
import { supplyItem } from './words/supply.ts'

const BLIND = 4
const FIRING = 5

/** Says whether Perch sees, and how old what it knows is; or keeps a message that shows it. */
export default command({
  name: 'status',
  aliases: ['ping'],
  summary: 'says what I see and how old it is, or (pin) keeps a message that shows it',
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
        ownersText(status.owners, status.oldestOwnerMs),
      ]),
      ...(blind.length > 0 ? [item('plain', 'What I cannot see', blind)] : []),
      supplyItem(context.supply(), status.owners, now),
      firingItem(context),
      item('plain', 'Messages', [messages, ...brokenLines(context, status.brokenChats)]),
      ...chainItems(context),
      item('plain', text`Perch ${{ code: status.version }}, up ${age(status.upMs)}`, [
        ['venue ', { code: status.venue }],
      ]),
    ],
    { buttons: [{ label: 'Refresh', line: '/status', replace: true }] },
  )
}

/** What is waiting cannot be counted where the store cannot be read. */
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

function ownersText(owners: number, oldestMs: number | null): Text {
  if (owners === 0) return 'no wallet is watched'
  const behind = oldestMs === null ? 'not all of them read yet' : text`the oldest read ${ago(oldestMs)}`
  return text`${count(owners, 'wallet')}, ${behind}`
}

/** The markets are everybody's; of wallets, only one's own are named. */
function blindLines({ view, person }: Context): Text[] {
  const watches = view.watches(person.id)
  const { own, others } = view.blind(person.id)
  const lines = own
    .slice(0, BLIND)
    .map(({ feed, since, why }): Text => [
      `${feedName(feed, watches, view)} since `,
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

function feedName(feed: Feed, watches: readonly Watch[], view: Context['view']): string {
  if ('owner' in feed) {
    const label = watches.find(({ owner }) => owner === feed.owner)?.label ?? ''
    if (feed.is === 'owner') return label
    if (feed.is === 'orders') return `orders of ${label}`
    return feed.is === 'margin' ? `margin of ${label}` : `${label} in ${feed.accountId}`
  }
  if (feed.is === 'markets') return 'markets'
  return view.symbol(feed.marketId)
}

/** Not told as blindness yet: the last try has failed. */
function failingLines({ view, person, reader }: Context): Text[] {
  const watches = view.watches(person.id)
  const { own, others } = view.failing(person.id)
  const lines = own.slice(0, BLIND).map(({ feed, seenAt, why }) => {
    const seen = seenAt === null ? 'never read' : text`read ${ago(reader.now - seenAt)}`
    return text`${feedName(feed, watches, view)}: ${seen}, then not any more: ${why}`
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

function chainItems({ view, person }: Context): Item[] {
  const wrong = chainTroubles(view.chain(person.id))
  return wrong.length > 0 ? [item('plain', 'What is critical may not reach whom it should', wrong)] : []
}
