import { linesOf, plainText } from '../../../src/message/message.ts'
import type { Write } from '../../../src/store/store.ts'
import { titleOf } from '../engine.ts'

/** What a person reads in one item of a message. */
export interface Heard {
  chatId: number
  is:
    | 'entered or worse'
    | 'better'
    | 'resolved'
    | 'reminder'
    | 'given-up'
    | 'snooze-ended'
    | 'ended'
    | 'summary'
    | 'outage'
    | 'recovered'
    | 'other'
  /** What it is about: the alert that it names, or what cannot be seen; null for neither. */
  alertId: number | null
  seeing: string | null
  title: string
  lines: string[]
  /** It does not ring. */
  silent: boolean
  tone: string
  /** Alerts that the message speaks of and does not name. */
  unnamed: number[]
  /** Which message it is part of, and when that was promised. */
  rowId: number
  at: number
}

const WORDS: [Heard['is'], RegExp][] = [
  ['reminder', /^Reminder \d/m],
  ['given-up', /^Last reminder: /m],
  ['snooze-ended', /^Snooze over/m],
  ['resolved', / is safe again: | has no liquidation price now/],
  ['better', / recovered to /],
  ['ended', / was closed| was probably liquidated| is gone, cause unknown/],
  ['outage', /^I can’t see /],
  ['recovered', /^I can see .* again/],
  ['entered or worse', / to liquidation| past its liquidation/],
]

/** The return of something is read first: it was seen before anything was judged by it. */
export function heardIn(writes: readonly Write[]): Heard[] {
  const all = writes.flatMap((write) => {
    // What somebody has done themselves is noted in what they have read.
    if (write.is !== 'send' || write.row.note !== null) return []
    const { id, chatId, message, silent, reason, queuedAt, alertIds } = write.row
    const texts = message.items.map((one) => ({
      title: titleOf(one),
      // What all items of a message share stands below them.
      lines: [...linesOf(one), message.footnote ?? ''].map((line) =>
        plainText(line, { now: 0, zone: 'UTC' }),
      ),
      tone: one.tone,
    }))
    const named = new Set(texts.map((one) => idIn(one.title)))
    const unnamed = alertIds.filter((one) => !named.has(one))
    const summed = texts.some(({ title }) => title.startsWith('While quiet: '))
    return texts.map(({ title, lines, tone }): Heard => {
      const whole = [title, ...lines].join('\n')
      const is = summed
        ? 'summary'
        : reason === 'notice'
          ? 'other'
          : (WORDS.find(([, words]) => words.test(whole))?.[0] ?? 'other')
      const alertId = idIn(title)
      return {
        ...{ chatId, is, title, lines, silent, tone, rowId: id, at: queuedAt },
        ...{ alertId, unnamed },
        seeing: /^I can(?:’t)? see (.*?)(?: again| either)?$/.exec(title)?.[1] ?? null,
      }
    })
  })
  return all.toSorted((a, b) => a.at - b.at || Number(b.is === 'recovered') - Number(a.is === 'recovered'))
}

function idIn(title: string): number | null {
  const id = /\(A(\d+)\)$/.exec(title)?.[1]
  return id === undefined ? null : Number(id)
}
