import { describe, expect, test } from 'vitest'

import { inWords, plainLines } from '../../src/message/message.ts'
import { GROUP, openDesk, trader } from '../commands/desk.ts'
import { within } from '../dialog/bounds.ts'
import { ALICE, BOB, type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { NOON } from '../support/clock.ts'

const says = (bot: BotUnderTest, line: string) => bot.says(line, trader)
const titles = (text: string) => text.split('\n').filter((line) => !line.startsWith(' '))

async function messageOf(bot: BotUnderTest, line: string) {
  const asked = bot.platforms.get('terminal')?.asks('trader', line)
  if (!asked) throw new Error('no platform')
  return asked
}

describe('/positions', () => {
  test('all wallets, the nearest to liquidation first, with sums', async () => {
    await using bot = await openDesk()
    const text = await says(bot, '/positions')
    expect(titles(text).slice(0, 4)).toEqual([
      '3 positions · PnL +$11.7k',
      'BTC long · main: 5.3% away',
      'ETH short · main: 29.0% away',
      'Sol long · hedge: no liquidation price',
    ])
    expect(text).toContain('long $197.9k, short $52.7k')
    expect(text).toContain('BTC long · main: 5.3% away\n  PnL +$4,017 · pays $29.30 a day\n')
    expect(text).toContain('[Refresh: /positions]')
    const one = await says(bot, '/positions main BTC')
    expect(one).toContain('index $97,678 · liquidation $92,500')
    expect(one).toContain('open for 2 d 4 h')
  })

  test('of many, the worst come first, a page at a time, and the sums are of all', async () => {
    await using bot = await openDesk()
    const many = Array.from({ length: 30 }, (_, index) => ({
      symbol: 'ETH',
      size: 1,
      entry: 2600,
      accountId: String(index + 1),
      liquidation: 2500 - index * 10,
    }))
    bot.stage.positions(ALICE, many)
    // What was read just now is not read again.
    await bot.pass(6_000)
    const first = await messageOf(bot, '/positions main')
    expect(within(first)).toEqual([])
    const text = plainLines(first, { now: NOON, zone: 'UTC' }).join('\n')
    expect(text).toContain('30 positions · PnL +$1,049')
    expect(text).toContain('ETH long · main …1: 5.1% away')
    expect(text).toContain('and 24 more, further away')
    expect(text).toContain('[More ›: /positions 0x52908400 2]')
    const last = await says(bot, '/positions 0x52908400 5')
    expect(last).toContain('ETH long · main …30: 16.1% away')
    expect(last).not.toContain(' more, further')
    expect(last).toContain('[‹ Back: /positions 0x52908400 4]')
  })

  test('one market of all wallets', async () => {
    await using bot = await openDesk()
    expect(titles(await says(bot, '/positions eth'))[0]).toBe('ETH short: 29.0% to liquidation')
    expect(await says(bot, '/positions hedge eth')).toContain('No open position in ETH: hedge')
  })

  test('a market that is not in view leaves a question mark, and the sums say what they lack', async () => {
    await using bot = await openDesk()
    bot.stage.positions(ALICE, [
      { symbol: 'BTC', size: 1.5, entry: 95_000, liquidation: 92_500 },
      { symbol: 'NEW', size: 2, entry: 10, liquidation: 5 },
    ])
    // What was read just now is not read again.
    await bot.pass(6_000)
    const text = await says(bot, '/positions main')
    expect(text).toContain('without 1 position whose price I don’t know')
    expect(text).toContain(
      'market 999 long: distance unknown\n  I don’t see its market: no price, no distance',
    )
  })

  test('figures on another scale are not shouted about, nor summed', async () => {
    await using bot = await openDesk()
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 0.00000095, liquidation: 0.00000092 }])
    // What was read just now is not read again.
    await bot.pass(6_000)
    const text = await says(bot, '/positions main')
    expect(text).toContain('its figures don’t fit the price of BTC: I don’t trust them')
    expect(text).not.toMatch(/PnL [+-]|% to/)
  })

  test('positions that the venue keeps from us are not passed over', async () => {
    await using bot = await openDesk()
    bot.stage.positions(BOB, [])
    bot.stage.claims(BOB, 2)
    const text = await says(bot, '/positions hedge')
    expect(text).toContain('hedge: the venue speaks of 2 positions and sent 0')
    expect(text).not.toContain('No open position')
    bot.stage.claims(BOB, null)
    expect(await says(bot, '/positions hedge')).toContain('No open position: hedge')
  })
})

