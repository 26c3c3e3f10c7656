import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { RecordingBlock, RecordingPiece } from '../../../src/alert/backtest.ts'
import { suppressedIn } from '../../../src/engine/backtest/position-timeline.ts'
import { courseOf } from '../../../src/engine/backtest/price-series.ts'
import { createRecorder, type PastWrite, type Recorder } from '../../../src/engine/recording/recorder.ts'
import { rowsFromBytes } from '../../../src/engine/recording/wallet-series.ts'
import { type Position, positionKey } from '../../../src/venue/position.ts'
import { NOON } from '../../support/clock.ts'
import { ALICE, aPosition, BOB, exact } from '../../support/fixtures.ts'
import { budget } from '../../support/seed.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
function atOnce<T>(work: Generator<void, T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value
}
const figures = (at: number, price: number) => ({ at, price, rate: 0.0005 })
const knew = (...positions: Position[]) => ({
  positions: new Map(positions.map((one) => [positionKey(one), { ...one, missing: false }])),
  accounts: null,
})

/** Ends what is over, and returns what is due. */
function dueAt(recorder: Recorder, now: number) {
  recorder.turn(now)
  return recorder.due()
}

/** Keeps what is due, as a store does, until nothing is; what it holds then. */
function kept(
  recorder: Recorder,
  now: number,
  disk: { blocks: RecordingBlock[]; pieces: RecordingPiece[] },
): void {
  for (;;) {
    const writes = dueAt(recorder, now) as PastWrite[]
    for (const write of writes) {
      disk.blocks.push(...write.blocks)
      disk.pieces = [...disk.pieces.filter(({ at }) => at >= (write.inBlocks ?? 0)), ...write.pieces]
      recorder.kept(write)
    }
    if (writes.length === 0) return
  }
}

const course = (
  disk: { blocks: RecordingBlock[] },
  recorder: Recorder,
  id = '100',
  until = NOON + 9 * HOUR,
) => {
  const of = (series: RecordingBlock['of'], name: string) => [
    ...disk.blocks.filter((one) => one.of === series && one.id === name).map(({ data }) => data),
    ...recorder.open(series, name),
  ]
  const read = { prices: of('prices', id), bars: of('bars', id), dark: of('dark', '') }
  return atOnce(courseOf(read, { until, staleMs: 12_000, holeMs: 4_000 }))
}

test('each price is there again, over hours and over a crash that loses what no minute had kept', () => {
  const disk = { blocks: [] as RecordingBlock[], pieces: [] as RecordingPiece[] }
  let recorder = createRecorder()
  const prices: number[] = []
  for (let second = 0; second < 2.5 * 3_600; second += 10) {
    const at = NOON + second * 1_000
    prices.push(2_500 + (second % 70) / 10)
    recorder.price('100', figures(at, prices.at(-1) ?? 0), true)
    if (second % 60 === 0) kept(recorder, at, disk)
  }
  expect([...course(disk, recorder).prices]).toEqual(prices)
  // Blocks of two hours, and the minutes since.
  expect(disk.blocks.filter(({ of }) => of === 'prices')).toHaveLength(2)
  expect(disk.pieces.length).toBeLessThanOrEqual(31)
  recorder = createRecorder()
  recorder.resume(disk.pieces)
  expect([...course(disk, recorder).prices]).toEqual(prices.slice(0, -5))
  kept(recorder, NOON + 3 * HOUR, disk)
  expect([...course(disk, recorder).prices]).toEqual(prices.slice(0, -5))
  expect(disk.pieces).toEqual([])
})

test('what could not be kept is kept the next time', () => {
  const recorder = createRecorder()
  recorder.price('100', figures(NOON, 2_500), true)
  expect(dueAt(recorder, NOON)).toHaveLength(1)
  expect(dueAt(recorder, NOON + 10_000)).toEqual([])
  const [again] = dueAt(recorder, NOON + MINUTE) as PastWrite[]
  expect(again?.pieces).toHaveLength(1)
  if (again) recorder.kept(again)
  expect(dueAt(recorder, NOON + 2 * MINUTE)).toEqual([])
})

