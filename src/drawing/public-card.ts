import { words } from '../message/message.ts'
import type { PublicPicture } from '../message/picture.ts'
import type { Card } from '../picture/card.ts'
import { parted, type Writer } from './writer.ts'

/** A fraction: a hundred times the entry price. */
const LARGEST_MOVE = 99

/** The share alone says how well it goes: an amount is nobody's business. */
export function publicCard(
  picture: PublicPicture,
  { say, figure }: Writer,
): Pick<Card, 'side' | 'about' | 'near' | 'facts'> {
  const { side, entry, leverage, result, openMs, price, priceName } = picture
  const move = entry === null || price === null ? null : price / entry - 1
  const lines = [
    say(words(leverage === null ? 'card.of-entry' : 'card.of-margin')),
    // Without leverage both are the same. An absurd one would leave the result no room.
    ...(leverage === null || move === null || move > LARGEST_MOVE
      ? []
      : [say(words('card.move', { move: figure(move, 'signed-percent') }))]),
  ]
  return {
    side: say(words('card.side', { side })),
    about: {
      ...{ size: '', label: '' },
      value: openMs === null ? '' : say(words('card.open-for', { age: figure(openMs, 'age') })),
    },
    near:
      result === null
        ? { figure: say(words('card.unseen')), unit: '', lines: [say(words('card.result-unseen'))] }
        : { ...parted(figure(result, 'signed-percent')), lines },
    facts: [
      { label: say(words('card.entry')), figure: figure(entry, 'price') },
      { label: say(words('card.price-name', { name: priceName ?? 'mark' })), figure: figure(price, 'price') },
      {
        label: say(words('card.leverage')),
        figure: leverage === null ? figure(null, 'plain') : `${figure(leverage, 'plain')}x`,
      },
    ],
  }
}
