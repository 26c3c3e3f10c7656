import { describe, expect, test } from 'vitest'

import { NUMBER_STYLES, type NumberStyle } from '../../src/lib/text/format.ts'
import { openDesk, trader } from '../commands/desk.ts'
import { ALICE, type BotUnderTest } from '../support/bot.ts'

const says = (bot: BotUnderTest, line: string) => bot.says(line, trader)
const writes = (bot: BotUnderTest, style: NumberStyle) => says(bot, `/settings numbers "${style}"`)

async function buttonsOf(bot: BotUnderTest, line: string): Promise<string[]> {
  const message = await bot.platforms.get('terminal')?.asks('trader', line)
  const own = message?.items.flatMap(({ buttons }) => buttons) ?? []
  return [...own, ...(message?.buttons ?? [])].map((button) => button.line)
}

describe('figures are in the style of whoever reads them, and nothing else is', () => {
  const WARNING: Record<NumberStyle, string> = {
    '1,234.5': 'BTC long: 2.5% to liquidation',
    '1.234,5': 'BTC long: 2,5% to liquidation',
    '1 234,5': 'BTC long: 2,5% to liquidation',
  }
  const PRICES: Record<NumberStyle, string> = {
    '1,234.5': '$94,900 → $92,500',
    '1.234,5': '$94.900 → $92.500',
    '1 234,5': '$94 900 → $92 500',
  }
  test.each(NUMBER_STYLES)('a wallet called sub-account 1.5 is called so in the style %s', async (style) => {
    await using bot = await openDesk()
    await writes(bot, style)
    expect(await says(bot, `/watch ${ALICE} "sub-account 1.5"`)).toContain(
      'main is called sub-account 1.5 now',
    )
    expect(await says(bot, '/wallets')).toContain('\nsub-account 1.5 · ')
    expect(await says(bot, '/positions')).toContain(' · sub-account 1.5: ')
    bot.hears('trader')

    bot.stage.market('BTC', { price: 94_900 })
    await bot.pass(4_000)
    const [warning = ''] = bot.hears('trader')
    expect(warning).toContain(WARNING[style])
    expect(warning).toContain(PRICES[style])
    expect(warning).toContain(' · sub-account 1.5\n')
    expect(await says(bot, '/history')).toContain(WARNING[style])
  })

  test('a table, small print and sums', async () => {
    await using bot = await openDesk()
    await writes(bot, '1.234,5')
    const markets = await says(bot, '/markets')
    expect(markets).toMatch(/ETH +2635,0 +\$7,9M/)
    expect(await says(bot, '/markets move')).toMatch(/BTC +97678 +\+1,2/)
    expect(await says(bot, '/alert liq BTC 2,5% 10%')).toContain('at 10 / 2,5%')
    await bot.pass(1_500)
    expect(await says(bot, '/status full')).toContain('limit 6.000 a minute')
  })
})

describe('a size is read in the style of whoever types it', () => {
  const lastSize = (bot: BotUnderTest) => bot.stage.drafts.at(-1)?.['sizeDelta']
  const thousand = `1000${'0'.repeat(18)}`

  test.each([
    ['1.234,5', '1.000', 'buy 1.000 ETH'],
    ['1,234.5', '1,000', 'buy 1,000 ETH'],
    ['1 234,5', '1 000,0', 'buy 1 000 ETH'],
    ['1 234,5', '"1 000"', 'buy 1 000 ETH'],
    ['1 234,5', '1000', 'buy 1 000 ETH'],
  ] as const)('in the style %s, %s is a thousand', async (style, typed, words) => {
    await using bot = await openDesk()
    await writes(bot, style)
    expect(await says(bot, `/preview main ETH ${typed}`)).toContain(words)
    expect(lastSize(bot)).toBe(thousand)
  })

  test('and the same button means the same when the style has changed since', async () => {
    await using bot = await openDesk()
    await writes(bot, '1.234,5')
    const [refresh = ''] = await buttonsOf(bot, '/preview main ETH 1.000')
    for (const style of NUMBER_STYLES) {
      await writes(bot, style)
      bot.stage.drafts.length = 0
      expect(await buttonsOf(bot, refresh)).toEqual([refresh])
      expect(lastSize(bot)).toBe(thousand)
    }
  })

  test('and what could be two sizes is asked about, not bought', async () => {
    await using bot = await openDesk()
    await writes(bot, '1 234,5')
    bot.stage.drafts.length = 0
    expect(await says(bot, '/preview main ETH 1.000')).toContain(
      'Do you mean 1,000 or 1 000?\n[1,000: /preview main ETH 1,000] [1 000: /preview main ETH 1000]',
    )
    expect(await says(bot, '/preview main ETH -1 500')).toContain(
      '“-1 500” could be -1 500, or -1 in the account that ends with 500. Type -1500 or -1 …500.',
    )
    expect(bot.stage.drafts).toEqual([])
  })

  test('what was said so far is completed as it was meant', async () => {
    await using bot = await openDesk()
    await writes(bot, '1.234,5')
    const lines = await buttonsOf(bot, '/preview ETH 1.000')
    expect(lines).toEqual(['/preview ETH 1000 main', '/preview ETH 1000 hedge', '/cancel'])
  })
})

describe('every line that the bot offers is read as it was meant, in every style', () => {
  const set = (text: string) => text.replaceAll(/\bR\d+/g, 'R')
  // A question can also be cancelled, or answered by another figure.
  const choices = async (bot: BotUnderTest, line: string) =>
    (await buttonsOf(bot, line)).filter((choice) => choice !== '/cancel' && !choice.endsWith(' ?'))
  test.each(NUMBER_STYLES)('when it was set in the style %s', async (style) => {
    const mark = style === '1,234.5' ? '.' : ','
    await using bot = await openDesk()
    for (const rule of [
      `liq ETH 12${mark}125% 0${mark}5%`,
      `flip ETH 0${mark}0075%/d`,
      `liq BTC 33${mark}3%`,
    ]) {
      await writes(bot, style)
      const answer = await says(bot, `/alert ${rule}`)
      const [remove = ''] = /R\d+/.exec(answer) ?? []
      const [again = ''] = await buttonsOf(bot, `/remove ${remove}`)
      for (const later of NUMBER_STYLES) {
        await writes(bot, later)
        const text = await says(bot, again)
        await writes(bot, style)
        const [id = ''] = /R\d+/.exec(text) ?? []
        const exported = await says(bot, '/export')
        expect(exported).toContain(again)
        await says(bot, `/remove ${id}`)
        if (later === style) expect(set(text)).toBe(set(answer))
        else expect(set(text).replace(/[.,]/g, '')).toBe(set(answer).replace(/[.,]/g, ''))
      }
    }
  })

  test.each(NUMBER_STYLES)('when it offers choices in the style %s', async (style) => {
    await using bot = await openDesk()
    await writes(bot, style)
    for (const line of await choices(bot, '/preview main ETH')) {
      bot.stage.drafts.length = 0
      await says(bot, line)
      expect(bot.stage.drafts).toHaveLength(1)
    }
    const answers: string[] = []
    for (const line of await choices(bot, '/alert liq ETH')) {
      const [title = ''] = (await says(bot, line)).split('\n')
      answers.push(title.split(' at ')[1] ?? '')
    }
    expect(answers).toEqual(['20%', '10%', '5%', style === '1,234.5' ? '2.5%' : '2,5%'])
  })
})
