import type { OperatorNotice } from '../chat/bot.ts'
import { age } from '../message/figure.ts'
import { type Text, text, words } from '../message/message.ts'
import type { Event } from '../runtime/event.ts'

const BYTES_PER_MB = 1_000_000

/** Returns the message that an event sends to the operator; null for most events. */
export function operatorNotice(event: Event): OperatorNotice | null {
  if (event.is === 'slow') return slowNotice(event)
  if (event.is === 'capacity') {
    const { served, watched, wishedMs, venue } = event
    return notice(
      atVenue(words('operator.capacity', { served, watched: String(watched) }), venue),
      words('operator.capacity.why', { wished: age(wishedMs) }),
      words('operator.slow.prices'),
    )
  }
  if (event.is === 'backup-failed' && !event.again) {
    const title = words('operator.backup', { why: event.why.replace(/\.$/, '') })
    return notice(title, words('operator.backup.again'))
  }
  if (event.is === 'heartbeat') {
    const { host, why } = event
    return why === null
      ? notice(words('operator.heartbeat', { host }))
      : notice(words('operator.no-heartbeat', { host, why }), words('operator.no-heartbeat.mend'))
  }
  if (event.is === 'no-standby') {
    return event.ms === null
      ? notice(words('operator.standby.back'))
      : notice(words('operator.standby.none', { age: age(event.ms) }), words('operator.standby.none.mend'))
  }
  if (event.is === 'wal-grows') {
    const size = String(Math.round(event.bytes / BYTES_PER_MB))
    return notice(words('operator.wal', { size }), words('operator.wal.mend'))
  }
  return null
}

/** Wallets wait long, that changed much, or (`everyMs` is null) it has ended. */
function slowNotice({ everyMs, wishedMs, venue }: Extract<Event, { is: 'slow' }>): OperatorNotice {
  const wished = age(wishedMs)
  if (everyMs === null) return notice(atVenue(words('operator.in-time', { wished }), venue))
  const title = words('operator.slow', { every: age(everyMs), wished })
  return notice(atVenue(title, venue), words('operator.slow.why'), words('operator.slow.prices'))
}

/** Names the venue in a program of several. */
function atVenue(title: Text, venue: string | undefined): Text {
  return venue === undefined ? title : text`${venue}: ${title}`
}

function notice(title: Text, ...lines: Text[]): OperatorNotice {
  return { title, lines }
}
