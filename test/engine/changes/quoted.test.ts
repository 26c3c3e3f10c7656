import { expect, test } from 'vitest'

import { plainLines } from '../../../src/message/message.ts'
import type { Change } from '../../../src/store/change.ts'
import type { NewRow } from '../../../src/store/store.ts'
import { NOON } from '../../support/clock.ts'
import { aChat, aMarket, aPerson, aPosition, aRule, exact } from '../../support/fixtures.ts'
import { type Running, startEngine } from '../../support/running.ts'

type CloseQuoteNote = Extract<Change, { is: 'quoted' }>

const held = aPosition({ liquidationPrice: exact('2400') })
const lines = ['all: PnL -$1']
const critical = [{ alertId: 42, tier: 3, lines }]

/** Alice is warned of her long position, which is 4% from its liquidation; then this is known of it. */
async function after(
  quote: Partial<CloseQuoteNote>,
  happens: (running: Running) => Promise<unknown> = async () => {},
): Promise<NewRow[]> {
  const running = await startEngine({ rules: [aRule()] })
  await running.prices(aMarket())
  await running.reads([held])
  expect(running.hears()).toEqual(['1: ETH long: 4.0% to liquidation (A42)'])
  await happens(running)
  running.kept()
  await running.change({ is: 'quoted', alerts: critical, position: held, ...quote })
  return running.kept().flatMap((write) => (write.is === 'send' ? [write.row] : []))
}

test('what closing costs is added to the alert, quietly, for a minute, and nobody waits for it', async () => {
  const [row, ...more] = await after({})
  expect(row).toMatchObject({
    ...{ chatId: 1, silent: true, urgency: 2, about: [], alertIds: [42] },
    note: { alertId: 42, quote: ['all: PnL -$1'], details: [] },
  })
  expect((row?.expiresAt ?? 0) - (row?.queuedAt ?? 0)).toBe(60_000)
  expect(row && plainLines(row.message, { now: NOON, zone: 'UTC' })).toEqual([
    'ETH long · main: what closing costs (A42)',
    '  all: PnL -$1',
  ])
  expect(more).toEqual([])
})

test.each<[string, Partial<CloseQuoteNote>, ((running: Running) => Promise<unknown>)?]>([
  ['stands at another line by now', { alerts: [{ alertId: 42, tier: 2, lines }] }],
  ['is none of ours', { alerts: [{ alertId: 7, tier: 3, lines }] }],
  ['is over by now', {}, ({ prices }) => prices(aMarket({ price: exact('4000') }))],
  ['is about a position of another size by now', {}, ({ reads }) => reads([{ ...held, size: exact('3') }])],
])('nothing is added where the alert %s', async (_why, quote, happens) => {
  expect(await after(quote, happens)).toEqual([])
})

test('nothing is added in the chat that stands in for one in which it is held back', async () => {
  const broken = aChat({ quiet: { from: 0, to: 1_380 }, brokenBecause: 'blocked' })
  const other = aChat({ id: 2, address: { platform: 'discord', chat: 'dm', thread: null } })
  const persons = [aPerson({ fallbackChat: 2 })]
  const running = await startEngine({ rules: [aRule()], chats: [broken, other], persons })
  const far = { ...held, liquidationPrice: exact('2300') }
  await running.prices(aMarket())
  await running.reads([far])
  expect([running.hears(), running.kept().some(({ is }) => is === 'suppressed')]).toEqual([[], true])
  const alerts = [...running.engine.memory.monitors.firing.keys()].map((alertId) => ({
    alertId,
    tier: 2,
    lines,
  }))
  expect(alerts).toHaveLength(1)
  await running.change({ is: 'quoted', alerts, position: far })
  expect(running.kept()).toEqual([])
})

test('whoever has answered it is not told anew where it cannot be added', async () => {
  const ack: Change = {
    ...{ is: 'acknowledgement', as: 'acknowledged', alertIds: [42], by: 'Ann' },
    ...{ until: NOON + 3_600_000, readIn: null, seenUntil: Infinity },
  }
  const [row] = await after({}, ({ change }) => change(ack))
  expect(row?.note).toEqual({ alertId: 42, quote: ['all: PnL -$1'], details: [] })
  expect(row?.message.items).toEqual([])
})
