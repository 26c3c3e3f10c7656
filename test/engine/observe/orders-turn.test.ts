import { describe, expect, test } from 'vitest'

import type { Rule } from '../../../src/alert/alert.ts'
import type { Order } from '../../../src/venue/order.ts'
import { aDraft, ALICE, aMarket, anOrder, aPosition, aRule, BOB, exact } from '../../support/fixtures.ts'
import { guards, waits } from '../../support/orders.ts'
import { type Running, startEngine } from '../../support/running.ts'

// Alice is long two ETH at 2500, and a rule of hers is about orders.

const rule = (kind: string, over: Partial<Rule> = {}) => aRule({ kind, params: {}, ...over })
const order = waits('1')
const filled: Order = { ...order, state: 'filled' }
const lost: Order = { ...order, state: 'expired' }

async function trading(rules = [rule('order-filled')], readNow = () => false) {
  const running = await startEngine({ rules }, { readNow })
  await running.prices(aMarket())
  await running.reads([aPosition()])
  return running
}

/** What was said since the last call, without the numbers of alerts. */
const heard = (running: Running) => running.hears().map((title) => title.replace(/ \(A\d+\)$/, ''))

/** Prices go on coming, and nothing else. */
async function passes(running: Running, ms: number): Promise<void> {
  for (let touchedLiquidation = 0; touchedLiquidation < ms; touchedLiquidation += 2_000) {
    await running.prices(aMarket())
    await running.clock.advance(1_000)
  }
}

describe('a list of orders', () => {
  test('is judged by the rules that need it, as of the moment at which it was asked for', async () => {
    const running = await trading()
    await running.lists([order])
    await running.lists([filled])
    expect(heard(running)).toEqual(['1: ETH buy order filled'])
  })

  test('that is older than the last one is not', async () => {
    const running = await trading()
    await running.lists([order])
    await running.lists([filled], { ageMs: 60_000 })
    expect(heard(running)).toEqual([])
    await running.lists([filled])
    expect(heard(running)).toHaveLength(1)
  })

  test('that does not show all of them is neither judged nor forgotten', async () => {
    const running = await trading()
    await running.lists([order])
    await running.lists([lost], { unusable: [{ what: 'order 2 of 2', why: 'it has no field', part: null }] })
    expect(running.engine.awaited(ALICE)).toEqual(['1'])
    await running.lists([filled])
    expect(heard(running)).toEqual(['1: ETH buy order filled'])
  })

  test('is judged once, however often the positions are read after it', async () => {
    const running = await trading()
    await running.lists([order])
    await running.lists([filled])
    await running.reads([aPosition()])
    await running.reads([aPosition()])
    expect(heard(running)).toHaveLength(1)
  })

  test('that could not be kept is told with the next one', async () => {
    const running = await trading()
    await running.lists([order])
    running.refuses((writes) => writes.some(({ is }) => is === 'send'))
    await running.lists([filled])
    expect([heard(running), running.engine.awaited(ALICE)]).toEqual([[], ['1']])
    running.refuses(() => false)
    await running.lists([filled])
    expect(heard(running)).toEqual(['1: ETH buy order filled'])
  })

  test('is nobody’s matter where no rule needs it', async () => {
    const running = await trading([rule('position-closed')])
    await running.lists([order])
    expect([running.engine.memory.wallets.orders.size, running.engine.readers()]).toEqual([0, []])
  })

  test('of a wallet that is not watched is nobody’s matter either', async () => {
    const running = await trading()
    await running.lists([order], { wallet: BOB })
    expect(running.engine.memory.wallets.orders.size).toBe(0)
  })

  test('writes nothing when nothing has changed', async () => {
    const running = await trading()
    await running.lists([order])
    running.kept()
    await running.lists([order])
    await running.lists([order])
    expect(running.kept().filter(({ is }) => is !== 'alive')).toEqual([])
  })
})

