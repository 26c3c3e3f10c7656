import { describe, expect, test } from 'vitest'

import { plainLines } from '../../src/message/message.ts'
import type { Market } from '../../src/venue/market.ts'
import { aDialog, anInbound } from '../dialog/world.ts'
import { NOON } from '../support/clock.ts'
import { aMarket, exact } from '../support/fixtures.ts'

const HOUR_MS = 3_600_000

const aDexMarket = (symbol: string, volume: string, over: Partial<Market> = {}) =>
  aMarket({
    id: symbol,
    symbol,
    priceName: 'mark',
    price: exact('100'),
    otherPrice: exact('99'),
    volume24hUsd: exact(volume),
    fundingEveryMs: HOUR_MS,
    fundingRatePerDay: exact('0.0024'),
    accountId: 'main',
    ...over,
  })
const own = [
  ...Array.from({ length: 12 }, (_, at) => aDexMarket(`COIN${at}`, String(1_000 - at))),
  aDexMarket('MATIC', '0', { delisted: true }),
]
const built = [
  aDexMarket('xyz:NVDA', '900000', { dex: 'xyz', accountId: 'xyz', isolatedOnly: true }),
  aDexMarket('xyz:OLD', '0', { dex: 'xyz', accountId: 'xyz', delisted: true }),
  aDexMarket('flx:TSLA', '5', { dex: 'flx', accountId: 'flx' }),
]

/** What a person reads on a venue with three books, of which only the main one is in view now. */
async function says(line: string, others: readonly Market[] = built): Promise<string> {
  const seen = { at: NOON - 7 * 60_000, mono: 0 }
  const { dialog } = aDialog({
    view: {
      markets: () => new Map(own.map((market) => [market.id, market])),
      listed: () => new Map([...own, ...others].map((value) => [value.id, { value, ...seen }])),
      symbol: (id) => id,
    },
  })
  return plainLines(await dialog.line(anInbound(), line), { now: NOON, zone: 'UTC' }).join('\n')
}

describe('/markets on a venue with several books', () => {
  test('shows the venue’s own first, and names the others', async () => {
    const text = await says('/markets')
    expect(text).toContain('12 markets of main by volume in 24 h')
    expect(text).toContain('[Dex flx: /markets volume flx] [Dex xyz: /markets volume xyz]')
    expect(text).toContain('page 1 of 2')
    expect(text).not.toMatch(/NVDA|MATIC/)
  })

  test('shows another one, as it was last read, by the names that markets have there', async () => {
    const text = await says('/markets XYZ')
    expect(text).toContain('1 market of xyz by volume in 24 h')
    expect(text).toMatch(/^NVDA /m)
    expect(text).toContain('7 min old')
  })

  test('keeps the book when it is sorted otherwise', async () => {
    expect(await says('/markets funding xyz')).toContain('[Move: /markets move xyz]')
  })
})

describe('where a venue has more books than buttons', () => {
  test('the first have one, and all are named', async () => {
    const dexes = Array.from({ length: 8 }, (_, at) => `b${at}`)
    const text = await says(
      '/markets',
      dexes.map((dex) => aDexMarket(`${dex}:X`, '5', { dex, accountId: dex })),
    )
    expect(text).toContain(`other dexes: ${dexes.join(', ')}. For example /markets b7`)
    expect(text).toContain('[Dex b5: /markets volume b5]')
    expect(text).not.toContain('[Dex b6')
  })
})

describe('a market that is not in view is asked for', () => {
  test('when its funding is', async () => {
    expect(await says('/funding NVDA')).not.toMatch(/I can(?:no|’)t see/)
  })

  test('and it is one to set a rule on', async () => {
    expect(await says('/alert flip nvda')).not.toContain('No market called')
  })
})

describe('/funding where it is paid at every full hour', () => {
  test('says what it is an hour and a day, and when it is paid next', async () => {
    const text = await says('/funding COIN1')
    expect(text).toContain('87.6% a year · 0.24% a day · 0.01% an hour')
    expect(text).toContain('next payment at 13:00 UTC')
    expect(text).not.toContain('flip')
  })
})
