import { expect, test } from 'vitest'

import { onHyperliquid } from '../support/on-hyperliquid.ts'

const MASTER = '0x52908400098527886E0F7030069857D2E4169EE7'
const SCALPS = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const IDLE = '0xde709f2102306220921060314715629080e2fb77'
const VAULT = '0xdfc24b077bc1425AD1DEA75bCB6f8158E10Df303'

/** A master with positions of its own, tokens, a vault and two sub-accounts, of which one holds a position. */
async function holding() {
  const bot = await onHyperliquid()
  const master = bot.venue.account(MASTER, { usd: 20_000 })
  master.trades('BTC', 0.1, { leverage: 10 })
  master.owns('USDC', 0, 1_000)
  master.owns('HYPE', 150, 10)
  master.joins(VAULT, 'HLP', 5_000)
  const role = { role: 'subAccount', data: { master: MASTER.toLowerCase() } } as const
  const scalps = bot.venue.account(SCALPS, { usd: 3_000, role })
  scalps.state.outside.name = 'Scalps'
  scalps.trades('ETH', 1, { leverage: 10 })
  bot.venue.account(IDLE, { usd: 100, role })
  return Object.assign(bot, { master, scalps })
}

test('somebody watches a wallet, sees its total, and watches its sub-accounts with one tap', async () => {
  await using bot = await holding()
  const watched = await bot.answers(`/watch ${MASTER} main`)
  expect(watched).toContain('Watching main: 1 position')
  expect(watched).toContain('It has 2 sub-accounts, 1 with open positions.')
  expect(watched).toContain('[Watch sub-accounts: /subs 0x52908400]')
  await bot.pass(30_000)
  const before = await bot.answers('/positions')
  expect(before).toMatch(
    /Total \$29\.\dk\n {2}perps \$20k, spot \$1,400, vaults \$5,000, sub-accounts \$3,\d+/,
  )
  expect(before).toContain('1 sub-account of main with open positions isn’t watched')
  const subs = await bot.answers('/subs main')
  expect(subs).toContain('✓ Watching 2 sub-accounts of main')
  expect(subs).toContain('main · Scalps: 1 position')
  expect(subs).toContain('main · sub 2: 0 positions')
  await bot.pass(30_000)
  const after = await bot.answers('/positions')
  expect(after).toContain('ETH long · main · Scalps')
  expect(after).not.toContain('isn’t watched')
  // What was a part of the master is a wallet of its own now, and counts once.
  expect(after).toMatch(/Total \$29\.\dk: perps \$\d+\.?\d*k, spot \$1,400, vaults \$5,000/)
  expect(await bot.answers('/subs main')).toContain('You watch all sub-accounts of main already.')
  expect(bot.venue.asked.filter(({ status }) => status === 429)).toEqual([])
}, 60_000)

test('a critical alert of a sub-account names it', async () => {
  await using bot = await holding()
  await bot.answers(`/watch ${MASTER} main`)
  await bot.answers('/subs main')
  await bot.pass(30_000)
  bot.hears()
  bot.scalps.deposits(-2_850)
  await bot.pass(30_000)
  bot.venue.moves({ ETH: bot.venue.market('ETH').mark * 0.955 })
  await bot.pass(30_000)
  expect(bot.hears().join('\n')).toMatch(/ETH long[^]*main · Scalps/)
}, 60_000)

test('positions come as fast while balances hang, and say that the total lacks them', async () => {
  await using bot = await holding()
  for (const type of ['userVaultEquities', 'delegatorSummary', 'subAccounts2', 'subAccounts'])
    bot.venue.fault({ kind: 'hang', type, times: Infinity })
  await bot.answers(`/watch ${MASTER} main`)
  await bot.pass(60_000)
  const answer = await bot.answers('/positions')
  expect(answer).toContain('BTC long')
  expect(answer).toMatch(/without vaults: not read|without spot, vaults, staking: not read in time/)
  bot.venue.clearFaults()
  bot.venue.release()
  await bot.pass(20_000)
  await bot.answers('/positions')
  await bot.pass(20_000)
  expect(await bot.answers('/positions')).toContain('vaults $5,000')
}, 60_000)

test('balances are asked for on demand alone: nobody polls them', async () => {
  await using bot = await holding()
  await bot.answers(`/watch ${MASTER} main`)
  await bot.pass(30_000)
  const asked = bot.asked('userVaultEquities')
  await bot.pass(600_000)
  expect(bot.asked('userVaultEquities')).toBe(asked)
  await bot.answers('/balances')
  await bot.answers('/positions')
  expect(bot.asked('userVaultEquities')).toBe(asked + 1)
}, 60_000)

test('money that was withdrawn or liquidated is gone from /balances at once', async () => {
  await using bot = await holding()
  await bot.answers(`/watch ${MASTER} main`)
  await bot.pass(60_000)
  expect(await bot.answers('/balances')).toMatch(/^Total[^]*perps \$20k/)
  bot.master.deposits(-15_000)
  await bot.pass(10_000)
  const answer = await bot.answers('/balances')
  expect(answer).toMatch(/^Total[^]*perps \$4,9\d\d/)
  expect(answer).toMatch(/Perps: \$4,9\d\d/)
  const read = bot.asked('userVaultEquities')
  await bot.pass(21_000)
  await bot.answers('/balances')
  expect(bot.asked('userVaultEquities')).toBe(read + 1)
}, 60_000)
