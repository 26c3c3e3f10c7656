import type { Clock } from '../../../src/runtime/clock.ts'
import { type Asked, type Reply, type StandIn, startStandIn } from './stand-in.ts'

// https://pushover.net/api and /api/receipts, what a sender can get wrong.
const LONGEST_TEXT = 1_024
const LONGEST_TITLE = 250
const SHORTEST_RETRY_S = 30
const LONGEST_EXPIRE_S = 10_800
/** However long it may ring. */
const MOST_RETRIES = 50
const FASTEST_POLL_MS = 5_000

export interface Pushed {
  title: string
  message: string
  priority: number
  /** Of an emergency; null for the others. */
  receipt: string | null
}

interface Emergency {
  user: string
  tags: readonly string[]
  expiresAt: number
  ringsUntil: number
  acknowledgedAt: number
  cancelled: boolean
  polledAt: number
}

export interface PushoverServer extends StandIn {
  pushed(user: string): readonly Pushed[]
  /** Somebody presses “Acknowledge” on the phone, for all that rings there. */
  acknowledges(user: string): void
  /** How many still ring there. */
  ringing(user: string): number
  /** The account is closed, or open again. */
  closes(user: string, closed: boolean): void
}

export async function startPushover(
  clock: Clock,
  token: string,
  users: readonly string[],
): Promise<PushoverServer> {
  const pushed = new Map<string, Pushed[]>()
  const emergencies = new Map<string, Emergency>()
  const closed = new Set<string>()
  let ids = 0
  const seconds = () => Math.floor(clock.now() / 1_000)
  const request = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`
  const yes = (more: object = {}) => reply(200, { status: 1, request: request(), ...more })
  const no = (what: Record<string, string>, ...errors: string[]) =>
    reply(400, { ...what, errors, status: 0, request: request() })

  function message(form: URLSearchParams): Reply {
    const user = form.get('user') ?? ''
    const text = form.get('message') ?? ''
    const title = form.get('title') ?? ''
    const priority = Number(form.get('priority') ?? '0')
    if (!users.includes(user) || closed.has(user))
      return no({ user: 'invalid' }, 'user identifier is not a valid user, group, or subscribed user key')
    if (text === '') return no({ message: 'cannot be blank' }, 'message cannot be blank')
    if ([...text].length > LONGEST_TEXT) return no({ message: 'is too long' }, 'message is too long')
    if ([...title].length > LONGEST_TITLE) return no({ title: 'is too long' }, 'title is too long')
    if (!Number.isInteger(priority) || priority < -2 || priority > 2)
      return no({ priority: 'is invalid' }, 'priority is invalid')
    const all = pushed.get(user) ?? []
    if (priority < 2) {
      pushed.set(user, [...all, { title, message: text, priority, receipt: null }])
      return yes()
    }
    const retry = Number(form.get('retry') ?? 'NaN')
    const expire = Number(form.get('expire') ?? 'NaN')
    if (!(retry >= SHORTEST_RETRY_S)) return no({ retry: 'is invalid' }, 'retry must be at least 30 seconds')
    if (!(expire > 0 && expire <= LONGEST_EXPIRE_S))
      return no({ expire: 'is invalid' }, 'expire must be at most 10800 seconds')
    const tags = (form.get('tags') ?? '').split(',').filter((tag) => tag !== '')
    const receipt = `r${String(++ids).padStart(29, '0')}`
    emergencies.set(receipt, {
      ...{
        user,
        tags,
        expiresAt: seconds() + expire,
        ringsUntil: seconds() + Math.min(MOST_RETRIES * retry, expire),
        acknowledgedAt: 0,
        cancelled: false,
        polledAt: -Infinity,
      },
    })
    pushed.set(user, [...all, { title, message: text, priority, receipt }])
    return yes({ receipt })
  }

  function receipt(id: string, cancels: boolean): Reply {
    const one = emergencies.get(id)
    if (!one) return reply(404, { receipt: 'not found', errors: ['receipt not found'], status: 0 })
    if (cancels) {
      one.cancelled = true
      return yes()
    }
    if (clock.monotonic() - one.polledAt < FASTEST_POLL_MS)
      return reply(429, { errors: ['too fast'], status: 0 })
    one.polledAt = clock.monotonic()
    return yes({
      acknowledged: one.acknowledgedAt > 0 ? 1 : 0,
      acknowledged_at: one.acknowledgedAt,
      acknowledged_by: one.acknowledgedAt > 0 ? one.user : '',
      expired: one.cancelled || seconds() >= one.expiresAt ? 1 : 0,
      expires_at: one.expiresAt,
    })
  }

  function take({ method, path, headers, body }: Asked): Reply {
    const url = new URL(path, 'http://pushover.test')
    const isPost = method === 'POST'
    if (isPost && headers['content-type'] !== 'application/x-www-form-urlencoded')
      return no({ message: 'cannot be blank' }, 'message cannot be blank')
    const form = isPost ? new URLSearchParams(body) : url.searchParams
    if (form.get('token') !== token) return no({ token: 'invalid' }, 'application token is invalid')
    if (isPost && url.pathname === '/1/messages.json') return message(form)
    const [, tag] = /^\/1\/receipts\/cancel_by_tag\/([^/]+)\.json$/.exec(url.pathname) ?? []
    if (isPost && tag !== undefined) {
      const tagged = [...emergencies.values()].filter(({ tags }) => tags.includes(decodeURIComponent(tag)))
      for (const one of tagged) one.cancelled = true
      return yes({ canceled: tagged.length })
    }
    const [, id = '', cancel] = /^\/1\/receipts\/([A-Za-z\d]+)(\/cancel)?\.json$/.exec(url.pathname) ?? []
    return id === '' || isPost !== (cancel !== undefined) ? reply(404, {}) : receipt(id, isPost)
  }

  const open = (user: string) =>
    [...emergencies.values()].filter(
      (one) => one.user === user && !one.cancelled && one.acknowledgedAt === 0 && seconds() < one.ringsUntil,
    )
  return {
    ...(await startStandIn('pushover.test', clock, take)),
    pushed: (user) => pushed.get(user) ?? [],
    acknowledges: (user) => open(user).forEach((one) => void (one.acknowledgedAt = seconds())),
    ringing: (user) => open(user).length,
    closes: (user, isClosed) => void closed[isClosed ? 'add' : 'delete'](user),
  }
}

function reply(status: number, body: object): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
