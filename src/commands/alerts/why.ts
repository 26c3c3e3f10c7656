import { z } from 'zod'

import type { Acknowledgement } from '../../alert/alert-state.ts'
import { type Alert, findKind } from '../../alert/alert.ts'
import { COPY_TO_MARKER, type TimelineEntry } from '../../alert/timeline.ts'
import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context, View } from '../../command/context.ts'
import { plain } from '../../message/figure.ts'
import { type Item, item, type Message, message, say, type Text, words } from '../../message/message.ts'
import type { PositionPicture } from '../../message/picture.ts'
import { liveText } from '../../venue/reading.ts'
import { ackText } from '../shared/firing-lines.ts'
import { subjectPicture } from '../shared/position-picture.ts'
import { walletName } from '../shared/wallet-names.ts'

const MAX_SHOWN_ENTRIES = 9
/** The timeline's mark for messages that quiet hours or a mute suppressed. */
const HELD_BACK = /, held back$/

/** An alert, and the steps that it has gone through. Times are wall times. */
interface WhyReport extends Pick<
  Alert,
  'id' | 'kind' | 'title' | 'severity' | 'ruleIds' | 'openedAt' | 'closedAt'
> {
  is: 'why'
  /** The label of its wallet, where the title lacks it. */
  wallet: string | null
  /** Null where it is not on, or where nobody has to acknowledge it. */
  acknowledgement: Acknowledgement | null
  /** The assistants that have set its rules. */
  setBy: readonly string[]
  /** Since when quiet hours or a mute suppress its message; null if nothing does. */
  heldSince: number | null
  /** The oldest first. */
  timeline: readonly Step[]
  /** Shows how it came to that, while it is on. Null for an alert of others, and for somebody who wants no pictures. */
  picture: PositionPicture<Text> | null
}

interface Step extends TimelineEntry {
  /** Its value in words. */
  figure: Text | null
}

type Found = { is: 'unknown'; alert: number } | WhyReport

/** Shows the timeline of an alert: the readings with their age, and when messages were queued and sent. */
export default lookCommand({
  name: 'why',
  summary: words('menu.why'),
  examples: ['/why A1'],
  audience: 'bound',
  reach: 'assistant',
  args: z.object({ alert: argument.alert() }),
  async ask({ person, chat, recall, view, kinds, reader }, { alert: id }): Promise<Found> {
    const alert = await recall.alert(id)
    // Members of a bound chat may ask about its alerts.
    const own = alert !== null && (alert.personId === person.id || alert.chatId === chat?.id)
    const helps = alert !== null && !own && (await wasSentTo({ person, chat, view, recall }, alert))
    const mine = own || helps
    if (!mine || (chat?.private === false && alert.chatId !== chat.id)) return { is: 'unknown', alert: id }
    const all = await recall.timeline(id)
    // Which chats a person has is private, even from their delegate.
    const timeline = helps ? all.filter(({ reason }) => reason !== 'notice').map(withoutPlaces) : all
    const { kind, title, severity, ruleIds, openedAt, closedAt, subject } = alert
    // A delegate sees the wallet under its person's label, without the address.
    const watches = view.named(helps ? alert.personId : person.id)
    // Titles of market alerts have no wallet; those of account alerts begin with it.
    const isNamed = !('wallet' in subject) || subject.is === 'account'
    const known = findKind(kinds, kind)
    const isDrawn = alert.personId === person.id && closedAt === null && person.pictures === 'on'
    return {
      ...{ is: 'why', id, kind, title, severity, ruleIds, openedAt, closedAt },
      wallet: isNamed ? null : walletName(subject.wallet, watches),
      setBy: assistantsBehind(view, alert),
      picture: isDrawn ? subjectPicture(view, kinds, alert, reader.now) : null,
      ...presentState(view, alert),
      timeline: timeline.map((step) => ({
        ...step,
        // A kind may have gone with the version that knew it.
        figure: step.value === null ? null : (known?.figure(step.value) ?? [plain(step.value)]),
      })),
    }
  },
  words: answer,
})

function answer(found: Found): Message {
  if (found.is === 'unknown') return say(words('why.unknown', { alert: found.alert }))
  const { title, wallet, ruleIds, kind, openedAt, closedAt, timeline, picture } = found
  const head = item('plain', wallet === null ? title : `${title} · ${wallet}`, [
    words('why.head', {
      ...{ rules: ruleIds.map((id) => `R${id}`).join(', '), kind },
      at: { time: openedAt, as: 'clock' },
    }),
    closedAt === null ? words('why.open') : words('why.ended', { at: { time: closedAt, as: 'clock' } }),
    ...found.setBy.map((name) => words('rule.set-by', { name })),
    ...presentLines(found),
  ])
  const dropped = timeline.length - MAX_SHOWN_ENTRIES
  return message([head, ...timeline.slice(-MAX_SHOWN_ENTRIES).map(stepItem)], {
    footnote: dropped > 0 ? words('why.dropped', { steps: dropped }) : null,
    ...(picture && { picture }),
  })
}

