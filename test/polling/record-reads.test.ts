import { describe, expect, test } from 'vitest'

import { createRecordReads } from '../../src/polling/record-reads.ts'
import type { BalancesAnswer } from '../../src/venue/record/balances.ts'
import type { Position } from '../../src/venue/position.ts'
import type { Venue } from '../../src/venue/venue.ts'
import { inEnglish } from '../dialog/world.ts'
import { breathe, handClock } from '../support/clock.ts'
import { aPosition } from '../support/fixtures.ts'
import { aWallet, DOWN, scriptedVenue } from '../support/polling.ts'

const EMPTY: BalancesAnswer = {
  ...{ perps: [], spot: [], vaults: [], staking: null, subAccounts: [] },
  ...{ unusable: [], failedParts: [] },
}

/** The reads over a venue that counts its requests, and answers as `balances` does. */
function reading(balances: () => Promise<BalancesAnswer>) {
  const clock = handClock()
  let asked = 0
  const purposes: unknown[] = []
  const state: { open: Position[] } = { open: [] }
  const learned: unknown[] = []
  const venue: Venue = {
    ...scriptedVenue(clock).venue,
    async balances() {
      asked++
      return balances()
    },
  }
  const read = createRecordReads({
    ...{ venue, clock, venues: [] },
    async ask(call, patience) {
      purposes.push(patience?.priority)
      const at = { at: clock.now(), mono: clock.monotonic() }
      const { signal } = new AbortController()
      const value = await call({
        ...{ patience: 'person', limitMs: 5_000, signal },
        spend: (request) => request(() => {}),
      })
      return { reading: { value, ...at }, of: () => at }
    },
    causeOf: () => 'The venue did not answer.',
    view: { positions: () => ({ value: state.open, at: clock.now(), mono: clock.monotonic() }) },
    learned: (...given) => void learned.push(given),
  })
  return { clock, read, asked: () => asked, purposes, learned, state }
}

const [ALICE, BOB] = [aWallet(1), aWallet(2)]

