import { expect, test } from 'vitest'

import { plainLines } from '../../../src/message/message.ts'
import { aMarket, aPosition, aRule, aWatch, exact } from '../../support/fixtures.ts'
import { startEngine } from '../../support/running.ts'

/** A long of $5,000 whose wallet lists no order, for longer than the rule waits. */
async function hears(hidesOrders: ReadonlySet<string | undefined>): Promise<string[]> {
  const rule = aRule({ kind: 'no-stop', params: { above: 1_000, lacks: 'both' } })
  const running = await startEngine({ watches: [aWatch()], rules: [rule] }, { hidesOrders })
  // Each reading takes a second.
  for (let seconds = 0; seconds < 330; seconds += 3) {
    await running.prices(aMarket({ price: exact('2500') }))
    await running.reads([aPosition({ size: exact('2') })])
    await running.lists([])
  }
  return running.hears()
}

test('a position without orders is told where the venue shows orders', async () => {
  expect(await hears(new Set())).toHaveLength(1)
})

test('a venue that shows nobody’s orders has said nothing by showing none', async () => {
  expect(await hears(new Set([undefined]))).toEqual([])
})

test('and another venue that shows none changes nothing', async () => {
  expect(await hears(new Set(['elsewhere']))).toHaveLength(1)
})

/** The words about a position that is gone from two looks, while no answer had any orders. */
async function closes(hidesOrders: ReadonlySet<string | undefined>): Promise<string> {
  const running = await startEngine(
    { watches: [aWatch()], rules: [aRule({ kind: 'position-closed', params: {} })] },
    { hidesOrders },
  )
  await running.prices(aMarket({ price: exact('2500') }))
  await running.reads([aPosition({ size: exact('2') })])
  running.kept()
  for (let look = 0; look < 3; look++) await running.reads([])
  const sent = running.kept().flatMap((write) => (write.is === 'send' ? [write.row.message] : []))
  return sent.flatMap((said) => plainLines(said, { now: running.clock.now(), zone: 'UTC' })).join('\n')
}

test('a close whose orders could not be read says so, and not where the venue shows nobody’s', async () => {
  const doubt = 'its orders could not be read'
  expect(await closes(new Set())).toContain(doubt)
  const told = await closes(new Set([undefined]))
  expect(told).toContain('ETH long')
  expect(told).not.toContain(doubt)
})