describe('after a restart', () => {
  test('what became of an order meanwhile is told once, as such', async () => {
    const running = await trading()
    await running.lists([order])
    await running.restart(600_000)
    expect(running.engine.awaited(ALICE)).toEqual(['1'])
    await running.prices(aMarket())
    // Positions come first; without orders nothing is folded.
    await running.reads([aPosition()])
    await running.lists([filled])
    await running.lists([filled])
    expect(heard(running)).toEqual(['1: ETH buy order filled'])
    const [sent] = running.kept().flatMap((write) => (write.is === 'send' ? [write.row.message] : []))
    expect(JSON.stringify(sent)).toContain('while I was away')
  })

  test('an order that was told is not told again', async () => {
    const running = await trading()
    await running.lists([order])
    await running.lists([filled])
    await running.restart(600_000)
    await running.prices(aMarket())
    await running.reads([aPosition()])
    await running.lists([filled])
    expect(heard(running)).toEqual(['1: ETH buy order filled'])
  })
})

describe('a position without a stop loss', () => {
  const params = { above: 1_000, lacks: 'both' }
  const naked = [rule('no-stop', { params, holdMs: 60_000 })]

  test('is told when it has held, and when it is over', async () => {
    const running = await trading(naked)
    await running.lists([])
    await passes(running, 50_000)
    expect(heard(running)).toEqual([])
    await passes(running, 20_000)
    expect(heard(running)).toEqual(['1: ETH long has no take profit or stop loss'])
    await running.lists([guards('1', { stopLoss: '2300' })])
    expect(heard(running)).toEqual(['1: ETH long is protected now'])
  })

  test('is not near danger for it: it is not read more often', async () => {
    const running = await trading([rule('no-stop', { params, holdMs: 0 })])
    await running.lists([])
    expect(heard(running)).toHaveLength(1)
    expect(running.engine.demandOf(ALICE)?.nearDanger).toBe(false)
  })

  test('is told when its price rises over the line, and no fresh look at the positions is waited for', async () => {
    const from5200 = { ...params, above: 5_200 }
    const running = await trading([rule('no-stop', { params: from5200, holdMs: 0 })], () => true)
    await running.lists([])
    await passes(running, 10_000)
    await running.prices(aMarket({ price: exact('2700') }))
    expect(heard(running)).toEqual(['1: ETH long has no take profit or stop loss'])
  })

  test('that gets one while nothing else of its wallet moves is known to have it', async () => {
    const from5200 = { ...params, above: 5_200 }
    const running = await trading([rule('no-stop', { params: from5200, holdMs: 0 })])
    await running.lists([])
    for (let look = 0; look < 3; look++) await running.reads([aPosition()], { protectiveOrders: [] })
    await running.reads([aPosition()], { protectiveOrders: [guards('1', { stopLoss: '2300' })] })
    await running.prices(aMarket({ price: exact('2700') }))
    expect(heard(running)).toEqual([])
  })

  test('is not judged by orders that are too old', async () => {
    const running = await trading(naked)
    await running.lists([guards('1', { stopLoss: '2300' })])
    await passes(running, 130_000)
    await running.reads([aPosition()])
    expect(running.engine.memory.monitors.states.size).toBe(0)
    expect(heard(running)).toEqual([])
  })

  test('is guarded by what the venue shows beside it', async () => {
    const running = await trading([rule('no-stop', { params, holdMs: 0 })])
    await running.reads([aPosition()], { protectiveOrders: [guards('1', { stopLoss: '2300' })] })
    await running.lists([])
    expect(heard(running)).toEqual([])
    await running.reads([aPosition()], { protectiveOrders: [] })
    expect(heard(running)).toEqual(['1: ETH long has no take profit or stop loss'])
  })
})