describe('/orders', () => {
  test.each([
    ['pending', 'Created,Committed', ['not taken up yet', 'taken up by the venue']],
    ['open', 'LimitSubmitted,LimitExecuted', ['LimitSubmitted']],
    ['filled', 'LimitExecuted', ['LimitExecuted']],
    ['expired', 'Expired', ['Expired']],
  ])(
    'those that are %s can be asked for, and what may be it is asked of the venue',
    async (state, asked, shown) => {
      await using bot = await openDesk()
      const statuses = ['Created', 'Committed', 'Expired', 'LimitSubmitted', 'LimitExecuted']
      const records = statuses.map((status, index) => ({ orderId: index + 1, status, marketId: '100' }))
      bot.stage.orders(ALICE, records)
      bot.stage.asked.length = 0
      const text = await says(bot, `/orders main ${state}`)
      expect(titles(text).filter((title) => title.startsWith('BTC'))).toEqual(
        shown.map(() => `BTC order: ${state}`),
      )
      for (const word of shown.filter((one) => one.toLowerCase() !== state)) expect(text).toContain(word)
      expect(bot.stage.asked.filter((path) => path.startsWith('/orders'))).toEqual([
        `/orders/v2?owner=${ALICE}&ownershipType=SuperOwner&statuses=${asked}`,
      ])
      expect(await says(bot, '/orders main')).toContain('size not shown')
    },
  )

  test('no sentinel and no unknown field is shown', async () => {
    await using bot = await openDesk()
    const text = await says(bot, '/orders')
    expect(text).toContain('ETH stop loss: open')
    expect(text).toContain('whole position · stop loss $2,900.00 (accepts $3,045.00)')
    expect(text).toContain('buy 0.25 BTC · limit $91,000 (accepts $95,550) · taken up by the venue')
    expect(text).not.toMatch(/nobody|surprise|1,000,000B|1000T|e\+|\$0\.000000/)
  })

  test('many are turned page by page, the newest first', async () => {
    await using bot = await openDesk()
    const at = (index: number) => NOON - index * 60_000
    const records = Array.from({ length: 20 }, (_, index) => ({
      orderId: index,
      status: 'Expired',
      marketId: '100',
      timestamp: at(index),
    }))
    bot.stage.orders(ALICE, records)
    const text = await says(bot, '/orders main')
    expect(text).toContain('20 orders, newest first')
    expect(titles(text).filter((title) => title === 'BTC order: expired')).toHaveLength(6)
    expect(text).toContain('[More ›: /orders 0x52908400 2]')
    expect(await says(bot, '/orders 0x52908400 4')).toContain('page 4 of 4')
    bot.stage.orders(ALICE, records.slice(0, 1))
    expect(await says(bot, '/orders main')).toContain('#0, placed 12:00 UTC')
  })
})

