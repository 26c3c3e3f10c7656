import { expect, test } from 'vitest'
import { divide, fromNumber, multiply } from '../../../src/amount.ts'
import { startSim } from '../../support/sim.ts'
import type { Json } from '../../support/sim.ts'

const whole = (text: string) => BigInt(text.replace(/\.00$/, ''))
const rounded = (value: bigint, by: bigint) => {
  const doubled = (2n * value) / by
  return (doubled + (doubled < 0n ? -1n : 1n)) / 2n
}

test('the markets obey the identities of the real venue to the last digit, at any time', async () => {
  await using sim = await startSim()
  for (let look = 0; look < 8; look++) {
    const [element] = await sim.read('/markets')
    expect(element.chainId).toBe(8008)
    expect(element.markets.length).toBeGreaterThanOrEqual(8)
    for (const market of element.markets) checkIdentities(market)
    await sim.clock.advance(47_000)
  }
})

function checkIdentities(market: Json) {
  const [longs, shorts] = [whole(market.longOI), whole(market.shortOI)]
  const price = fromNumber(market.price) ?? 0n
  const rate = BigInt(market.currentFundingRate)
  expect(market.longOI).toMatch(/^\d+\.00$/)
  expect(longs - shorts).toBe(BigInt(market.skew))
  expect(market.currentSkew).toBe(market.skew)
  expect(longs + shorts).toBe(BigInt(market.currentOI))
  const share =
    longs + shorts === 0n ? '50.00' : (Number((longs * 10n ** 6n) / (longs + shorts)) / 1e4).toFixed(2)
  expect(Number(market.positiveSkew)).toBeCloseTo(Number(share), 1)
  expect(Number(market.positiveSkew) + Number(market.negativeSkew)).toBeCloseTo(100, 9)
  expect(market.currentFundingRate1HInPercentage).toBe(rounded(rate * 100n, 24n).toString())
  expect(market.currentFundingRate8HInPercentage).toBe(rounded(rate * 800n, 24n).toString())
  expect(market.currentFundingRate1YInPercentage).toBe((rate * 36500n).toString())
  for (const period of ['1H', '8H', '1Y']) {
    const current = BigInt(market[`currentFundingRate${period}InPercentage`])
    expect(BigInt(market[`netShortFundingRate${period}InPercentage`])).toBe(current)
    expect(BigInt(market[`netLongFundingRate${period}InPercentage`])).toBe(-current)
    expect(market[`currentInterestRate${period}InPercentage`]).toBe('0')
  }
  const bySize = multiply(BigInt(market.maxMarketSize), price)
  const byValue = BigInt(market.maxMarketValue)
  const most = bySize < byValue ? bySize : byValue
  expect(BigInt(market.availableLiquidityLong)).toBe(most - multiply(longs, price))
  expect(BigInt(market.availableLiquidityShort)).toBe(most - multiply(shorts, price))
  const ratio = divide(BigInt(market.skew), BigInt(market.skewScale))
  expect([9n, 24n].map((most) => (ratio * most).toString())).toContain(market.currentFundingVelocity)
}

test('there is a market without any interest whose funding is frozen, and one with all of it on one side', async () => {
  await using sim = await startSim()
  const before = await sim.market('PNUT')
  await sim.clock.advance(60_000)
  const after = await sim.market('PNUT')
  expect(after).toMatchObject({
    currentOI: '0',
    skew: '0',
    currentFundingVelocity: '0',
    positiveSkew: '50.00',
  })
  expect(after.currentFundingRate).toBe(before.currentFundingRate)
  expect(BigInt(after.currentFundingRate)).not.toBe(0n)
  const xrp = await sim.market('XRP')
  expect(['0.00', '100.00']).toContain(xrp.positiveSkew)
})

test('the list is sorted by its ids as text, with the spelling and the tiny price of the real one', async () => {
  await using sim = await startSim()
  const [{ markets }] = await sim.read('/markets')
  const ids = markets.map((market: Json) => market.marketId)
  expect(ids).toEqual([...ids].sort((a, b) => (a < b ? -1 : 1)))
  expect(ids.slice(0, 2)).toEqual(['100', '1000'])
  const symbols = markets.map((market: Json) => market.symbol)
  expect(symbols).toEqual(expect.arrayContaining(['ETH', 'BTC', 'Sol', 'DOGE', 'LINK', 'ARB', 'PEPE']))
  expect((await sim.market('PEPE')).price).toBeLessThan(0.00002)
})

test('one market can be read by its id on its chain, and an unknown one says so', async () => {
  await using sim = await startSim()
  const [{ markets }] = await sim.read('/markets')
  expect(await sim.read('/markets/300?chainId=8008')).toEqual(
    markets.find((market: Json) => market.marketId === '300'),
  )
  expect(await sim.send('GET', '/markets/12345?chainId=8008')).toEqual({
    status: 404,
    body: { message: 'Market 12345 not found' },
  })
  expect((await sim.send('GET', '/markets/300?chainId=1')).status).toBe(400)
})

test('no number in a text is written with an exponent', async () => {
  await using sim = await startSim()
  await sim.clock.advance(400_000)
  const response = await fetch(`${sim.url}/markets`)
  expect(await response.text()).not.toMatch(/"[^"]*\de[+-]?\d+[^"]*"/)
})
