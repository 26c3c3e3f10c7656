import { expect, test } from 'vitest'

import { kinds } from '../../../src/alerts/index.ts'
import { firingIn } from '../../../src/engine/notify/firing.ts'
import { aMarket, aPosition, aRule, exact } from '../../support/fixtures.ts'
import { startEngine } from '../../support/running.ts'

test('an alert whose position one answer lacks says that this is being checked, until it is known', async () => {
  const running = await startEngine({ rules: [aRule()] })
  const position = aPosition({ liquidationPrice: exact('2400') })
  const gone = () => firingIn(running.engine.memory, kinds, 1).map(({ alertId, isGone }) => [alertId, isGone])
  await running.prices(aMarket())
  await running.reads([position])
  expect(gone()).toEqual([[42, false]])
  await running.reads([])
  expect(gone()).toEqual([[42, true]])
  await running.reads([position])
  expect(gone()).toEqual([[42, false]])
  await running.reads([])
  await running.reads([])
  expect(gone()).toEqual([])
})
