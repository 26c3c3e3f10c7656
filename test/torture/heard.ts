import { LINES } from './oracle.ts'

/** One thing that was said in a chat. */
export interface Heard {
  chat: string
  about: string
  what: string
  /** Such as `A41`; two messages about one happening have the same. */
  alert: string
  /** The message says of itself that it may have been sent before. */
  marked: boolean
  /** Nobody has acknowledged it, so it is said again. */
  again: boolean
  /** When it arrived, monotonic. */
  at: number
  text: string
}

const TITLE =
  /\b([A-Z]{3}) (long|short)(?:: | is | )([\d.,]+% to liquidation|past its liquidation price|recovered to|safe again|opened|was closed|was probably liquidated|gone)/
const FLIP = /\b([A-Z]{3}) funding flipped/
/** What nobody has acknowledged; of a position that is not seen it is not claimed that it is still so. */
const AGAIN = /^ *(?:-# )?Reminder \d/m
/** What it stands at, inside the line or beyond it and not over yet. */
const LINE = /past the ([\d.]+)% alert|([\d.]+)% alert, clears at/
const ALERT = /A\d+(?=\))/
const SIGHT = /I (can’t|can) see (the venue|wallet|the market|\d+ markets)/

/** Reads a message as a person does: its titles, and the lines under each of them. */
export function readMessage(chat: string, text: string, at: number): Heard[] {
  const plain = text.replaceAll(/[\u00a0\u202f]/g, ' ')
  const lines = plain.split('\n')
  const isReturn = lines.some((line) => SIGHT.test(line))
  // The return of the venue shows where positions stand; what is told of one has the number of its alert.
  const isNews = (line: string) => isTitle(line) && !(isReturn && TITLE.test(line) && !ALERT.test(line))
  const starts = lines.flatMap((line, index) => (isNews(line) ? [index] : []))
  const marked = plain.includes('(possible repeat)')
  // A reminder of several alerts says so once, below them all.
  const again = AGAIN.test(plain)
  return starts.map((start, n) => {
    const body = lines.slice(start, starts[n + 1] ?? lines.length).join('\n')
    const [alert = ''] = ALERT.exec(lines[start] ?? '') ?? []
    return {
      chat,
      ...meaningOf(lines[start] ?? '', body),
      alert,
      marked,
      again,
      at,
      text,
    }
  })
}

function isTitle(line: string): boolean {
  return TITLE.test(line) || FLIP.test(line) || SIGHT.test(line)
}

function meaningOf(title: string, body: string): { about: string; what: string } {
  const [, flipped] = FLIP.exec(title) ?? []
  if (flipped !== undefined) return { about: `funding of ${flipped}`, what: 'flipped' }
  const [, sees, whom] = SIGHT.exec(title) ?? []
  if (whom !== undefined) return { about: `sight of ${whom}`, what: sees === 'can' ? 'recovered' : 'blind' }
  const [, symbol, side, rest = ''] = TITLE.exec(title) ?? []
  const [, label] = / · (w\d+)(?: |$)/m.exec(body) ?? []
  const name = `${label ?? '?'} ${symbol ?? ''} ${side ?? ''}`
  if (rest === 'opened') return { about: `existence of ${name}`, what: 'opened' }
  if (rest === 'was probably liquidated') return { about: `existence of ${name}`, what: 'liquidated' }
  if (rest === 'was closed') return { about: `existence of ${name}`, what: 'closed' }
  if (rest === 'gone') return { about: `existence of ${name}`, what: 'unknown' }
  const about = `distance of ${name}`
  if (rest === 'safe again') return { about, what: 'clear' }
  const [, inside, beyond = ''] = LINE.exec(body) ?? []
  const tier = LINES.indexOf(Number(inside ?? beyond) / 100) + 1
  return { about, what: `${rest === 'recovered to' ? 'better' : 'worse'} ${tier}` }
}
