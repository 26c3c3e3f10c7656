import { describe, expect, test } from 'vitest'

import { kinds } from '../../src/alerts/index.ts'
import { watchProgress } from '../../src/ops/liveness/progress.ts'
import type { Event } from '../../src/runtime/event.ts'
import { ALICE, BOB, type BotUnderTest, startBot } from '../support/bot.ts'

/** A long of 1.5 BTC that is liquidated at 90, and a short of 2 ETH that is at 150. */
async function watched(bot: BotUnderTest, prices: { btc?: number; eth?: number } = {}): Promise<void> {
  bot.stage.market('BTC', { price: prices.btc ?? 130, funding: 0.0001 })
  bot.stage.market('ETH', { price: prices.eth ?? 100, funding: 0.0001 })
  bot.stage.positions(ALICE, [
    { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 },
    { symbol: 'ETH', size: -2, entry: 100, liquidation: 150 },
  ])
  await bot.pass(0)
}

test('an answer to /watch names everything that it arms, and two positions, in nine lines', async () => {
  await using bot = await startBot()
  bot.stage.market('SOL', { price: 100 })
  await watched(bot)
  bot.stage.positions(ALICE, [
    { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 },
    { symbol: 'ETH', size: -2, entry: 100, liquidation: 150 },
    { symbol: 'SOL', size: 3, entry: 100, liquidation: 20 },
  ])
  const [text = ''] = (await bot.says(`/watch ${ALICE} main`)).split('\n[')
  const lines = text.split('\n')
  expect(lines[0]).toBe('✓ Watching main: 3 positions')
  expect(lines[1]).toBe(
    '  You’ll get an alert when a position nears liquidation (at 20 / 10 / 5 / 2.5%), opens, closes or changes size, or when its funding flips.',
  )
  expect(lines.filter((line) => / to liquidation/.test(line))).toHaveLength(2)
  expect(text).toContain('and 1 more')
  expect(lines.reduce((sum, line) => sum + Math.ceil(line.trim().length / 36), 0)).toBeLessThanOrEqual(10)
  const armed = kinds.filter(({ armedByWatch }) => armedByWatch !== null).map(({ name }) => name)
  expect(armed.toSorted()).toEqual([
    ...['funding-flip', 'liquidation-distance', 'margin-ratio'],
    ...['position-closed', 'position-opened', 'position-resized'],
  ])
})

describe('an answer to /alert', () => {
  test('is the alert in one sentence, where its market stands now, and its button', async () => {
    await using bot = await startBot()
    await watched(bot, { eth: 2_459 })
    expect(await bot.says('/alert price ETH below 2300')).toBe(
      '✓ I’ll alert you when ETH is below $2,300.00\n  now $2,459.00 (6.9% above) · R1\n[Remove: /remove R1]',
    )
  })

  test.each([
    ['just past it', 99.8, 'already past it: you’ll be alerted in 15 s)', [0, 1]],
    ['far past it', 90, 'already past it: you’ll be alerted at once)', [1, 1]],
  ])('says when an alert follows: %s', async (_where, eth, words, heard) => {
    await using bot = await startBot()
    await watched(bot, { eth })
    expect(await bot.says('/alert price ETH below 100')).toContain(words)
    await bot.pass(10_000)
    const first = bot.hears().length
    await bot.pass(10_000)
    expect([first, first + bot.hears().length]).toEqual(heard)
  })

  test('promises no alert in quiet hours, nor one that is on already', async () => {
    await using bot = await startBot()
    await watched(bot, { eth: 90 })
    await bot.says('/settings zone UTC')
    await bot.says('/quiet 11:00-14:00')
    expect(await bot.says('/alert price ETH below 100')).toContain('10% below, already past it) · R1')
    await bot.says('/quiet off')
    await bot.pass(20_000)
    expect(await bot.says('/alert price ETH below 100 for 5m')).toContain('10% below, already past it) · R1')
  })
})

