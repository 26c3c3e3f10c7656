import { type Text, words } from '../message/message.ts'
import type { DrawingOrder, FundingPicture } from '../message/picture.ts'
import type { Funding } from '../picture/funding.ts'
import { aroundOf, footOf, type Writer, writerOf } from './writer.ts'

/** More would be lower than their labels. */
const MOST_POSITIONS = { card: 6, strip: 2 }
const MOST_FACTS = 3
const MONTH_DAYS = 30
/** Characters of a name above a figure. */
const MOST_OF_NAME = 12

/** The funding of an order in the reader's words, number style and zone. */
export function fundingOf(order: DrawingOrder<FundingPicture>): Funding {
  const { picture, format } = order
  const { until, perDay, count, isWhole } = picture
  const write = writerOf(order.reader)
  const { say, figure } = write
  const positions = picture.positions.slice(0, MOST_POSITIONS[format])
  const left = count - positions.length
  const time = write.day(until)
  const way = perDay === 0 ? 'none' : perDay < 0 ? 'pay' : 'get'
  return {
    ...aroundOf(order, write),
    title: { name: '', behind: say(words('funding-picture.title')) },
    about: {
      parts: [
        { figure: say(words('bars.positions', { n: count })) },
        { figure: isWhole ? '' : say(words('bars.unseen')) },
      ],
      label: '',
    },
    near: {
      figure: figure(perDay, 'signed-usd'),
      ...{ unit: '', tone: 'calm' },
      lines: [say(words(`funding-picture.${way}`)), say(words('funding-picture.day'))],
    },
    positions: positions.map(({ symbol, side, wallet, perDay: usd }) => ({
      figure: figure(usd, 'signed-usd'),
      name: say(
        wallet === null
          ? words('shown.position', { symbol, side })
          : words('shown.position.of', { symbol, side, wallet }),
      ),
      ...{ tone: 'calm', perDay: usd },
    })),
    more: left > 0 ? say(words('shown.more', { n: String(left) })) : null,
    text: { paid: say(words('funding-picture.paid')), received: say(words('funding-picture.received')) },
    facts: factsOf(picture, write).slice(0, MOST_FACTS),
    foot: footOf(picture, say(words('funding-picture.foot', { time })), time, write),
  }
}

/** The most important first. */
function factsOf(
  { until, perDay, payment, flip, paidPerDay, receivedPerDay }: FundingPicture,
  { say, figure, clock }: Writer,
): Funding['facts'] {
  const usd = (label: Text, value: number) => ({ label: say(label), figure: figure(value, 'signed-usd') })
  const isBoth = paidPerDay !== 0 && receivedPerDay !== 0
  return [
    ...(payment
      ? [usd(words('funding-picture.payment', { time: clock(payment.at, until) }), payment.usd)]
      : []),
    ...(flip
      ? [
          {
            label: say(
              words('funding-picture.flip', { symbol: [...flip.symbol].slice(0, MOST_OF_NAME).join('') }),
            ),
            figure: clock(flip.at, until),
          },
        ]
      : []),
    usd(words('funding-picture.month'), perDay * MONTH_DAYS),
    ...(isBoth ? [usd(words('funding-picture.received.day'), receivedPerDay)] : []),
  ]
}
