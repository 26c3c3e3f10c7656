import type { StandingAlert } from '../../../src/chat/holdings.ts'
import type { FormView, Glance, MessageView } from './wire.ts'

/** All that the page knows. A change makes a new state, and the whole page is drawn from it. */
export type State =
  | { is: 'starting' }
  | { is: 'door'; note: DoorNote | null; isOpening: boolean; hasDiscord: boolean }
  | Open

/** Why somebody stands at the door; `says` is Perch's own sentence. */
export type DoorNote = 'ended' | 'unreachable' | 'refused' | { says: string }

export interface Open {
  is: 'open'
  /** Whose page it is, and in which browser: the name of acknowledgements from it. */
  name: string
  part: Part
  glance: Glance | null
  /** Keys of the positions in the order in which they stand on the page. */
  order: readonly string[]
  /** Answers of Perch by the place in which they stand. */
  answers: ReadonlyMap<string, Reply>
  /** Positions whose chart the reader has opened or closed, by key. The rest do as `opensChart` says. */
  charts: ReadonlyMap<string, boolean>
  span: Span
  editor: Editor
  push: PushState
  /** Too many pages of this session are open: this one is told nothing more. */
  isElsewhere: boolean
}

export const PARTS = ['positions', 'alerts', 'history', 'more'] as const
export type Part = (typeof PARTS)[number]

export const SPANS = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const
export type Span = keyof typeof SPANS

/**
 * Until when the reader has seen what stands in this place: the server's wall time. An alert that has got worse since then,
 * while nothing came through, is not what they answer. Alerts of the glance have places of their own.
 */
export function seenIn({ glance, answers }: Open, place: string): number {
  const reply = answers.get(place)
  const message = reply?.is === 'said' ? reply.message : null
  const ofGlance = /^A\d+$/.test(place) || message === null ? (glance?.at ?? 0) : 0
  return Math.max(message?.at ?? 0, ofGlance)
}

/** An answer of Perch, or the way to it. */
export type Reply =
  | { is: 'asking'; line: string; id: string; before: MessageView | null }
  | { is: 'said'; message: MessageView }
  /** `id`: of the same request, which changes nothing where it had arrived. */
  | { is: 'failed'; line: string; id: string; says: string | null }

export interface Editor {
  forms: readonly FormView[] | null
  form: string | null
  typed: Readonly<Record<string, string>>
  /** How often it would have alerted; null before anything was typed. */
  attempt: { is: 'trying' } | { is: 'said'; message: MessageView } | null
}

export type PushState =
  | { is: 'unknown' | 'off' | 'on' | 'asking' }
  | { is: 'impossible'; why: 'home-screen' | 'not-here' | 'denied' | 'failed' }

export function opened(name: string, part: Part): Open {
  return {
    ...{
      is: 'open',
      name,
      part,
      glance: null,
      order: [],
      answers: new Map(),
      charts: new Map(),
      span: 'day',
    },
    editor: { forms: null, form: null, typed: {}, attempt: null },
    push: { is: 'unknown' },
    isElsewhere: false,
  }
}

/**
 * The order of positions, the nearest to liquidation first. While somebody is about to tap, those on the page keep their
 * place, so that no button moves from under a thumb.
 */
export function arranged(
  before: readonly string[],
  nearestFirst: readonly string[],
  isBusy: boolean,
): string[] {
  if (!isBusy) return [...nearestFirst]
  const kept = before.filter((key) => nearestFirst.includes(key))
  return [...kept, ...nearestFirst.filter((key) => !kept.includes(key))]
}

/** The charts of the first row are open: one on a phone. `at`: the place of the position, `columns`: how many a row has. */
export function opensChart(open: Pick<Open, 'charts'>, key: string, at: number, columns: number): boolean {
  return open.charts.get(key) ?? at < columns
}

export interface News {
  is: 'critical' | 'acknowledged' | 'over'
  alert: StandingAlert
}

/** Finds the changes of critical alerts that are said aloud: a new one, an acknowledgement, the end. */
export function news(before: Glance | null, after: Glance): News[] {
  if (before === null) return []
  const critical = (glance: Glance) => glance.firing.filter(({ severity }) => severity === 'critical')
  const [old, now] = [critical(before), critical(after)]
  const changed = now.flatMap((alert): News[] => {
    const then = old.find(({ alertId }) => alertId === alert.alertId)
    if (then === undefined) return [{ is: 'critical', alert }]
    const isNew = alert.heed.is === 'acknowledged' && then.heed.is !== 'acknowledged'
    return isNew ? [{ is: 'acknowledged', alert }] : []
  })
  const ended = old.filter(({ alertId }) => !now.some((one) => one.alertId === alertId))
  return [...changed, ...ended.map((alert): News => ({ is: 'over', alert }))]
}

/** The map with this entry, or without it. */
export function withEntry<V>(
  map: ReadonlyMap<string, V>,
  key: string,
  value: V | null,
): ReadonlyMap<string, V> {
  const changed = new Map(map)
  if (value === null) changed.delete(key)
  else changed.set(key, value)
  return changed
}