test('the minute of many wallets is kept part by part, and of each wallet once', () => {
  const recorder = createRecorder()
  const wallets = Array.from({ length: 5 }, (_, at) => `0x${String(at).repeat(40)}`)
  for (const wallet of wallets) recorder.wallet(wallet, knew(aPosition()), NOON)
  recorder.turn(NOON)
  const parts: string[][] = []
  for (;;) {
    const [write] = recorder.due(2) as PastWrite[]
    if (!write) break
    parts.push(write.pieces.map(({ id }) => id))
    expect(new Set(write.pieces.map(({ at }) => at))).toEqual(new Set([NOON]))
    expect(recorder.isLeft()).toBe(parts.flat().length < wallets.length)
    recorder.kept(write)
    // News that come meanwhile belong to the next minute: their piece would replace the one of this minute.
    recorder.wallet(wallets[0] ?? '', knew(aPosition({ size: exact(String(parts.length + 1)) })), NOON + 1)
    recorder.turn(NOON + 1)
  }
  expect(parts).toEqual([wallets.slice(0, 2), wallets.slice(2, 4), wallets.slice(4)])
  const [next] = dueAt(recorder, NOON + MINUTE) as PastWrite[]
  expect(next?.pieces.map(({ id }) => id)).toEqual([wallets[0]])
})

test('when a part cannot be kept, all that is left waits for the next minute', () => {
  const recorder = createRecorder()
  const wallets = [ALICE, BOB]
  for (const wallet of wallets) recorder.wallet(wallet, knew(aPosition()), NOON)
  recorder.turn(NOON)
  expect(recorder.due(1)).toHaveLength(1)
  expect(recorder.due(1)).toEqual([])
  expect(recorder.isLeft()).toBe(false)
  const [again] = dueAt(recorder, NOON + MINUTE) as PastWrite[]
  expect(again?.pieces.map(({ id }) => id)).toEqual(wallets)
})

test('of a market that nobody is in, each minute is known by four prices', () => {
  const recorder = createRecorder()
  for (const [second, price] of [
    [1, 100],
    [20, 97],
    [40, 108],
    [59, 104],
    [61, 104],
  ] as const)
    recorder.price('100', figures(NOON + second * 1_000, price), false)
  const { prices, coarse } = course({ blocks: [] }, recorder)
  expect([...prices]).toEqual([100, 97, 108, 104, 104, 104, 104, 104])
  expect([...coarse].every((one) => one === 1)).toBe(true)
})

test('a time without prices is dark, and so is one in which only this market was not seen', () => {
  const recorder = createRecorder()
  for (const second of [0, 2, 4, 30, 32]) recorder.price('100', figures(NOON + second * 1_000, 100), true)
  recorder.dark(NOON + 4_000, NOON + 30_000)
  expect(course({ blocks: [] }, recorder).dark).toEqual([
    { since: NOON + 4_000, until: NOON + 30_000, noticedMs: 4_000 },
    { since: NOON + 4_000, until: NOON + 30_000, noticedMs: 12_000 },
  ])
})

test('a wall clock that is set back makes no time that runs backwards', () => {
  const recorder = createRecorder()
  for (const second of [0, 2, -600, -598, 4]) recorder.price('100', figures(NOON + second * 1_000, 100), true)
  const times = [...course({ blocks: [] }, recorder).times]
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
  expect(times.filter((at) => at >= NOON)).toEqual([NOON, NOON + 2_000, NOON + 4_000])
})

test('a wallet is known by its changes, and at the beginning of each hour as a whole', () => {
  const disk = { blocks: [] as RecordingBlock[], pieces: [] as RecordingPiece[] }
  const recorder = createRecorder()
  const moved = aPosition({ liquidationPrice: exact('2001.5') })
  recorder.wallet(ALICE, knew(aPosition()), NOON)
  recorder.wallet(ALICE, knew(aPosition({ fundingUsd: exact('3') })), NOON + 1_000)
  recorder.wallet(ALICE, knew(moved), NOON + 2_000)
  recorder.unseen(ALICE, NOON + 3_000, NOON + 4_000)
  kept(recorder, NOON + 5_000, disk)
  kept(recorder, NOON + HOUR, disk)
  recorder.unseen(ALICE, null, NOON + HOUR + 1_000)
  recorder.wallet(ALICE, knew(), NOON + HOUR + 1_000)
  const rows = [...disk.blocks.map(({ data }) => data), ...recorder.open('wallet', ALICE)].flatMap(
    rowsFromBytes,
  )
  const held = atOnce(suppressedIn(rows)).get(positionKey(aPosition())) ?? []
  expect(
    held.map(({ at, known, unseenSince }) => [at - NOON, known?.liquidationPrice ?? null, unseenSince]),
  ).toEqual([
    [0, exact('2000'), null],
    [2_000, exact('2001.5'), null],
    [4_000, exact('2001.5'), NOON + 3_000],
    [HOUR, exact('2001.5'), NOON + 3_000],
    [HOUR + 1_000, exact('2001.5'), null],
    [HOUR + 1_000, null, null],
  ])
})

