import { describe, expect, test } from 'vitest'

import { figureText } from '../../../src/lib/text/format.ts'
import type { DrawingOrder, FundingPicture, LadderPicture, Picture } from '../../../src/message/picture.ts'
import { ALICE, BOB } from '../../support/bot.ts'
import { PNG } from '../../support/pictures.ts'
import { CLAIM, startTelegramBot } from '../../support/telegram/bot.ts'

const CAROL = '0x00000000000000000000000000000000000000C1'

/** Ann watches two wallets: the BTC of main is liquidated 5.3% down, the ETH of hedge nowhere. */
async function watching({ held = true } = {}) {
  const orders: DrawingOrder[] = []
  const bot = await startTelegramBot({
    async draw(order) {
      orders.push(order)
      return PNG
    },
  })
  const { stage, telegram } = bot
  stage.market('BTC', { price: 97_678, funding: 0.0002 })
  stage.market('ETH', { price: 2_634.97, funding: -0.0004, velocity: 0.0006 })
  stage.positions(ALICE, held ? [{ symbol: 'BTC', size: 1.5, entry: 95_000, liquidation: 92_500 }] : [])
  stage.positions(BOB, held ? [{ symbol: 'ETH', size: 20, entry: 2_700, liquidation: 0 }] : [])
  await bot.pass(2_000)
  const ann = telegram.user('Ann')
  await bot.says(ann, `/start ${CLAIM}`)
  await bot.says(ann, `/watch ${ALICE} main`)
  await bot.says(ann, `/watch ${BOB} hedge`)
  await bot.pass(10_000)
  const photos = () => telegram.ledger.sends.filter(({ method }) => method === 'sendPhoto')
  return Object.assign(bot, {
    ...{ ann, orders, photos },
    /** The words of the answer, and the picture that follows them. */
    async drawn<Is extends Picture['is']>(line: string, is: Is) {
      const [said = ''] = await bot.says(ann, line)
      await bot.pass(2_000)
      const picture = orders.at(-1)?.picture
      if (picture?.is !== is) throw new Error(`${line} brought ${picture?.is}: ${said}`)
      return { said, picture: picture as Extract<Picture, { is: Is }> }
    },
  })
}

const usd = (value: number) => figureText(value, 'signed-usd', '1,234.5')

describe('/shock', () => {
  test('brings a ladder with the sums of its words, and a caption for those who cannot see it', async () => {
    await using bot = await watching()
    const { said, picture }: { said: string; picture: LadderPicture } = await bot.drawn(
      '/shock all -10%',
      'ladder',
    )
    expect(picture).toMatchObject({
      ...{ moves: [{ symbol: null, by: -0.1 }], common: -0.1, wallet: null, isWhole: true },
      ...{ count: 2, liquidated: 1, unknown: 0, positions: { count: 2 } },
      accounts: [
        { name: 'BTC long · main', tone: 'amber' },
        { name: 'ETH long · hedge', ends: 'holds', tone: 'calm' },
      ],
    })
    const [{ ends } = { ends: 'unknown' }] = picture.accounts
    expect(said).toContain(
      `BTC long · main: liquidated ${figureText(Number(ends), 'percent', '1,234.5')} into this move`,
    )
    const { before, after } = picture.pnl ?? { before: Number.NaN, after: Number.NaN }
    expect(said).toContain(`PnL ${usd(after)} (now ${usd(before)})`)
    expect(bot.photos()).toHaveLength(1)
    expect(bot.photos()[0]).toMatchObject({ silent: true })
    expect(bot.photos()[0]?.text).toMatch(
      /^all prices -10%: 1 of 2 accounts liquidated, BTC long · main first at -5\.3%/,
    )
    expect(bot.telegram.refused()).toEqual([])
  })

  test('counts parts of the way where prices move differently, and names the wallet that was asked for', async () => {
    await using bot = await watching()
    const mixed = await bot.drawn('/shock BTC -8% ETH -12%', 'ladder')
    expect(mixed.picture.common).toBeNull()
    const one = await bot.drawn('/shock BTC -8% main', 'ladder')
    expect(one.picture).toMatchObject({ common: -0.08, wallet: 'main', count: 1, positions: { count: 1 } })
  })

  test('says that a part of it was not seen', async () => {
    await using bot = await watching()
    bot.stage.fails('/positions', 503)
    for (const line of [`/watch ${CAROL} new`, '/shock all -10%']) {
      bot.ann.says(line)
      await bot.pass(30_000)
    }
    expect(bot.orders.map(({ picture }) => picture)).toMatchObject([
      { is: 'ladder', count: 2, isWhole: false },
    ])
  })

  test('is red where the price is within a critical tier', async () => {
    await using bot = await watching()
    bot.stage.market('BTC', { price: 96_000 })
    await bot.pass(30_000)
    const { picture } = await bot.drawn('/shock all -10%', 'ladder')
    expect(picture.accounts[0]).toMatchObject({ name: 'BTC long · main', tone: 'red' })
  })
})

