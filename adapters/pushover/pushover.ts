import type { DestinationName, Notifier } from '../../src/chat/notifier.ts'
import { words } from '../../src/message/message.ts'
import { rejectsEdits } from '../../src/chat/notify-only.ts'
import { type Clock, within } from '../../src/runtime/clock.ts'
import type { Egress } from '../../src/runtime/egress.ts'
import type { Emit } from '../../src/runtime/event.ts'
import { formOf } from './form.ts'
import { outcomeOf } from './outcome.ts'
import { createReceipts } from './receipts.ts'

/** Two short connections at a time (https://pushover.net/api#friendly). */
const PLATFORM = { burst: 2, perSecond: 4 }
const EACH = { burst: 5, perSecond: 0.2 }
/** An application has 10,000 messages a month. One person may take a tenth of them at once, and as many each month. */
const SHARE = { burst: 1_000, perSecond: 1_000 / (30 * 86_400) }
const RECEIPT_LIMIT_MS = 10_000

/** Sends notifications through Pushover. A critical alert repeats until a person confirms it. */
export function createPushover(world: {
  api: string
  /** The application's. */
  token: string
  clock: Clock
  emit: Emit
  random: () => number
  egress: Egress
}): Notifier {
  const { api, token, clock, emit, random } = world
  const egress = world.egress.allowing([new URL(api).origin])
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Perch' }
  const post = (path: string, form: Record<string, string>, signal: AbortSignal) => {
    const body = new URLSearchParams({ token, ...form }).toString()
    return egress.ask(new URL(`${api}/1/${path}`), { method: 'POST', headers, body }, signal)
  }
  const receipts = createReceipts({
    ...{ clock, emit, random },
    read: (receipt, signal) =>
      limited(signal, (limit) => {
        const url = new URL(`${api}/1/receipts/${encodeURIComponent(receipt)}.json`)
        url.searchParams.set('token', token)
        return egress.ask(url, { method: 'GET', headers: { 'user-agent': 'Perch' }, body: null }, limit)
      }),
    cancel: (receipt, signal) =>
      limited(signal, (limit) => post(`receipts/${encodeURIComponent(receipt)}/cancel.json`, {}, limit)),
  })
  const limited = (signal: AbortSignal, ask: (limit: AbortSignal) => ReturnType<Egress['ask']>) =>
    within(clock, RECEIPT_LIMIT_MS, signal, ask).catch(
      () => ({ is: 'lost', maybeDone: true, why: 'no answer' }) as const,
    )

  const deliver: Notifier['deliver'] = async (send, signal) => {
    const at = clock.now()
    const form = formOf(send, at)
    // An earlier attempt may be ringing under a receipt that was lost. Two would ring, and only one could be
    // acknowledged from here.
    const { tags } = form
    if (send.possibleRepeat && tags !== undefined)
      await post(`receipts/cancel_by_tag/${tags}.json`, {}, signal)
    const reached = await post('messages.json', form, signal)
    const { delivery, receipt } = outcomeOf(reached, send.to, [token, send.to.chat])
    if (receipt !== null) receipts.rings(receipt, { to: send.to, alertIds: send.alertIds, at })
    return delivery
  }
  const check: DestinationName['check'] = async (typed) => {
    const key = namedKey(typed)
    if (key === null) return null
    return { address: { platform: 'pushover', chat: key, thread: null }, title: shownKey(key) }
  }
  return {
    name: 'pushover',
    destination: { ...destination, check },
    receipts: { start: (alerts) => receipts.start(alerts) },
    limits: { platform: PLATFORM, chat: EACH, group: null, share: SHARE },
    deliver,
    edit: rejectsEdits,
    stop: () => receipts.stop(),
  }
}

/** For people, and for docs/commands.md. */
export const destination = { what: words('pushover.key'), example: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG' }

/** https://pushover.net/api#identifiers. */
const KEY = /^[a-z\d]{30}$/i
const SHOWN_CHARACTERS = 4

/** The key of a person or of a group; null when it is none. */
function namedKey(typed: string): string | null {
  return KEY.test(typed) ? typed : null
}

function shownKey(key: string): string {
  return `Pushover …${key.slice(-SHOWN_CHARACTERS)}`
}
