import { describe, expect, test } from 'vitest'

import { createRecordReads } from '../../src/polling/record-reads.ts'
import type { BalancesAnswer } from '../../src/venue/record/balances.ts'
import type { Venue } from '../../src/venue/venue.ts'
import { handClock } from '../support/clock.ts'
import { aWallet, DOWN, scriptedVenue } from '../support/polling.ts'

const EMPTY: BalancesAnswer = {
  ...{ perps: [], spot: [], vaults: [], staking: null, subAccounts: [] },
  ...{ unusable: [], failedParts: [] },
}

/** The reads over a venue that counts its requests, and answers as `balances` does. */
function reading(balances: () => Promise<BalancesAnswer>) {
  const clock = handClock()
  let asked = 0
  const venue: Venue = {
    ...scriptedVenue(clock).venue,
    async balances() {
      asked++
      return balances()
    },
  }
  const read = createRecordReads({
    ...{ venue, clock },
    async ask(call) {
      const at = { at: clock.now(), mono: clock.monotonic() }
      const { signal } = new AbortController()
      const value = await call({
        ...{ patience: 'person', limitMs: 5_000, signal },
        spend: (request) => request(() => {}),
      })
      return { reading: { value, ...at }, of: () => at }
    },
    causeOf: () => 'The venue did not answer.',
    learned: () => {},
  })
  return { clock, read, asked: () => asked }
}

const [ALICE, BOB] = [aWallet(1), aWallet(2)]

describe('the records that people ask for', () => {
  test('are null where the venue shows none', () => {
    const { read } = reading(() => Promise.resolve(EMPTY))
    expect(read.ledger).toBeNull()
    expect(read.twaps).toBeNull()
    expect(read.balances).not.toBeNull()
  })

  test('are asked for once in five minutes, each wallet for itself', async () => {
    const { clock, read, asked } = reading(() => Promise.resolve(EMPTY))
    await read.balances?.(ALICE)
    await clock.advance(300_000)
    const again = await read.balances?.(ALICE)
    expect(again).toMatchObject({ is: 'read', late: null, reading: { at: clock.now() - 300_000 } })
    expect(asked()).toBe(1)
    await read.balances?.(BOB)
    expect(asked()).toBe(2)
    await clock.advance(1)
    await read.balances?.(ALICE)
    expect(asked()).toBe(3)
  })

  test('are asked for once by two people at the same time', async () => {
    const { promise, resolve } = Promise.withResolvers<BalancesAnswer>()
    const { read, asked } = reading(() => promise)
    const both = [read.balances?.(ALICE), read.balances?.(ALICE)]
    resolve(EMPTY)
    expect(await Promise.all(both)).toHaveLength(2)
    expect(asked()).toBe(1)
  })

  test('are the last ones with their age and the reason, while the venue is out', async () => {
    let isDown = false
    const { clock, read } = reading(() => (isDown ? Promise.reject(DOWN) : Promise.resolve(EMPTY)))
    await read.balances?.(ALICE)
    isDown = true
    await clock.advance(600_000)
    expect(await read.balances?.(ALICE)).toMatchObject({
      is: 'read',
      late: 'The venue did not answer.',
      reading: { at: clock.now() - 600_000 },
    })
  })

  test('are unseen with the reason, where none came before', async () => {
    const { read } = reading(() => Promise.reject(DOWN))
    expect(await read.balances?.(ALICE)).toEqual({ is: 'unseen', why: 'The venue did not answer.' })
  })
})
