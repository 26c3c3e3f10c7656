import { errorText } from '../../lib/text/error-text.ts'
import { words } from '../../message/message.ts'
import { type Clock, createAlarm } from '../../runtime/clock.ts'
import { type Asking, VenueError } from '../../venue/venue.ts'

/** So long after the first answer, the venues that have not answered are left out. */
const REST_MS = 1_000
/** An answer of several requests takes longer. While its replies come in, it is waited for, and no longer than this. */
const LONGEST_REST_MS = 3_000

/** The answer of one venue, or why there is none. */
export type Answered<T> =
  | { name: string; is: 'answer'; answer: T }
  /** `queued`: its own budget had no turn for it. */
  | { name: string; is: 'missing'; why: string; queued: boolean; error: unknown }

/** The call to one venue of several. */
interface Question<T> {
  name: string
  ask: (asking: Asking) => Promise<T>
}

/**
 * Asks several venues at once and resolves when all have ended. The others are waited for until a second after the first
 * answer, and while they reply. Rejects if none answers, with the reason that says most, or when the caller gives up.
 */
export async function gather<T>(
  clock: Clock,
  asking: Asking,
  questions: readonly Question<T>[],
): Promise<Answered<T>[]> {
  const over = Promise.withResolvers<void>()
  let firstMono = Infinity
  /** Waits on while a venue that has not answered still replies. */
  const look = () => {
    const mono = clock.monotonic()
    const replied = Math.max(...asked.map(({ repliedMono }) => repliedMono()))
    const until = Math.min(replied + REST_MS, firstMono + LONGEST_REST_MS)
    if (until > mono) rest.set(until - mono)
    else over.resolve()
  }
  const rest = createAlarm(clock, look)
  const asked = questions.map((question) =>
    askOne(question, clock, asking, () => {
      firstMono = Math.min(firstMono, clock.monotonic())
      rest.setUnlessSet(REST_MS)
    }),
  )
  try {
    void Promise.all(asked.map(({ ended }) => ended)).then(() => over.resolve())
    await over.promise
    const all = asked.map(({ now }) => now())
    const lacking = all.flatMap((one) => (one.is === 'missing' ? [one] : []))
    const calledOff = lacking.find(({ error }) => asking.signal.aborted || isAborted(error))
    const none = lacking.length === all.length ? (lacking.find(({ queued }) => !queued) ?? lacking[0]) : null
    const fatal = calledOff ?? none
    if (fatal) throw fatal.error
    return all
  } finally {
    rest.off()
    for (const { giveUp } of asked) giveUp()
  }
}

function isAborted(error: unknown): boolean {
  return error instanceof VenueError && error.failure.is === 'aborted'
}

/** One question under way. */
interface Asked<T> {
  ended: Promise<void>
  /** When a request of an answer that is not there yet was last replied to (monotonic); −Infinity: never. */
  repliedMono(): number
  now(): Answered<T>
  giveUp(): void
}

function askOne<T>({ name, ask }: Question<T>, clock: Clock, asking: Asking, answered: () => void): Asked<T> {
  const given = asking.at?.(name) ?? asking
  const own = new AbortController()
  const follow = () => own.abort(given.signal.reason)
  if (given.signal.aborted) follow()
  else given.signal.addEventListener('abort', follow, { once: true })
  const late = new VenueError({ is: 'timeout' }, words('cause.timeout', { seconds: String(REST_MS / 1_000) }))
  let told: Answered<T> = { name, is: 'missing', why: late.message, queued: true, error: late }
  let replied = -Infinity
  let underWay = 0
  const spend: Asking['spend'] = (request, weight) =>
    given.spend(async (more) => {
      if (told.is === 'missing') told = { ...told, queued: false }
      underWay++
      try {
        const value = await request(more)
        replied = clock.monotonic()
        return value
      } finally {
        underWay--
      }
    }, weight)
  const ended = ask({ ...given, signal: own.signal, spend }).then(
    (answer) => {
      told = { name, is: 'answer', answer }
      replied = -Infinity
      answered()
    },
    (error: unknown) => {
      told = missing(name, error)
      replied = -Infinity
    },
  )
  return {
    ended,
    // While it waits for its turn after a reply, the venue is not silent.
    repliedMono: () => (replied > -Infinity && underWay === 0 ? clock.monotonic() : replied),
    now: () => told,
    giveUp() {
      given.signal.removeEventListener('abort', follow)
      own.abort('the work is over')
    },
  }
}

function missing(name: string, error: unknown): Answered<never> {
  const queued = error instanceof VenueError && error.failure.is === 'queued'
  return { name, is: 'missing', why: errorText(error), queued, error }
}
