import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, startBot } from '../support/bot.ts'

async function ready(): Promise<BotUnderTest> {
  const bot = await startBot()
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1, entry: 120, liquidation: 10 }])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(2_000)
  return bot
}

describe('what Perch writes can be typed', () => {
  test.each([
    '20 / 10 / 5 / 2.5%',
    '20/10/5/2.5%',
    '20% / 10% / 5% / 2.5%',
    '20% 10% 5% 2.5%',
    '20,10,5,2.5',
    '20%, 10%, 5%, 2.5%',
    '20%,10%,5%,2.5%',
  ])('/alert liq BTC %s', async (typed) => {
    await using bot = await ready()
    expect(await bot.says(`/alert liq BTC ${typed}`)).toContain('at 20 / 10 / 5 / 2.5%')
  })

  test('a comma between two figures is asked about, unless it is one’s own decimal mark', async () => {
    await using bot = await ready()
    const asked = await bot.says('/alert liq BTC 10,5')
    expect(asked).toContain('Do you mean 10.5% or 10% 5%?')
    expect(await bot.says('/alerts')).not.toContain('for BTC')
    expect(await bot.says('/alert liq BTC 10% 5%')).toContain('at 10 / 5%')
    expect(await bot.says('/settings numbers 1.234,5')).not.toBe('')
    expect(await bot.says('/alert liq BTC 10,5')).toContain('at 10,5%')
  })
})

describe('a rule is typed as one says it', () => {
  const SAID = [
    [
      'ETH below 2400',
      /^✓ I’ll alert you when ETH is below \$2,400.00\n {2}now \$2,600.00 \(8.3% above\) · R\d+\n/,
      '[Remove: /remove R6]',
    ],
    [
      'liq 15 8 4',
      /at 15 \/ 8 \/ 4%\n {2}for every market in all your wallets/,
      '20%, 15% (info) · 10%, 8% (warning)',
    ],
    ['pnl -5k', /comes to -\$5,000\n {2}for every market in all your wallets · now: /, 'R6'],
    ['funding > 50%/y BTC', /✓ I’ll alert you when BTC funding is above 50% a year\n {2}now /, 'R6'],
  ] as const
  test.each(SAID)('/alert %s', async (said, title, now) => {
    await using bot = await ready()
    bot.stage.market('ETH', { price: 2_600 })
    await bot.pass(10_000)
    const answer = await bot.says(`/alert ${said}`)
    expect(answer).toMatch(title)
    expect(answer).toContain(now)
    expect(answer).not.toContain('before')
    // What is said again changes nothing.
    expect(await bot.says(`/alert ${said}`)).toMatch(/· R6\n(?![^]*before)/)
  })

  test('and what it is not sure of is asked, and nothing set', async () => {
    await using bot = await ready()
    const before = await bot.says('/alerts')
    expect(await bot.says('/alert BTC 10%')).toContain('Which one do you mean?')
    expect(await bot.says('/alert BTC 120')).toContain(
      '[/alert price BTC 120 below: /alert price BTC 120 below]',
    )
    expect(await bot.says('/alert BTC belwo 120')).toContain('[BTC below 120: /alert BTC below 120]')
    expect(await bot.says('/alerts')).toBe(before)
  })

  test('/try reads the same sentences', async () => {
    await using bot = await ready()
    expect(await bot.says('/try BTC below 120')).toContain('[Set it: /alert price BTC below 120]')
  })
})

describe('a market whose figures cannot be read now', () => {
  test('is called that, and never no market', async () => {
    await using bot = await ready()
    bot.stage.market('ETH', { price: 2_600 })
    await bot.pass(10_000)
    bot.stage.market('ETH', { price: -1 })
    await bot.pass(10_000)
    for (const line of ['/market ETH', '/alert eth-perp below 2400', '/positions eth', '/shock ETH -5%'])
      expect(await bot.says(line), line).toContain('I can’t read the figures of ETH now.')
    expect(await bot.says('/market ETHER')).toContain('No market called “ETHER”.')
  })
})

describe('/remove', () => {
  test('takes the only rule of a kind or of a market by that name, and asks which where there are several', async () => {
    await using bot = await ready()
    await bot.says('/alert BTC below 100')
    await bot.says('/alert BTC below 90')
    expect(await bot.says('/remove price')).toMatch(/Which one\?[^]*R6[^]*R7/)
    expect(await bot.says('/remove R6')).toContain('Alerts on BTC: below $90.00')
    expect(await bot.says('/remove btc')).toContain('Removed R7: price below $90.00 for BTC')
    expect(await bot.says('/remove funding-flip')).toContain('Removed R2: funding-flip')
    expect(await bot.says('/remove price')).toContain('You have no rule on price. See /alerts.')
  })
})

describe('/settings fallback', () => {
  test('can be none again', async () => {
    await using bot = await ready()
    expect(await bot.says('/settings fallback none')).toContain('No backup now. If your first chat fails')
    expect(await bot.says('/settings')).toContain('backup none')
  })

  test('is no second name for the chat that failed', async () => {
    await using bot = await ready()
    expect(await bot.says('/settings fallback recorder')).toContain('Alerts reach you on recorder already')
    expect(await bot.says('/settings')).toContain('backup none')
  })
})

describe('a label', () => {
  test('that is too long is refused, with a shorter one to tap', async () => {
    await using bot = await ready()
    const said = await bot.says(`/watch ${ALICE} the wallet of my grandmother in law`)
    expect(said).toContain('That name is too long')
    expect(said).toContain(`: /watch ${ALICE} "the wallet of my grandmo"]`)
    expect(await bot.says('/wallets')).toContain('main')
  })
})

describe('a sentence', () => {
  test('is not cut within an address', async () => {
    await using bot = await ready()
    expect(await bot.says('/watch 0x529084000985275869F4A0B3F8d7E0E0b4C7F9d3 x')).toContain(
      '/watch 0x52908400098527886E0F7030069857D2E4169EE7',
    )
  })

  test('is not cut within a list', async () => {
    await using bot = await ready()
    const said = await bot.says('/alert banana')
    expect(said.split('[')[0]).not.toContain('…')
    expect(said).toContain('Or type it: /alert pnl ETH -5k')
    expect(said).toContain('[More: /alert about more]')
  })
})

describe('/preview', () => {
  const preview = async (size: string, fields: Record<string, unknown> = {}) => {
    await using bot = await ready()
    bot.stage.preview(fields)
    return await bot.says(`/preview main BTC ${size}`)
  }
  const fixed = (value: number) => `${value}000000000000000000`

  test('says what would be held then', async () => {
    expect(await preview('-50%')).toContain('then: long 0.5 BTC ($65.00)')
    expect(await preview('2')).toContain('then: long 3 BTC ($390)')
    expect(await preview('-100%')).toContain('then: no position')
  })

  test('warns of one that turns the position round', async () => {
    const said = await preview('-300%')
    expect(said).toContain('careful: this turns your position into a short')
    expect(said).toContain('then: short 2 BTC ($260)')
  })

  test('writes no figure that says nothing to anybody', async () => {
    const said = await preview('2', { liquidationPrice: fixed(14_430), newMarginUsage: 100_000_000 })
    expect(said).toContain('(past the price: liquidated at once)')
    expect(said).toContain('margin used: far more than there is')
    expect(await preview('-3', { liquidationPrice: fixed(14_430) })).toContain('(far away)')
  })
})
