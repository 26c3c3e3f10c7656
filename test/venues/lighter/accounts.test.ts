import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../src/venue/amount.ts'
import type { PositionsAnswer } from '../../../src/venue/venue.ts'
import { ALICE, BOB, exact } from '../../support/fixtures.ts'
import { startMemory } from './memory.ts'

const summed = ({ positions, accounts }: PositionsAnswer) => ({
  positions: positions.map(({ marketId, size, liquidationPrice }) => ({
    ...{ marketId, size: toNumber(size) },
    liquidation: liquidationPrice === null ? null : toNumber(liquidationPrice),
  })),
  ratios: accounts.map(({ marginRatio }) => marginRatio),
  equities: accounts.map(({ equityUsd }) => toNumber(equityUsd ?? 0n)),
})

/** Whether both say the same, within the rounding of the venue's figures. */
function expectSame(ours: PositionsAnswer, theirs: PositionsAnswer): void {
  const [a, b] = [summed(ours), summed(theirs)]
  expect(a.positions.map(({ marketId, size }) => [marketId, size])).toEqual(
    b.positions.map(({ marketId, size }) => [marketId, size]),
  )
  for (const [at, { liquidation }] of b.positions.entries()) {
    const own = a.positions[at]?.liquidation ?? null
    if (liquidation === null) expect(own).toBeNull()
    else expect((own ?? 0) / liquidation).toBeCloseTo(1, 5)
  }
  for (const [at, ratio] of b.ratios.entries()) expect(a.ratios[at]).toBeCloseTo(ratio ?? -1, 6)
  for (const [at, equity] of b.equities.entries()) expect(a.equities[at]).toBeCloseTo(equity, 3)
}

/** Three cross positions of one account, and an isolated one. */
async function started() {
  const memory = await startMemory()
  const main = memory.standIn.account(ALICE, 9_000)
  main.trades('ETH', 4, { leverage: 10 })
  main.trades('BTC', -0.3, { leverage: 10 })
  main.trades('SOL', 50, { leverage: 5 })
  main.trades('XAU', 1, { leverage: 5, margin: 'isolated' })
  const before = await memory.look(ALICE)
  await memory.follow('market_stats/all')
  await memory.follow(`account_all/${main.index}`)
  return { memory, main, before, [Symbol.asyncDispose]: () => memory[Symbol.asyncDispose]() }
}

describe('what was read and then pushed', () => {
  test('is the same while nothing moves', async () => {
    await using bot = await started()
    expect(bot.memory.accounts.answerOf(ALICE)).toEqual(bot.before)
  })

  test('moves with the marks as the venue’s own figures do, also the liquidation prices of the others', async () => {
    await using bot = await started()
    const { memory, before } = bot
    memory.standIn.moves({ ETH: 3_300, BTC: 103_000, XAU: 3_900 })
    await memory.next('market_stats')
    const pushed = memory.accounts.answerOf(ALICE)
    expect(summed(pushed).positions[0]?.liquidation).not.toBe(summed(before).positions[0]?.liquidation)
    expectSame(pushed, await memory.look(ALICE))
  })

  test('goes on after a trade, which tells one position of several', async () => {
    await using bot = await started()
    const { memory, main } = bot
    memory.standIn.moves({ ETH: 3_400 })
    await memory.next('market_stats')
    main.trades('BTC', 0.1)
    const told = await memory.next('account_all')
    expect(told).toMatchObject({ wallet: ALICE, doubtful: false })
    expectSame(told?.answer ?? bot.before, await memory.look(ALICE))
  })

  test('goes on after an isolated position has grown, shrunk and closed', async () => {
    await using bot = await started()
    const { memory, main } = bot
    for (const size of [1, -0.5, -1.5]) {
      main.trades('XAU', size)
      const told = await memory.next('account_all')
      expect(told?.doubtful).toBe(false)
      expectSame(told?.answer ?? bot.before, await memory.look(ALICE))
    }
    expect(memory.accounts.sizeOf(String(main.index), '6')).toBe(0n)
  })

  test('counts a deposit as soon as the account’s figures are pushed', async () => {
    await using bot = await started()
    const { memory, main } = bot
    await memory.follow(`user_stats/${main.index}`)
    main.deposits(5_000)
    const told = await memory.next('user_stats')
    expectSame(told?.answer ?? bot.before, await memory.look(ALICE))
  })
})

