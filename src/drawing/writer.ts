import type { Measure } from '../lib/text/format.ts'
import { dayText, dayTime, minuteOfDay, timeText } from '../lib/time/daytime.ts'
import { cellText, inWords, type Text, words, written } from '../message/message.ts'
import type { DrawingOrder } from '../message/picture.ts'
import type { Frame } from '../picture/frame/frame.ts'

/** Writes in the reader's language, number style and zone. */
export interface Writer {
  zone: string
  locale: string
  say(text: Text): string
  /** Null is unknown. */
  figure(value: number | null, as: Measure): string
  /** `25 Nov 19:23` */
  day(at: number): string
  /** `19:23`, with its day where that is not the day of the other time. */
  clock(at: number, beside: number): string
}

export function writerOf({ zone, language, numbers }: DrawingOrder['reader']): Writer {
  const say = (text: Text) => inWords(written(text, numbers, language), language)
  const locale = say(words('message.locale'))
  const dayOf = (at: number) => dayText(at, zone, locale)
  return {
    ...{ zone, locale, say },
    day: (at) => dayTime(at, zone, locale),
    figure(value, as) {
      if (value === null) return say(words('card.unknown'))
      return cellText({ figure: value, as }, numbers, language).replace(/^-/, '−')
    },
    clock(at, beside) {
      const time = timeText(minuteOfDay(at, zone))
      return dayOf(at) === dayOf(beside) ? time : `${dayOf(at)} ${time}`
    },
  }
}

/** The words that every picture has. */
export function aroundOf(
  { simulated }: Pick<DrawingOrder, 'simulated'>,
  { say }: Pick<Writer, 'say'>,
): Pick<Frame, 'simulated' | 'maker'> {
  return {
    simulated: simulated ? say(words('card.simulated')) : null,
    maker: say(words('card.maker')),
  }
}

/** The time, with the age of data that were old then. Without them it is `usual`. */
export function footOf(
  { old }: Pick<DrawingOrder['picture'], 'old'>,
  usual: string,
  time: string,
  { say, figure }: Pick<Writer, 'say' | 'figure'>,
): string {
  return old ? say(words('card.old', { time, what: old.what, age: figure(old.ms, 'age') })) : usual
}

/** A figure and its unit, which a picture writes smaller. */
export function parted(text: string): { figure: string; unit: string } {
  const [, figure = '', unit = ''] = /^(.*?)(%?)$/.exec(text) ?? []
  return { figure, unit }
}
