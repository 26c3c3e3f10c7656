import type { Heard } from '../heard.ts'
import type { Ledger } from '../ledger.ts'
import { critical, OUTSIDE, type Subject } from '../subject.ts'

const MINUTE_MS = 60_000
const ACKNOWLEDGED_AT_ONCE_MS = MINUTE_MS

/**
 * What is critical and unacknowledged is never silent for longer than the cap, and not repeated sooner than it is due;
 * all of a chat rings together; what somebody has said of it has its end, and is told then.
 */
export function createRing(ledger: Ledger) {
  const { blames, monotonic, now, subjects, pollMs } = ledger
  const rings = ({ line, acknowledgedUntil, unheeded, alertId }: Subject) =>
    alertId !== null && critical(line) && acknowledgedUntil === null && !unheeded

  function check(subject: Subject): void {
    const { line, alertId, acknowledgedUntil, isEndTold } = subject
    // At a line that is nobody's any more it waits to be seen.
    if (alertId === null || isEndTold || line === OUTSIDE) return
    if (acknowledgedUntil !== null) {
      const due = now() >= acknowledgedUntil && !ledger.rest.covers(subject.monitor, now())
      subject.due = due ? (subject.due ?? { at: monotonic(), lostMs: ledger.lostMs }) : null
      const lostMs = ledger.lostMs - (subject.due?.lostMs ?? 0)
      if (subject.due && monotonic() - subject.due.at > 3 * pollMs + 15_000 + lostMs)
        blames(`A${alertId}: nobody was reminded`)
      return
    }
    if (!critical(line)) return
    const silentMs = monotonic() - subject.rangAt - (ledger.lostMs - subject.lostMs)
    if (!subject.unheeded && silentMs > pauseMs(subject.times) + 2 * pollMs)
      blames(`A${alertId}: silent for ${silentMs} ms`)
    if (subject.unheeded && monotonic() - subject.newsAt < 12 * 60 * MINUTE_MS - MINUTE_MS)
      blames(`A${alertId}: given up too soon`)
    if (!subject.unheeded && monotonic() - subject.newsAt - ledger.lostMs > 13 * 60 * MINUTE_MS)
      blames(`A${alertId}: is repeated for ever`)
  }

  return {
    repeats(heard: Heard, subject: Subject, rowmates: readonly Heard[]): void {
      if (!critical(subject.line)) blames(`${heard.title}: repeated, and not critical`)
      if (subject.acknowledgedUntil !== null) blames(`${heard.title}: repeated, though heeded`)
      if (subject.unheeded) blames(`${heard.title}: repeated, though given up`)
      if (heard.silent) blames(`${heard.title}: repeated without ringing`)
      const due = (one: Subject) => monotonic() - one.rangAt >= pauseMs(one.times) - 2_000
      const all = rowmates.flatMap(({ alertId }) => ledger.subjectOf(alertId) ?? [])
      if (!all.some((one) => due(one) || one.rangAt === monotonic()))
        blames(`${heard.title}: repeated too soon`)
      Object.assign(subject, { times: subject.times + 1, rangAt: monotonic(), lostMs: ledger.lostMs })
      if (heard.is === 'given-up') subject.unheeded = true
    },
    /**
     * All that was said at one moment has been heard: what else rings in these chats was said with it; of what eases at
     * that very moment, as it does where no price could be kept before, that is said in place of a repeat.
     */
    together(moment: readonly Heard[]): void {
      const repeated = moment.filter(({ is }) => is === 'reminder')
      const eased = new Set(moment.flatMap(({ is, alertId }) => (is === 'better' ? [alertId] : [])))
      const chatIds = new Set(repeated.map(({ alertId }) => ledger.subjectOf(alertId)?.rule.chatId))
      for (const subject of subjects.values()) {
        const rang =
          subject.rangAt === monotonic() || eased.has(subject.alertId) || !chatIds.has(subject.rule.chatId)
        // What is missing may be over.
        if (rings(subject) && !rang && subject.missing === 0)
          blames(`A${subject.alertId}: does not ring with the others of its chat`)
      }
    },
    reminds(heard: { title: string }, subject: Subject): void {
      if (subject.acknowledgedUntil === null || now() < subject.acknowledgedUntil)
        blames(`${heard.title}: reminded too soon`)
      Object.assign(subject, { acknowledgedUntil: null, due: null, times: 0, unheeded: false })
      Object.assign(subject, { rangAt: monotonic(), newsAt: monotonic(), lostMs: ledger.lostMs })
    },
    acked(alertIds: readonly number[], until: number, as: 'acknowledged' | 'snoozed'): void {
      for (const alertId of alertIds) {
        const subject = ledger.subjectOf(alertId)
        if (subject?.alertId !== alertId) continue
        const { acknowledgedUntil, acknowledgedAt } = subject
        // Of two who press at once the first has acknowledged it.
        const taken = acknowledgedUntil !== null && acknowledgedAt !== null && now() < acknowledgedUntil
        if (as === 'acknowledged' && taken && monotonic() - acknowledgedAt < ACKNOWLEDGED_AT_ONCE_MS) continue
        Object.assign(subject, { acknowledgedUntil: until, due: null, unheeded: false })
        subject.acknowledgedAt = as === 'acknowledged' ? monotonic() : null
      }
    },
    checks(): void {
      for (const subject of subjects.values()) check(subject)
    },
  }
}

function pauseMs(times: number): number {
  return Math.min(MINUTE_MS * 2 ** times, 30 * MINUTE_MS)
}
