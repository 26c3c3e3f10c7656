import { expect, test } from 'vitest'
import type { Kept, RecordingBlock, RecordingPart, RecordingPiece } from '../../../src/alert/backtest.ts'
import type { WithStore } from '../store.ts'
import { ALICE, BOB } from '../../support/fixtures.ts'
const ODD = 'xyz:BTC/USD|%2F ünï'

export function testRecordingStore(withStore: WithStore): void {
  test('what was seen: by the minute, by the hour, and for as long as it is to be kept', () =>
    withStore(async ({ store, reopen }) => {
      const bytes = (text: string) => new TextEncoder().encode(text)
      const block = (of: RecordingPart, id: string, since: number): RecordingBlock => ({
        ...{ of, id, since },
        data: bytes(`${of} ${id} ${since} ${'0123'.repeat(200)}`),
      })
      const piece = (at: number, id: string): RecordingPiece => ({ at, id, data: bytes(`${at} ${id}`) })
      const [early, late] = [block('prices', ODD, 10), block('prices', ODD, 50)]
      const held = [block('wallet', ALICE, 20), block('wallet', BOB, 20)]
      await store.memory.commit([
        { is: 'past', blocks: [late, early, block('bars', ODD, 10), ...held], pieces: [], inBlocks: null },
        { is: 'past', blocks: [], pieces: [piece(60, ''), piece(60, ALICE)], inBlocks: 60 },
        { is: 'past', blocks: [], pieces: [piece(120, ''), piece(120, BOB)], inBlocks: null },
      ])
      const again = await reopen()
      const plain = (all: readonly Kept<RecordingBlock | RecordingPiece>[]) =>
        all.map((one) => ({ ...one, data: new TextDecoder().decode(one.data) }))
      expect(plain(await again.recording.blocks('prices', ODD, 0))).toEqual(plain([early, late]))
      expect(plain(await again.recording.blocks('prices', ODD, 11))).toEqual(plain([late]))
      expect(await again.recording.blocks('prices', 'another', 0)).toEqual([])
      expect((await again.recording.pieces()).map(({ at, id }) => [at, id])).toEqual([
        [60, ''],
        [60, ALICE],
        [120, ''],
        [120, BOB],
      ])
      // With a wallet goes what was recorded of it; what is in blocks needs no pieces; the old is forgotten.
      const pastBefore = { prices: 50, bars: 5, wallet: 5, dark: 5 }
      await again.memory.commit([
        { is: 'wallet-gone', wallet: ALICE },
        { is: 'past', blocks: [], pieces: [], inBlocks: 61 },
        { is: 'prune', inputsBefore: 0, historyBefore: 0, pastBefore },
      ])
      expect((await again.recording.pieces()).map(({ at, id }) => [at, id])).toEqual([
        [120, ''],
        [120, BOB],
      ])
      expect(await again.recording.blocks('wallet', ALICE, 0)).toEqual([])
      // Whoever watches it again begins anew.
      const anew = [block('wallet', ALICE, 200)]
      await again.memory.commit([{ is: 'past', blocks: anew, pieces: [], inBlocks: null }])
      expect((await again.recording.blocks('wallet', ALICE, 0)).map(({ since }) => since)).toEqual([200])
      expect(await again.recording.blocks('wallet', BOB, 0)).toHaveLength(1)
      expect((await again.recording.blocks('prices', ODD, 0)).map(({ since }) => since)).toEqual([50])
      expect(await again.recording.blocks('bars', ODD, 0)).toHaveLength(1)
    }))
}
