import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../src/venue/amount.ts'
import { averagePrice } from '../../../src/venue/record/twap.ts'
import { createClient } from '../../../src/venues/hyperliquid/client.ts'
import { handClock } from '../../support/clock.ts'
import { startHyperliquid } from '../../support/hyperliquid/server.ts'
import { OWNER } from './records.ts'

const MINUTE_MS = 60_000

/** The real client before the stand-in, which runs TWAPs on the same clock. */
async function opened() {
  const clock = handClock()
  const venue = await startHyperliquid({ clock })
  const user = venue.account(OWNER, { usd: 1_000_000 })
  const client = createClient({ url: venue.url, clock, emit: () => {}, random: () => 0.5 })
  const weigh = (type: string) => venue.asked.filter((one) => one.type === type)
  const read = async (withFills = true) => {
    const answer = await client.venue.twaps?.(
      OWNER,
      {
        ...{ patience: 'poll', limitMs: 5_000, signal: new AbortController().signal },
        spend: (request) => request(() => {}),
      },
      withFills,
    )
    if (!answer) throw new Error('the client shows no TWAPs')
    return answer
  }
  const dispose = async () => {
    await client.close()
    await venue.stop()
  }
  return { clock, venue, user, read, weigh, [Symbol.asyncDispose]: dispose }
}

describe('the TWAPs of a wallet', () => {
  test('a running one shows what its slices have filled, and at what average', async () => {
    await using at = await opened()
    const own = at.user.twaps({ coin: 'ETH', side: 'buy', size: 2, minutes: 10 })
    await at.clock.advance(3 * MINUTE_MS)
    at.venue.moves({ ETH: 2_500 })
    await at.clock.advance(2 * MINUTE_MS)
    const { twaps, unusable } = await at.read()
    expect(unusable).toEqual([])
    expect(twaps).toMatchObject([{ id: String(own.id), state: 'running', startedAt: own.at }])
    const [twap] = twaps
    expect(toNumber(twap?.filled?.size ?? 0n)).toBeCloseTo(own.executedSz, 9)
    expect(toNumber((twap && averagePrice(twap)) ?? 0n)).toBeCloseTo(own.executedNtl / own.executedSz, 6)
  })

  test('the next question reads the new slices alone', async () => {
    await using at = await opened()
    at.user.twaps({ coin: 'ETH', side: 'buy', size: 20, minutes: 60 })
    await at.clock.advance(30 * MINUTE_MS)
    await at.read()
    await at.clock.advance(MINUTE_MS)
    const again = await at.read()
    expect(at.weigh('userTwapSliceFillsByTime').map(({ weight }) => weight)).toEqual([23, 20])
    expect(toNumber(again.twaps[0]?.filled?.size ?? 0n)).toBeCloseTo((20 * 63) / 121, 3)
  })

  test('whoever asks for no fills, or has no running one, pays for the history alone', async () => {
    await using at = await opened()
    const twap = at.user.twaps({ coin: 'ETH', side: 'buy', size: 2, minutes: 10 })
    expect((await at.read(false)).twaps[0]?.filled).toBeNull()
    at.user.terminates(twap)
    expect((await at.read()).twaps[0]).toMatchObject({
      state: 'cancelled',
      filled: { size: 952n * 10n ** 14n },
    })
    expect(at.weigh('userTwapSliceFillsByTime')).toEqual([])
  })

  test('slices that cannot be read are said, and the TWAP is shown without them', async () => {
    await using at = await opened()
    at.user.twaps({ coin: 'ETH', side: 'buy', size: 2, minutes: 10 })
    at.venue.fault({ kind: 'error', type: 'userTwapSliceFillsByTime', times: 10 })
    const { twaps, unusable } = await at.read()
    expect(twaps).toMatchObject([{ state: 'running', filled: null }])
    expect(unusable.map(({ what }) => what)).toEqual(['the progress of its TWAPs'])
  })

  test('pages of whatever length neither lose nor double a slice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            minutes: fc.integer({ min: 5, max: 40 }),
            waitMs: fc.integer({ max: 1_500_000, min: 0 }),
          }),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        async (plan) => {
          await using at = await opened()
          // As if the venue sent 500 a page, and each slice in many fills of one millisecond.
          at.venue.rewrites('userTwapSliceFillsByTime', (slices: { fill: { sz: string; tid: number } }[]) =>
            slices
              .flatMap((one) =>
                Array.from({ length: 20 }, (_, n) => ({
                  ...one,
                  fill: { ...one.fill, sz: String(Number(one.fill.sz) / 20), tid: one.fill.tid * 100 + n },
                })),
              )
              .slice(0, 500),
          )
          const own = []
          for (const { minutes, waitMs } of plan) {
            own.push(at.user.twaps({ coin: 'ETH', side: 'buy', size: 4, minutes }))
            await at.clock.advance(waitMs)
            const { twaps, unusable } = await at.read()
            expect(unusable).toEqual([])
            for (const one of own) {
              const shown = twaps.find(({ id }) => id === String(one.id))
              expect(toNumber(shown?.filled?.size ?? -1n)).toBeCloseTo(one.executedSz, 6)
            }
          }
        },
      ),
      { numRuns: 8 },
    )
  })
})