describe('/markets and /market', () => {
  test('sixty markets, in four orders, page by page, within 28 columns', async () => {
    await using bot = await openDesk()
    for (let index = 0; index < 57; index++) {
      const price = 10 ** ((index % 14) - 7)
      const known = {
        volume: index * 1_000,
        long: index,
        short: 57 - index,
        priceDayAgo: price * (1 + index / 100),
      }
      bot.stage.market(`MARKET${index}`, {
        price,
        funding: (index - 28) / 1_000,
        ...(index % 5 === 0 ? {} : known),
      })
    }
    await bot.pass(2_000)
    for (const order of ['volume', 'funding', 'oi', 'move']) {
      for (let page = 1; page <= 8; page++)
        expect(within(await messageOf(bot, `/markets ${order} ${page}`))).toEqual([])
    }
    expect(await says(bot, '/markets')).toContain('[More ›: /markets volume 2]')
    const last = await says(bot, '/markets volume 8')
    // What the venue does not say is last, and no zero.
    expect(last.split('\n').filter((line) => line.startsWith('MARKET'))).toEqual(
      expect.arrayContaining([expect.stringMatching(/\?$/)]),
    )
    expect(last).not.toContain('$0.00')
    expect(last).not.toContain('More ›')
    expect(titles(await says(bot, '/markets move 1'))[2]).toMatch(/^MARKET56/)
  })

  test('funding from each side, the flip, and the larger side’s share of its cap', async () => {
    await using bot = await openDesk()
    const short = await says(bot, '/market btc')
    expect(short.split('\n').length).toBeLessThanOrEqual(9)
    const text = await says(bot, '/market btc full')
    expect(text).toContain('Funding: longs pay shorts')
    expect(text).toContain('7.3% a year · 0.0067% in 8 h · 0.00083% an hour')
    expect(text).toContain('per $1,000: a long pays $0.20 a day')
    expect(text).toContain('flips in about 8 h if the skew stays')
    // 85 BTC long at $97,678 of a cap of $20M a side; the short side fills less.
    expect(text).toContain('longs use 41.5% of their cap')
    expect(text).toContain('skew 32 BTC (23.2% of open interest)')
    expect(await says(bot, '/market eth full')).toContain('shorts use 36.9% of their cap')
    expect(await says(bot, '/market eth')).not.toContain('flips in')
  })

  test('what the venue leaves out is not spoken of', async () => {
    await using bot = await openDesk()
    const text = await says(bot, '/market sol full')
    expect(text).toContain('Sol $171.30 index')
    expect(text).not.toMatch(/\?|not shown|skew|room|fees|pen interest/)
  })
})

describe('/funding', () => {
  test('mine first, then what flips, then the extremes of what is alive', async () => {
    await using bot = await openDesk()
    bot.stage.market('DEAD', { price: 1, funding: 0.9, long: 0, short: 0 })
    await bot.pass(2_000)
    const text = await says(bot, '/funding')
    expect(titles(text)).toEqual([
      'Your positions: you pay $107 a day',
      'About to flip, if the skew stays',
      expect.stringContaining('Refresh'),
      'live',
    ])
    const others = await bot.says('/funding', { ...trader, place: GROUP })
    expect(titles(others)).toEqual([
      'About to flip, if the skew stays',
      'The highest rates',
      expect.stringContaining('market'),
      expect.stringContaining('Sol'),
      expect.stringContaining('ETH'),
      expect.stringContaining('BTC'),
      expect.stringContaining('Refresh'),
      'live',
    ])
  })

  test('before others it is about markets alone', async () => {
    await using bot = await openDesk()
    expect(await bot.says('/funding', { ...trader, place: GROUP })).not.toMatch(/Your positions|main|hedge/)
  })
})

