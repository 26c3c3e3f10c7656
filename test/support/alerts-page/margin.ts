import type { Account } from '../../../src/venue/account.ts'
import { ALICE, type BotUnderTest, startBot } from '../bot.ts'
import { handClock } from '../clock.ts'
import { anAccount, exact } from '../fixtures.ts'
import { type Chapter, forget, MINUTE_MS, passes } from './scene.ts'

const ETH = { symbol: 'ETH', size: -20, entry: 2_600, liquidation: 2_950 }
const BTC = { symbol: 'BTC', size: 1.5, entry: 120_000, liquidation: 97_000 }

/** By bot: what its venue says of the wallet's account from now on. */
const wallets = new WeakMap<BotUnderTest, Map<string, Account[]>>()

/** A long and a short that share $20,000, far from where either is liquidated alone. */
async function sharing(): Promise<BotUnderTest> {
  const accounts = new Map<string, Account[]>()
  const bot = await startBot({ accounts, clock: handClock() })
  wallets.set(bot, accounts)
  bot.stage.market('BTC', { price: 120_000, funding: 0.0001 })
  bot.stage.market('ETH', { price: 2_600 })
  bot.stage.positions(ALICE, [BTC, ETH])
  accounts.set(ALICE, [anAccount({ marginRatio: 0.14, maintenanceUsd: exact('2900') })])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.says('/settings zone UTC')
  await bot.pass(MINUTE_MS)
  forget(bot)
  return bot
}

/** It needs so much of its equity from now on; what was said by the time it has been read and has held. */
async function needs(bot: BotUnderTest, marginRatio: number, ms = 90_000): Promise<string[]> {
  wallets.get(bot)?.set(ALICE, [anAccount({ marginRatio, maintenanceUsd: exact('2900') })])
  return passes(bot, ms)
}

export const margin: Chapter = {
  title: 'An account comes near its maintenance margin',
  sections: [
    {
      title: 'A threshold is passed',
      words:
        'Where the venue shows accounts. Cross positions are liquidated together, by the margin that all of them need. Isolated positions don’t count.',
      begin: sharing,
      play: (bot) => needs(bot, 0.55),
    },
    {
      title: 'It is critical',
      words: 'It is judged when the wallet is read: within seconds near danger.',
      begin: sharing,
      async play(bot) {
        await needs(bot, 0.55)
        return needs(bot, 0.88, 10_000)
      },
    },
    {
      title: 'What closing its largest position would do',
      words:
        'The message is edited without ringing, as soon as the venue has answered. If the venue doesn’t say the new ratio, the message shows the liquidation price.',
      begin: sharing,
      async play(bot) {
        await needs(bot, 0.55)
        return (
          bot.platforms
            .get('recorder')
            ?.sees('me', 'me')
            .slice(-1)
            .map(({ text }) => text) ?? []
        )
      },
    },
    {
      title: 'A position and its account at once',
      words: 'One message, which gives the ways out once.',
      begin: sharing,
      async play(bot) {
        bot.stage.positions(ALICE, [BTC, { ...ETH, liquidation: 2_700 }])
        return needs(bot, 0.76)
      },
    },
    {
      title: 'It gets better, and is safe again',
      words: '',
      begin: sharing,
      async play(bot) {
        await needs(bot, 0.76)
        forget(bot)
        return [...(await needs(bot, 0.4, 10_000)), ...(await needs(bot, 0.1))]
      },
    },
    {
      title: 'Its positions are gone',
      words: 'The end of each is reported. An account without positions is no all-clear.',
      begin: sharing,
      async play(bot) {
        await needs(bot, 0.6)
        forget(bot)
        bot.stage.positions(ALICE, [])
        return needs(bot, 0, 10_000)
      },
    },
  ],
}