describe('a frame', () => {
  const update = (index: number, positions: unknown, trades: unknown = {}) =>
    JSON.stringify({
      ...{ type: 'update/account_all', channel: `account_all:${index}`, positions, trades },
    })
  const held = (size: string, over = {}) => ({
    ...{ market_id: 0, symbol: 'ETH', sign: 1, position: size, position_value: '3550.69' },
    ...{ liquidation_price: '0', margin_mode: 0, initial_margin_fraction: '10.00', ...over },
  })
  const trade = (index: number, id: number, size: string) => ({
    ...{ trade_id: id, type: 'trade', market_id: 0, size, price: '3550.69', is_maker_ask: true },
    ...{ ask_account_id: 3, bid_account_id: index, timestamp: 1_763_623_734_215 },
  })

  test('that comes twice changes nothing the second time', async () => {
    await using bot = await started()
    const { memory, main } = bot
    main.trades('ETH', 1)
    const id = 9_000_000_000_000
    const text = update(main.index, { 0: held('6') }, { 0: [trade(main.index, id, '2')] })
    const first = memory.hear(text)
    const second = memory.hear(text)
    expect(second?.answer).toEqual(first?.answer)
    expect([first?.trades.length, second?.trades.length]).toEqual([1, 0])
    expect([first?.doubtful, second?.doubtful]).toEqual([false, false])
  })

  test('that comes late is not believed', async () => {
    await using bot = await started()
    const { memory, main } = bot
    const index = String(main.index)
    memory.hear(update(main.index, { 0: held('5') }, { 0: [trade(main.index, 9_000_000_000_002, '1')] }))
    memory.hear(update(main.index, { 0: held('4.5') }, { 0: [trade(main.index, 9_000_000_000_001, '0.5')] }))
    expect(memory.accounts.sizeOf(index, '0')).toBe(exact('5'))
  })

  test('after a lost one is believed, and doubted', async () => {
    await using bot = await started()
    const { memory, main } = bot
    const told = memory.hear(
      update(main.index, { 0: held('9') }, { 0: [trade(main.index, 9_000_000_000_001, '1')] }),
    )
    expect(told?.doubtful).toBe(true)
    expect(memory.accounts.sizeOf(String(main.index), '0')).toBe(exact('9'))
  })

  test('with a trade and without its position is doubted', async () => {
    await using bot = await started()
    const told = bot.memory.hear(
      update(bot.main.index, {}, { 0: [trade(bot.main.index, 9_000_000_000_001, '1')] }),
    )
    expect(told?.doubtful).toBe(true)
  })

  test('with a position that cannot be read leaves the old one and says so', async () => {
    await using bot = await started()
    const { memory, main } = bot
    const told = memory.hear(update(main.index, { 0: held('soon') }))
    expect(told?.doubtful).toBe(true)
    expect(told?.answer.unusable).toMatchObject([{ part: String(main.index) }])
    expect(memory.accounts.sizeOf(String(main.index), '0')).toBe(exact('4'))
    // The next read knows better.
    expect((await memory.look(ALICE)).unusable).toEqual([])
  })

  test('that overtakes an answer is the newer one', async () => {
    await using bot = await started()
    const { memory, main } = bot
    const text = update(main.index, { 0: held('5') }, { 0: [trade(main.index, 9_000_000_000_002, '1')] })
    const answer = await memory.look(ALICE, () => memory.hear(text))
    expect(answer.positions.find(({ marketId }) => marketId === '0')?.size).toBe(exact('5'))
    // An answer that was asked for later is newer again.
    const later = await memory.look(ALICE)
    expect(later.positions.find(({ marketId }) => marketId === '0')?.size).toBe(exact('4'))
  })

  test('of an account that nobody has looked at is nobody’s', async () => {
    await using bot = await started()
    expect(bot.memory.hear(update(99, { 0: held('1') }))).toBeNull()
  })

  test('that begins a subscription replaces everything', async () => {
    await using bot = await started()
    const text = update(bot.main.index, { 0: held('4') }).replace('update/', 'subscribed/')
    const told = bot.memory.hear(text)
    expect(told?.answer.positions.map(({ marketId }) => marketId)).toEqual(['0'])
  })
})

test('a wallet has the accounts of its last look, and each account its wallet', async () => {
  await using memory = await startMemory()
  const main = memory.standIn.account(ALICE, 100)
  const [first, second] = [String(main.index), String(main.sub(50).index)]
  expect(memory.accounts.accountsOf(ALICE)).toEqual([])
  await memory.look(ALICE)
  expect(memory.accounts.accountsOf(ALICE)).toEqual([first, second])
  expect([memory.accounts.walletOf(second), memory.accounts.walletOf('5')]).toEqual([ALICE, null])
  expect(memory.accounts.hasCross(first)).toBe(false)
  main.trades('ETH', 0.01)
  await memory.look(ALICE)
  expect(memory.accounts.hasCross(first)).toBe(true)
  await memory.look(BOB)
  expect(memory.accounts.accountsOf(BOB)).toEqual([])
})

test('an account of another address in the answer is not read as its own, and stays with its owner', async () => {
  await using memory = await startMemory()
  const [alice, bob] = [memory.standIn.account(ALICE, 1_000), memory.standIn.account(BOB, 2_000)]
  bob.trades('ETH', 1)
  const before = await memory.look(BOB)
  memory.standIn.rewrites('account', (said, { value }) => {
    const { accounts } = said as { accounts: object[] }
    const foreign = { ...accounts[0], index: bob.index, l1_address: BOB, positions: [] }
    return value === ALICE ? { ...said, accounts: [...accounts, foreign] } : said
  })
  const read = await memory.look(ALICE)
  expect(read.accounts.map(({ accountId }) => accountId)).toEqual([String(alice.index)])
  expect(read.failedParts).toEqual([{ part: String(bob.index), why: 'it belongs to another address' }])
  expect(memory.accounts.answerOf(BOB)).toEqual(before)
  expect(memory.accounts.answerOf(ALICE)).toEqual(read)
})

test('how a position ended is known from the trades that were pushed', async () => {
  await using bot = await started()
  const { memory, main } = bot
  const { trades } = memory
  const since = Date.now() - 60_000
  expect(trades.closeRecords(ALICE, since)).toEqual([])
  main.closes('SOL', 20)
  await memory.next('account_all')
  main.closes('SOL')
  await memory.next('account_all')
  const records = trades.closeRecords(ALICE, since)
  expect(records.map(({ marketId, side, how, left }) => [marketId, side, how, left])).toEqual([
    ['2', 'long', 'closed', exact('30')],
    ['2', 'long', 'closed', undefined],
  ])
  memory.standIn.moves({ ETH: 10 })
  await memory.next('account_all')
  const liquidated = trades.closeRecords(ALICE, since).filter(({ how }) => how === 'liquidated')
  expect(liquidated.map(({ accountId }) => accountId)).toContain(String(main.index))
  expect(trades.closeRecords(ALICE, Date.now() + 60_000)).toEqual([])
})
