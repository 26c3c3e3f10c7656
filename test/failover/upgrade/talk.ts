import type { Platforms } from '../platforms.ts'

/** People who talk to the bot all the while, each in a chat of their own. */
interface Talk {
  said(): number
  answers(): number
  /** Lines that nobody has answered. */
  unanswered(): number
  /** The longest time between two answers. */
  silentMs(): number
  /** Nobody says anything more. */
  ends(): void
}

/** A chat takes a message a second for long: each of so many speaks every three seconds. */
const SPEAKERS = 40
const EACH_MS = 75
/** Some change nothing, some write. Each is answered by one message. */
const LINES = ['/positions', '/alert price PAA above 150', '/alerts', '/remove all', '/wallets']

export function converse(platforms: Platforms): Talk {
  const people = Array.from({ length: SPEAKERS }, (_, n) => ({
    ...{ stranger: platforms.stranger(`speaker-${n}`), said: 0, next: n },
  }))
  let turn = 0
  const speak = () => {
    const one = people[turn++ % people.length]
    if (!one) return
    one.said += 1
    one.stranger.says(LINES[one.next++ % LINES.length] ?? '')
  }
  const timer = setInterval(speak, EACH_MS)
  const sum = (of: (one: (typeof people)[number]) => number) => people.reduce((all, one) => all + of(one), 0)
  return {
    said: () => sum(({ said }) => said),
    answers: () => sum(({ stranger }) => stranger.answers.length),
    unanswered: () => sum(({ said, stranger }) => Math.max(said - stranger.answers.length, 0)),
    silentMs() {
      const times = people.flatMap(({ stranger }) => [...stranger.answers]).toSorted((a, b) => a - b)
      return Math.max(0, ...times.slice(1).map((at, index) => at - (times[index] ?? at)))
    },
    ends: () => clearInterval(timer),
  }
}
