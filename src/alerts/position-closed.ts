import { z } from 'zod'

import { eventKind } from '../alert.ts'
import type { OwnerSubject } from '../alert.ts'
import { GONE_SEVERITY, tellGone } from '../gone.ts'
import type { Gone } from '../gone.ts'
import { positionKey } from '../position.ts'

/** Tells when a position is gone, and what speaks for which cause. */
export default eventKind<Record<string, never>, string[]>({
  name: 'position-closed',
  aliases: ['closed'],
  summary: 'a position is closed or liquidated',
  example: 'position-closed',
  on: 'owner',
  params: z.object({}),
  armedByWatch: {},
  describe: () => '',
  typed: () => '',
  severity: (_params, { detail }) => GONE_SEVERITY[(detail as Gone).cause],
  fold(_params, memo, subject) {
    if (subject.is !== 'owner') throw new Error('position-closed judges owners')
    const known = new Set(memo)
    return {
      memo: subject.positions.map(positionKey).sort(),
      happened: subject.gone
        .filter((gone) => known.has(gone.key))
        .map((gone) => ({ what: gone.cause, value: gone.lastDistance, position: gone.key, detail: gone })),
    }
  },
  tell: (_params, { detail }, subject) => tellGone(detail as Gone, subject as OwnerSubject),
})
