import { expect, test } from 'vitest'

import { ALICE, type BotUnderTest, BOB, CLAIM_CODE, startBot, UNHURRIED } from '../support/bot.ts'
import { joins } from '../support/people.ts'
import { titles } from '../support/watched.ts'

const MINUTE_MS = 60_000
const anna = { platform: 'red', user: 'anna' }
const bob = { platform: 'red', user: 'bob' }
const desk = (who: typeof anna) => ({
  ...who,
  place: { chat: 'desk', mayConfigure: true, whisper: false },
})
const long = (symbol: string) => ({ symbol, size: 1, entry: 120, liquidation: 90 })

/** Anna watches longs in BTC and ETH, and has bound a group in which Bob has an alert on the price of SOL. */
async function twoPeople(): Promise<BotUnderTest> {
  const bot = await startBot({ platforms: ['red'], settings: UNHURRIED })
  bot.platforms.get('red')?.groups.set('desk', { title: 'Desk', mayPost: true, configurers: ['anna', 'bob'] })
  for (const symbol of ['BTC', 'ETH', 'SOL']) bot.stage.market(symbol, { price: 130 })
  bot.stage.positions(ALICE, [long('BTC'), long('ETH')])
  await bot.pass(0)
  await bot.says(`/start ${CLAIM_CODE}`, anna)
  await joins(bot, bob)
  await bot.says(`/watch ${ALICE} main`, anna)
  await bot.says('/channel bind', desk(anna))
  await bot.says('/alert price SOL below 100', desk(bob))
  await bot.pass(20_000)
  for (const chat of ['anna', 'bob', 'desk']) bot.hears(chat, 'red')
  return bot
}
const falls = async (bot: BotUnderTest, price: number, ...symbols: string[]) => {
  for (const symbol of symbols) bot.stage.market(symbol, { price })
  await bot.pass(20_000)
}
const criticals = (bot: BotUnderTest, chat = 'anna') => titles(bot.hears(chat, 'red'))

test('in a private chat /ack all covers everything that rings for a person, also in the group that they have bound', async () => {
  await using bot = await twoPeople()
  await falls(bot, 94, 'BTC', 'ETH', 'SOL')
  for (const chat of ['anna', 'desk']) bot.hears(chat, 'red')
  const answer = await bot.says('/ack all', anna)
  expect(answer).toContain('✓ 3 alerts: quiet until')
  for (const name of ['BTC long · main', 'ETH long · main', 'SOL'])
    expect(answer).toMatch(new RegExp(`${name}.*acknowledged by anna until`))
  await bot.pass(10 * MINUTE_MS)
  expect([...criticals(bot), ...criticals(bot, 'desk')]).toEqual([])
})

test('somebody else’s alerts are none of it: Bob acknowledges what his own rule rings for', async () => {
  await using bot = await twoPeople()
  await falls(bot, 94, 'BTC', 'ETH', 'SOL')
  bot.hears('anna', 'red')
  expect(await bot.says('/ack all', bob)).toContain('✓ SOL: quiet until')
  await bot.pass(4 * MINUTE_MS)
  expect(criticals(bot).join()).toContain('BTC long')
})

test('in a group /ack all is about the alerts of that group alone', async () => {
  await using bot = await twoPeople()
  await falls(bot, 94, 'BTC', 'SOL')
  bot.hears('anna', 'red')
  const answer = await bot.says('/ack all', desk(anna))
  expect(answer).toContain('SOL')
  expect(answer).not.toContain('BTC')
  await bot.pass(4 * MINUTE_MS)
  expect(criticals(bot).join()).toContain('BTC long')
})

test('with nothing to do it says so, and who has done it', async () => {
  await using bot = await twoPeople()
  expect(await bot.says('/ack all', anna)).toBe('No active alerts in this chat.')
  await falls(bot, 94, 'BTC', 'ETH')
  expect(await bot.says('ack everything', anna)).toContain('✓ 2 alerts')
  const again = await bot.says('/ack all', anna)
  expect(again).toContain('Nothing to do: 2 alerts are acknowledged already')
  expect(again.match(/acknowledged by anna until/g)).toHaveLength(2)
  // Nothing was written anew.
  await bot.pass(MINUTE_MS)
  expect(await bot.says('alle bestätigen', anna)).toBe(again)
})

