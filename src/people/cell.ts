import { type Button, item, message, type Message, type Text, words } from '../message/message.ts'

/** Where people go once this Perch is full. */
export interface NextCell {
  /** People who are here, and open invitations: each of these is a promise. */
  fullAt: number
  url: string
}

/** The answer to a newcomer where anybody may come, and enough have. The dialog knows it by this very text. */
export const FULL = words('people.full')
/** The same where there is a next one. */
const FULL_HERE = words('people.full.next')

export function isFullAnswer({ items }: Message): boolean {
  return items.some(({ title }) => title === FULL || title === FULL_HERE)
}

export function fullAnswer(next: NextCell | null): Message {
  if (next === null) return message([item('plain', FULL)])
  return namingNext(FULL_HERE, next, '/start')
}

/** The address stands in the words as well: people pass it on to somebody else. */
export function namingNext(title: Text, { url }: NextCell, line: string, ...more: Text[]): Message {
  const open: Button = {
    label: words('people.button.next'),
    line,
    replace: false,
    opens: { url, app: false },
  }
  return message([item('plain', title, [url, ...more])], { buttons: [open] })
}
