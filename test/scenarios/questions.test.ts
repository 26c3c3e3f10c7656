import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'

import { BOB, type BotUnderTest, type Who } from '../support/bot.ts'
import { blue, onTwoPlatforms, red as olga } from '../support/two-platforms.ts'

const DESK = { chat: 'desk', mayConfigure: true, whisper: false }

/** Olga's long in BTC is in danger. She is on two platforms, and in a group. */
async function begun(): Promise<BotUnderTest> {
  const bot = await onTwoPlatforms()
  bot.platforms.get('red')?.groups.set('desk', { title: 'Desk', mayPost: true, configurers: ['olga'] })
  bot.stage.market('ETH', { price: 2_500 })
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(30_000)
  return bot
}

/** Taps the buttons of one answer after the other; what is no button is typed as it stands. */
async function follow(bot: BotUnderTest, who: Who, line: string, ...steps: string[]): Promise<string> {
  let said = await bot.says(line, who)
  for (const step of steps) {
    const button = [...said.matchAll(/\[([^\]]*?): (\/[^\]]*)\]/g)].find(([, label]) => label === step)
    if (!button && !/^[a-z\d@]/.test(step)) throw new Error(`no button ${step} in:\n${said}`)
    said = await bot.says(button?.[2] ?? step, who)
  }
  return said
}

describe('each command that asks leads to its end', () => {
  test.each<[string, string[], RegExp]>([
    ['/alert', ['Price', 'ETH', '▼ $2,380 -4.8%'], /alert you when ETH is below \$2,380/],
    ['/alert', ['Liquidation', '10%'], /R\d+/],
    ['/alert', ['PnL', '-$500'], /alert you when.*-\$500/],
    ['/alert', ['Funding', 'Funding flips'], /funding/],
    ['/alert', ['Price move', 'ETH', '5%', '1h'], /ETH moves 5% within 1h/],
    ['/alert', ['More', 'Order filled'], /✓/],
    ['/alert', ['Price', 'ETH', 'Other…', '2300', 'Below 2300'], /alert you when ETH is below \$2,300/],
    ['/watch', [BOB], /0x8617/],
    ['/settings zone', ['atlantis', 'berlin'], /Europe\/Berlin/],
    ['/settings numbers', ['1.234,5'], /1\.234,5/],
    ['/quiet', ['22:00-08:00'], /22:00-08:00/],
    ['/quiet', ['late', '11pm to 7am'], /23:00-07:00/],
    ['/digest', ['08:00'], /08:00/],
    ['/digest', ['soon', '9am'], /09:00/],
    ['/escalate', ['Add blue', '3 min'], /blue/],
    ['/mute', ['8 h'], /until/],
    ['/mute', ['Other…', '12h'], /until/],
    ['/snooze', ['2 h'], /💤/],
    ['/snooze', ['Other…', '3h'], /💤/],
    ['/preview', ['main 0x5290…9EE7', 'BTC', '-50%'], /BTC/],
    ['/shock', ['all -10%'], /-10%/],
    ['/why', ['BTC long 4.3%'], /A\d+/],
    ['/remove', ['ETH price below $2,000.00'], /R\d+/],
  ])('%s %s', async (line, steps, end) => {
    await using bot = await begun()
    if (line === '/remove') await bot.says('/alert ETH below 2000', olga)
    if (line === '/escalate') await bot.says('/settings fallback none', olga)
    expect(await follow(bot, olga, line, ...steps)).toMatch(end)
    // Nothing waits any more: a number alone is no answer.
    expect(await bot.says('2300', olga)).not.toMatch(/✓/)
  })

  test('/channel in a group', async () => {
    await using bot = await begun()
    const here = { ...olga, place: DESK }
    expect(await follow(bot, here, '/channel', 'Send alerts here')).toContain('Desk is bound')
    expect(await follow(bot, here, '/channel', 'Who may ack', 'anybody')).toContain('anybody can acknowledge')
    expect(await follow(bot, olga, '/channel bind', 'nowhere', 'desk')).toContain('Desk is bound')
  })
})

