import type { Heard } from '../heard.ts'
import type { Ledger } from '../ledger.ts'
import { critical, distance, OUTSIDE, type Subject } from '../subject.ts'

/**
 * No worsening untold beyond its hold, none told before it has held, and no message twice for one transition. What is
 * critical or passes a line by more than its band, and what gets worse after it was told, waits for nothing.
 */
export function createWorse(ledger: Ledger) {
  const { blames, monotonic, lines, pollMs, subjects } = ledger

  /** How long the last prices count: one that is missing is no hole yet. */
  const sinceReading = () => {
    const ms = monotonic() - (ledger.pricesAt ?? monotonic())
    return ms > 2 * pollMs ? 0 : ms
  }

  /** As it was seen in this run, or by the first prices of it as the run before knew it. */
  const isJudged = (subject: Subject) =>
    ledger.visible(subject) || (ledger.remembered(subject) && ledger.pricesSeen && subject.missing === 0)

  function news(subject: Subject, line: number, alertId: number | null): void {
    const { insideMs, holesMs, rule } = subject
    if (subject.alertId === null) {
      const heldMs = insideMs === null ? -1 : insideMs + sinceReading() + holesMs
      const isSure = critical(line) || lines(subject).some(({ beyond }) => beyond < OUTSIDE)
      if (!isSure && heldMs < rule.holdMs - 1) blames(`A${alertId} fires after ${insideMs} ms`)
      if (alertId !== null && ledger.told.has(alertId)) blames(`A${alertId} begins twice`)
    } else if (alertId !== subject.alertId) blames(`A${alertId} is A${subject.alertId} under another name`)
    Object.assign(subject, { line, alertId, insideMs: null, owedMs: 0, holesMs: 0 })
    Object.assign(subject, { rangAt: monotonic(), newsAt: monotonic(), lostMs: ledger.lostMs, times: 0 })
    Object.assign(subject, { acknowledgedUntil: null, due: null, unheeded: false })
  }

  return {
    /** An alert is said, or held back, as entered or worse. */
    fires(title: string, subject: Subject, line: number, alertId: number | null): void {
      if (
        ledger.remembered(subject) &&
        subject.paused === 'surely' &&
        !critical(line) &&
        !ledger.failedParts(subject.position.wallet)
      )
        blames(`${title}: fires by what the run before has counted`)
      // What had to hold is told at the line that is passed then, as anything.
      const isSo = lines(subject).some(({ enter }) => line === enter)
      if (!isSo || line === OUTSIDE)
        blames(`${title}: says line ${line}, is in ${JSON.stringify(lines(subject))}`)
      if (line >= subject.line) blames(`${title}: told as worse again (was ${subject.line})`)
      news(subject, line, alertId)
    },
    hears(heard: Heard, subject: Subject): void {
      // The distances of these histories are never so near a line that their rounding passes it.
      const away = Number(/: ([\d.]+)% to liquidation/.exec(heard.title)?.[1] ?? 0) / 100
      const known = subject.rule.lines.findLast((one) => one >= away)
      this.fires(heard.title, subject, known ?? NaN, heard.alertId)
      const says = heard.lines.some((text) =>
        /^position as of .*, before my restart; being read now$/.test(text),
      )
      const isOld = says || heard.lines.some((text) => text.startsWith('wallet not seen for '))
      if (says && ledger.looked.has(subject.position.wallet)) blames(`${heard.title}: was read in this run`)
      if (!isOld && ledger.remembered(subject))
        blames(`${heard.title}: does not say that it was not read yet`)
      if (critical(subject.line) && heard.silent) blames(`${heard.title}: is critical and does not ring`)
    },

    /** A price was read after so long a gap, or a wallet. */
    counts(subject: Subject, gapMs: number): void {
      const { wallet } = subject.position
      const ms = gapMs > 2 * pollMs ? 0 : gapMs
      // That this is a hole is found out too late, also by a run that has not looked at it yet.
      if (gapMs > ms) subject.holesMs += 2 * pollMs
      if (subject.missing > 0) return
      const isUnread = ledger.failedParts(wallet)
      // What the run before has counted waits for its wallet: it neither counts nor begins anew.
      if (ledger.remembered(subject) && subject.paused === 'surely' && !isUnread) return
      const isWaiting = ledger.remembered(subject) && subject.paused !== null
      const byPriceAlone = isUnread || ledger.remembered(subject)
      const all = lines(subject)
      const isOver = all.every(({ stay }) => stay === OUTSIDE)
      // By the price alone nothing is over: it neither counts nor begins anew.
      if (subject.alertId === null && isOver && byPriceAlone) {
        Object.assign(subject, { owedMs: 0 })
        return
      }
      if (subject.alertId !== null || isOver) {
        // What cannot be kept has not happened, and so has no end of a hold: what is seen next may go on with it.
        const goesOn = subject.alertId === null && ledger.refusing && subject.insideMs !== null
        if (goesOn) Object.assign(subject, { insideMs: (subject.insideMs ?? 0) + ms, owedMs: 0 })
        else Object.assign(subject, { insideMs: null, owedMs: 0, holesMs: 0 })
        return
      }
      const isInside = all.some(({ enter }) => enter < OUTSIDE)
      if (isInside || subject.insideMs !== null) {
        subject.insideMs = subject.insideMs === null ? 0 : subject.insideMs + ms
        const isOwed = isJudged(subject) && !isWaiting && !ledger.refusing && isInside && ms > 0
        subject.owedMs = isOwed ? subject.owedMs + ms : 0
      }
    },

    checks(): void {
      if (ledger.pricesAt !== monotonic() || ledger.soundAt >= monotonic()) return
      for (const subject of subjects.values()) {
        if (!isJudged(subject)) continue
        const { key, line, alertId, owedMs, rule, position } = subject
        const [{ enter, beyond } = { enter: OUTSIDE, beyond: OUTSIDE }] = lines(subject)
        const away = distance(position, ledger.prices.get(position.marketId) ?? NaN)
        const name = `${key}: ${(away * 100).toFixed(2)}%`
        const isSure = critical(enter) || (beyond < OUTSIDE && !ledger.remembered(subject))
        if (enter < line && (alertId !== null || isSure)) blames(`${name}: worse was not told (${line})`)
        if (enter < OUTSIDE && alertId === null && owedMs > rule.holdMs + 3 * pollMs)
          blames(`${name}: was not told in time`)
      }
    },
  }
}
