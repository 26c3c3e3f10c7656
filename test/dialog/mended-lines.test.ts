import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'

async function talking(): Promise<BotUnderTest> {
  const bot = await startBot({ settings: UNHURRIED })
  for (const [symbol, price] of [
    ['BTC', 100],
    ['MOVE', 0.02],
    ['kPEPE', 0.01],
  ] as const)
    bot.stage.market(symbol, { price })
  await bot.pass(2_000)
  return bot
}

describe('a line', () => {
  test('about a market with the name of a kind is read', async () => {
    await using bot = await talking()
    expect(await bot.says('/alert price MOVE below 0.015')).toContain(
      '✓ I’ll alert you when MOVE is below $0.015',
    )
  })

  test.each(['/alert price MOVE below 0.01', '/alert MOVE below 0.01'])(
    'about a market that is not listed names that market, also where a kind has its name: %s',
    async (line) => {
      await using bot = await startBot({ settings: UNHURRIED })
      bot.stage.market('BTC', { price: 100 })
      await bot.pass(2_000)
      expect(await bot.says(line)).toContain('No market called “MOVE”.')
    },
  )

  test('about a coin that is listed by the thousand offers a level that is a thousand times as high', async () => {
    await using bot = await talking()
    const answer = await bot.says('/alert price PEPE below 0.000001')
    expect(answer).toContain('Did you mean kPEPE? It is 1,000 PEPE, so its price is 1,000 times as high.')
    expect(answer).toContain('/alert price kPEPE below 0.001')
  })

  test('that lacks a time is offered none that would be refused', async () => {
    await using bot = await talking()
    const answer = await bot.says('/alert price-move BTC 5%')
    expect(answer).toContain('/alert price-move BTC 5% 1h')
    expect(answer).not.toContain('7d')
  })

  test('that ends by the clock snoozes and mutes until then', async () => {
    await using bot = await talking()
    await bot.says('/settings zone UTC')
    expect(await bot.says('/mute until 08:00')).toContain('Everything that isn’t critical waits until')
    expect(await bot.says('/mute BTC until 14:30')).toContain('until 14:30 UTC')
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 98 }])
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(20_000)
    expect(await bot.says('/snooze A1 until 14:30')).toContain('14:30 UTC')
    expect(await bot.says('/snooze A1 worse')).toContain('snoozed until it gets worse')
  })
})

test('a label that looks like the name of a chat is a label', async () => {
  await using bot = await talking()
  await bot.says(`/watch ${ALICE} @main`)
  expect(await bot.says('/alert liq @main 10%')).toContain('in @main')
  expect(await bot.says('/alert liq @other 10%')).toContain('@other isn’t set up for alerts.')
})

test('several commands in one message are carried out one by one', async () => {
  await using bot = await talking()
  const answer = await bot.says(
    `/watch ${ALICE} main\n/alert price BTC below 90\n\n/alert price BTC above 110\n/nonsense`,
  )
  expect(answer).toContain('/alert price BTC above 110')
  expect(answer).toContain('✓ Watching main')
  expect(answer).toContain('I didn’t understand “/nonsense”')
  const rules = `${await bot.says('/alerts')}\n${await bot.says('/alerts 2')}`
  expect(rules).toContain('above $110.00')
  expect(rules).toContain('below $90.00')
  // Only lines that all begin with a slash are several.
  expect(await bot.says('/watch\nsomething')).not.toContain('✓ Watching')
})

test('rules that /watch arms leave room for one’s own', async () => {
  await using bot = await startBot({ settings: { ...UNHURRIED, maxRules: 2 } })
  bot.stage.market('BTC', { price: 100 })
  await bot.pass(2_000)
  await bot.says(`/watch ${ALICE} main`)
  expect(await bot.says('/alert price BTC below 90')).toContain('✓ I’ll alert you when')
  expect(await bot.says('/alert price BTC below 80')).toContain('✓ I’ll alert you when')
  expect(await bot.says('/alert price BTC below 70')).toContain('You have set 2 rules, the limit.')
  // A changed threshold is no further rule, no matter who has set the one before.
  expect(await bot.says('/alert price BTC below 80 for 1m')).not.toContain('the limit')
  expect(await bot.says('/alert liq main 15% 5%')).toContain('✓ I’ll alert you when')
})

test('a label that looks like another one is not taken', async () => {
  await using bot = await talking()
  await bot.says(`/watch ${ALICE} main`)
  for (const label of ['mаin', 'ｍain', 'ma\u2800in', 'MAIN'])
    expect(await bot.says(`/watch 0x8617E340B3D01FA5F11F306F4090FD50E238070D ${label}`)).toContain(
      'another name',
    )
})

test('a chat of others is not named to somebody who guesses its number', async () => {
  await using bot = await startBot({ platforms: ['red'], settings: { ...UNHURRIED, access: 'open' } })
  bot.platforms
    .get('red')
    ?.groups.set('-1005', { title: 'Secret club', mayPost: true, configurers: ['olga'] })
  const answer = await bot.says('/channel bind -1005', { platform: 'red', user: 'sam' })
  expect(answer).toContain('I can’t find that chat, or you may not configure it.')
  expect(answer).not.toContain('Secret')
})

test('where anybody may come, /link still makes one person of two platforms', async () => {
  await using bot = await startBot({ platforms: ['red', 'blue'], settings: { ...UNHURRIED, access: 'open' } })
  bot.stage.market('BTC', { price: 100 })
  await bot.pass(0)
  const [red, blue] = [
    { platform: 'red', user: 'olga' },
    { platform: 'blue', user: 'olga-blue' },
  ]
  await bot.says(`/watch ${ALICE} main`, red)
  await bot.says('/help', blue)
  const code = /\/link (\S+)/.exec(await bot.says('/link', red))?.[1] ?? ''
  expect(await bot.says(`/link ${code}`, blue)).toContain('Are you')
  await bot.says(`/link ${code} yes`, blue)
  await bot.says(`/link ${code} yes`, red)
  await bot.restart()
  expect(await bot.says('/wallets', blue)).toContain('main')
  expect(await bot.says('/settings', red)).toContain('blue')
  // Somebody who has wallets there stays who they are.
  const other = { platform: 'blue', user: 'bob' }
  await bot.says(`/watch ${ALICE} mine`, other)
  const second = /\/link (\S+)/.exec(await bot.says('/link', red))?.[1] ?? ''
  expect(await bot.says(`/link ${second}`, other)).toContain('I know you here as another person')
})
