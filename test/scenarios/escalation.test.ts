import { describe, expect, test } from 'vitest'

import { agrees, anna, annaAndBob, bob, codeIn, falls, joins, silence } from '../support/people.ts'

const MINUTE_MS = 60_000
const CRITICAL = 'for anna: BTC long is 4.3 % from liquidation (A1)'

describe('somebody who agrees to stand in for another', () => {
  test('reads to what, says yes, and the other one hears of it', async () => {
    await using bot = await annaAndBob()
    const code = codeIn(await bot.says('/agree ask', anna))
    const asked = await bot.says(`/agree ${code}`, bob)
    expect(asked).toContain('anna asks you to stand in for them')
    expect(asked).toContain('also in your quiet hours')
    expect(asked).toContain('nothing else of theirs')
    expect(await bot.says('/escalate @bob 15m', anna)).toContain('has agreed to stand in for you')
    expect(await bot.says(`/agree ${code} yes`, bob)).toContain('You stand in for anna')
    await bot.pass(1_000)
    expect(bot.hears('anna', 'red')).toEqual([expect.stringContaining('bob has agreed to stand in for you')])
    expect(await bot.says('/escalate @BOB 15m', anna)).toContain(
      'What is critical goes to @bob as well, when nobody has acknowledged it for 15m',
    )
  })

  test('is told of what nobody answers after so many minutes, as somebody else’s, and can answer', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/escalate @bob 3m', anna)
    await falls(bot, 94)
    await bot.pass(2 * MINUTE_MS)
    expect(bot.hears('bob', 'red')).toEqual([])
    await bot.pass(MINUTE_MS)
    const [told = '', ...more] = bot.hears('bob', 'red')
    expect(more).toEqual([])
    expect(told).toContain(CRITICAL)
    expect(told).toContain('still so, third time')
    expect(told).toContain('/ack A1')
    expect(told).not.toContain('/positions')
    expect(told).not.toContain('/preview')
    await bot.platforms.get('red')?.taps('bob', 'Ack A1')
    await bot.pass(1_000)
    const there = bot.platforms.get('red')?.sees('anna', 'anna').at(-1)
    expect(there?.text).toContain('A1 acknowledged by bob')
    silence(bot)
    await bot.pass(30 * MINUTE_MS)
    expect([bot.hears('anna', 'red'), bot.hears('bob', 'red')]).toEqual([[], []])
    await falls(bot, 130)
    expect(bot.hears('bob', 'red')).toEqual([expect.stringContaining('[CLEARED] for anna: BTC long')])
    expect(bot.hears('anna', 'red')).toHaveLength(1)
  })
})
void joins
