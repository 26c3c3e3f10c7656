import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import type { AlertState } from '../../../src/alert/alert-state.ts'
import type { Reason } from '../../../src/message/reason.ts'
import { openDatabase } from '../../../src/stores/sqlite/file/database.ts'
import { openSqlite } from '../../../src/stores/sqlite/index.ts'
import {
  readingsColumn,
  readingsFrom,
  reasonColumn,
  reasonFrom,
  stateColumn,
  stateFrom,
} from '../../../src/stores/sqlite/columns.ts'
import type { ClosedPosition } from '../../../src/venue/closed-position.ts'
import { positionKey } from '../../../src/venue/position.ts'
import { aMonitor, ALICE, anOrder, aPosition } from '../../support/fixtures.ts'
import { aStep, anAlert, everything } from '../../support/store-everything.ts'
import { aRow, aTurn, chatsOfAlice, sends, temporaryFolder } from '../../support/store.ts'

/** Each reason, and the word that every earlier version wrote for it. */
const REASONS: readonly (readonly [Reason, column: string])[] = [
  ['fired', 'entered'],
  ['worse', 'worse'],
  ['better', 'better'],
  ['resolved', 'cleared'],
  ['unconfirmed', 'unconfirmed'],
  ['reminder', 'repeated'],
  ['gave-up', 'unheeded'],
  ['snooze-ended', 'reminded'],
  ['acknowledged', 'acknowledged'],
  ['snoozed', 'snoozed'],
  ['summary', 'summed'],
  ['coalesced', 'merged'],
  ['digest', 'digest'],
  ['occurred', 'happened'],
  ['ended', 'ended'],
  ['outage', 'blind'],
  ['recovered', 'sighted'],
  ['notice', 'notice'],
  ['test', 'test'],
]

/** Each state that fires, and the JSON that every earlier version wrote for it. */
const STATES: readonly (readonly [AlertState, column: string])[] = [
  [
    firing({ is: 'waiting', since: 6, reminders: 2, remindAt: null }),
    '{"is":"firing","tier":1,"alertId":41,"since":5,"heed":{"is":"none","since":6,"times":2,"ringAt":null}}',
  ],
  [firing({ is: 'given-up' }), '{"is":"firing","tier":1,"alertId":41,"since":5,"heed":{"is":"unheeded"}}'],
  [
    firing({ is: 'acknowledged', by: 'Ann "times": "heed":', at: 7, until: 8 }),
    String.raw`{"is":"firing","tier":1,"alertId":41,"since":5,"heed":{"is":"acknowledged","by":"Ann \"times\": \"heed\":","at":7,"until":8}}`,
  ],
  [
    firing({ is: 'snoozed', by: 'Ann', at: 7, until: 8 }),
    '{"is":"firing","tier":1,"alertId":41,"since":5,"heed":{"is":"snoozed","by":"Ann","at":7,"until":8}}',
  ],
]

function firing(acknowledgement: Extract<AlertState, { is: 'firing' }>['acknowledgement']): AlertState {
  return { is: 'firing', tier: 1, alertId: 41, since: 5, acknowledgement }
}

describe('the columns keep the words of earlier versions', () => {
  test.each(REASONS)('the reason %s is written as %s, and read back', (reason, column) => {
    expect(reasonColumn(reason)).toBe(column)
    expect(reasonFrom(column)).toBe(reason)
  })

  test('a row without a reason has none', () => {
    expect([reasonFrom(null), reasonFrom('nobody wrote this')]).toEqual([null, null])
  })

  test.each(STATES)('a state that fires, %j', (state, column) => {
    expect(stateColumn(state)).toBe(column)
    expect(stateFrom(column)).toEqual(state)
  })

  test('a position that was closed, with its orders', () => {
    const orders = [{ ...anOrder({}), isProtective: true }]
    const column = readingsColumn([{ position: aPosition(), orders }])
    expect(column).toContain(`"owner":"${ALICE}"`)
    expect(column).toContain('"guardsPosition":true')
    expect(column).not.toMatch(/"wallet":|"isProtective":/)
    expect(readingsFrom(column)).toEqual([{ position: aPosition(), orders }])
  })
})

/** A database, the store on it, and a way to look at one column. */
async function opened() {
  const file = openDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const store = openSqlite('', 'sim', () => file)
  await store.memory.commit(chatsOfAlice(1))
  return { store, column: (sql: string) => file.sqlite.prepare(sql).pluck().get(), exec: file.sqlite }
}

describe('a database on which an earlier version worked', () => {
  test('keeps its reasons, in the outbox and in the timeline', async () => {
    const { store, column } = await opened()
    await store.memory.commit([
      { is: 'alert', alert: anAlert({ openedAt: 10 }) },
      ...sends(aRow({ id: 1, alertIds: [41], reason: 'occurred' })),
      { is: 'step', step: aStep({ at: 10, reason: 'fired', rowId: 1 }) },
      { is: 'step', step: aStep({ at: 11, reason: 'reminder' }) },
    ])
    expect(column('SELECT reason FROM outbox')).toBe('happened')
    expect(column('SELECT began_reason FROM alerts')).toBe('entered')
    expect(column('SELECT reason FROM steps')).toBe('repeated')
    expect((await store.history.timeline(41)).map(({ reason }) => reason)).toEqual(['fired', 'reminder'])
    expect(await store.outbox.round(aTurn())).toMatchObject([{ id: 1, reason: 'occurred' }])
    await store.admin.close()
  })

  test('goes on with its states, its event states, its mutes and its closed positions', async () => {
    const { store, exec } = await opened()
    const position = aPosition()
    const gone: ClosedPosition = {
      ...{ key: positionKey(position), position, symbol: 'ETH', lastSeenAt: 4, awaySince: null },
      ...{
        cause: 'unknown',
        lastPrice: 1,
        lastDistance: null,
        worstPrice: null,
        ending: null,
        takerFee: null,
      },
      orders: [anOrder({ isProtective: true })],
    }
    const [wallet] = [...everything().wallets]
    if (!wallet) throw new Error('there is one')
    const order = anOrder({ isProtective: true })
    const [[state] = []] = STATES
    if (!state) throw new Error('there is one')
    const monitor = aMonitor()
    await store.memory.commit([
      { is: 'wallet', memory: { ...wallet, gone: [gone] } },
      { is: 'state', row: { monitor, state, value: 0.1, params: {} } },
      { is: 'memo', row: { monitor, memo: [{ order, position }] } },
      { is: 'mute', mute: { chatId: 1, of: { is: 'wallet', wallet: ALICE }, until: 9 } },
    ])
    const columns = ['gone FROM owners', 'state FROM states', 'memo FROM memos', 'muted FROM mutes']
    const written = columns.map((one) => String(exec.prepare(`SELECT ${one}`).pluck().get())).join('\n')
    expect(written).not.toMatch(
      /"wallet":|"isProtective":|"acknowledgement":|"remindAt":|"reminders":|"waiting"/,
    )
    expect(written).toMatch(/"guardsPosition":true/)
    expect(written).toMatch(/"heed":\{"is":"none"/)
    const loaded = await store.memory.load()
    expect([...loaded.wallets]).toMatchObject([{ gone: [gone] }])
    expect(loaded.states).toMatchObject([{ state }])
    expect(loaded.memos).toEqual([{ monitor, memo: [{ order, position }] }])
    expect(loaded.mutes).toMatchObject([{ of: { is: 'wallet', wallet: ALICE } }])
    await store.admin.close()
  })
})
