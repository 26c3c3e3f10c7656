import { describe, expect, test } from 'vitest'

import { type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { watched } from '../support/watched.ts'

const MINUTE_MS = 60_000
const TOPIC = 'my-secret-phone'

/** A BTC long that is liquidated at 90, watched, and a platform on which nobody speaks. */
async function started(options: Parameters<typeof startBot>[0] = {}): Promise<BotUnderTest> {
  const bot = await startBot({
    platforms: ['chat'],
    places: ['pager'],
    ...options,
    settings: { ...UNHURRIED, ...options.settings },
  })
  await watched(bot, 130, { by: {}, ms: MINUTE_MS })
  return bot
}
const pages = (bot: BotUnderTest, chat = TOPIC) => bot.hears(chat, 'pager')
const pager = (bot: BotUnderTest) => {
  const found = bot.platforms.get('pager')
  if (!found) throw new Error('there is no pager')
  return found
}

describe('a place where somebody is only told', () => {
  test('is named, tested at once, and is their fallback', async () => {
    await using bot = await started()
    const answer = await bot.says(`/settings pager ${TOPIC}`)
    expect(answer).toContain('Test sent to …ne')
    expect(answer).toContain('It’s your backup chat')
    expect(pages(bot)).toEqual([expect.stringContaining('Test: alerts reach you here')])
  })

  test('beside the fallback says what goes there: nothing, until it is in the list', async () => {
    await using bot = await started({ places: ['pager', 'siren'] })
    await bot.says(`/settings pager ${TOPIC}`)
    const second = await bot.says('/settings siren roof')
    expect(second).toContain('Nothing goes there yet')
    expect(second).toContain('/escalate siren')
    await bot.says('/escalate siren 3m')
    expect(await bot.says('/settings siren cellar')).toContain(
      'It’s in your list: it gets critical alerts if nobody acknowledges for 3 min.',
    )
    await bot.says('/escalate siren now')
    expect(await bot.says('/settings siren attic')).toContain('it gets critical alerts at once.')
    expect(await bot.says(`/settings pager ${TOPIC}-2`)).toContain('It’s your backup chat')
  })

  test('is shown without saying all of it, and where it was not named how to', async () => {
    await using bot = await started()
    expect(await bot.says('/settings chat')).toContain('pager: none')
    await bot.says(`/settings pager ${TOPIC}`)
    const shown = await bot.says('/settings chat')
    expect(shown).toContain('pager: …ne')
    expect(shown).toContain('Backup: pager')
    expect(shown).not.toContain('Alerts on pager')
    const exported = await bot.says('/export')
    expect(exported).toContain('Name again, because I don’t show them in full: /settings pager (…ne)')
    const told = [shown, await bot.says('/status'), exported, JSON.stringify(bot.events)]
    expect(told.join('\n')).not.toContain(TOPIC)
  })

  test('that is no such place is refused, with an example', async () => {
    await using bot = await started()
    expect(await bot.says('/settings pager "two words"')).toMatch(/pager takes .*, such as my-phone/)
    expect(await bot.says('/settings chat')).toContain('pager: none')
    await bot.says('/settings pager "two words"')
    // The next message is taken as the place.
    expect(await bot.says(TOPIC)).toContain('Test sent to …ne')
  })

  test('at which nothing may be told is refused, with the reason', async () => {
    await using bot = await started()
    const answer = await bot.says('/settings pager inner-phone')
    expect(answer).toContain('I can’t use that: inner-phone is in a private network')
    expect(answer).toMatch(/pager takes .*, such as my-phone/)
    expect(await bot.says('/settings chat')).toContain('pager: none')
  })

  test('that takes nothing is noted, with why', async () => {
    await using bot = await started()
    pager(bot).blocks(TOPIC)
    expect(await bot.says(`/settings pager ${TOPIC}`)).toContain('I can’t write there: we are locked out')
    expect(await bot.says('/settings chat')).toContain('pager: …ne, can’t write there: we are locked out')
  })

  test('named anew takes the place of the former one, and what waits there', async () => {
    await using bot = await started()
    await bot.says('/settings pager old-phone')
    await bot.says(`/settings pager ${TOPIC}`)
    pages(bot)
    bot.hears('old-phone', 'pager')
    bot.platforms.get('chat')?.blocks('me')
    bot.stage.market('BTC', { price: 92, funding: 0.0001 })
    await bot.pass(5_000)
    expect(bot.hears('old-phone', 'pager')).toEqual([])
    expect(pages(bot).join('\n')).toContain('BTC long: 2.2% to liquidation')
  })

  test('that is gone hands back no copy of what the chat was told itself, and no end of it', async () => {
    await using bot = await started({ places: ['pager', 'siren'] })
    await bot.says(`/settings pager ${TOPIC}`)
    await bot.says('/settings siren roof')
    await bot.says('/escalate siren now')
    await bot.says('/escalate pager now')
    await bot.pass(5_000)
    bot.hears()
    pager(bot).blocks(TOPIC)
    bot.platforms.get('siren')?.blocks('roof')
    bot.stage.market('BTC', { price: 94, funding: 0.0001 })
    await bot.pass(50_000)
    const warnings = bot.hears().filter((text) => text.includes('BTC long: 4.3%'))
    expect(warnings).toHaveLength(1)
    bot.stage.market('BTC', { price: 130, funding: 0.0001 })
    await bot.pass(50_000)
    expect(bot.hears().filter((text) => text.includes('BTC long is safe again'))).toHaveLength(1)
  })

  test('gets what is critical as well when the chat has not taken it for a minute', async () => {
    await using bot = await started()
    await bot.says(`/settings pager ${TOPIC}`)
    pages(bot)
    bot.delivers(
      ...Array.from({ length: 20 }, () => () => {
        return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: false, why: 'down' } as const
      }),
    )
    bot.stage.market('BTC', { price: 92, funding: 0.0001 })
    await bot.pass(90_000)
    expect(pages(bot).join('\n')).toContain('BTC long: 2.2% to liquidation')
  })

  test('is told no more when its person says none', async () => {
    await using bot = await started()
    await bot.says(`/settings pager ${TOPIC}`)
    pages(bot)
    expect(await bot.says('/settings pager none')).toContain('I no longer write to pager')
    expect(await bot.says('/settings chat')).toMatch(/Backup: none[^]*pager: none/)
    expect(await bot.says('/settings pager none')).toContain('You have named nothing on pager')
    bot.platforms.get('chat')?.blocks('me')
    bot.stage.market('BTC', { price: 92, funding: 0.0001 })
    await bot.pass(90_000)
    expect(pages(bot)).toEqual([])
  })

  test('that was the fallback leaves nobody without one unawares', async () => {
    await using bot = await started({ places: ['pager', 'siren'] })
    await bot.says(`/settings pager ${TOPIC}`)
    await bot.says('/settings siren my-siren')
    expect(await bot.says('/settings siren none')).not.toContain('fallback')
    await bot.says('/settings siren my-siren')
    expect(await bot.says('/settings pager none')).toMatch(
      /That was your backup chat\. You have none now\.\n\[Backup: siren: \/settings fallback siren\]/,
    )
  })

  test('is never where somebody is told first: nobody can answer there', async () => {
    await using bot = await started()
    await bot.says(`/settings pager ${TOPIC}`)
    expect(await bot.says('/settings chat pager')).toContain('On pager I can only send alerts')
    expect(await bot.says('/settings chat')).toContain('Alerts reach you on chat')
  })

  test('belongs to whoever named it first', async () => {
    await using bot = await started({ settings: { access: 'open' } })
    await bot.says(`/settings pager ${TOPIC}`)
    await bot.says('/start', { user: 'eve' })
    expect(await bot.says(`/settings pager ${TOPIC}`, { user: 'eve' })).toContain(
      'Somebody else gets alerts there',
    )
    expect(await bot.says('/settings chat', { user: 'eve' })).toContain('pager: none')
  })

  test('stays over a restart', async () => {
    await using bot = await started()
    await bot.says(`/settings pager ${TOPIC}`)
    await bot.restart()
    expect(await bot.says('/settings chat')).toMatch(/Backup: pager[^]*pager: …ne/)
  })

  test('goes with its person', async () => {
    await using bot = await started({ settings: { access: 'open' } })
    await bot.says('/start', { user: 'eve' })
    await bot.says(`/settings pager ${TOPIC}`, { user: 'eve' })
    await bot.says('/forget yes', { user: 'eve' })
    expect(await bot.says(`/settings pager ${TOPIC}`)).toContain('Test sent')
  })
})