describe('/preview', () => {
  test('asks for exactly what was typed', async () => {
    await using bot = await openDesk()
    const asked = async (line: string) => {
      bot.stage.drafts.length = 0
      await says(bot, line)
      return bot.stage.drafts.map(({ sizeDelta }) => sizeDelta)
    }
    expect(await asked('/preview main ETH -2')).toEqual(['-2000000000000000000'])
    expect(await asked('/preview main ETH 0.123456789012345678')).toEqual(['123456789012345678'])
    expect(await asked('/preview BTC main -50%')).toEqual(['-750000000000000000'])
    // A share of a short makes it smaller by buying.
    expect(await asked('/preview main ETH -100%')).toEqual(['20000000000000000000'])
    expect(await asked('/preview main ETH 25%')).toEqual(['-5000000000000000000'])
    // $5,000 at $97,678, cut at the last digit: 5000 / 97678.
    expect(await asked('/preview main BTC $5k')).toEqual(['51188599275169434'])
    expect(await asked('/preview main BTC -$5,000')).toEqual(['-51188599275169434'])
  })

  test('shows before and after, fees, impact, and why not', async () => {
    await using bot = await openDesk()
    bot.stage.preview({ feasible: false, errorMsg: 'Insufficient margin', liquidationPrice: '0' })
    const text = await says(bot, '/preview main BTC 100')
    expect(titles(text)[0]).toBe('BTC: buy 100 BTC ($9.8M) isn’t possible')
    expect(text).toContain('Insufficient margin')
    expect(text).toContain('fill $97,727, 0.05% above index')
    expect(text).toContain('fees $1.11')
    expect(text).toContain('liquidation $92,500 (5.3% away) → none')
    expect(text).toContain('nothing was placed: I can’t trade')
    bot.stage.preview({ fillPrice: null, totalFees: 'x', liquidationPrice: undefined, feasible: null })
    const missing = await says(bot, '/preview main BTC -1.5')
    expect(missing).toContain('fill price not shown by the venue')
    expect(missing).toContain('fees not shown by the venue')
    expect(missing).toContain('the venue doesn’t say whether it is possible')
    expect(missing).toContain('→ no position')
  })

  test('asks which account is meant, and takes its last digits', async () => {
    await using bot = await openDesk()
    const accounts = ['170141183460469231731687303715884105001', '170141183460469231731687303715884105002']
    bot.stage.positions(
      ALICE,
      accounts.map((accountId) => ({
        symbol: 'BTC',
        size: 1,
        entry: 95_000,
        liquidation: 92_500,
        accountId,
      })),
    )
    const question = await messageOf(bot, '/preview main BTC -50%')
    expect(inWords(question.items[0]?.title ?? '')).toBe('Which account? That wallet has 2.')
    expect(question.buttons.map(({ label, line }) => [inWords(label), line])).toEqual([
      ['…105001: 1 open', '/preview 0x52908400 BTC -50% 105001'],
      ['…105002: 1 open', '/preview 0x52908400 BTC -50% 105002'],
    ])
    expect(within(question)).toEqual([])
    await says(bot, question.buttons[1]?.line ?? '')
    expect(bot.stage.drafts.at(-1)).toEqual({
      accountId: accounts[1],
      marketId: '100',
      sizeDelta: '-500000000000000000',
    })
    expect(await says(bot, '/preview main BTC -50% 999')).toContain(
      'No account of that wallet ends with 999.',
    )
  })

  test('an account without positions must be named in full', async () => {
    await using bot = await openDesk()
    bot.stage.positions(BOB, [])
    expect(await says(bot, '/preview hedge BTC 1')).toContain('I know no account of that wallet')
    await says(bot, '/preview hedge BTC 1 1701411834604692317')
    expect(bot.stage.drafts.at(-1)).toMatchObject({ accountId: '1701411834604692317' })
    expect(await says(bot, '/preview hedge BTC -50% 1701411834604692317')).toContain(
      'this account holds no BTC',
    )
  })
})