describe('a price far from the present one', () => {
  test('is asked about before it is set, with the likelier reading of its digits', async () => {
    await using bot = await startBot()
    await watched(bot, { btc: 67_900 })
    const asked = await bot.says('/alert price BTC below 67.255')
    expect(asked).toContain('BTC is $67,900 now. Alert at $67.255, or did you mean $67,255?')
    expect(await bot.says('/alerts')).not.toContain('price')
    expect(await bot.says('/alert price BTC below 67255')).toContain('when BTC is below $67,255')
    const far = await bot.says('/alert price BTC above 200k')
    expect(far).toContain('BTC is $67,900 now. Alert at $200,000?')
    const line = /\[[^\]]*: (\/alert[^\]]*)\]/.exec(far)?.[1] ?? ''
    expect(await bot.says(line)).toContain('when BTC is above $200,000')
  })

  test('is set again by the lines of /export and of /remove', async () => {
    await using bot = await startBot()
    await watched(bot, { btc: 67_900 })
    await bot.says('/alert price BTC above 200k yes')
    const removed = await bot.says('/remove R1')
    const back = /(\/alert price BTC[^\]]*)\]/.exec(removed)?.[1] ?? ''
    expect(await bot.says(back)).toContain('when BTC is above $200,000')
    expect(await bot.says('/export')).toContain('/alert price BTC above 200000 yes')
  })
})

describe('whoever sets, takes away or watches', () => {
  test('hears what is told now, of all rules together', async () => {
    await using bot = await startBot()
    await watched(bot)
    expect(await bot.says(`/watch ${ALICE} main`)).toContain('nears liquidation (at 20 / 10 / 5 / 2.5%)')
    await bot.pass(2_000)
    const narrower = await bot.says('/alert liq main ETH 30%')
    expect(narrower).toContain('Alerts on ETH in main: 30%, 20% (info) · 10% (warning) · 5%, 2.5% (critical)')
    expect(narrower).toContain('other markets in main: 20% (info) · 10% (warning) · 5%, 2.5% (critical)')
    expect(await bot.says('/alert liq 45%')).toContain(
      'Alerts on ETH in main: 45%, 30%, 20% (info) · 10% (warning) · 5%, 2.5% (critical)',
    )
    expect(await bot.says('/remove R6')).toContain(
      'Alerts on main: 45%, 20% (info) · 10% (warning) · 5%, 2.5% (critical)',
    )
  })

  test('hears that a position has nothing left, and that another rule still tells', async () => {
    await using bot = await startBot()
    await watched(bot)
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(2_000)
    await bot.says('/alert liq main BTC 8%')
    const left = await bot.says('/remove R1')
    expect(left).toContain('Alerts on BTC in main: 8% (warning)')
    expect(left).toContain('other markets in main: none of this kind')
    await bot.says('/alert opened')
    expect(await bot.says('/remove R3')).toContain('Alerts on main: on')
    expect(await bot.says('/remove R7')).toContain('Alerts on main: none of this kind')
    expect(await bot.says('/alert flip ETH')).toContain('Alerts on ')
  })

  test('hears what a rule was that is set anew', async () => {
    await using bot = await startBot()
    await watched(bot)
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(2_000)
    const anew = await bot.says('/alert liq main 8%')
    expect(anew).toContain('at 8%')
    expect(anew).toContain('before: at 20 / 10 / 5 / 2.5%')
    const asBefore = /\[As it was: (.*)\]/.exec(anew)?.[1] ?? ''
    expect(await bot.says(asBefore)).toContain('Alerts on main: 20% (info) · 10% (warning)')
    expect(await bot.says('/alert liq main ETH 30%')).not.toContain('before')
  })

  test('of a wallet that is watched already, hears what stands', async () => {
    await using bot = await startBot()
    await watched(bot)
    await bot.says(`/watch ${ALICE} main`)
    await bot.says('/remove R1')
    expect(await bot.says(`/watch ${ALICE} main`)).toContain('Alerts on main: none of this kind')
  })
})

