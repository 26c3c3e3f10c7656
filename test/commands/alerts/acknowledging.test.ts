import { expect, test } from 'vitest'

import type { Acknowledgement } from '../../../src/alert/alert-state.ts'
import type { Context, Firing } from '../../../src/command/context.ts'
import ack from '../../../src/commands/alerts/ack.ts'
import { plainLines } from '../../../src/message/message.ts'
import type { Change } from '../../../src/store/change.ts'
import { NOON } from '../../support/clock.ts'

// The look at the alerts and the commit are two moments: alerts change in between.

const WAITS: Acknowledgement = { is: 'waiting', since: NOON - 60_000, reminders: 0, remindAt: null }
const DONE: Acknowledgement = { is: 'acknowledged', by: 'anna', at: NOON, until: NOON + 43_200_000 }

function alert(alertId: number, acknowledgement: Acknowledgement = WAITS): Firing {
  return {
    ...{ alertId, acknowledgement, severity: 'warning', value: null, headroom: null, isGone: false },
    ...{ kind: 'price', params: {}, ruleIds: [alertId], subject: { is: 'venue' }, about: `BTC ${alertId}` },
    ...{ tier: 1, since: NOON - 60_000 },
  }
}

/** Says `/ack all` while `before` fires; once that is committed, `after` does. */
async function acknowledgesAll(before: Firing[], after: Firing[]) {
  const changes: Change[] = []
  let firing = before
  const context = {
    from: { private: true, writtenAt: NOON, seenUntil: NOON, name: 'anna', answerUnread: true },
    person: { id: 1 },
    reader: { now: NOON, zone: 'UTC' },
    kinds: [],
    view: { chatAt: () => null, chats: () => [], helping: () => [], firing: () => firing },
    change: async (change: Change) => {
      changes.push(change)
      firing = after
      return { rules: [], refused: null, repeated: false }
    },
  } as unknown as Context
  const [form] = ack.forms
  if (!form) throw new Error('no form')
  const said = await ack.run(context, form, { all: 'all' })
  return { changes, lines: plainLines(said, { now: NOON, zone: 'UTC' }) }
}

test('one that gets worse before it is committed is not said to be acknowledged: it rings on', async () => {
  const worse = alert(2, { ...WAITS, since: NOON + 500 })
  const { lines } = await acknowledgesAll(
    [alert(1), alert(2), alert(3)],
    [alert(1, DONE), worse, alert(3, DONE)],
  )
  expect(lines[0]).toContain('✓ 2 alerts: quiet until')
  expect(lines.join('\n')).toContain('A2: rang at 12:00 UTC')
  expect(lines.join('\n')).toContain('/ack A2')
})

test('one that ends before it is committed is counted apart', async () => {
  const { lines } = await acknowledgesAll([alert(1), alert(2), alert(3)], [alert(1, DONE), alert(3, DONE)])
  expect(lines[0]).toContain('✓ 2 alerts')
  expect(lines).toContain('  1 ended meanwhile')
})

test('an alert that a rule of one’s own and the bound chat both show is acknowledged once', async () => {
  const { changes } = await acknowledgesAll([alert(1), alert(1)], [alert(1, DONE)])
  expect(changes).toMatchObject([{ is: 'acknowledgement', alertIds: [1] }])
})

test('one that was acknowledged just now is left as it is, and one of last night is made to last longer', async () => {
  const old: Acknowledgement = { ...DONE, by: 'bob', until: NOON + 60_000 }
  const { changes } = await acknowledgesAll([alert(1, DONE), alert(2, old)], [alert(1, DONE), alert(2, DONE)])
  expect(changes).toMatchObject([{ alertIds: [2] }])
  expect((await acknowledgesAll([alert(1, DONE)], [])).changes).toEqual([])
})