describe('the records that people ask for', () => {
  test('are null where the venue shows none', () => {
    const { read } = reading(() => Promise.resolve(EMPTY))
    expect(read.ledger).toBeNull()
    expect(read.twaps).toBeNull()
    expect(read.balances).not.toBeNull()
  })

  test('know when each wallet was last asked for, also where the venue does not answer', async () => {
    const clock = handClock()
    const venue: Venue = { ...scriptedVenue(clock).venue, ledger: () => Promise.reject(DOWN) }
    const read = createRecordReads({
      ...{
        venue,
        venues: [],
        clock,
        view: { positions: () => null },
        ask: () => Promise.reject(DOWN),
        causeOf: () => 'The venue did not answer.',
      },
      learned() {},
    })
    await read.ledger?.(ALICE, { since: 0, until: 1, of: ['fill'] })
    expect(read.ledgerAt(ALICE)).toBe(clock.now())
    expect(read.ledgerAt(BOB)).toBeNull()
  })

  test('are asked for once in 20 seconds, each wallet for itself', async () => {
    const { clock, read, asked } = reading(() => Promise.resolve(EMPTY))
    await read.balances?.(ALICE)
    await clock.advance(20_000)
    const again = await read.balances?.(ALICE)
    expect(again).toMatchObject({ is: 'read', late: null, reading: { at: clock.now() - 20_000 } })
    expect(asked()).toBe(1)
    await read.balances?.(BOB)
    expect(asked()).toBe(2)
    await clock.advance(1)
    await read.balances?.(ALICE)
    expect(asked()).toBe(3)
  })

  test('are asked for again at once after a trade or a liquidation', async () => {
    const { read, asked, state } = reading(() => Promise.resolve(EMPTY))
    state.open = [aPosition()]
    await read.balances?.(ALICE)
    await read.balances?.(ALICE)
    expect(asked()).toBe(1)
    state.open = []
    await read.balances?.(ALICE)
    expect(asked()).toBe(2)
  })

  test('are asked for once by two people at the same time', async () => {
    const { promise, resolve } = Promise.withResolvers<BalancesAnswer>()
    const { read, asked } = reading(() => promise)
    const [first, second] = [read.balances?.(ALICE), read.balances?.(ALICE)]
    resolve(EMPTY)
    expect(await first).toBe(await second)
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

describe('balances beside positions', () => {
  const later = <T>() => Promise.withResolvers<T>()

  test('are there with them, where the venue is quick', async () => {
    const { read } = reading(() => Promise.resolve(EMPTY))
    expect(await read.balances?.(ALICE, Promise.resolve())).toMatchObject({ is: 'read', late: null })
  })

  test('are left out after a moment, and there the next time', async () => {
    const answer = later<BalancesAnswer>()
    const { clock, read, asked } = reading(() => answer.promise)
    const first = read.balances?.(ALICE, Promise.resolve())
    await clock.advance(1_300)
    expect(inEnglish((await first) ?? {})).toMatchObject({
      waits: true,
      ...{ is: 'unseen', why: expect.stringContaining('not read in time') },
    })
    answer.resolve(EMPTY)
    await breathe(1)
    expect(await read.balances?.(ALICE, Promise.resolve())).toMatchObject({ is: 'read', late: null })
    expect(asked()).toBe(1)
  })

  test('are asked for once in five minutes there, and again where they have to be young', async () => {
    const { clock, read, asked } = reading(() => Promise.resolve(EMPTY))
    await read.balances?.(ALICE, Promise.resolve())
    await clock.advance(300_000)
    await read.balances?.(ALICE, Promise.resolve())
    expect(asked()).toBe(1)
    await read.balances?.(ALICE, Promise.resolve(), 'young')
    expect(asked()).toBe(2)
  })

  test('are waited for as long as the positions take, and no longer', async () => {
    const answer = later<BalancesAnswer>()
    const positions = later<void>()
    const { clock, read } = reading(() => answer.promise)
    let isOver = false
    const first = read.balances?.(ALICE, positions.promise).then((value) => {
      isOver = true
      return value
    })
    await clock.advance(4_000)
    expect(isOver).toBe(false)
    positions.resolve()
    await breathe(1)
    expect(isOver).toBe(true)
    expect(await first).toMatchObject({ is: 'unseen' })
  })

  test('are the last ones with their age, where new ones take too long', async () => {
    let answer = Promise.resolve(EMPTY)
    const { clock, read } = reading(() => answer)
    await read.balances?.(ALICE)
    answer = later<BalancesAnswer>().promise
    await clock.advance(600_000)
    const next = read.balances?.(ALICE, Promise.resolve())
    await clock.advance(1_300)
    expect(await next).toMatchObject({ is: 'read', reading: { at: clock.now() - 601_300 } })
  })

  test('are read one wallet after the other, after everything that protects a position', async () => {
    const answers = [later<BalancesAnswer>(), later<BalancesAnswer>()]
    const { read, asked, purposes } = reading(() => answers[asked() - 1]?.promise ?? Promise.resolve(EMPTY))
    void read.balances?.(ALICE, Promise.resolve())
    void read.balances?.(BOB, Promise.resolve())
    await breathe(1)
    expect(asked()).toBe(1)
    answers[0]?.resolve(EMPTY)
    await breathe(1)
    expect(asked()).toBe(2)
    expect(purposes).toEqual(['beside', 'beside'])
  })

  test('never keep somebody waiting who asks for them alone', async () => {
    const { read, asked, purposes } = reading(() =>
      asked() === 1 ? later<BalancesAnswer>().promise : Promise.resolve(EMPTY),
    )
    void read.balances?.(ALICE, Promise.resolve())
    await breathe(1)
    expect(await read.balances?.(ALICE)).toMatchObject({ is: 'read' })
    expect(purposes).toEqual(['beside', undefined])
  })
})

test('balances that lack a part are asked for again soon', async () => {
  const partly = { ...EMPTY, failedParts: [{ part: 'staking', why: 'it is late' }] }
  const { clock, read, asked } = reading(() => Promise.resolve(asked() === 1 ? partly : EMPTY))
  await read.balances?.(ALICE)
  await clock.advance(10_000)
  await read.balances?.(ALICE)
  expect(asked()).toBe(1)
  await clock.advance(1)
  expect(await read.balances?.(ALICE)).toMatchObject({ reading: { value: { failedParts: [] } } })
  expect(asked()).toBe(2)
})

test('sub-accounts are known by their master from then on', async () => {
  const sub = { wallet: BOB, name: 'Scalps', equityUsd: null, unpriced: [], positions: 0 }
  const { read, learned } = reading(() => Promise.resolve({ ...EMPTY, subAccounts: [sub] }))
  await read.balances?.(ALICE)
  expect(learned).toEqual([[ALICE, [sub]]])
})