describe('what is critical and nobody answers', () => {
  /** After how many minutes the pager heard of it for the first time. */
  async function heardAfter(bot: BotUnderTest): Promise<number | null> {
    await bot.says(`/settings pager ${TOPIC}`)
    pages(bot)
    bot.stage.market('BTC', { price: 92, funding: 0.0001 })
    for (let seconds = 0; seconds <= 600; seconds += 5) {
      await bot.pass(5_000)
      if (pages(bot).length > 0) return Math.floor(seconds / 60)
    }
    return null
  }

  test.each([
    ['as it comes', null, 7],
    ['at once', 'now', 0],
    ['after a minute', '1m', 1],
    ['after three', '3m', 3],
    ['after seven', '7m', 7],
  ])('goes to the fallback %s', async (_when, after, expected) => {
    await using bot = await started()
    if (after !== null) await bot.says(`/settings escalate ${after}`)
    expect(await heardAfter(bot)).toBe(expected)
  })

  test('and went there at once is told there once, and that it is over', async () => {
    await using bot = await started()
    await bot.says('/settings escalate now')
    await bot.says(`/settings pager ${TOPIC}`)
    pages(bot)
    bot.stage.market('BTC', { price: 92, funding: 0.0001 })
    await bot.pass(5_000)
    expect(pages(bot)).toEqual([expect.stringContaining('[CRITICAL] BTC long')])
    bot.stage.market('BTC', { price: 130, funding: 0.0001 })
    await bot.pass(5_000)
    expect(pages(bot)).toEqual([expect.stringContaining('[RESOLVED] BTC long')])
  })

  test('reaches the fallback once when the first chat is gone', async () => {
    await using bot = await started()
    await bot.says('/settings escalate now')
    await bot.says(`/settings pager ${TOPIC}`)
    bot.platforms.get('chat')?.blocks('me')
    await bot.pass(1_000)
    pages(bot)
    bot.stage.market('BTC', { price: 92, funding: 0.0001 })
    await bot.pass(5_000)
    expect(pages(bot)).toEqual([expect.stringContaining('[CRITICAL] BTC long')])
  })

  test('only what is critical does', async () => {
    await using bot = await started()
    await bot.says('/settings escalate now')
    await bot.says(`/settings pager ${TOPIC}`)
    pages(bot)
    bot.stage.market('BTC', { price: 98, funding: 0.0001 })
    await bot.pass(MINUTE_MS)
    expect(bot.hears()).toHaveLength(1)
    expect(pages(bot)).toEqual([])
  })

  test('is a setting that is shown, and stays over a restart', async () => {
    await using bot = await started()
    expect(await bot.says('/settings chat')).toContain(
      'Unanswered critical alerts go to the backup after 7 min',
    )
    expect(await bot.says('/settings escalate 1m')).toContain('You have no backup yet')
    await bot.restart()
    expect(await bot.says('/settings chat')).toContain(
      'Unanswered critical alerts go to the backup after 1 min',
    )
    await bot.says('/settings escalate now')
    expect(await bot.says('/settings chat')).toContain('Unanswered critical alerts go to the backup at once')
  })
})

