import type { Measure } from '../lib/text/format.ts'
import { dayTime, minuteOfDay, timeText } from '../lib/time/daytime.ts'
import { cellText, inWords, type Text, words, written } from '../message/message.ts'
import type { DrawingOrder } from '../message/picture.ts'

/** Writes the texts of a picture for its reader. */
export interface Writer {
  zone: string
  locale: string
  say(text: Text): string
  /** Null is unknown. */
  figure(value: number | null, as: Measure): string
  /** `19:23`, with its day where that is not the day of the other time. */
  clock(at: number, beside: number): string
}

export function writerOf({ zone, language, numbers }: DrawingOrder['reader']): Writer {
  const say = (text: Text) => inWords(written(text, numbers, language), language)
  const locale = say(words('message.locale'))
  const day = (at: number) => dayTime(at, zone, locale).replace(/ \d.:\d.( UTC)?$/, '')
  return {
    ...{ zone, locale, say },
    figure(value, as) {
      if (value === null) return say(words('card.unknown'))
      return cellText({ figure: value, as }, numbers, language).replace(/^-/, '−')
    },
    clock(at, beside) {
      const time = timeText(minuteOfDay(at, zone))
      return day(at) === day(beside) ? time : `${day(at)} ${time}`
    },
  }
}