test('/funding brings what one pays and receives, with the sums of its words', async () => {
  await using bot = await watching()
  const { said, picture }: { said: string; picture: FundingPicture } = await bot.drawn('/funding', 'funding')
  expect(picture).toMatchObject({
    ...{ count: 2, payment: null, isWhole: true, flip: { symbol: 'ETH' } },
    positions: [
      { symbol: 'BTC', side: 'long', wallet: 'main' },
      { symbol: 'ETH', side: 'long', wallet: 'hedge' },
    ],
  })
  const [paid, received] = picture.positions.map(({ perDay }) => perDay)
  expect(paid).toBeCloseTo(-0.0002 * 1.5 * 97_678, 2)
  expect(received).toBeGreaterThan(0)
  expect(picture.perDay).toBeCloseTo(picture.receivedPerDay - picture.paidPerDay, 9)
  expect(said).toContain(`you pay ${usd(-picture.perDay).replace('+', '')} a day`)
  expect(bot.photos()[0]?.text).toMatch(/^Funding of 2 positions at .*: you pay \$/)
})

describe('no picture follows', () => {
  test('where nothing is held', async () => {
    await using bot = await watching({ held: false })
    for (const line of ['/shock all -10%', '/funding']) {
      await bot.says(bot.ann, line)
      await bot.pass(2_000)
    }
    expect(bot.orders).toEqual([])
  })

  test.each(['off', 'critical'])('for somebody whose pictures are %s', async (pictures) => {
    await using bot = await watching()
    await bot.says(bot.ann, `/settings pictures ${pictures}`)
    for (const line of ['/shock all -10%', '/funding']) {
      await bot.says(bot.ann, line)
      await bot.pass(2_000)
    }
    expect(bot.orders).toEqual([])
  })

  test('in front of other people', async () => {
    await using bot = await watching()
    const { ann, telegram } = bot
    const group = telegram.group('Desk', { owner: ann })
    await bot.pass(0)
    ann.says(group, '/channel bind')
    await bot.pass(2_000)
    for (const line of ['/shock all -10%', '/funding']) {
      ann.says(group, line)
      await bot.pass(2_000)
    }
    expect(telegram.ledger.texts(group).join('\n')).toContain('The highest rates')
    expect(bot.orders).toEqual([])
  })

  test('the rate of one market alone', async () => {
    await using bot = await watching()
    expect((await bot.says(bot.ann, '/funding BTC')).join()).toContain('BTC long')
    await bot.pass(2_000)
    expect(bot.orders).toEqual([])
  })

  test('a tap that replaces an answer', async () => {
    await using bot = await watching()
    await bot.drawn('/shock all -10%', 'ladder')
    bot.ann.taps('Half')
    await bot.pass(2_000)
    expect(bot.orders).toHaveLength(1)
  })
})
