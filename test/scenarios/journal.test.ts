import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { systemClock } from '../../src/runtime/clock.ts'
import takeLead from '../../src/stores/journal/lead.ts'
import { ALICE, type BotUnderTest, startBot } from '../support/bot.ts'
import { databaseUrl } from '../support/database-url.ts'
import { eventually } from '../support/patience.ts'
import { sharedPostgres } from '../support/postgres/shared.ts'
import { differences } from '../support/postgres/tables.ts'
import { temporaryFolder } from '../support/store.ts'

/** A bot on a journal. `standby` follows it into a new file, until that holds what the bot's holds. */
async function onJournal() {
  const { url } = await sharedPostgres()
  const bot = await startBot({ journalAt: url })
  const folder = temporaryFolder()
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort(new Error('over')))
  return {
    bot,
    async standby(): Promise<void> {
      const file = join(folder, 'standby.sqlite')
      const cell = databaseUrl(bot.database, url).replace(/file=[^&]*/, `file=${encodeURIComponent(file)}`)
      takeLead({ url: cell, clock: systemClock(), emit() {}, signal: stopping.signal }).catch(() => {})
      await eventually(() => differencesOf(bot, file).length === 0)
    },
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
}

function differencesOf(bot: BotUnderTest, file: string): string[] {
  try {
    return differences(bot.database, file)
  } catch (error) {
    // It is being made.
    return [String(error)]
  }
}

test('an evening on a journal: warned, acknowledged, killed, warned on, and a standby has all of it', async () => {
  await using world = await onJournal()
  const { bot, standby } = world
  bot.stage.market('BTC', { price: 100 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1, entry: 100, liquidation: 90 }])
  await bot.says(`/watch ${ALICE} main`)
  await bot.says('/guard')
  await bot.pass(4_000)
  bot.hears()
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(4_000)
  expect(bot.hears().join('\n')).toMatch(/BTC long: 4\.3%/)
  await bot.says('/ack A1')
  await bot.pass(1_000)
  // Its message is taken, and the process dies before it is noted as sent.
  bot.killed.beforeCommit(1)
  bot.stage.market('BTC', { price: 91.5 })
  await bot.pass(4_000)
  await bot.killed.start(1_000)
  await bot.pass(4_000)
  expect(bot.hears().join('\n')).toMatch(/BTC long: 1\.6%/)
  bot.stage.market('BTC', { price: 120 })
  await bot.pass(20_000)
  expect(bot.hears().join('\n')).toContain('safe again')
  await bot.restart()
  expect(await bot.says('/drill')).toMatch(/sent at once/)
  await standby()
})
