import { type Clock, within } from '../../runtime/clock.ts'
import type { Asked, Egress, EgressAnswer } from '../../runtime/egress.ts'
import type { Emit } from '../../runtime/event.ts'
import type { StoreSize } from '../../store/store.ts'
import type { Report } from './progress.ts'

const LOOK_EVERY_MS = 10_000
/** Switches of a minute or more are the usual ones: https://healthchecks.io/docs/configuring_checks/ */
const PING_EVERY_MS = 60_000
/** A venue that is silent for a moment is everyday life, and must not wake an operator. */
const PATIENCE_MS = 120_000
/** Critical rows leave the outbox within seconds. This includes escalated ones: their own chat should take them too. */
const STUCK_MS = 120_000
const ANSWER_LIMIT_MS = 10_000
/** A ping that is lost is made up for by the next one. */
const MISSES = 3

/**
 * Pings a dead man's switch while people would be warned, and says why when they would not: by the conventions of
 * https://healthchecks.io/docs/http_api/. The address is a secret.
 */
export function startHeartbeat(world: {
  url: string
  /** Whether we see, keep and reach. */
  report(): Pick<Report, 'ready' | 'says'>
  /** The rows that wait to be sent. */
  waiting(): Promise<StoreSize['waiting']>
  egress: Egress
  clock: Clock
  emit: Emit
  /** Texts as others may read them. */
  hide(text: string): string
}): { stop(): void } {
  const { clock, emit, hide } = world
  const { host } = new URL(world.url)
  // The operator's own choice, wherever it is.
  const egress = world.egress.allowing([host])
  const stopping = new AbortController()
  const isStuck = watchOldest(clock)
  let badSince: number | null = null
  let told: { what: 'good' | 'bad'; mono: number } | null = null
  let misses = 0
  let callOff = () => {}

  async function look(): Promise<void> {
    const { reasons, lasts } = await troubles()
    const mono = clock.monotonic()
    badSince = reasons.length === 0 ? null : (badSince ?? mono)
    if (badSince !== null && !lasts && mono - badSince < PATIENCE_MS) return
    const what = badSince === null ? 'good' : 'bad'
    if (told?.what === what && mono - told.mono < PING_EVERY_MS) return
    told = { what, mono }
    await ping(what, reasons)
  }

  /** Problems that have lasted longer than our patience are reported at once. */
  async function troubles(): Promise<{ reasons: string[]; lasts: boolean }> {
    const { ready, says } = world.report()
    const reasons = ready ? [] : [...(says.length > 0 ? says : ['Nothing has been judged yet.'])]
    try {
      const critical = (await world.waiting()).find(({ urgency }) => urgency === 0)
      const lasts = isStuck(critical?.oldestAt ?? null)
      if (lasts) reasons.push('A critical message has been waiting for minutes.')
      return { reasons, lasts }
    } catch {
      return { reasons: [...reasons, 'What waits to be sent cannot be read.'], lasts: false }
    }
  }

  async function ping(what: 'good' | 'bad', reasons: readonly string[]): Promise<void> {
    const why = problemIn(await asked(what, reasons))
    if (stopping.signal.aborted) return
    if (why === null) {
      if (misses >= MISSES) emit({ is: 'heartbeat', host, why: null })
      misses = 0
      return
    }
    misses += 1
    if (misses === MISSES) emit({ is: 'heartbeat', host, why })
  }

  async function asked(what: 'good' | 'bad', reasons: readonly string[]): Promise<EgressAnswer> {
    const address = new URL(world.url)
    if (what === 'bad') address.pathname = `${address.pathname.replace(/\/+$/, '')}/fail`
    const headers = { 'user-agent': 'Perch', 'content-type': 'text/plain; charset=utf-8' }
    const request: Asked =
      what === 'good'
        ? { method: 'GET', headers: { 'user-agent': 'Perch' }, body: null }
        : { method: 'POST', headers, body: hide(reasons.join('\n')) }
    try {
      return await within(clock, ANSWER_LIMIT_MS, stopping.signal, (signal) =>
        egress.ask(address, request, signal),
      )
    } catch {
      return { is: 'lost', maybeDone: true, why: 'no answer in time' }
    }
  }

  function again(): void {
    callOff = clock.wakeAt(clock.monotonic() + LOOK_EVERY_MS, () => {
      look()
        .catch((error: unknown) => emit({ is: 'trouble', where: 'heartbeat', why: String(error), error }))
        .finally(() => {
          if (!stopping.signal.aborted) again()
        })
    })
  }
  again()

  return {
    stop() {
      callOff()
      stopping.abort(new Error('stopping'))
    },
  }
}

/**
 * Whether the same message has been the oldest for too long. Counts monotonic time, so jumps of the wall clock do not
 * matter.
 */
function watchOldest(clock: Clock): (since: number | null) => boolean {
  let oldest: { since: number; mono: number } | null = null
  return (since) => {
    if (since === null) oldest = null
    else if (oldest?.since !== since) oldest = { since, mono: clock.monotonic() }
    return oldest !== null && clock.monotonic() - oldest.mono >= STUCK_MS
  }
}

function problemIn(reached: EgressAnswer): string | null {
  if (reached.is !== 'answered') return reached.why
  const { status, body } = reached
  if (status >= 300 && status < 400) return `it leads elsewhere (${status}), and I do not follow`
  if (status >= 400) return `it answers ${status}`
  // healthchecks.io says so with 200, for a check that was deleted or never was.
  return /\bnot found\b/i.test(body) ? 'it does not know this check' : null
}
