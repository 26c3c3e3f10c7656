import { describe, expect, test } from 'vitest'

import { type Asking, doubt, type Venue } from '../../src/venue/venue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'

/** A venue on which the owner holds something in two accounts, of which one can be made to fail. */
export interface Scoped {
  venue: Venue
  wallet: Wallet
  /** The one that can fail; the other one goes on. */
  part: string
  other: string
  fails(): void
  recovers(): void
  close(): Promise<void>
}

const asking: Asking = {
  patience: 'poll',
  limitMs: 5_000,
  signal: new AbortController().signal,
  spend: (request) => request(() => {}),
}

/** What a venue with several accounts for each wallet owes when one of them cannot be read. */
export function testScopes(name: string, open: () => Promise<Scoped>): void {
  describe(`an account that fails, ${name}`, () => {
    test('is told as unread, and nothing is said of what is in it', async () => {
      const { venue, wallet, part, other, fails, close } = await open()
      try {
        await venue.positions(wallet, asking)
        fails()
        const answer = await venue.positions(wallet, asking)
        expect(answer.failedParts.map((one) => one.part)).toEqual([part])
        expect(new Set(answer.positions.map(({ accountId }) => accountId))).toEqual(new Set([other]))
        expect(doubt(answer)).toBeNull()
      } finally {
        await close()
      }
    })

    test('is whole again when it answers', async () => {
      const { venue, wallet, part, other, fails, recovers, close } = await open()
      try {
        fails()
        await venue.positions(wallet, asking)
        recovers()
        const answer = await venue.positions(wallet, asking)
        expect(answer.failedParts).toEqual([])
        expect(new Set(answer.positions.map(({ accountId }) => accountId))).toEqual(new Set([part, other]))
      } finally {
        await close()
      }
    })
  })
}
