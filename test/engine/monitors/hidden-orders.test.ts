import { expect, test } from 'vitest'

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