describe('/status', () => {
  test('names one’s own wallets that cannot be seen, and nobody else’s', async () => {
    await using bot = await startBot({ platforms: ['red'], settings: { ...UNHURRIED, access: 'open' } })
    bot.stage.market('BTC', { price: 100 })
    await bot.pass(5_000)
    await bot.says(`/watch ${ALICE} mine`, { user: 'ann' })
    await bot.says(`/watch ${BOB} his`, { user: 'ben' })
    bot.stage.fails('/positions', 500)
    await bot.pass(600_000)
    const text = await bot.says('/status', { user: 'ann' })
    expect(text).toContain('I can’t see everything')
    expect(text).toMatch(/mine since .*: /)
    expect(text).toContain('1 wallet of other people')
    expect(text).not.toContain(BOB)
    expect(text).not.toContain('his')
    expect(await bot.says('/status full', { user: 'ann' })).toMatch(/2 wallets \d+ min old/)
  })

  test('before the venue was ever read, it says so', async () => {
    await using bot = await openDesk()
    bot.stage.fails('/markets', 500)
    await bot.restart()
    const text = await says(bot, '/status')
    expect(text).toContain('the markets were never read')
    expect(text).not.toContain('0 markets')
  })
})

describe('/watch', () => {
  test('a label is what everybody can see, in at most 24 graphemes; a longer one is refused', async () => {
    await using bot = await openDesk()
    const family = '👩‍👩‍👧‍👦'
    await says(bot, `/watch ${ALICE} ${family} "quoted" \u202Etxet \u0000${'x'.repeat(10)}`)
    expect(await says(bot, '/wallets')).toContain(`\n${family} quoted txet ${'x'.repeat(10)} · 0x5290…9EE7\n`)
    expect(await says(bot, `/watch ${ALICE} ${family.repeat(30)}`)).toContain('That name is too long')
    expect(await says(bot, '/wallets')).toContain(`\n${family} quoted txet ${'x'.repeat(10)} · 0x5290…9EE7\n`)
  })

  test('two wallets cannot have one name', async () => {
    await using bot = await openDesk()
    expect(await says(bot, `/watch ${BOB} MAIN`)).toBe(
      '“MAIN” is already the name of 0x5290…9EE7. Choose another name.',
    )
    expect(await says(bot, `/watch ${BOB} cold`)).toContain('hedge is called cold now')
  })

  test('an empty label is the address, in short', async () => {
    await using bot = await openDesk()
    await says(bot, '/unwatch hedge')
    expect(await says(bot, `/watch ${BOB} ""`)).toContain('✓ Watching 0x8617…070D')
  })
})

test('alerts that were set by hand go only when asked twice', async () => {
  await using bot = await openDesk()
  await says(bot, '/alert liq main BTC 30%')
  expect(await says(bot, '/unwatch main')).toContain('Stop watching main?')
  expect(await says(bot, '/wallets')).toContain('main')
  expect(await says(bot, '/unwatch 0x52908400 yes')).toContain('Stopped watching main')
  const unbind = (line: string) => bot.says(line, { ...trader, place: GROUP })
  expect(await unbind('/channel unbind')).toContain('Stop alerts in Traders? 1 rule goes with it.')
  expect(await unbind('/channel list')).toContain('Traders')
  expect(await unbind('/channel unbind yes')).toContain('Traders is not bound any more')
})

