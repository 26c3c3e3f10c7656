import type { Button, Item } from '../message.ts'

/** A wall of buttons would hide what they are about: the worst of what has any keep them. */
const WITH_BUTTONS = 2
/** The next say only that they were seen. With a row for each, that is as many as Discord has (5). */
const WITH_ANY = 5

/** Items of one message, the worst first: beside others an alert keeps the buttons that it needs most. */
export function crowded<T extends { buttons: Item['buttons'] }>(items: readonly T[]): T[] {
  let place = 0
  return items.map((item) => {
    const buttons = item.buttons.filter(isNeeded)
    if (buttons.length === 0) return { ...item, buttons }
    place += 1
    if (place <= WITH_BUTTONS) return { ...item, buttons }
    return { ...item, buttons: place <= WITH_ANY ? buttons.filter(acknowledges) : [] }
  })
}

function isNeeded({ line }: Button): boolean {
  return !line.startsWith('/snooze ')
}

function acknowledges({ line }: Button): boolean {
  return line.startsWith('/ack ')
}
