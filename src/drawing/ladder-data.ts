import { type Text, text, words } from '../message/message.ts'
import type { DrawingOrder, LadderPicture, AccountBar } from '../message/picture.ts'
import type { Ladder } from '../picture/ladder.ts'
import { aroundOf, footOf, parted, type Writer, writerOf } from './writer.ts'

/** More would be lower than their labels. */
const MOST_ACCOUNTS = { card: 6, strip: 2 }

/** The ladder of an order in the reader's words, number style and zone. */
export function ladderOf(order: DrawingOrder<LadderPicture>): Ladder {
  const { picture, format } = order
  const { until, moves, wallet, count, positions, liquidated, pnl, isWhole } = picture
  const write = writerOf(order.reader)
  const { say, figure } = write
  const partOf = moveOf(picture, write)
  const accounts = picture.accounts.slice(0, MOST_ACCOUNTS[format])
  const left = count - accounts.length
  const named = moves.map(({ symbol, by }) => {
    const move = figure(by, 'signed-percent')
    if (symbol !== null) return { symbol, move }
    return { symbol: '', move: say(words(moves.length > 1 ? 'shock.others' : 'shock.all', { move })) }
  })
  const [first] = accounts
  const time = write.day(until)
  return {
    ...aroundOf(order, write),
    title: { before: say(words('ladder.if')), moves: named, hasMore: picture.hasMoreMoves === true },
    about: {
      parts: [
        { figure: say(words('bars.positions', { n: positions.count })) },
        { figure: positions.value === null ? '' : figure(positions.value, 'usd') },
        { figure: isWhole ? '' : say(words('bars.unseen')) },
      ],
      label: wallet ?? '',
    },
    near: { ...nearness(picture, partOf, write), tone: first?.tone ?? 'calm' },
    accounts: accounts.map((one) => ({ ...one, figure: figureOf(one, partOf, write) })),
    more: left > 0 ? say(words('shown.more', { n: String(left) })) : null,
    ticks: [1, 0, 0.5].map((part) => ({ at: part, text: partOf(part) })),
    facts: [
      ...(pnl === null
        ? []
        : [
            { label: say(words('ladder.before')), figure: figure(pnl.before, 'signed-usd') },
            { label: say(words('ladder.after')), figure: figure(pnl.after, 'signed-usd') },
          ]),
      {
        label: say(words('ladder.liquidated')),
        figure: say(words('ladder.of', { some: String(liquidated), n: String(count) })),
      },
    ],
    foot: footOf(picture, say(words('ladder.foot', { time })), time, write),
  }
}

/** Writes a part of the moves: `−4.2%` where all prices move alike, else `42%` of the way. */
function moveOf({ common }: LadderPicture, { figure }: Writer): (part: number) => string {
  return common === null
    ? (part) => figure(rounded(part), 'percent')
    : (part) => figure(rounded(common * part), 'signed-percent')
}

/** To a ten-thousandth of a per cent: no price moves by less. */
function rounded(fraction: number): number {
  return Math.round(fraction * 1e6) / 1e6
}

function figureOf({ ends }: AccountBar, move: (part: number) => string, { say }: Writer): string {
  if (typeof ends === 'string') return say(words(`ladder.${ends}`))
  return ends === 0 ? say(words('ladder.past')) : move(ends)
}

function nearness(
  { accounts, common, count, unknown }: LadderPicture,
  move: (part: number) => string,
  { say }: Writer,
): Omit<Ladder['near'], 'tone'> {
  const told = (what: Text, line: Text) => ({ figure: say(what), unit: '', lines: [say(line)] })
  const after = accounts[0]?.ends
  if (typeof after !== 'number') {
    return unknown > 0
      ? told(words('ladder.unknown'), words('ladder.unknown.lines', { n: unknown }))
      : told(words('ladder.none'), words('ladder.none.lines'))
  }
  if (after === 0) return told(words('ladder.past'), words('ladder.past.lines'))
  const does = words('ladder.liquidates')
  const whom = words(count > 1 ? 'ladder.the-first' : 'ladder.it')
  const lines = common === null ? [words('ladder.of-the-way'), text`${does} ${whom}`] : [does, whom]
  return { ...parted(move(after)), lines: lines.map(say) }
}