test('an alert that rang after the word was written stays, and the others are quiet', async () => {
  await using bot = await twoPeople()
  await falls(bot, 94, 'BTC')
  const writtenAt = bot.clock.now()
  await falls(bot, 94, 'ETH')
  bot.hears('anna', 'red')
  const answer = await bot.says('/ack all', { ...anna, writtenAt })
  expect(answer).toContain('✓ BTC long · main: quiet until')
  expect(answer).toMatch(/A2: rang at .*, after what you wrote/)
  await bot.pass(4 * MINUTE_MS)
  const heard = criticals(bot).join()
  expect(heard).toContain('ETH long')
  expect(heard).not.toContain('BTC long')
})

test('one that got worse after the word was written rings on as well', async () => {
  await using bot = await twoPeople()
  await falls(bot, 98, 'BTC', 'ETH')
  const writtenAt = bot.clock.now()
  await falls(bot, 94, 'ETH')
  bot.hears('anna', 'red')
  const answer = await bot.says('/ack all', { ...anna, writtenAt })
  expect(answer).toContain('✓ BTC long')
  await bot.pass(4 * MINUTE_MS)
  expect(criticals(bot).join()).toContain('ETH long')
})

test('what was acknowledged together still breaks through alone where it gets worse', async () => {
  await using bot = await twoPeople()
  await falls(bot, 98, 'BTC', 'ETH')
  await bot.says('/ack all', anna)
  bot.hears('anna', 'red')
  await falls(bot, 94, 'ETH')
  const heard = criticals(bot).join()
  expect(heard).toContain('[CRITICAL] ETH long')
  expect(heard).not.toContain('BTC')
})

test('/snooze all without a time asks, and a tap snoozes all of them until worse', async () => {
  await using bot = await twoPeople()
  await falls(bot, 98, 'BTC', 'ETH')
  const asked = await bot.says('/snooze all', anna)
  expect(asked).toContain('Snooze for how long?')
  for (const time of ['30m', '2h', 'until 08:00', 'worse']) expect(asked).toContain(`/snooze all ${time}`)
  expect(await bot.says('/snooze all worse', anna)).toContain('💤 2 alerts: snoozed until it gets worse')
  bot.hears('anna', 'red')
  await bot.pass(30 * MINUTE_MS)
  expect(criticals(bot)).toEqual([])
  await falls(bot, 94, 'BTC')
  expect(criticals(bot).join()).toContain('[CRITICAL] BTC long')
})

test('/snooze all 2h ends for all of them at once, and the answer to its question is understood', async () => {
  await using bot = await twoPeople()
  await falls(bot, 98, 'BTC', 'ETH')
  await bot.says('/snooze all', anna)
  expect(await bot.says('2h', anna)).toContain('💤 2 alerts: snoozed until 14:0')
  bot.hears('anna', 'red')
  await bot.pass(121 * MINUTE_MS)
  const heard = bot.hears('anna', 'red').join()
  for (const what of ['Snooze over', 'BTC long', 'ETH long']) expect(heard).toContain(what)
})

test('two people who acknowledge at once: the first one has done it, and both read who', async () => {
  await using bot = await twoPeople()
  await falls(bot, 94, 'SOL')
  const [first, second] = await Promise.all([
    bot.says('/ack all', desk(bob)),
    bot.says('/ack all', desk(anna)),
  ])
  expect([first, second].filter((one) => one.includes('acknowledged by bob'))).toHaveLength(2)
})

test('300 alerts are acknowledged in one commit, and listed as far as a message goes', async () => {
  const commits: number[] = []
  await using bot = await startBot({
    settings: { ...UNHURRIED, maxRules: 1_000 },
    observe({ store }) {
      const { commit } = store.memory
      store.memory.commit = async (writes, sending) => {
        const acknowledged = writes.filter(
          (write) => write.is === 'step' && write.step.reason === 'acknowledged',
        )
        if (acknowledged.length > 0) commits.push(acknowledged.length)
        return commit(writes, sending)
      }
      return () => {}
    },
  })
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(BOB, [])
  await bot.pass(0)
  for (let cents = 0; cents < 300; cents++)
    expect(await bot.says(`/alert price BTC below ${(110 + cents / 100).toFixed(2)}`)).toContain('✓')
  bot.stage.market('BTC', { price: 100 })
  await bot.pass(30_000)
  const answer = await bot.says('/ack all')
  expect(answer).toContain('✓ 300 alerts: quiet until')
  expect(answer).toContain('and 292 more')
  expect(answer).toContain('/alerts firing')
  expect(answer.split('\n').length).toBeLessThan(14)
  expect(commits).toEqual([300])
  expect(await bot.says('/ack all')).toContain('Nothing to do: 300 alerts are acknowledged already')
})
