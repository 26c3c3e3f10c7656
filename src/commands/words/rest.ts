import type { Context } from '../../context.ts'
import { between, minuteOfDay, timeText } from '../../lib/daytime.ts'
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

/** What follows the end of a rest: what it held back, if anything, and if nothing else holds that back. */
export function heldNote(context: Context, ended: 'mutes' | 'quiet hours'): Text[] {
  const { view, reader } = context
  const holding = restful(context).filter((id) => view.held(id).length > 0)
  if (holding.length === 0) return []
  const minute = minuteOfDay(reader.now, reader.zone)
  const rests = holding.some((id) => {
    const quiet = view.chat(id)?.quiet
    return ended === 'mutes' ? quiet && between(minute, quiet) : view.mutes(id).length > 0
  })
  if (!rests) return ['What was held back comes now.']
  return [`What was held back waits for the end of the ${ended === 'mutes' ? 'quiet hours' : 'mutes'}.`]
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
