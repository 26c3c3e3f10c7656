import { readFileSync } from 'node:fs'

import type { DrawingOrder } from '../../src/message/picture.ts'

export const RECORDED = new URL('recorded.jsonl', import.meta.url)

/** What the real bot was to draw in a story of record.ts. */
export interface Recorded {
  name: string
  order: DrawingOrder
}

export function readRecorded(): ReadonlyMap<string, DrawingOrder> {
  const lines = readFileSync(RECORDED, 'utf8').split('\n').filter(Boolean)
  const all = lines.map((line) => JSON.parse(line) as Recorded)
  return new Map(all.map(({ name, order }) => [name, order]))
}