describe('a question that waits', () => {
  test('is answered after a restart, also when the process was killed', async () => {
    await using bot = await begun()
    expect(await bot.says('/alert price ETH below', olga)).toContain('At what price?')
    await bot.restart(60_000)
    expect(await bot.says('2300', olga)).toMatch(/ETH is below \$2,300/)
    await bot.says('/alert price ETH below', olga)
    bot.killed.now()
    await bot.killed.start(60_000)
    expect(await bot.says('2200', olga)).toMatch(/ETH is below \$2,200/)
  })

  test('belongs to one person in one chat', async () => {
    await using bot = await begun()
    const here = { ...olga, place: DESK }
    await bot.says('/channel bind', here)
    await bot.says('/alert price ETH below', here)
    expect(await bot.says('2300', olga)).not.toContain('✓')
    expect(await bot.says('2300', { platform: 'red', user: 'fred', place: DESK })).not.toContain('✓')
    expect(await bot.says('2300', blue)).not.toContain('✓')
    expect(await bot.says('2300', here)).toContain('✓')
  })

  test('about a group that is named in private stays about that group', async () => {
    await using bot = await begun()
    await bot.says('/channel bind', { ...olga, place: DESK })
    bot.platforms.get('red')?.groups.set('@desk', { title: 'Desk', mayPost: true, configurers: ['olga'] })
    expect(await bot.says('/channel bind @desk', olga)).toContain('Desk is bound')
    expect(await bot.says('/alert @desk price ETH below', olga)).toContain('At what price?')
    expect(await bot.says('2300', olga)).toMatch(/ETH is below \$2,300/)
    bot.hears('olga', 'red')
    bot.stage.market('ETH', { price: 2_200 })
    await bot.pass(60_000)
    expect([bot.hears('@desk', 'red').join(), bot.hears('olga', 'red').join()]).toEqual([
      expect.stringContaining('ETH'),
      expect.not.stringContaining('ETH'),
    ])
  })

  test('that is private is never asked or answered in a group', async () => {
    await using bot = await begun()
    const here = { ...olga, place: DESK }
    expect(await bot.says('/watch', here)).not.toContain('Send the wallet address')
    await bot.says('/watch', olga)
    expect(await bot.says(BOB, here)).not.toContain('✓ Watching')
  })

  test('goes with everything else of a person', async () => {
    await using bot = await begun()
    await bot.says('/watch', olga)
    const questions = () => {
      const sqlite = new Database(bot.database, { readonly: true })
      const many = sqlite.prepare('SELECT count(*) FROM questions').pluck().get()
      sqlite.close()
      return many
    }
    expect(questions()).toBe(1)
    await bot.says('/forget yes', olga)
    expect(questions()).toBe(0)
  })

  test('is none of a person who has forgotten everything elsewhere and comes again', async () => {
    await using bot = await begun()
    const fred = { platform: 'red', user: 'fred' }
    const here = { ...fred, place: DESK }
    const joins = async () => {
      const code = /\/start (\S+)/.exec(await bot.says('/invite', olga))?.[1] ?? ''
      await bot.says(`/start ${code}`, fred)
    }
    await joins()
    expect(await bot.says('/market', here)).toContain('Which market?')
    expect(await bot.says('qwerty', here)).toContain('Which market?')
    await bot.says('/forget yes', fred)
    await joins()
    expect(await bot.says('qwerty', here)).not.toContain('Which market?')
  })

  test('is asked in the language of the person', async () => {
    await using bot = await begun()
    await bot.says('/settings language de', olga)
    expect(await bot.says('/alert price ETH below', olga)).toMatch(
      /^Bei welchem Preis\?.*\[Abbrechen: \/cancel\]/s,
    )
    expect(await bot.says('bald', olga)).toContain('Bei welchem Preis?')
    expect(await bot.says('abbrechen', olga)).toContain('Abgebrochen')
  })

  test('is not asked of a stranger', async () => {
    await using bot = await begun()
    await bot.says('/channel bind', { ...olga, place: DESK })
    const fred = { platform: 'red', user: 'fred', place: DESK }
    expect(await bot.says('/market', fred)).toContain('Which market?')
    expect(await bot.says('ETH', fred)).not.toContain('funding')
  })
})