describe('what fires', () => {
  async function firing(): Promise<BotUnderTest> {
    const bot = await startBot()
    await watched(bot, { btc: 92, eth: 140 })
    bot.stage.positions(BOB, [{ symbol: 'BTC', size: 1, entry: 120, liquidation: 75 }])
    await bot.says(`/watch ${ALICE} main`)
    await bot.says(`/watch ${BOB} hedge`)
    await bot.pass(20_000)
    return bot
  }
  const lines = (text: string) => text.split('\n').filter((line) => / \(A\d+\)/.test(line))

  test('is named with its position and wallet, the worst first, in /status and in /alerts', async () => {
    await using bot = await firing()
    const worst = [
      expect.stringMatching(/^ {2}BTC long · main: 2\.2% away \(A\d\) · next reminder .*$/),
      expect.stringMatching(/^ {2}ETH short · main: 7\.1% away \(A\d\)$/),
      expect.stringMatching(/^ {2}BTC long · hedge: 18\.5% away \(A\d\)$/),
    ]
    const status = await bot.says('/status')
    expect(status).toContain('3 active alerts')
    expect(lines(status)).toEqual(worst)
    const alerts = await bot.says('/alerts')
    expect(alerts).toContain('3 active alerts, 10 rules')
    expect(lines(alerts)).toEqual(worst)
    expect(alerts).toMatch(/active: A\d, A\d/)
  })

  test('is what /why without a number offers, by position and wallet', async () => {
    await using bot = await firing()
    expect(await bot.says('/why')).toMatch(
      /\[BTC long 2\.2% · main: \/why A\d\] \[ETH short 7\.1% · main: \/why A\d\] \[BTC long 18\.5% · hedge: /,
    )
  })
})

describe('/status', () => {
  test('does not say that it sees while reads fail, and says which wallet cannot be read', async () => {
    await using bot = await startBot()
    await watched(bot)
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(2_000)
    expect(await bot.says('/status')).toContain('I see everything')
    bot.stage.fails('/markets', 503)
    await bot.pass(4_000)
    expect(await bot.says('/status')).toMatch(
      /I can’t see everything[\s\S]*prices: live, the last try failed/,
    )
    bot.stage.fails('/markets', null)
    await bot.pass(60_000)
    expect(await bot.says('/status')).toContain('I see everything')
    bot.stage.fails('/positions', 503)
    await bot.pass(70_000)
    expect(await bot.says('/status')).toMatch(/I can’t see everything[\s\S]*main: .*, the last try failed/)
  })

  test('does not say that it sees while no answer comes at all', async () => {
    await using bot = await startBot()
    await watched(bot)
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(2_000)
    bot.stage.fails('/markets', 'hang')
    await bot.pass(10_500)
    expect(await bot.says('/status')).not.toContain('I see everything')
  })
})

test('/status never says that it sees while /readyz is red for the venue', async () => {
  await using bot = await startBot()
  let hear: (event: Event) => void = () => {}
  const events = { emit() {}, listen: (listener: typeof hear) => ((hear = listener), () => {}) }
  const progress = watchProgress({ events, clock: bot.clock, marketPollMs: 2_000 })
  hear({ is: 'started', version: '', venue: '', adapters: [], database: '' })
  let heard = 0
  const passes = async (ms: number) => {
    await bot.pass(ms)
    for (const event of bot.events.slice(heard)) hear(event)
    heard = bot.events.length
  }
  const says = async () => ({ ready: progress.report().ready, status: await bot.says('/status') })
  await watched(bot)
  await bot.says(`/watch ${ALICE} main`)
  let blindness = 0
  for (const fault of [503, 'hang'] as const) {
    await passes(10_000)
    expect(await says()).toEqual({
      ready: true,
      status: expect.stringMatching(/^I see everything/) as string,
    })
    bot.stage.fails('/', fault)
    for (let step = 0; step < 60; step++) {
      await passes(500)
      const { ready, status } = await says()
      if (!ready) expect(status).toContain('I can’t see everything')
      blindness += Number(!ready)
    }
    bot.stage.fails('/', null)
    await passes(60_000)
  }
  expect(blindness).toBeGreaterThan(60)
})

test('/why says each figure in its own unit', async () => {
  await using bot = await startBot()
  await watched(bot)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(2_000)
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(2_000)
  expect(await bot.says('/why A1')).toContain('value 4.3%, threshold at 20 / 10 / 5 / 2.5%')
  bot.stage.market('ETH', { funding: -0.0003 })
  await bot.pass(2_000)
  expect(await bot.says('/why A2')).toContain('value -0.03% a day, threshold past')
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(10_000)
  expect(await bot.says('/why A3')).toContain('value 50.0% from liquidation when last seen')
})

test('/history shows nine at a time, the newest first, and goes back page by page', async () => {
  await using bot = await startBot()
  await watched(bot)
  await bot.says(`/watch ${ALICE} main`)
  for (let again = 0; again < 11; again++) {
    for (const btc of [94, 130]) {
      bot.stage.market('BTC', { price: btc })
      await bot.pass(2_000)
    }
  }
  const newest = await bot.says('/history')
  expect(newest).toContain('page 1 of 2')
  expect(newest).toContain('(A11) · main')
  expect(newest).not.toContain('(A2) ')
  expect(newest).toContain('/history 2]')
  const older = await bot.says('/history 2')
  expect(older).toContain('(A1) · main')
  expect(older).not.toContain('(A11)')
})
