import { ALICE } from '../support/bot.ts'
import { startHyperliquidBot } from '../support/hyperliquid-bot.ts'

const SCALPS = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const VAULT = '0xdfc24b077bc1425AD1DEA75bCB6f8158E10Df303'
const HOUR_S = 3_600

/** A trader's day at a venue that keeps records: trades, funding, a deposit, tokens, a vault, a sub-account. */
export async function openRecordsDesk() {
  const bot = await startHyperliquidBot({ pushes: false, marketPollMs: 60_000 })
  const main = bot.standIn.account(ALICE, { usd: 200_000 })
  main.owns('HYPE', 150, 10)
  main.joins(VAULT, 'HLP', 5_000)
  const role = { role: 'subAccount', data: { master: ALICE.toLowerCase() } } as const
  bot.standIn.account(SCALPS, { usd: 3_000, role }).state.outside.name = 'Scalps'
  await bot.says(`/watch ${ALICE} main`)
  await bot.says('/settings zone UTC')
  const { market } = main.trades('BTC', 5, { leverage: 5 })
  main.trades('ETH', -20, { leverage: 5 })
  await bot.pass(60)
  bot.standIn.moves({ BTC: market.mark * 1.02 })
  main.closes('BTC', 2)
  main.closes('ETH', 10)
  main.deposits(5_000)
  await bot.pass(HOUR_S)
  bot.hears()
  return bot
}
