import { once } from 'node:events'
import { connect } from 'node:net'

import { expect, test } from 'vitest'

import { doors } from '../../../src/venues/sim/http/host.ts'
import { listen } from '../../../src/venues/sim/http/server.ts'
import { marketListSchema } from '../../../src/venues/sim/wire/market.ts'
import { positionListSchema } from '../../../src/venues/sim/wire/position.ts'
import { handClock } from '../../support/clock.ts'
import { OWNER, stage } from '../../support/exchange.ts'
import { hosted } from '../../support/hosted.ts'
import { type Json, positionsPath, type SimUnderTest, startSim, SUGGESTED } from '../../support/sim.ts'

// The venue lives in the bot's own process: nothing that anybody sends may end it, or leave it with figures that are none.

const open = { SIM_CONTROL: '1' }

/** What comes back on a bare connection, which sends what no client would. */
async function raw(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write(text)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return answer.toString()
  } finally {
    socket.destroy()
  }
}

test.each(['//', 'http://', '//[', '*', 'http://[/markets'])(
  'the path %s is refused, and the venue lives on',
  async (path) => {
    await using sim = await startSim()
    const answer = await raw(sim.url, `GET ${path} HTTP/1.1\r\nHost: sim\r\n\r\n`)
    expect(answer).toMatch(path === '//' || path === '//[' ? /^HTTP\/1.1 404 / : /^HTTP\/1.1 400 /)
    expect(answer).toContain('"message"')
    expect((await sim.send('GET', '/markets')).status).toBe(200)
  },
)

test('another host in the path leads to no control door', async () => {
  await using sim = await startSim(open)
  expect(await raw(sim.url, 'GET //elsewhere/_sim/state HTTP/1.1\r\nHost: sim\r\n\r\n')).toMatch(/ 404 /)
})

test('a mistake of the venue itself is answered with 500', async () => {
  const fails = () => {
    throw new Error('there is a hole')
  }
  const server = await listen(0, handClock(), fails, () => null)
  const answer = await fetch(`${server.url}/markets`)
  expect(answer.status).toBe(500)
  expect(await answer.json()).toEqual({
    message: 'The simulated venue made a mistake: Error: there is a hole',
  })
  await server.close()
})

test.each([
  { price: 1e-12 },
  { price: '0.000000000001' },
  { price: 1e15 },
  { shockPercent: -99.9999 },
  { shockPercent: 1e9 },
])('with %j set again and again, prices stay prices while time goes by', async (move) => {
  await using sim = await startSim(open)
  for (let round = 0; round < 8; round++) {
    const moved = await sim.send('POST', '/_sim/price', { symbol: 'ETH', ...move })
    expect([200, 400]).toContain(moved.status)
    if (moved.status === 400) expect(moved.body.message).toMatch(/from 1e-12 to 1e15 USD/)
    await sim.clock.advance(3_000)
    await answersWell(sim)
  }
})

test.each([
  { price: 1e-13 },
  { price: 1e16 },
  { price: 1e120 },
  { price: 0 },
  { price: 'NaN' },
  { shockPercent: 1e120 },
])('%j is no price: it is said, and nothing has moved', async (move) => {
  await using sim = await startSim({ ...open, SIM_SPEED: '0' })
  const before = await sim.market('ETH')
  const { status, body } = await sim.send('POST', '/_sim/price', { symbol: 'ETH', ...move })
  expect(status).toBe(400)
  expect(body.message).toMatch(/from 1e-12 to 1e15 USD|above 0/)
  expect(await sim.market('ETH')).toEqual(before)
})

/** JSON texts that somebody may write in the place of a value. */
const VALUES = [
  ...['null', 'true', '[]', '[1]', '{}', '{"toString":1}', '""', '" "', '"x"', '"ETH "', '"__proto__"'],
  ...['-1', '0', '-0', '0.1', '1e-30', '1e21', '1e30', '1e120', '1e400', '-1e400', '2147483648', '1e15'],
  ...['9007199254740993', '"NaN"', '"Infinity"', '"1e99"', '"1e-99"', '"0x10"', '"1,5"', '"."', '"1."'],
  ...['"\\u0000"', '"\\ud800"', `"${'9'.repeat(29)}"`, `"${'9'.repeat(5_000)}"`],
]
const BODIES = [
  ...['', '{', 'null', '[]', '1', '"x"', '{}', '\u0000', '\uFEFF{}', '{"__proto__":{"symbol":"ETH"}}'],
  ...['['.repeat(30_000), `${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`, 'x'.repeat(70_000)],
]

