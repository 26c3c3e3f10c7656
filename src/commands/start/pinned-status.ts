import type { Chat } from '../../people/chat.ts'
import type { View } from '../../command/context.ts'
import { ageText } from '../../lib/text/format.ts'
import { item, type Message, message, type Text, text } from '../../message/message.ts'
import { PIN_EVERY_MS } from '../../people/pin.ts'
import { count } from '../shared/pages.ts'

/** Twice missed is no chance any more. */
const DEAD_AFTER_MS = 2 * PIN_EVERY_MS

/**
 * Says when the venue was last seen, as a time that the reader's own screen counts on: it visibly grows old if Perch
 * stops. In a bound chat no person's wallets are counted.
 */
export function pinWords(
  view: Pick<View, 'marketsAt' | 'status' | 'blind' | 'watches' | 'firing' | 'firingIn'>,
  { id, personId, private: own }: Pick<Chat, 'id' | 'personId' | 'private'>,
  now: number,
): Message {
  const markets = view.marketsAt()
  const blind = own ? view.blind(personId).own.length : 0
  const sees = markets !== null && now - markets.at <= view.status().marketStaleMs && blind === 0
  const last: Text =
    markets === null ? 'the markets were never read' : ['last check ', { time: markets.at, as: 'ago' }]
  const fires = count((own ? view.firing(personId) : view.firingIn(id)).length, 'alert')
  const watched = own
    ? text`${count(view.watches(personId).length, 'wallet')}, ${fires} firing`
    : `${fires} firing here`
  return message([
    item(sees ? 'plain' : 'blind', sees ? 'I am watching' : 'I do not see everything', [
      last,
      watched,
      `If the last check is older than ${ageText(DEAD_AFTER_MS)}, I am not running.`,
    ]),
  ])
}
