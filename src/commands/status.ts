import { z } from 'zod'

import { findKind } from '../alert.ts'
import { command } from '../command.ts'
import type { Context } from '../command.ts'
import { age, ago, item, message } from '../message.ts'
import type { Text } from '../message.ts'
import type { Watch } from '../person.ts'
import { count } from './words/pages.ts'

const BLIND = 4
const FIRING = 5

/** Says whether Perch sees, and how old what it knows is. */
export default command({
  name: 'status',
  aliases: ['ping'],
  summary: 'says what I see and how old it is',
  examples: ['/status'],
  args: z.object({}),
  async run(context) {
    const { view, recall } = context
    const { waiting, parked } = await recall.backlog()
    const { now } = context.reader
    const status = view.status()
    const markets = view.marketsAt()
    const blind = blindLines(context)
    const sees = blind.length === 0 && markets !== null
    const seen =
      markets === null
        ? 'the markets were never read'
        : `${count(view.markets().size, 'market')}, read ${ago(now - markets.at)}`
    return message(
      [
        item(sees ? 'plain' : 'blind', sees ? 'I see the venue' : 'I do not see everything', [
          seen,
          ownersText(status.owners, status.oldestOwnerMs),
        ]),
        ...(blind.length > 0 ? [item('plain', 'What I cannot see', blind)] : []),
        firingItem(context),
        item('plain', 'Messages', [
          `${waiting} waiting, ${parked} given up`,
          ...brokenLines(context, status.brokenChats),
        ]),
        item(
          'plain',
          ['Perch ', { code: status.version }, `, up ${age(status.upMs)}`],
          [['venue ', { code: status.venue }]],
        ),
      ],
      { buttons: [{ label: 'Refresh', line: '/status', replace: true }] },
    )
  },
})

function ownersText(owners: number, oldestMs: number | null): string {
  if (owners === 0) return 'no wallet is watched'
  const behind = oldestMs === null ? 'not all of them read yet' : `the oldest read ${ago(oldestMs)}`
  return `${count(owners, 'wallet')}, ${behind}`
}

/** The markets are everybody's; of wallets, only one's own are named. */
function blindLines({ view, person }: Context): Text[] {
  const watches = view.watches(person.id)
  const all = view.blind()
  const own = all.flatMap(({ feed, since, why }) => {
    const what = feedName(feed, watches, view)
    return what === null ? [] : [{ what, since, why }]
  })
  const lines = own
    .slice(0, BLIND)
    .map(({ what, since, why }): Text => [`${what} since `, { time: since, as: 'clock' }, `: ${why}`])
  const more = own.length - lines.length
  const others = all.length - own.length
  return [
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(others > 0 ? [`${count(others, 'wallet')} of other people`] : []),
  ]
}

function feedName(feed: string, watches: readonly Watch[], view: Context['view']): string | null {
  const [what = '', of = ''] = feed.split('/')
  if (what === 'owner')
    return watches.find(({ owner }) => owner.toLowerCase() === of.toLowerCase())?.label ?? null
  return what === 'market' ? (view.markets().get(of)?.symbol ?? `market ${of}`) : feed
}

function firingItem({ view, person, kinds, reader }: Context) {
  const firing = view.firing(person.id)
  const lines = firing.slice(0, FIRING).map(({ alertId, rule, tier, since }) => {
    const kind = findKind(kinds, rule.kind)
    const line = kind?.is === 'level' ? `, ${kind.tier(rule.params, tier)}` : ''
    return `A${alertId} ${rule.kind}${line}, for ${age(reader.now - since)}`
  })
  const more = firing.length > FIRING ? [`and ${firing.length - FIRING} more: /alerts`] : []
  return item('plain', `${firing.length} of your alerts ${firing.length === 1 ? 'fires' : 'fire'} now`, [
    ...lines,
    ...more,
  ])
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
