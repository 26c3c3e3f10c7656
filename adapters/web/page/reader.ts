import { FAR, figureText, type Measure } from '../../../src/lib/text/format.ts'
import { clockTime } from '../../../src/lib/time/daytime.ts'
import { filled, partsIn } from '../../../src/words/parts.ts'
import type { Arguments, Key } from '../../../src/words/words.ts'
import type { News } from './state.ts'
import type { Glance } from './wire.ts'

type Catalogue = Readonly<Record<string, string>>

/** Writes for the person who reads: sentences, figures and times as Perch writes them in their chat. */
export interface Reader {
  /** A sentence of the catalogue. */
  say<K extends Key>(
    key: K,
    ...given: unknown extends Arguments<K, string> ? [] : [Arguments<K, string>]
  ): string
  figure(value: number | null, as: Measure): string
  /** A wall time, in 24 hours of the reader's zone. */
  clock(at: number): string
  /** How long ago this wall time is, in milliseconds. It counts by the server's clock and never below 0. */
  ageMs(at: number): number
}

/** Younger than this is live: people need no age then. */
export const LIVE_MS = 10_000

/**
 * `now`: the server's wall time. Before the first glance figures and times are written in the usual way, and nobody needs
 * one.
 */
export function createReader(catalogue: Catalogue, reader: Glance['reader'] | null, now: number): Reader {
  const zone = reader?.zone ?? 'UTC'
  const style = reader?.numbers ?? '1,234.5'
  const say: Reader['say'] = (key, ...[given]) =>
    filled(partsIn(catalogue[key] ?? key), (given ?? {}) as Record<string, string | number>).join('')
  return {
    say,
    figure(value, as) {
      if (value === null) return say('pageui.none')
      const text = figureText(value, as, style)
      return text === FAR ? say('figure.far') : text
    },
    clock: (at) => clockTime(at, { now, zone }, say('message.locale')),
    ageMs: (at) => Math.max(now - at, 0),
  }
}

/** The words of a screen reader when critical alerts change. */
export function newsText(events: readonly News[], glance: Glance, { say, figure }: Reader): string {
  return events
    .map(({ is, alert: { about, subject, heed } }) => {
      if (is === 'over') return say('pageui.said.over', { about })
      if (is === 'acknowledged')
        return say('pageui.said.acknowledged', { about, by: heed.is === 'waiting' ? '' : heed.by })
      const position = glance.positions.find(({ key }) => key === subject)
      return say('pageui.said.critical', { about, distance: figure(position?.distance ?? null, 'distance') })
    })
    .join('. ')
}
