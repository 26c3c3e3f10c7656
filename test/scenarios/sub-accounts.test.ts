import { expect, test } from 'vitest'

import { onHyperliquid } from '../support/on-hyperliquid.ts'

const MASTER = '0x52908400098527886E0F7030069857D2E4169EE7'
const SUB = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

test.each([0, 1_000])(
  'a master with $%d and no position: its sub-accounts are named, and lead on',
  async (usd) => {
    await using bot = await onHyperliquid()
    bot.venue.account(MASTER, usd === 0 ? {} : { usd })
    const sub = bot.venue.account(SUB, {
      ...{ usd: 5_000, role: { role: 'subAccount', data: { master: MASTER.toLowerCase() } } },
    })
    sub.trades('BTC', 0.1, { leverage: 10 })
    const answer = await bot.answers(`/watch ${MASTER} main`)
    expect(answer).toContain('It has 1 sub-account, 1 with open positions.')
    expect(answer).toContain('I watch each only once you add it.')
    expect(answer).toContain('[Watch sub-accounts: /subs 0x52908400]')
    expect(await bot.answers(`/watch ${SUB} sub`)).toContain('BTC long')
  },
  60_000,
)

/** A master whose sub-accounts, this many, are all funded. The last one alone holds a position. */
async function withSubs(many: number) {
  const bot = await onHyperliquid()
  bot.venue.account(MASTER, { usd: 1_000 }).trades('BTC', 0.01, { leverage: 10 })
  const role = { role: 'subAccount', data: { master: MASTER.toLowerCase() } } as const
  const subs = Array.from({ length: many }, (_, n) =>
    bot.venue.account(`0x${(n + 1).toString(16).padStart(40, '0')}`, { usd: 5_000, role }),
  )
  subs.at(-1)?.trades('ETH', 1, { leverage: 10 })
  return bot
}

test('many sub-accounts are watched five at a time, those with positions first', async () => {
  await using bot = await withSubs(7)
  expect(await bot.answers(`/watch ${MASTER} main`)).toContain(
    'It has 7 sub-accounts, 1 with open positions.',
  )
  const first = await bot.answers('/subs main')
  expect(first).toMatch(/✓ Watching 5 sub-accounts of main\n {2}main · sub 7: 1 position\n/)
  expect(first).toContain('and 2 more')
  expect(first).toContain('[Watch sub-accounts: /subs 0x52908400]')
  expect(await bot.answers('/subs main')).toContain('✓ Watching 2 sub-accounts of main')
  expect(await bot.answers('/subs main')).toContain('You watch all sub-accounts of main already.')
}, 60_000)

test('a wallet without sub-accounts, and a venue that does not answer, are two answers', async () => {
  await using bot = await withSubs(0)
  await bot.answers(`/watch ${MASTER} main`)
  expect(await bot.answers('/subs main')).toContain('main has no sub-accounts.')
  await bot.pass(3_600_000)
  for (const type of ['subAccounts', 'subAccounts2'])
    bot.venue.fault({ kind: 'error', type, times: Infinity })
  expect(await bot.answers('/subs main')).toContain('I can’t see sub-accounts of main now.')
}, 120_000)

test('a sub-account of a watched wallet is the person’s own: nobody asks whose it is, and it has a name', async () => {
  await using bot = await withSubs(2)
  await bot.answers(`/watch ${MASTER} main`)
  const answer = await bot.answers('/watch 0x0000000000000000000000000000000000000002')
  expect(answer).toContain('Watching main · sub 1: 1 position')
}, 60_000)
