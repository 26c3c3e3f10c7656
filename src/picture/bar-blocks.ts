import { factsLine } from './blocks.ts'
import type { Frame } from './frame/frame.ts'
import type { Funding } from './funding.ts'
import type { Ladder } from './ladder.ts'

/** Columns of the bars, without the words beside them. */
const WIDTH = 40
const SAFE = '█'
const DANGER = '╱'
const UNSEEN = '░'

/**
 * A ladder as lines for a terminal, of the same data as its drawing. At most about 60 columns, unless names or figures are
 * longer. The same data give the same lines.
 */
export function ladderBlocks({ title, accounts, ticks, more, ...frame }: Ladder): string[] {
  const moves = title.moves.map(({ symbol, move }) => `${symbol} ${move}`.trim()).join(', ')
  const bars = accounts.map(({ ends, figure, name }) => `${ladderBar(ends)} ${figure} ${name}`)
  return around(`${title.before} ${moves}${title.hasMore ? ', …' : ''}`, frame, [
    ...bars,
    joined([placed(ticks), more], '  '),
  ])
}

function ladderBar(ends: Ladder['accounts'][number]['ends']): string {
  if (typeof ends === 'string') return (ends === 'holds' ? SAFE : UNSEEN).repeat(WIDTH)
  // Danger that is on the way is seen, however far along.
  const safe = Math.min(Math.floor(ends * WIDTH), WIDTH - 1)
  return SAFE.repeat(safe) + DANGER.repeat(WIDTH - safe)
}

/** The same of funding: what is paid to the left of a line, and what is received to its right. */
export function fundingBlocks({ title, positions, more, text, ...frame }: Funding): string[] {
  const all = positions.map(({ perDay }) => perDay)
  const [least, most] = [Math.min(0, ...all), Math.max(0, ...all)]
  const room = WIDTH - 1
  // A tiny payment has a column as well.
  const share = most === least ? 0 : Math.round((room * -least) / (most - least))
  const zero = Math.min(Math.max(share, least < 0 ? 1 : 0), most > 0 ? room - 1 : room)
  const bars = positions.map(({ perDay, figure, name }) => {
    const length = Math.max(Math.round((room * Math.abs(perDay)) / (most - least || 1)), perDay === 0 ? 0 : 1)
    const left = perDay < 0 ? SAFE.repeat(Math.min(length, zero)).padStart(zero) : ' '.repeat(zero)
    const right = perDay > 0 ? SAFE.repeat(Math.min(length, room - zero)) : ''
    return `${left}│${right.padEnd(room - zero)} ${figure} ${name}`
  })
  const sides = [
    ...(least < 0 ? [{ at: zero / WIDTH / 2, text: text.paid }] : []),
    ...(most > 0 ? [{ at: (zero / WIDTH + 1) / 2, text: text.received }] : []),
  ]
  return around(title.behind, frame, [...bars, joined([placed(sides), more], '  ')])
}

/** The words around the bars. */
function around(
  title: string,
  { simulated, about, near, facts, foot }: Omit<Frame, 'title'>,
  bars: readonly string[],
): string[] {
  const parts = [title, ...about.parts.map(({ figure }) => figure), about.label]
  return [
    ...(simulated === null ? [] : [simulated]),
    joined(parts, ' · '),
    `${near.figure}${near.unit} ${near.lines.join(' ')}`,
    '',
    ...bars,
    factsLine(facts),
    foot,
  ]
}

/** Texts below the bars, each around its part of their width; those without room are left out. */
function placed(texts: readonly { at: number; text: string }[]): string {
  const cells = Array.from({ length: WIDTH }, () => ' ')
  for (const { at, text } of texts) {
    const from = Math.max(Math.min(Math.round(at * WIDTH - text.length / 2), WIDTH - text.length), 0)
    const isFree = cells.slice(Math.max(from - 1, 0), from + text.length + 1).every((cell) => cell === ' ')
    if (isFree && text.length <= WIDTH) cells.splice(from, text.length, ...text)
  }
  return cells.join('')
}

function joined(parts: readonly (string | null)[], between: string): string {
  return parts
    .filter((part) => part !== null && part !== '')
    .join(between)
    .trimEnd()
}
