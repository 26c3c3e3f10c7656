import { expect, test } from 'vitest'

import { agrees, anna, annaAndBob, bob, links, silence } from '../support/people.ts'

test('a handover to somebody who cannot be reached any more is said at once, and wherever it is asked for', async () => {
  await using bot = await annaAndBob()
  await agrees(bot, bob)
  await links(bot)
  await bot.says('/handover @bob 8h', anna)
  await bot.says('/escalate @bob 15m', anna)
  await bot.says('/digest 13:00', anna)
  await bot.pass(1_000)
  silence(bot)
  bot.platforms.get('red')?.blocks('bob', true)
  await bot.pass(1_000)
  expect(bot.hears('anna', 'red')).toEqual([
    expect.stringContaining('[WARNING] I can’t reach bob, who has your handover\n'),
  ])
  const trouble = 'Handed over to @bob, but I can’t reach them: I can’t write there'
  for (const line of ['/status', '/escalate']) expect(await bot.says(line, anna)).toContain(trouble)
  await bot.says('/drill', anna)
  await bot.pass(1_000)
  expect(await bot.says('/drill report', anna)).toContain(trouble)
  silence(bot)
  await bot.pass(3_600_000)
  expect(bot.hears('anna', 'red').join('\n')).toContain(trouble)
  bot.platforms.get('red')?.blocks('bob', false)
  await bot.pass(1_000)
  expect(bot.hears('anna', 'red')).toEqual([
    expect.stringContaining('I can reach bob again, who has your handover'),
  ])
  expect(bot.platforms.get('red')?.sees('anna', 'anna').at(-1)?.silent).toBe(true)
  expect(await bot.says('/status', anna)).not.toContain('I can’t reach them')
})

test('whoever is reached on another platform as well is not said to be lost', async () => {
  await using bot = await annaAndBob()
  await agrees(bot, bob)
  await links(bot, bob)
  await bot.says('/handover @bob 8h', anna)
  silence(bot)
  bot.platforms.get('red')?.blocks('bob', true)
  await bot.pass(1_000)
  expect(bot.hears('anna', 'red')).toEqual([])
})
