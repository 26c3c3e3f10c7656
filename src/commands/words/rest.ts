import type { Context } from '../../context.ts'
import { timeText } from '../../lib/daytime.ts'
import { text } from '../../message.ts'
import type { Text } from '../../message.ts'
import type { Muted, Quiet } from '../../quiet.ts'
import { walletName } from './wallets.ts'

/** The chats that somebody's rest is about: the bound one in which they say so, else all their private ones. */
export function restful({ person, chat, view }: Context): number[] {
  if (chat && !chat.private) return [chat.id]
  return view.chats(person.id).flatMap(({ id, private: own }) => (own ? [id] : []))
}

/** `23:00-07:00`. */
export function hoursText({ from, to }: Quiet): string {
  return `${timeText(from)}-${timeText(to)}`
}

/** `alerts of main`, `all alerts`. */
export function mutedText({ view, person }: Context, of: Muted): string {
  if (of.is === 'all') return 'all alerts'
  if (of.is === 'kind') return `${of.kind} alerts`
  if (of.is === 'wallet') return `alerts of ${walletName(of.owner, view.watches(person.id))}`
  return `${view.markets().get(of.marketId)?.symbol ?? `market ${of.marketId}`} alerts`
}

/** What is muted and held back here now, a line each. */
export function restLines(context: Context): Text[] {
  const { chat, view, reader } = context
  if (!chat) return []
  const held = view.held(chat.id).length
  return [
    ...(chat.quiet ? [`quiet ${hoursText(chat.quiet)} (${reader.zone})`] : []),
    ...view
      .mutes(chat.id)
      .map(({ of, until }): Text => [`${mutedText(context, of)} muted until `, { time: until, as: 'clock' }]),
    ...(held > 0 ? [text`${held} held back until then`] : []),
  ]
}

/** What is held back here, by its titles: `14:02 BTC long is 8.2 % from liquidation (A1), over meanwhile`. */
export function heldLines({ chat, view }: Context, most: number): Text[] {
  const held = chat ? view.held(chat.id) : []
  const lines = held.slice(0, most).map(({ at, title, over }) => {
    return text`${{ time: at, as: 'clock' }} ${title}${over ? ', over meanwhile' : ''}`
  })
  const more = held.length - lines.length
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])]
}
