import type { Severity } from '../../alert/alert.ts'
import { marketIn, type SubjectId, subjectOf } from '../../alert/subject-id.ts'
import { type Button, type Item, type Message, type Text, words } from '../../message/message.ts'
import { positionKey } from '../../venue/position.ts'
import { type Wallet, walletReference } from '../../venue/wallet.ts'
import { type EvaluationContext, positionsOf } from '../monitors/context.ts'

/**
 * The commands that a person who was just warned is likely to want. A chat that others read gets only “Why”:
 * the rest is private. A closed position leaves nothing to look at.
 */
export function buttonsOf(
  look: EvaluationContext,
  { alertId, chatId, personId }: { alertId: number; chatId: number; personId: number },
  subject: SubjectId,
  state: 'open' | 'over' | 'gone',
  /** The severity of an alert that goes on and can be acknowledged; null for a notice that is only told. */
  fires: Severity | null = null,
): Button[] {
  const acknowledgement = state === 'open' && fires !== null && fires !== 'info' ? ackButtons(alertId) : []
  return [...acknowledgement, ...looks(look, { alertId, chatId, personId }, subject, state, fires)]
}

/** The message itself shows the acknowledgement afterwards, in place of these. */
function ackButtons(alertId: number): Button[] {
  return [
    { label: words('alert.button.ack'), line: `/ack A${alertId}`, replace: true },
    // Asked in a message of its own: the alert stays where it is.
    button(words('alert.button.snooze'), `/snooze A${alertId}`),
  ]
}

function looks(
  look: EvaluationContext,
  { alertId, chatId, personId }: { alertId: number; chatId: number; personId: number },
  subject: SubjectId,
  state: 'open' | 'over' | 'gone',
  fires: Severity | null,
): Button[] {
  const { memory } = look
  const why = whyButton(alertId)
  if (state === 'gone' || memory.people.chats.get(chatId)?.private === false) return [why]
  const market = memory.markets.readings.get(marketIn(subject) ?? '')?.value
  const symbol = market?.symbol
  if (subject.is === 'market') {
    return symbol === undefined
      ? [why]
      : [button(words('alert.button.funding', { symbol }), `/funding ${symbol}`), why]
  }
  if (subject.is === 'venue') return [button(words('alert.button.markets'), '/markets'), why]
  const label = walletReference(subject.wallet, memory.rules.watchesOf.of(personId).keys())
  const positions = button(words('alert.button.positions'), `/positions ${label}`)
  const isFixable = subject.is === 'account' || (subject.is === 'position' && symbol !== undefined)
  return [
    fires !== null && isFixable ? button(words('alert.button.ways'), `/fix A${alertId}`) : positions,
    why,
  ]
}

/** Between us: others who read a chat are told no more than what has happened. */
export function ordersButtons(
  { memory }: EvaluationContext,
  { chatId, personId }: { chatId: number; personId: number },
  wallet: Wallet,
): Button[] {
  if (memory.people.chats.get(chatId)?.private === false) return []
  return [
    button(
      words('alert.button.orders'),
      `/orders ${walletReference(wallet, memory.rules.watchesOf.of(personId).keys())}`,
    ),
  ]
}

/** Every chat may ask why it was told, also one that others read. */
export function whyButton(alertId: number): Button {
  return button(words('alert.button.why'), `/why A${alertId}`)
}

function button(label: Text, line: string): Button {
  return { label, line, replace: false }
}

/**
 * Returns the position of an occurrence, and whether it is still open; without a position, the monitor's own
 * subject.
 */
export function whereOf(
  look: EvaluationContext,
  guarded: SubjectId,
  position: string | null,
): [SubjectId, 'open' | 'gone'] {
  if (position === null) return [guarded, 'open']
  const subject = subjectOf(position)
  if (subject.is !== 'position') return [subject, 'open']
  const there = positionsOf(look, subject.wallet).some((one) => positionKey(one) === position)
  return [subject, there ? 'open' : 'gone']
}

/** More alerts than this in one message are told in two or three lines each. */
const MAX_WHOLE = 2

/**
 * Several alerts as one message, the worst first: it keeps its buttons. One more acknowledges all of them, and one lists
 * them.
 */
export function together(items: readonly Item[]): Pick<Message, 'items' | 'buttons'> {
  const alerts = items.filter(({ alertId, buttons }) => alertId !== undefined && buttons.length > 0)
  if (alerts.length < 2) return { items: [...items], buttons: [] }
  const asking = alerts.filter(({ buttons }) => buttons.some(({ line }) => line.startsWith('/ack ')))
  const [worst] = alerts
  return {
    items: items.map((one) => {
      const shown = alerts.length > MAX_WHOLE ? brief(one) : one
      return { ...shown, buttons: one === worst || !alerts.includes(one) ? one.buttons : [] }
    }),
    buttons: [
      ...(asking.length > 1
        ? [
            button(words('alert.button.ack-all', { n: String(asking.length) }), '/ack'),
            button(words('alert.button.snooze-all'), '/snooze all'),
          ]
        : []),
      ...(alerts.length > MAX_WHOLE ? [button(words('alert.button.all'), '/alerts')] : []),
    ],
  }
}

/** The alert with its first way out, without a place for a response. */
function brief({ note, figures: _figures, ways, ...item }: Item): Item {
  return {
    ...item,
    ...(note === undefined || note === '' ? {} : { note }),
    ...(ways === undefined ? {} : { ways: ways.slice(0, 1) }),
  }
}
