import type { RecordingBlock, RecordingPart, RecordingPiece } from '../../src/alert/backtest.ts'
import type { Snapshot } from '../../src/store/snapshot.ts'
import type { Store, Write } from '../../src/store/store.ts'

/** A store that takes everything, and can be asked for what was recorded and what was told. */
export function pastStore(remembered: Snapshot): { store: Store; told: Write[] } {
  const blocks = new Map<string, RecordingBlock>()
  const pieces = new Map<string, RecordingPiece>()
  const told: Write[] = []
  const take = (write: Write) => {
    if (write.is === 'past') {
      for (const block of write.blocks) blocks.set(`${block.of} ${block.id} ${block.since}`, block)
      for (const [key, { at }] of pieces) if (at < (write.inBlocks ?? 0)) pieces.delete(key)
      for (const piece of write.pieces) pieces.set(`${piece.at} ${piece.id}`, piece)
    }
    if (write.is === 'alert' || write.is === 'step') told.push(write)
  }
  const memory: Partial<Store['memory']> = {
    load: async () => remembered,
    async commit(writes) {
      writes.forEach(take)
      return []
    },
  }
  const store = {
    memory,
    recording: {
      blocks: async (of: RecordingPart, id: string, since: number) =>
        [...blocks.values()]
          .filter((one) => one.of === of && one.id === id && one.since >= since)
          .toSorted((a, b) => a.since - b.since),
      pieces: async () => [...pieces.values()],
    },
    admin: { check: async () => null },
  }
  return { store: store as unknown as Store, told }
}