function withoutPlaces(step: TimelineEntry): TimelineEntry {
  return { ...step, what: step.what.split(COPY_TO_MARKER)[0] ?? '' }
}

/** A delegate may ask about an alert that was sent to them. */
async function wasSentTo(
  { person, chat, view, recall }: Pick<Context, 'person' | 'chat' | 'view' | 'recall'>,
  { id, personId }: Alert,
): Promise<boolean> {
  if (!chat?.private || !view.delegates(personId).some(({ delegateId }) => delegateId === person.id))
    return false
  const told = await Promise.all(view.chats(person.id).map((own) => recall.messageOf(id, own.id)))
  return told.some((said) => said !== null)
}

/** The assistants that have set its rules, each once. A rule that is gone since names nobody. */
function assistantsBehind(view: View, { ruleIds, personId }: Alert): string[] {
  const rules = view.rules(personId).filter(({ id }) => ruleIds.includes(id))
  return [...new Set(rules.flatMap(({ setBy }) => setBy ?? []))]
}

/** Who acknowledged it, until when it is snoozed, and whether messages are suppressed. */
function presentState(view: View, { id, chatId }: Alert): Pick<WhyReport, 'acknowledgement' | 'heldSince'> {
  const firing = view.firingIn(chatId).find(({ alertId }) => alertId === id)
  const held = view.held(chatId).find(({ alertId }) => alertId === id)
  return { acknowledgement: firing?.acknowledgement ?? null, heldSince: held?.at ?? null }
}

function presentLines({ acknowledgement, heldSince }: WhyReport): Text[] {
  const answered = acknowledgement && ackText(acknowledgement)
  return [
    ...(answered === null ? [] : [answered]),
    ...(heldSince === null ? [] : [words('why.held', { at: { time: heldSince, as: 'clock' } })]),
  ]
}

/** Entries that rest on no reading: acts of people, and copies. */
const BARE: ReadonlySet<TimelineEntry['reason']> = new Set(['acknowledged', 'snoozed', 'notice'])

function stepItem(step: Step): Item {
  const value = step.figure === null ? null : words('why.value', { value: step.figure })
  const lines: Text[] = [
    ...valueLines(value, step.threshold),
    ...(BARE.has(step.reason) ? [] : [words('why.data', { age: liveText(step.at - step.dataAt) })]),
    ...became(step),
  ]
  return item('plain', [{ time: step.at, as: 'clock' }, ` ${happened(step)}`], lines)
}

/** `worse: 10% line → 5% line`; what an event is says it all. */
function happened({ reason, what }: Step): string {
  if (reason === 'acknowledged' || reason === 'snoozed') return `${reason} ${what}`
  return reason === null || reason === 'occurred' || reason === 'notice' ? what : `${reason}: ${what}`
}

function valueLines(value: Text | null, threshold: string): Text[] {
  if (value === null) return threshold === '' ? [] : [threshold]
  return [threshold === '' ? value : words('why.threshold', { value, threshold })]
}

function became(step: Step): Text[] {
  const { outcome, attempts, possibleRepeat, reason, what } = step
  // The answer was the message.
  if (outcome === null && (reason === 'acknowledged' || reason === 'snoozed')) return []
  const said = outcomeText()
  return [possibleRepeat ? words('why.repeat', { outcome: said }) : said]

  function outcomeText(): Text {
    switch (outcome) {
      case null:
        return words(HELD_BACK.test(what) ? 'why.waits' : 'why.silent')
      case 'sent': {
        const sent = { queued: ms(step.at, step.queuedAt), sent: ms(step.at, step.sentAt) }
        return attempts > 1 ? words('why.sent-after', { ...sent, attempts }) : words('why.sent', sent)
      }
      case 'waiting':
        return attempts > 0 ? words('why.waiting-after', { attempts }) : words('why.waiting')
      case 'parked':
        return attempts > 1 ? words('why.parked-after', { attempts }) : words('why.parked')
      case 'expired':
        return words('why.expired')
    }
  }
}

function ms(from: number, to: number | null): string {
  return to === null ? '?' : String(Math.max(to - from, 0))
}
