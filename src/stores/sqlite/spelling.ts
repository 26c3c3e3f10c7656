import type { AlertState } from '../../alert/alert-state.ts'
import { fromJson, toJson } from '../../lib/text/json.ts'
import type { Reason } from '../../message/reason.ts'

/**
 * The columns keep the words of the first versions, so that no database has to be rewritten, and none is closed to an
 * older program. This file alone knows both spellings.
 */
const REASONS: Record<Reason, string> = {
  fired: 'entered',
  worse: 'worse',
  better: 'better',
  resolved: 'cleared',
  unconfirmed: 'unconfirmed',
  reminder: 'repeated',
  'gave-up': 'unheeded',
  'snooze-ended': 'reminded',
  acknowledged: 'acknowledged',
  snoozed: 'snoozed',
  summary: 'summed',
  coalesced: 'merged',
  digest: 'digest',
  occurred: 'happened',
  ended: 'ended',
  outage: 'blind',
  recovered: 'sighted',
  notice: 'notice',
  test: 'test',
}

const FROM_COLUMN = new Map(Object.entries(REASONS).map(([reason, column]) => [column, reason as Reason]))

export function reasonColumn(reason: Reason): string {
  return REASONS[reason]
}

/** Null for a row from before reasons were kept. */
export function reasonFrom(column: unknown): Reason | null {
  return FROM_COLUMN.get(String(column)) ?? null
}

/** In JSON a quoted word before a colon can only be a key: inside of a string its quotes are escaped. */
type Spelling = readonly (readonly [word: string, column: string])[]

const STATE: Spelling = [
  ['"acknowledgement":', '"heed":'],
  ['"remindAt":', '"ringAt":'],
  ['"reminders":', '"times":'],
  ['{"is":"waiting",', '{"is":"none",'],
  ['{"is":"given-up"}', '{"is":"unheeded"}'],
]

const READINGS: Spelling = [
  ['"wallet":', '"owner":'],
  ['"isProtective":', '"guardsPosition":'],
]

export function stateColumn(state: AlertState): string {
  return written(JSON.stringify(state), STATE)
}

export function stateFrom(column: string): AlertState {
  return fromJson(read(column, STATE)) as AlertState
}

/** JSON that holds a venue's nouns, such as a closed position with its orders. */
export function readingsColumn(value: unknown): string {
  return written(toJson(value), READINGS)
}

export function readingsFrom(column: string): unknown {
  return fromJson(read(column, READINGS))
}

function written(json: string, spelling: Spelling): string {
  return spelling.reduce((text, [word, column]) => text.replaceAll(word, column), json)
}

function read(json: string, spelling: Spelling): string {
  return spelling.reduce((text, [word, column]) => text.replaceAll(column, word), json)
}
