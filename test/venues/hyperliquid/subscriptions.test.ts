import { expect, test } from 'vitest'

import { createSubscriptions } from '../../../src/venues/hyperliquid/subscriptions.ts'
import { handClock } from '../../support/clock.ts'
import { OWNER } from './records.ts'

test('balances for which there is no place are asked for again later, and the wallet keeps its own', async () => {
  const clock = handClock()
  const said: string[] = []
  /** A venue that has a place for the wallet's accounts and none for its balances. */
  const answers: (() => void)[] = []
  const subscriptions = createSubscriptions({
    clock,
    cut() {},
    sharesCollateral: () => true,
    say(message) {
      const text = JSON.stringify(message)
      said.push(text)
      if (text.includes('"subscribe"') && text.includes('spotState')) answers.push(subscriptions.refused)
      if (text.includes('allDexsClearinghouseState'))
        answers.push(() => subscriptions.confirmed('allDexsClearinghouseState', OWNER.toLowerCase()))
    },
  })
  const settles = () => {
    for (let many = 0; many < 100; many++) answers.shift()?.()
  }
  subscriptions.follow([OWNER])
  subscriptions.opened()
  settles()
  expect(said.length).toBeLessThan(5)
  expect(subscriptions.counts()).toMatchObject({ followed: 1, allowed: 10 })
  for (let second = 0; second < 60; second++) {
    await clock.advance(1_000)
    subscriptions.told('allDexsAssetCtxs', null)
    subscriptions.told('allDexsClearinghouseState', OWNER.toLowerCase())
    subscriptions.look()
    settles()
  }
  expect(said.filter((text) => text.includes('spotState')).length).toBeGreaterThan(1)
  expect(said.length).toBeLessThan(12)
})
