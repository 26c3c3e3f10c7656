import { describe, expect, test } from 'vitest'

import { type Json, ordersPath, positionsPath, startSim, SUGGESTED } from '../../support/sim.ts'

const open = { SIM_CONTROL: '1' }

describe('the control door', () => {
  test('is closed by default', async () => {
    await using sim = await startSim()
    expect((await sim.send('GET', '/_sim/state')).status).toBe(404)
    expect((await sim.send('DELETE', '/_sim/fault')).status).toBe(404)
    const shock = { symbol: 'ETH', shockPercent: -50 }
    expect((await sim.send('POST', '/_sim/price', shock)).status).toBe(404)
    expect((await sim.send('POST', '/_sim/fault', { path: '*', kind: 'hang' })).status).toBe(404)
    expect((await sim.positions()).length).toBe(4)
  })

  test('sets a price now, from which the path goes on', async () => {
    await using sim = await startSim(open)
    const { body } = await sim.send('POST', '/_sim/price', { symbol: 'sol', price: 200.5 })
    expect(body).toMatchObject({ symbol: 'Sol', price: 200.5, liquidated: [] })
    expect((await sim.market('Sol')).price).toBe(200.5)
    await sim.clock.advance(5_000)
    const later = (await sim.market('Sol')).price
    expect(later).not.toBe(200.5)
    expect(later / 200.5).toBeCloseTo(1, 1)
  })

  test('shocks a market for good and leaves the others as they would have been', async () => {
    await using shocked = await startSim(open)
    await using calm = await startSim(open)
    await shocked.send('POST', '/_sim/price', { symbol: 'LINK', shockPercent: -20 })
    for (const sim of [shocked, calm]) await sim.clock.advance(300_000)
    const ratio = (await shocked.market('LINK')).price / (await calm.market('LINK')).price
    expect(ratio).toBeCloseTo(0.8, 8)
    expect(await shocked.market('ETH')).toEqual(await calm.market('ETH'))
    expect(await shocked.positions()).toEqual(await calm.positions())
  })

  test('shows the whole state', async () => {
    await using sim = await startSim(open)
    await sim.clock.advance(10_000)
    await sim.send('POST', '/_sim/fault', { path: '/markets', kind: 'empty', times: 3 })
    const state = await sim.read('/_sim/state')
    expect(state).toMatchObject({ speed: 600, seed: 1, marketSeconds: 6_000, replay: null })
    expect(state.faults).toEqual([{ path: '/markets', kind: 'empty', times: 3 }])
    const eth = state.positions.find((one: Json) => one.owner === SUGGESTED && one.symbol === 'ETH')
    expect(eth.distancePercent).toBeCloseTo(100 * (1 - eth.liquidationPrice / eth.price), 6)
  })

  test.each([
    ['/_sim/price', '{', /JSON object with symbol/],
    ['/_sim/price', { symbol: 'ETH' }, /either price or shockPercent/],
    ['/_sim/price', { symbol: 'ETH', price: 1, shockPercent: 1 }, /either price or shockPercent/],
    ['/_sim/price', { symbol: 'ETH', price: -1 }, /price is a decimal above 0/],
    ['/_sim/price', { symbol: 'ETH', shockPercent: -100 }, /shockPercent is above -100/],
    ['/_sim/price', { symbol: 'GOLD', price: 1 }, /There is no market GOLD; there are ETH,/],
    ['/_sim/price', { symbol: 'ETH', prize: 1 }, /nothing else/],
    ['/_sim/prices', { prices: { ETH: 2_000, GOLD: 1 } }, /There is no market GOLD; there are ETH,/],
    ['/_sim/prices', { prices: { ETH: 0 } }, /a price is a decimal above 0/],
    ['/_sim/fault', { path: 'markets', kind: 'hang' }, /path is "\*" or begins with "\/"/],
    ['/_sim/fault', { path: '*', kind: 'explode' }, /kind is one of status, delay/],
    ['/_sim/fault', { path: '*', kind: 'status', status: 42 }, /status is 200 or more/],
    ['/_sim/fault', { path: '*', kind: 'hang', times: 0 }, /times is 1 or more/],
  ])('refuses %s %j with a sentence', async (path, body, message) => {
    await using sim = await startSim(open)
    const answer = await sim.send('POST', path, body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(message)
  })
})

describe('a fault', () => {
  const markets = '/markets'
  const fault = (kind: string, more: object = {}) => ({ path: markets, kind, times: 1, ...more })

  test('meets as many requests of its path as it says, and no others', async () => {
    await using sim = await startSim(open)
    await sim.send('POST', '/_sim/fault', fault('status', { status: 429, times: 2 }))
    expect((await sim.send('GET', positionsPath(SUGGESTED))).status).toBe(200)
    expect((await sim.send('GET', markets)).status).toBe(429)
    expect((await sim.send('GET', '/markets/100?chainId=8008')).status).toBe(429)
    expect((await sim.send('GET', markets)).status).toBe(200)
  })

  test('of any path never closes the control door, and can be cleared', async () => {
    await using sim = await startSim(open)
    await sim.send('POST', '/_sim/fault', { path: '*', kind: 'status', times: 100 })
    expect((await sim.send('GET', markets)).status).toBe(503)
    expect((await sim.read('/_sim/state')).faults).toHaveLength(1)
    expect((await sim.send('DELETE', '/_sim/fault')).body).toEqual({ faults: [] })
    expect((await sim.send('GET', markets)).status).toBe(200)
  })

  test('truncate answers half a JSON text', async () => {
    await using sim = await startSim(open)
    await sim.send('POST', '/_sim/fault', fault('truncate'))
    const response = await fetch(sim.url + markets)
    expect(response.status).toBe(200)
    await expect(response.json()).rejects.toThrow(SyntaxError)
  })

  test('html answers a page, empty answers nothing', async () => {
    await using sim = await startSim(open)
    await sim.send('POST', '/_sim/fault', fault('html', { status: 502 }))
    await sim.send('POST', '/_sim/fault', fault('empty'))
    const page = await fetch(sim.url + markets)
    expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html'])
    expect(await page.text()).toContain('<html>')
    const nothing = await fetch(sim.url + markets)
    expect([nothing.status, await nothing.text()]).toEqual([200, ''])
  })

  test('reset breaks the connection before any answer', async () => {
    await using sim = await startSim(open)
    await sim.send('POST', '/_sim/fault', fault('reset'))
    await expect(fetch(sim.url + markets)).rejects.toThrow('fetch failed')
  })

  test('delay answers late, by the clock', async () => {
    await using sim = await startSim(open)
    await sim.send('POST', '/_sim/fault', fault('delay', { delayMs: 700 }))
    const asked = fetch(sim.url + markets)
    await until(async () => (await sim.read('/_sim/state')).faults.length === 0)
    expect(sim.clock.waiting()).toBe(1)
    await sim.clock.advance(700)
    expect((await asked).status).toBe(200)
    expect(sim.clock.waiting()).toBe(0)
  })

  test('hang never answers, until the faults are cleared', async () => {
    await using sim = await startSim(open)
    await sim.send('POST', '/_sim/fault', fault('hang'))
    const asked = fetch(sim.url + markets).then(
      () => 'answered',
      () => 'broken off',
    )
    await until(async () => (await sim.read('/_sim/state')).faults.length === 0)
    await sim.send('DELETE', '/_sim/fault')
    expect(await asked).toBe('broken off')
  })

  test('partial leaves a position out, and breaks a market and an order', async () => {
    await using sim = await startSim(open)
    await sim.send('POST', '/_sim/fault', { path: '*', kind: 'partial', times: 3 })
    const { positions, totalCount } = await sim.read(positionsPath(SUGGESTED))
    expect([positions.length, totalCount]).toEqual([3, 4])
    const [{ markets: list }] = await sim.read(markets)
    expect(list.map(({ price }: Json) => price === null).slice(0, 2)).toEqual([true, false])
    const { orders } = await sim.read(ordersPath(SUGGESTED, 'LimitSubmitted,Expired'))
    expect(orders).toEqual(['broken', expect.objectContaining({ status: 'Expired' })])
  })
})

/** Asks again until it is so; each turn is a whole request, so nothing spins. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) if (await isSo()) return
  throw new Error('it never came')
}