describe('orders that cannot be read', () => {
  const fails = async (running: Running, ms = 185_000) => {
    for (let touchedLiquidation = 0; touchedLiquidation < ms; touchedLiquidation += 15_000) {
      running.engine.failed({ is: 'orders', wallet: ALICE }, 'HTTP 503')
      await passes(running, 14_000)
      await running.reads([aPosition()])
    }
  }

  test('are told after three minutes, once, and so is their return', async () => {
    const running = await trading()
    await running.lists([order])
    await fails(running, 150_000)
    expect(heard(running)).toEqual([])
    await fails(running)
    expect(heard(running)).toEqual(['1: I can’t see the orders of wallet main'])
    await running.lists([filled])
    expect(heard(running)).toEqual([
      '1: I can see the orders of wallet main again',
      '1: ETH buy order filled',
    ])
    await running.lists([filled])
    expect([heard(running), running.engine.memory.sources.accountSources.size]).toEqual([[], 0])
  })

  test('are told by a bot that is restarted again and again as well', async () => {
    const running = await trading()
    await running.lists([order])
    for (let life = 0; life < 6; life++) {
      await fails(running, 45_000)
      await running.restart(0)
    }
    expect(heard(running)).toEqual(['1: I can’t see the orders of wallet main'])
  })

  test('have their patience anew once they were read, whatever an earlier run had missed', async () => {
    const running = await trading()
    await running.lists([order])
    await fails(running, 45_000)
    await running.restart(3_600_000)
    await running.prices(aMarket())
    await running.reads([aPosition()])
    await running.lists([order])
    await fails(running, 150_000)
    expect(heard(running)).toEqual([])
    await running.restart(0)
    await running.change({ is: 'remove', personId: 1, ruleId: 7 })
    expect(
      [...running.engine.memory.sources.failingSince.keys()].filter((source) => source.startsWith('orders/')),
    ).toEqual([])
  })

  test('are not told to whoever has no rule about them, nor when it is gone', async () => {
    const running = await trading()
    await running.lists([order])
    await fails(running, 200_000)
    heard(running)
    await running.change({ is: 'remove', personId: 1, ruleId: 7 })
    const { memory } = running.engine
    expect([
      memory.sources.blind.size,
      memory.sources.outageNotices.size,
      memory.sources.accountSources.size,
    ]).toEqual([0, 0, 0])
    await running.restart(60_000)
    expect(running.engine.memory.sources.blind.size).toBe(0)
  })

  test('are not spoken of while the wallet itself cannot be read', async () => {
    const running = await trading()
    await running.lists([order])
    for (let touchedLiquidation = 0; touchedLiquidation < 400_000; touchedLiquidation += 16_000) {
      running.engine.failed({ is: 'orders', wallet: ALICE }, 'HTTP 503')
      running.engine.failed({ is: 'wallet', wallet: ALICE }, 'HTTP 503')
      await passes(running, 15_000)
    }
    expect(heard(running)).toEqual(['1: I can’t see wallet main'])
  })

  test('stop the time that a position without a stop loss has to hold', async () => {
    const params = { above: 1_000, lacks: 'both' }
    const running = await trading([rule('no-stop', { params, holdMs: 600_000 })])
    await running.lists([])
    await fails(running, 500_000)
    heard(running)
    await running.lists([])
    await passes(running, 30_000)
    const [state] = running.engine.memory.monitors.states.values()
    expect(state?.state).toMatchObject({ is: 'pending' })
    expect(state?.state.is === 'pending' && state.state.leftMs).toBeGreaterThan(300_000)
  })
})

describe('whose orders are read', () => {
  test('follows rules and watches', async () => {
    const running = await trading([rule('order-filled', { id: 7 })])
    const { engine } = running
    expect(engine.readers()).toEqual([ALICE])
    expect(engine.readers()).toBe(engine.readers())
    const draft = { ...aDraft({ kind: 'order-stuck', params: { after: 60_000 } }) }
    const { rules } = await running.change({ is: 'rule', personId: 1, chatId: 1, draft })
    await running.change({ is: 'remove', personId: 1, ruleId: 7 })
    expect(engine.readers()).toEqual([ALICE])
    await running.change({ is: 'remove', personId: 1, ruleId: rules[0]?.id ?? 0 })
    expect(engine.readers()).toEqual([])
    await running.change({ is: 'rule', personId: 1, chatId: 1, draft })
    await running.change({ is: 'unwatch', personId: 1, wallet: ALICE })
    expect(engine.readers()).toEqual([])
  })
})

test('an order of another market is told where the rule is about that one', async () => {
  const running = await trading([rule('order-filled', { market: { id: '200', symbol: 'BTC' } })])
  const btc = anOrder({ ...order, id: '2', marketId: '200' })
  await running.lists([order, btc])
  await running.lists([filled, { ...btc, state: 'filled' }])
  expect(heard(running)).toEqual(['1: BTC buy order filled'])
})
