import type { Course, FormView, Glance, MessageView } from './wire.ts'

/** The end of a request. `unreachable`: nobody answered, so it may have arrived. */
export type Answer<T> = { is: 'ok'; body: T } | Refused | { is: 'unreachable' }

/** `says`: why, in words for the reader. */
export interface Refused {
  is: 'refused'
  status: number
  says: string | null
  /** Whether people can sign in by Discord. Perch says so to strangers alone. */
  hasDiscord: boolean
}

/** The requests of the page. Each has a time limit, and none throws. */
export interface Api {
  session(): Promise<Answer<Pick<Glance, 'at' | 'reader'> & { name: string }>>
  signIn(proof: { code: string } | { initData: string }): Promise<Answer<unknown>>
  signOut(): Promise<Answer<unknown>>
  /** The answer to a line, or null where Perch says nothing to it. */
  line(said: Request & { line: string }): Promise<Answer<{ answer: MessageView | null }>>
  call(said: Request & { command: string; args: Args }): Promise<Answer<{ answer: MessageView | null }>>
  /** How often a rule would have alerted. It is not set. */
  attempt(rule: { id: string; kind: string; args: Args }): Promise<Answer<{ answer: MessageView | null }>>
  course(market: string, since: number, columns: number): Promise<Answer<Course>>
  forms(): Promise<Answer<{ forms: readonly FormView[] }>>
  pushKey(): Promise<Answer<{ key: string }>>
  /** The stream of changes. Rejects where nobody answers. */
  events(signal: AbortSignal): Promise<Response>
}

interface Request {
  /** The same id again changes nothing. */
  id: string
  /** The server's wall time until which the reader has seen the page. */
  seenUntil: number
}

type Args = Readonly<Record<string, string>>

const MOST_WAIT_MS = 15_000

/** `base` is the address of the page. `after` limits the time of a request. */
export function createApi(base: string, after: (ms: number, then: () => void) => () => void): Api {
  /** Inside the frame of another app cookies are missing: a token takes their place, for as long as the page is open. */
  let token: string | null = null

  const headers = () => (token === null ? {} : { authorization: `Perch ${token}` })

  async function ask<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const ending = new AbortController()
    const stop = after(MOST_WAIT_MS, () => ending.abort())
    try {
      const response = await fetch(new URL(path, base), {
        method,
        headers: { ...headers(), ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
        signal: ending.signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const read = response.headers.get('content-type')?.startsWith('application/json')
        ? ((await response.json()) as T & { says?: string; discord?: boolean })
        : null
      if (response.ok) return { is: 'ok', body: read as T }
      const { says = null, discord = false } = read ?? {}
      return { is: 'refused', status: response.status, says, hasDiscord: discord }
    } catch {
      return { is: 'unreachable' }
    } finally {
      stop()
    }
  }

  return {
    session: () => ask('GET', 'page/session'),
    async signIn(proof) {
      const answer = await ask<{ token?: string }>('POST', 'page/session', proof)
      if (answer.is === 'ok') token = answer.body.token ?? null
      return answer
    },
    async signOut() {
      const answer = await ask<unknown>('DELETE', 'page/session')
      token = null
      return answer
    },
    line: (said) => ask('POST', 'page/line', said),
    call: (said) => ask('POST', 'page/call', said),
    attempt: (rule) => ask('POST', 'page/try', rule),
    course: (market, since, columns) =>
      ask(
        'GET',
        `page/course?${new URLSearchParams({ market, since: String(since), columns: String(columns) })}`,
      ),
    forms: () => ask('GET', 'page/forms'),
    pushKey: () => ask('GET', 'push/key'),
    events: (signal) =>
      fetch(new URL('page/events', base), { headers: { ...headers(), accept: 'text/event-stream' }, signal }),
  }
}
