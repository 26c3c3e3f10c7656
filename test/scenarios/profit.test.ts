import { expect, test } from 'vitest'

import { startHyperliquidBot } from '../support/hyperliquid-bot.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const HOUR_S = 3_600

/** Noon of a Thursday: a wallet that has traded, closed a part, was paid funding once, and got a deposit. */
async function trading() {
  const bot = await startHyperliquidBot({ pushes: false, marketPollMs: 60_000 })
  const wallet = bot.standIn.account(WALLET, { usd: 40_000 })
  await bot.says(`/watch ${WALLET} main`)
  await bot.says('/settings zone UTC')
  const { market } = wallet.trades('BTC', 0.5, { leverage: 5 })
  await bot.pass(60)
  bot.standIn.moves({ BTC: market.mark * 1.02 })
  wallet.closes('BTC', 0.2)
  wallet.deposits(5_000)
  await bot.pass(HOUR_S)
  bot.hears()
  return { ...bot, wallet, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

/** The profit by the books of the stand-in itself. */
function booked({ state }: Awaited<ReturnType<typeof trading>>['wallet']): number {
  const trades = state.fills.reduce((sum, { closedPnl, fee }) => sum + closedPnl - fee, 0)
  return trades + state.payments.reduce((sum, { usd }) => sum + usd, 0)
}

test('what /pnl says is what the venue has booked, and the deposit is no part of it', async () => {
  await using bot = await trading()
  const profit = booked(bot.wallet)
  expect(profit).toBeGreaterThan(200)
  expect(bot.wallet.state.payments).toHaveLength(1)
  const answer = await bot.says('/pnl')
  expect(answer).toContain(`Today: +$${Math.round(profit)} · main`)
  expect(answer).toContain('Not counted: +$45k came in')
  // It was opened today: the open PnL began at nothing.
  expect(answer).toMatch(/Open PnL now (\+\$\d+) \(\1 today\)/)
  const file = String(await bot.says('/pnl csv day'))
  const rows = file.split('\n').filter((line) => /^"?20\d\d-/.test(line))
  const sum = rows.reduce((total, row) => total + Number(row.split(',')[15] ?? 0), 0)
  expect(rows).toHaveLength(5)
  expect(Math.abs(sum - profit)).toBeLessThan(0.005)
  expect(await bot.says('/pnl yesterday')).toContain('Yesterday: no trades, no funding · main')
  expect(await bot.says('/funding paid')).toContain('received +$0.07')
})

test('a daily and a weekly digest of the same minute both come, with the money that was read before', async () => {
  await using bot = await trading()
  await bot.says('/digest 13:30')
  await bot.says('/digest weekly Thu 13:30')
  await bot.pass(0.5 * HOUR_S + 30)
  const made = `+$${Math.round(booked(bot.wallet))}`
  const [daily = '', weekly = '', ...more] = bot.hears().toSorted()
  expect(more).toEqual([])
  expect(daily).toContain('Daily digest: BTC long · main')
  expect(daily).toMatch(/Since 14 Jan 13:30 UTC: \+\$\d+, until 13:(?:29|30) UTC/)
  expect(daily).toContain(`Since 14 Jan 13:30 UTC: ${made}`)
  expect(daily).toContain('Not counted: +$45k came in')
  expect(weekly).toContain(`Weekly digest: ${made} · 1 wallet`)
  expect(weekly).toMatch(/profit until 13:(?:29|30) UTC/)
  expect(weekly).toContain('Alerts since 8 Jan 13:30 UTC: 2 info')
  // Nothing that was told once is told again.
  bot.wallet.closes('BTC', 0.1)
  await bot.pass(60)
  await bot.says('/digest 14:00')
  await bot.pass(0.5 * HOUR_S)
  const next = bot.hears().find((text) => text.startsWith('Daily digest'))
  expect(next).toMatch(/Since 13:\d\d UTC: \+\$(?:12|13)\d, until (?:13:59|14:00) UTC/)
})

test('a digest comes in time without the money where the venue does not show it', async () => {
  await using bot = await trading()
  bot.standIn.fault({ kind: 'error', type: 'userFillsByTime', times: Infinity })
  await bot.says('/digest weekly Thu 13:15')
  await bot.pass(0.25 * HOUR_S + 5)
  expect(bot.hears().join('\n')).toContain('Weekly digest: profit not read in time, see /pnl')
})
