import type { Context } from '../../command/context.ts'
import { between, hoursText, minuteOfDay, nextTime } from '../../lib/time/daytime.ts'
import { alertNamed } from '../../message/annotation.ts'
import { type Text, words, text } from '../../message/message.ts'
import { type Muted, mutedText as nameMuted } from '../../people/mute.ts'
import { walletName } from './wallet-names.ts'

/** The chats that a mute or quiet hours given here apply to: this bound chat, or else all the person's private ones. */
export function restful({ person, chat, view }: Context): number[] {
  if (chat && !chat.private) return [chat.id]
  return view.chats(person.id).flatMap(({ id, private: own }) => (own ? [id] : []))
}

/** The zone of the hours here. In a bound chat it is that of the person who bound it. */
export function zoneHere({ chat, view, reader }: Context): string {
  return (chat && view.zone(chat.personId)) ?? reader.zone
}

export function mutedText({ view, person }: Context, of: Muted): Text {
  return nameMuted(of, {
    wallet: (wallet) => walletName(wallet, view.named(person.id)),
    market: view.symbol,
  })
}

/** The active mutes and quiet hours here, one line each. */
export function quietPeriodLines(context: Context): Text[] {
  const { chat, view } = context
  if (!chat) return []
  const held = view.held(chat.id).length
  return [
    ...(chat.quiet
      ? [words('quiet.every-day', { hours: hoursText(chat.quiet), zone: zoneHere(context) })]
      : []),
    ...view
      .mutes(chat.id)
      .map(({ of, until }) =>
        words('quiet.muted', { what: mutedText(context, of), until: { time: until, as: 'clock' } }),
      ),
    ...(held > 0 ? [words('quiet.waiting', { n: held })] : []),
  ]
}

/** Says how suppressed messages are released after a quiet period was ended early. No lines if there are none. */
export function releaseLines(context: Context): Text[] {
  const { view, reader } = context
  const chats = restful(context).flatMap((id) => view.chat(id) ?? [])
  if (chats.every(({ id }) => view.held(id).length === 0)) return []
  const [zone, now] = [zoneHere(context), reader.now]
  const hours = chats.map(({ quiet }) => quiet).find((one) => one && between(minuteOfDay(now, zone), one))
  if (hours) {
    const end = { time: nextTime(hours.to, now, zone), as: 'clock' } as const
    return [words('quiet.comes-later', { end })]
  }
  return chats.some(({ id }) => view.mutes(id).length > 0)
    ? [words('quiet.still-muted')]
    : [words('quiet.comes-now')]
}

/** The suppressed messages here by title: `14:02 BTC long is 8.2% from liquidation (A1), over meanwhile`. */
export function suppressedLines({ chat, view }: Context, most: number): Text[] {
  const held = chat ? view.held(chat.id) : []
  const lines = held.slice(0, most).map(({ at: time, title, over, alertId }) => {
    // Titles that earlier versions have stored end with the name of their alert.
    const named = alertNamed(title) === alertId ? title : text`${title} (A${alertId})`
    const given = { at: { time, as: 'clock' }, title: named } as const
    return over ? words('quiet.over', given) : words('quiet.held', given)
  })
  const more = held.length - lines.length
  return [...lines, ...(more > 0 ? [words('quiet.more', { n: String(more) })] : [])]
}