test('where very much drifts, the smallest drifts are left out, and a change of size is not', () => {
  const recorder = createRecorder()
  const drifting = (step: number) =>
    aPosition({ liquidationPrice: exact('2000') + BigInt(step) * 10n ** 13n })
  for (let step = 0; step < 1_000; step++) recorder.wallet(ALICE, knew(drifting(step)), NOON + step)
  dueAt(recorder, NOON + 1_000)
  const before = recorder.open('wallet', ALICE).flatMap(rowsFromBytes).length
  for (let step = 1_000; step < 1_050; step++) recorder.wallet(ALICE, knew(drifting(step)), NOON + step)
  expect(recorder.open('wallet', ALICE).flatMap(rowsFromBytes)).toHaveLength(before)
  recorder.wallet(ALICE, knew({ ...drifting(1_050), size: exact('3') }), NOON + 2_000)
  expect(recorder.open('wallet', ALICE).flatMap(rowsFromBytes)).toHaveLength(before + 1)
})

test('what it holds of a wallet that nobody watches any more is gone', () => {
  const recorder = createRecorder()
  recorder.wallet(ALICE, knew(aPosition()), NOON)
  recorder.forget(ALICE)
  expect(recorder.open('wallet', ALICE)).toEqual([])
  expect(dueAt(recorder, NOON)).toEqual([])
})

test('a minute that lies there damaged is lost, and nothing else: the wallet is unknown until it is read', () => {
  const disk = { blocks: [] as RecordingBlock[], pieces: [] as RecordingPiece[] }
  const before = createRecorder()
  for (const minute of [0, 1, 2]) {
    const at = NOON + minute * MINUTE
    before.wallet(ALICE, knew(aPosition({ size: exact(String(2 + minute)) })), at)
    before.price('100', figures(at, 2_500 + minute), true)
    kept(before, at, disk)
  }
  const recorder = createRecorder()
  recorder.resume(
    disk.pieces.map((piece) => ({ ...piece, data: piece.at === NOON + MINUTE ? null : piece.data })),
  )
  recorder.wallet(ALICE, knew(aPosition({ size: exact('9') })), NOON + 3 * MINUTE)
  expect([...course(disk, recorder).prices]).toEqual([2_500, 2_502])
  const held = atOnce(suppressedIn(recorder.open('wallet', ALICE).flatMap(rowsFromBytes))).get(
    positionKey(aPosition()),
  )
  expect(held?.map(({ at, known }) => [at - NOON, known?.missing, known?.size])).toEqual([
    [0, false, exact('2')],
    [0, true, exact('2')],
    [3 * MINUTE, false, exact('9')],
  ])
})

test('a wallet whose wall clock is set back is known in the order in which it was read', () => {
  const recorder = createRecorder()
  const disk = { blocks: [] as RecordingBlock[], pieces: [] as RecordingPiece[] }
  const read = (at: number, size: string) =>
    recorder.wallet(ALICE, knew(aPosition({ size: exact(size) })), at)
  read(NOON, '2')
  read(NOON + MINUTE, '3')
  kept(recorder, NOON + MINUTE, disk)
  read(NOON - HOUR, '4')
  kept(recorder, NOON - HOUR, disk)
  read(NOON - HOUR + MINUTE, '5')
  read(NOON + 2 * MINUTE, '6')
  const rows = [...disk.blocks.map(({ data }) => data), ...recorder.open('wallet', ALICE)].flatMap(
    rowsFromBytes,
  )
  const held = atOnce(suppressedIn(rows)).get(positionKey(aPosition()))
  expect(held?.map(({ at, known }) => [at - NOON, known?.size])).toEqual([
    [0, exact('2')],
    [MINUTE, exact('3')],
    [MINUTE, exact('4')],
    // Another hour begins with all that is held.
    [MINUTE, exact('4')],
    [MINUTE, exact('5')],
    [2 * MINUTE, exact('6')],
  ])
})

