import type { Ledger } from '../ledger.ts'
import { OUTSIDE, type Subject } from '../subject.ts'

/** Nothing gets better while it is blind or unseen, and nothing that was not told; every warned subject is cleared. */
export function createBetter(ledger: Ledger) {
  const { blames, lines, subjects } = ledger
  return {
    eases(title: string, subject: Subject, clears: boolean): void {
      const { position, rule } = subject
      if (subject.alertId === null) blames(`${title}: was not told`)
      const next = lines(subject)
        .map(({ enter, stay }) => Math.min(enter, Math.max(subject.line, stay)))
        .find((line) => (line > subject.line || subject.line === OUTSIDE) && (line === OUTSIDE) === clears)
      if (next === undefined) blames(`${title}: is in ${JSON.stringify(lines(subject))}, was ${subject.line}`)
      const lastSeen = {
        'the venue': ledger.pricesAt,
        [position.marketId]: ledger.pricesAt,
        // A look of which nobody knows whether it was kept may be what this rests on.
        [position.wallet]: ledger.maybeLooked.get(position.wallet),
      }
      // That it is seen again may be told a little later, with others.
      const blindTo = Object.entries(lastSeen).find(
        ([what, at]) => (at ?? 0) < (ledger.blind.get(`${rule.chatId} ${what}`) ?? 0),
      )
      if (blindTo !== undefined) blames(`${title}: got better while blind to ${blindTo[0]}`)
      if (subject.missing > 0 || !ledger.maybeLooked.has(position.wallet))
        blames(`${title}: got better unseen`)
      if (clears) ledger.over.add(subject.alertId ?? 0)
      subject.line = next ?? subject.line
      if (clears) Object.assign(subject, { alertId: null, insideMs: null, owedMs: 0, holesMs: 0 })
    },
    /** All is far from every line, and everything has been seen. */
    ends(): void {
      for (const { key, alertId } of subjects.values())
        if (alertId !== null) blames(`A${alertId} of ${key} was never cleared`)
    },
  }
}