describe('what rings where somebody can only be told', () => {
  const place = { platform: 'pager', chat: TOPIC, thread: null }

  test('waits for them, until they say there that they have seen it', async () => {
    await using bot = await started()
    await bot.says(`/settings pager ${TOPIC}`)
    bot.stage.market('BTC', { price: 92, funding: 0.0001 })
    await bot.pass(5_000)
    const [, id = ''] = /\(A(\d+)\)/.exec(bot.hears().join('\n')) ?? []
    const alertIds = [Number(id)]
    expect(pager(bot).criticalAlerts().rings(place, alertIds)).toBe(true)
    expect(pager(bot).criticalAlerts().rings(place, [999])).toBe(false)
    await pager(bot).criticalAlerts().acknowledged(place, alertIds, bot.clock.now())
    expect(pager(bot).criticalAlerts().rings(place, alertIds)).toBe(false)
    await bot.pass(35 * MINUTE_MS)
    expect(bot.hears()).toEqual([])
    expect(await bot.says(`/why A${id}`)).toContain('by pager')
  })

  test('rings no more when it is not critical any more', async () => {
    await using bot = await started()
    await bot.says(`/settings pager ${TOPIC}`)
    bot.stage.market('BTC', { price: 92, funding: 0.0001 })
    await bot.pass(5_000)
    const [, id = ''] = /\(A(\d+)\)/.exec(bot.hears().join('\n')) ?? []
    bot.stage.market('BTC', { price: 98, funding: 0.0001 })
    await bot.pass(5_000)
    expect(bot.hears().join('\n')).toContain('BTC long recovered to 8.2%')
    expect(
      pager(bot)
        .criticalAlerts()
        .rings(place, [Number(id)]),
    ).toBe(false)
  })

  test('is nobody else’s to silence', async () => {
    await using bot = await started()
    bot.stage.market('BTC', { price: 92, funding: 0.0001 })
    await bot.pass(5_000)
    const [, id = ''] = /\(A(\d+)\)/.exec(bot.hears().join('\n')) ?? []
    await pager(bot)
      .criticalAlerts()
      .acknowledged({ ...place, chat: 'a-stranger' }, [Number(id)], bot.clock.now())
    await bot.pass(2 * MINUTE_MS)
    expect(bot.hears()).toHaveLength(1)
  })
})