test('a wallet that a run cannot read from its start on is not seen, until it can', () => {
  const recorder = createRecorder()
  recorder.unseen(ALICE, NOON - MINUTE, NOON)
  dueAt(recorder, NOON + HOUR)
  recorder.unseen(ALICE, null, NOON + HOUR)
  recorder.wallet(ALICE, knew(aPosition()), NOON + HOUR)
  const before = [
    { at: NOON - HOUR, whole: true, positions: Object.fromEntries(knew(aPosition()).positions) },
  ]
  const rows = [...before, ...recorder.open('wallet', ALICE).flatMap(rowsFromBytes)]
  expect(
    atOnce(suppressedIn(rows))
      .get(positionKey(aPosition()))
      ?.map(({ at, unseenSince }) => [at - NOON, unseenSince]),
  ).toEqual([
    [-HOUR, null],
    [0, NOON - MINUTE],
    [HOUR, null],
    [HOUR, null],
  ])
})

test('an hour ends once, wherever in a minute that is', () => {
  const recorder = createRecorder()
  const disk = { blocks: [] as RecordingBlock[], pieces: [] as RecordingPiece[] }
  recorder.wallet(ALICE, knew(aPosition()), NOON)
  for (let second = -30; second <= 60; second += 10) kept(recorder, NOON + HOUR + second * 1_000, disk)
  expect(disk.blocks.map(({ since }) => since - NOON)).toEqual([0])
})

const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
const answer = fc.record({
  btc: mostly('long', 'none', 'short', 'missing'),
  isSwapped: mostly(false, true),
  size: mostly('1', '2'),
  liquidation: fc.constantFrom('3000', '3000.0000001', '3001', null),
  funding: fc.constantFrom('0', '1'),
  afterMs: fc.constantFrom(0, 5_000, MINUTE, HOUR / 2),
  /** So many answers of others come before the next one: the smallest drifts are left out then. */
  others: mostly(0, 600),
})

test('an answer like the one before is recorded to the byte as any other, and passed on where it is none', () => {
  let again = 0
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 30 }), (answers) => {
      const [short, whole] = [createRecorder(), createRecorder()]
      const disks = [short, whole].map(() => ({
        blocks: [] as RecordingBlock[],
        pieces: [] as RecordingPiece[],
      }))
      let now = NOON
      for (const { btc, isSwapped, size, liquidation, funding, afterMs, others } of answers) {
        now += afterMs
        const fundingUsd = exact(funding)
        const liquidationPrice = liquidation && exact(liquidation)
        const eth = aPosition({ size: exact(size), liquidationPrice, fundingUsd })
        const other = aPosition({ marketId: '200', size: exact(btc === 'short' ? '-1' : '1'), fundingUsd })
        const positions = btc === 'none' ? [eth] : isSwapped ? [other, eth] : [eth, other]
        if (btc === 'missing') {
          const { accounts, positions: known } = knew(eth, other)
          const lacking = new Map([...known].map(([key, one]) => [key, { ...one, missing: true }]))
          for (const one of [short, whole]) one.wallet(ALICE, { accounts, positions: lacking }, now)
        }
        whole.wallet(ALICE, knew(...positions), now)
        if (short.again(ALICE, positions, now)) again++
        else short.wallet(ALICE, knew(...positions), now)
        for (const one of [short, whole])
          for (let n = 0; n < others; n++) one.wallet(BOB, knew(aPosition({ size: exact(`${n + 1}`) })), now)
        for (const [place, one] of [short, whole].entries())
          kept(one, now, disks[place] ?? { blocks: [], pieces: [] })
        expect(short.open('wallet', ALICE)).toEqual(whole.open('wallet', ALICE))
        expect(disks[0]).toEqual(disks[1])
      }
    }),
    { numRuns: budget(300, 30) },
  )
  expect(again).toBeGreaterThan(20)
})