describe('/export', () => {
  test('what it gives makes the same again for somebody new', async () => {
    await using bot = await startBot({ platforms: ['red'], settings: { access: 'open' } })
    bot.stage.market('BTC', { price: 130 })
    bot.stage.market('ETH', { price: 200 })
    bot.platforms
      .get('red')
      ?.groups.set('club', { title: 'Club', mayPost: true, configurers: ['ann', 'ben'] })
    await bot.pass(2_000)
    const [ann, ben] = [{ user: 'ann' }, { user: 'ben' }]
    const club = { place: { chat: 'club', mayConfigure: true, whisper: true } }
    for (const line of [
      '/settings zone asia/kolkata',
      '/settings numbers "1 234,5"',
      `/watch ${ALICE} ETH`,
      `/watch ${BOB} my 👩‍👩‍👧‍👦 hedge`,
      '/alert liq ETH 12.5% 7%',
      '/alert liq "my 👩‍👩‍👧‍👦 hedge" 0.3%',
      '/alert flip BTC ETH 0.0000001%/d',
      '/alert closed',
      '/follow 0xde709f2102306220921060314715629080e2fb77 whale $10k',
    ]) {
      expect(await bot.says(line, ann)).not.toMatch(/n’t understand|No market called|^[^\n]*\?\n|the limit/)
    }
    await bot.says('/channel bind', { ...ann, ...club })
    await bot.says('/alert flip ETH 1%/d', { ...ann, ...club })

    const exported = await exportOf(bot, ann)
    expect(exported['in our private chat']).toHaveLength(9)
    expect(exported['in Club (red)']).toEqual(['/channel bind', '/alert funding-flip ETH 1%/d'])

    // The chat can be bound by one person at a time.
    await bot.says('/channel unbind yes', { ...ann, ...club })
    for (const [where, lines] of Object.entries(exported)) {
      for (const line of lines) await bot.says(line, { ...ben, ...(where.includes('Club') ? club : {}) })
    }
    expect(await exportOf(bot, ben)).toEqual(exported)
  })

  test('a lot of it comes in pages, each of whole JSON', async () => {
    await using bot = await startBot({ settings: { maxWallets: 60, maxRules: 1_000 } })
    for (let index = 0; index < 40; index++) {
      // The budget of requests fills up again.
      await bot.pass(200)
      const address = `0x${String(index).padStart(40, '0')}`
      await bot.says(`/watch ${address} wallet number ${index}`)
    }
    const exported = await exportOf(bot, { user: 'me' })
    expect(exported['in our private chat']).toHaveLength(42)
    expect(
      within(
        await (bot.platforms.get('recorder')?.asks('me', '/export 2') ?? Promise.reject(new Error('none'))),
      ),
    ).toEqual([])
  })

  test('it says what replaying would arm again', async () => {
    await using bot = await openDesk()
    await says(bot, '/remove R3')
    expect(await says(bot, '/export')).toContain(
      'You removed, and /watch would set again: position-opened of main',
    )
  })

  /** All pages, read back: the place, and what is to be said there. */
  async function exportOf(bot: BotUnderTest, who: { user: string }): Promise<Record<string, string[]>> {
    const all: Record<string, string[]> = {}
    for (let page = 1; ; page++) {
      const text = await bot.says(`/export ${page}`, who)
      for (const [, where = '', json = ''] of text.matchAll(/^(in .*)\n {2}(\[[\s\S]*?^\])/gm)) {
        all[where] = [...(all[where] ?? []), ...(JSON.parse(json) as string[])]
      }
      if (!text.includes('More ›')) return all
    }
  }
})

describe('/settings', () => {
  test('numbers read as somebody likes them, figures only', async () => {
    await using bot = await openDesk()
    expect(await says(bot, '/settings numbers 1.234,5')).toContain('Numbers look like 1.234,5 now')
    const text = await says(bot, '/positions main')
    expect(text).toContain('BTC long: 5,3% to liquidation')
    const one = await says(bot, '/positions main BTC')
    expect(one).toContain('liquidation $92.500')
    expect(one).toContain('1,5 BTC ($146,5k)')
    expect(await says(bot, '/settings')).toContain('Numbers: 1.234,5')
    expect(await says(bot, '/settings numbers "1 234,5"')).toContain('Numbers look like 1 234,5 now')
    // What they see, they may type.
    expect(await says(bot, '/alert liq BTC 2,5%')).toContain('at 2,5%')
  })

  test.each([
    ['Europe/Berlin', 'Times are in Europe/Berlin now'],
    ['new york', 'Times are in America/New_York now'],
    ['utc', 'Times are in UTC now'],
    ['berlinn', 'I can’t find a time zone for “berlinn”. Did you mean Europe/Berlin?'],
    ['Nowhere/AtAll', 'I can’t find a time zone for “Nowhere/AtAll”.'],
  ])('a time zone: %s', async (zone, answer) => {
    await using bot = await openDesk()
    expect(await says(bot, `/settings zone ${zone}`)).toContain(answer)
  })
})
