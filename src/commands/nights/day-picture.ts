import type { Kind } from '../../alert/alert.ts'
import type { View } from '../../command/context.ts'
import { signedUsd } from '../../message/figure.ts'
import { type Text, words } from '../../message/message.ts'
import type { DayPicture } from '../../message/picture.ts'
import type { DigestTold } from '../../people/digest.ts'
import { fromLiquidation, side } from '../../venue/position.ts'
import { tiersFor } from '../shared/open-position.ts'

/** The figures of the day, from the record. */
type Day = Pick<DayPicture, 'since' | 'until' | 'pnl' | 'funding' | 'worth' | 'isWhole'>

/** More would not find room. */
const MOST_TIERS = 8

/** Whether the person of this chat wants a picture behind a digest. */
export function wantsDay(view: Pick<View, 'chat' | 'pictures'>, chatId: number): boolean {
  const personId = view.chat(chatId)?.personId
  return personId !== undefined && view.pictures(personId) === 'on'
}

/** The picture that follows the words of a digest. Null: its chat is gone. */
export function dayPicture(
  view: Pick<View, 'chat' | 'rules' | 'monitor'>,
  kinds: readonly Kind[],
  told: DigestTold,
  { since, until, pnl, funding, worth, isWhole }: Day,
): DayPicture<Text> | null {
  const personId = view.chat(told.chatId)?.personId
  if (personId === undefined) return null
  const { digestOf, dailySummary, nearest: near } = told
  const nearest = near && {
    ...{ symbol: near.symbol, side: side(near.position), distance: near.distance },
    tiers: tiersFor(view, kinds, personId)(near).slice(-MOST_TIERS),
  }
  return {
    ...{ is: 'day', digestOf, since, until, pnl, funding, worth, isWhole, nearest },
    fired: dailySummary.fired,
    marks: dailySummary.reached,
    words: wordsOf({ since, until, pnl, funding, nearest }),
  }
}

function wordsOf(day: Pick<DayPicture, 'since' | 'until' | 'pnl' | 'funding' | 'nearest'>): Text {
  const { since, until, pnl, funding, nearest } = day
  const span = {
    since: [{ time: since, as: 'clock' }],
    at: [{ time: until, as: 'clock' }],
  } as const
  const prices = pnl === null ? '?' : signedUsd(pnl)
  const told = { ...span, pnl: prices, funding: signedUsd(funding) }
  if (!nearest) return words('picture.day', told)
  const { symbol, side: towards, distance } = nearest
  return words('picture.day.nearest', { ...told, symbol, side: towards, near: fromLiquidation(distance) })
}