/** Its example with each field, and with one too many, in turn replaced by each value. */
function* spoiled(example: object | null): Generator<string> {
  yield* BODIES
  for (const name of Object.keys({ ...example, more: 0 }))
    for (const value of VALUES) {
      const others = Object.entries({ ...example }).filter(([other]) => other !== name)
      const written = others.map(([other, one]) => `${JSON.stringify(other)}:${JSON.stringify(one)}`)
      yield `{${[...written, `${JSON.stringify(name)}:${value}`].join()}}`
    }
}

/** All fields that the door takes, not only those of its example. */
const MORE: Record<string, object> = {
  'POST /_sim/order': { limitPrice: 1, acceptablePrice: 1, takeProfit: 1, stopLoss: 1, expiresInSeconds: 9 },
  'POST /_sim/account': { accountId: '5' },
  'POST /_sim/fault': { path: '/nowhere', exactly: true, delayMs: 1 },
}

test.each(
  doors.filter(({ example }) => example !== null).map((door) => [door.method, door.path, door] as const),
)('%s %s takes or refuses whatever is sent, in a sentence of ours', async (method, path, { example }) => {
  await using sim = await startSim(open)
  for (const body of spoiled({ ...example, ...MORE[`${method} ${path}`] })) {
    const answer = await sim.send(method, path, body)
    expect([200, 400, 404, 409, 413], body.slice(0, 200)).toContain(answer.status)
    if (answer.status === 200) continue
    expect(answer.body.message).toMatch(/^[A-Za-z]/)
    expect(answer.body.message).not.toMatch(/Invalid|expected|Too (big|small)|undefined|\[object/)
  }
  await sim.clock.advance(5_000)
  await answersWell(sim)
})

test('what many do at the same time is done one after the other', async () => {
  await using venue = await hosted(stage().exchange)
  const many = <T>(what: (number: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 50 }, (_, at) => what(at)))
  const accounts = await many(() => venue.control('POST', 'account', { owner: OWNER, usd: 1_000 }))
  expect(new Set(accounts.map(({ accountId }: Json) => accountId)).size).toBe(50)
  const place = { accountId: accounts[0].accountId, symbol: 'ETH' }
  const orders = await many(() => venue.send('POST', '/_sim/order', { ...place, size: 1 }))
  expect(orders.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(orders.filter(({ status }) => status === 409)).toHaveLength(49)
  const out = await many(() => venue.send('POST', '/_sim/withdraw', { ...accountIdOf(place), usd: 30 }))
  expect(out.filter(({ status }) => status === 200)).toHaveLength(33)
})

test('faults wait, a hundred of them, and what is too much is said', async () => {
  await using venue = await hosted(stage().exchange)
  const add = () => venue.send('POST', '/_sim/fault', { path: '/markets', kind: 'status', times: 1e9 })
  for (let count = 1; count <= 100; count++) expect((await add()).status).toBe(200)
  expect(await add()).toMatchObject({ status: 409, body: { message: /^100 faults wait already/ } })
  await venue.control('DELETE', 'fault')
  expect((await venue.send('GET', '/markets')).status).toBe(200)
})

function accountIdOf({ accountId }: { accountId: string }) {
  return { accountId }
}

/** Every figure is one, of the shape that it is described with. */
async function answersWell(sim: SimUnderTest): Promise<void> {
  const markets = marketListSchema.parse(await sim.read('/markets'))
  for (const { price } of markets.flatMap((one) => one.markets)) expect(price).toBeGreaterThan(0)
  positionListSchema.parse(await sim.read(positionsPath(SUGGESTED)))
  expect((await sim.send('GET', `/orders/v2?owner=${SUGGESTED}&ownershipType=SuperOwner`)).status).toBe(200)
  const state = await sim.read('/_sim/state')
  for (const { price, fundingRatePerDay } of state.markets)
    expect([price, fundingRatePerDay]).toEqual([expect.any(Number), expect.any(Number)])
}
