import { describe, expect, test } from 'vitest'

import { demandOf } from '../../../src/engine/observe/read-demand.ts'
import type { Position } from '../../../src/venue/position.ts'
import type { CloseRecord } from '../../../src/venue/venue.ts'
import { ALICE, aMarket, anEnding, aPosition, aRule, aWatch, exact } from '../../support/fixtures.ts'
import { type Running, startEngine } from '../../support/running.ts'

const venue = 'lighter'
const there = (over: Partial<Position> = {}) =>
  aPosition({ accountId: 'lighter/28', marketId: 'lighter/1', ...over })
const VENUES = [
  { name: 'hyperliquid', of: undefined, other: venue },
  { name: venue, of: venue, other: undefined },
] as const

/** A position at each venue, of which this one alone records who closed what. */
async function started(recording: string | undefined): Promise<Running> {
  const kinds = ['position-closed', 'position-resized']
  const running = await startEngine(
    {
      rules: kinds.map((kind, place) => aRule({ id: 9 + place, kind, params: {}, wallet: ALICE })),
      watches: [aWatch({ label: 'main' })],
    },
    { venues: ['hyperliquid', venue], showsCloseRecords: new Set([recording]) },
  )
  await priced(running)
  for (const one of [undefined, venue]) await shows(running, one, [at(one)])
  return running
}

const at = (of: string | undefined, over: Partial<Position> = {}) =>
  of === undefined ? aPosition(over) : there(over)

async function priced(running: Running): Promise<void> {
  await running.prices(aMarket({ price: exact('2700') }))
  const symbol = { id: 'lighter/1', symbol: 'lighter:ETH', dex: venue }
  await running.pricesAt(venue, aMarket({ ...symbol, price: exact('2700') }))
}

async function shows(
  running: Running,
  of: string | undefined,
  positions: Position[],
  closeRecords?: CloseRecord[],
): Promise<void> {
  const records = closeRecords === undefined ? {} : { closeRecords }
  await running.reads(positions, of === undefined ? records : { ...records, venue: of })
}

const heard = (running: Running) => running.hears().map((title) => title.replace(/ \(A\d+\)$/, ''))
const asks = ({ engine, clock }: Running, of: string | undefined) =>
  demandOf(engine.memory, ALICE, clock.monotonic(), of)

describe.each(VENUES)('where $name alone records who closed what', ({ of, other }) => {
  test('its missing position waits for the record once more, and the other’s for nothing', async () => {
    const running = await started(of)
    for (const one of [other, of]) await shows(running, one, [])
    await priced(running)
    await shows(running, other, [])
    await shows(running, of, [], [])
    expect(heard(running)).toEqual([expect.stringContaining(name(other))])
    await priced(running)
    await shows(running, of, [], [anEnding({ how: 'liquidated', at: running.clock.now() }, at(of))])
    expect(heard(running)).toEqual([expect.stringMatching(`${name(of)}.*liquidated`)])
  })

  test('it is asked why its position has shrunk, and the other is not', async () => {
    const running = await started(of)
    for (const one of [other, of]) await shows(running, one, [at(one, { size: exact('1') })])
    expect([asks(running, of).recordsOnly, asks(running, other).recordsOnly]).toEqual([true, undefined])
    expect(asks(running, other).confirm).toBe(false)
    const part = { how: 'liquidated', size: exact('1'), left: exact('1'), at: running.clock.now() } as const
    heard(running)
    await shows(running, of, [at(of, { size: exact('1') })], [anEnding(part, at(of))])
    expect(heard(running)).toEqual([`${name(of)} long was partly liquidated`])
    expect(asks(running, of).confirm).toBe(false)
  })
})

function name(of: string | undefined): string {
  return of === undefined ? '1: ETH' : '1: lighter:ETH'
}
