import { expect, test } from 'vitest'

import { ALICE, BOB, startBot } from '../support/bot.ts'

const MINUTE_MS = 60_000
/** A followed wallet is read within five minutes, and a change is told with the next look at the latest. */
const TURN_MS = 7 * MINUTE_MS
const LONG = { symbol: 'BTC', size: 1.5, entry: 95_000, liquidation: 90_000 }
const NO_LIQUIDATION = { symbol: 'BTC', size: 1.5, entry: 95_000, liquidation: 20_000 }

/** Somebody's bot: ALICE is a whale whose long is 10 % from its liquidation, and BOB the person's own wallet. */
async function aBot() {
  const bot = await startBot()
  bot.stage.market('BTC', { price: 100_000 })
  bot.stage.positions(ALICE, [LONG])
  await bot.pass(5_000)
  return bot
}

test('following begins at once with every change, and the least size is asked for with buttons', async () => {
  await using bot = await aBot()
  const answer = await bot.says(`/follow ${ALICE} whale`)
  expect(answer).toContain('✓ Following whale')
  expect(answer).toContain('every change')
  expect(answer).toContain('It holds BTC long.')
  for (const size of ['Every change', '$10k', '$100k', '$1M']) expect(answer).toContain(`[${size}: /follow`)
  expect(await bot.says(`/follow ${ALICE} $10k`)).toContain('changes from $10k on')
  expect(await bot.says('/wallets')).toContain('followed, changes from $10k on')
})

test('what the whale does is told quietly: it grows, turns, and closes with what that has brought', async () => {
  await using bot = await aBot()
  await bot.says(`/follow ${ALICE} whale $10k`)
  bot.stage.positions(ALICE, [{ ...LONG, size: 3 }])
  await bot.pass(TURN_MS)
  expect(bot.hears().join('\n')).toMatch(
    /\[INFO\] whale: BTC long grew by 100% .*\n {2}1\.5 → 3 BTC, \$300k · entry \$95,000/,
  )
  bot.stage.positions(ALICE, [{ ...LONG, size: -3, entry: 99_000, liquidation: 120_000 }])
  await bot.pass(TURN_MS)
  expect(bot.hears().join('\n')).toMatch(
    /\[INFO\] whale turned short in BTC, \$300k .*\n.*\n {2}the long before: made about \$15k/,
  )
  bot.stage.positions(ALICE, [])
  await bot.pass(TURN_MS)
  expect(bot.hears().join('\n')).toMatch(
    /\[INFO\] whale: BTC short was closed .*\n.*\n {2}lost about \$3,000/,
  )
})

test('small changes are not told', async () => {
  await using bot = await aBot()
  await bot.says(`/follow ${ALICE} whale $100k`)
  bot.stage.positions(ALICE, [{ ...LONG, size: 1.6 }])
  await bot.pass(TURN_MS)
  expect(bot.hears()).toEqual([])
})

test('a whale near its liquidation wakes nobody, and its liquidation is quiet information', async () => {
  await using bot = await aBot()
  await bot.says(`/follow ${ALICE} whale`)
  bot.stage.market('BTC', { price: 90_100 })
  await bot.pass(TURN_MS)
  expect(bot.hears()).toEqual([])
  bot.stage.market('BTC', { price: 85_000 })
  bot.stage.positions(ALICE, [])
  await bot.pass(TURN_MS)
  const said = bot.hears()
  expect(said).toHaveLength(1)
  expect(said[0]).toMatch(/^\[INFO\] whale: BTC long was probably liquidated/)
  // Nobody has acknowledged it, and nothing is repeated.
  await bot.pass(60 * MINUTE_MS)
  expect(bot.hears()).toEqual([])
})

test('an outage of the whale’s wallet is told to nobody, and /wallets says how old its figures are', async () => {
  await using bot = await aBot()
  await bot.says(`/follow ${ALICE} whale`)
  bot.stage.fails('/positions', 503)
  await bot.pass(30 * MINUTE_MS)
  expect(bot.hears()).toEqual([])
  expect(await bot.says('/wallets')).toMatch(/whale · .*\n {2}1 position, \d+ min old · followed/)
})

test('alerts for all wallets do not cover a followed one, and an alert on it is refused with a way', async () => {
  await using bot = await aBot()
  await bot.says(`/watch ${BOB} main`)
  await bot.says(`/follow ${ALICE} whale`)
  await bot.says('/alert liq 30%')
  await bot.pass(TURN_MS)
  expect(bot.hears()).toEqual([])
  expect(await bot.says('/alert liq whale 10%')).toMatch(
    /You only follow whale\..*\n\[Mine: guard it: \/watch 0x/,
  )
})

test('no sum counts it: positions of all wallets leave it out, and its name shows it', async () => {
  await using bot = await aBot()
  await bot.says(`/watch ${BOB} main`)
  await bot.says(`/follow ${ALICE} whale`)
  expect(await bot.says('/positions')).not.toContain('BTC')
  expect(await bot.says('/shock all -20%')).not.toContain('BTC')
  expect(await bot.says('/positions whale')).toContain('BTC long: 10.0% to liquidation')
  expect(await bot.says('/status')).toContain('1 wallet')
})

test('with play money nobody is asked', async () => {
  await using bot = await startBot({ simulated: true })
  expect(await bot.says(`/watch ${ALICE} main`)).not.toContain('somebody else')
})

test('one person guards what another follows: each is told in their own way', async () => {
  await using bot = await startBot({ platforms: ['telegram'], settings: { access: 'open' } })
  bot.stage.market('BTC', { price: 100_000 })
  bot.stage.positions(ALICE, [NO_LIQUIDATION])
  const anna = { user: 'anna' }
  const bert = { user: 'bert' }
  await bot.says(`/watch ${ALICE} main`, anna)
  await bot.says(`/follow ${ALICE} whale`, bert)
  await bot.pass(MINUTE_MS)
  bot.hears('anna')
  bot.hears('bert')
  bot.stage.positions(ALICE, [{ ...NO_LIQUIDATION, liquidation: 98_000 }])
  await bot.pass(20 * MINUTE_MS)
  expect(bot.hears('anna').join('\n')).toContain('[CRITICAL] BTC long: 2.0% to liquidation')
  expect(bot.hears('bert')).toEqual([])
})

test('the limits of own and of followed wallets are counted apart', async () => {
  await using bot = await startBot({ settings: { maxWallets: 1, maxFollowed: 1 } })
  const third = '0xde709f2102306220921060314715629080e2fb77'
  await bot.says(`/follow ${ALICE} whale`)
  expect(await bot.says(`/watch ${BOB} main`)).toContain('✓ Watching main')
  expect(await bot.says(`/follow ${third} other`)).toContain('You follow 1 wallet, the limit.')
})

test('it is exported as it is, forgotten with its person, and survives a restart', async () => {
  await using bot = await aBot()
  await bot.says(`/follow ${ALICE} whale $10k`)
  await bot.restart()
  expect(await bot.says('/export')).toContain(`/follow ${ALICE} \\"whale\\" $10000`)
  bot.stage.positions(ALICE, [{ ...LONG, size: 3 }])
  await bot.pass(TURN_MS)
  expect(bot.hears().join('\n')).toContain('whale: BTC long grew by 100%')
  expect(await bot.says('/unfollow whale')).toContain('Stopped following whale')
  bot.stage.positions(ALICE, [])
  await bot.pass(TURN_MS)
  expect(bot.hears()).toEqual([])
})

test('muted and in quiet hours it waits like all that is not critical', async () => {
  await using bot = await aBot()
  await bot.says(`/follow ${ALICE} whale`)
  await bot.says('/mute whale 1h')
  bot.stage.positions(ALICE, [{ ...LONG, size: 3 }])
  await bot.pass(TURN_MS)
  expect(bot.hears()).toEqual([])
})

test('a group follows what it was told to follow, and an export brings that back', async () => {
  await using bot = await startBot({ platforms: ['terminal'], settings: { access: 'open' } })
  bot.platforms
    .get('terminal')
    ?.groups.set('@traders', { title: 'Traders', mayPost: true, configurers: ['ann'] })
  const ann = { user: 'ann' }
  const there = { ...ann, place: { chat: '@traders', mayConfigure: true, whisper: true } }
  bot.stage.market('BTC', { price: 100_000 })
  bot.stage.positions(ALICE, [LONG])
  await bot.pass(5_000)
  await bot.says(`/watch ${BOB} main`, ann)
  await bot.says('/channel bind', there)
  bot.hears('@traders')
  expect(await bot.says(`/follow ${ALICE} whale $10k`, there)).toContain('✓ Following whale')
  // Nobody there learns which wallets are her own.
  expect(await bot.says(`/follow ${BOB}`, there)).not.toContain('main')
  bot.stage.positions(ALICE, [{ ...LONG, size: 3 }])
  await bot.pass(TURN_MS)
  expect(bot.hears('@traders').join('\n')).toContain('[INFO] whale: BTC long grew by 100%')
  expect(bot.hears('ann')).toEqual([])
  expect(await bot.says('/export', ann)).toContain(`/follow @traders ${ALICE} \\"whale\\" $10000`)
})

test('the digest and the results leave out what a followed wallet did', async () => {
  await using bot = await aBot()
  await bot.says(`/watch ${BOB} main`)
  await bot.says(`/follow ${ALICE} whale`)
  await bot.says('/digest 12:30')
  bot.stage.positions(ALICE, [])
  await bot.pass(TURN_MS)
  expect(bot.hears().join('\n')).toContain('whale: BTC long was closed')
  await bot.pass(30 * MINUTE_MS)
  const digest = bot.hears().join('\n')
  expect(digest).toContain('Daily digest: no open position')
  expect(digest).not.toContain('whale')
  expect(await bot.says('/history closed')).toContain('No closed positions yet')
})

test('an alert on it is said with its size, under its label, and ends with it unasked', async () => {
  await using bot = await aBot()
  await bot.says(`/follow ${ALICE} whale`)
  const answer = await bot.says('/alert followed whale $50k')
  expect(answer).toContain('✓ I’ll alert you when a wallet that you follow trades, from $50k on')
  const both = await bot.says('/alert followed whale BTC $5k')
  expect(both).toContain('Alerts on whale: ')
  expect(await bot.says('/remove R2')).not.toContain('no R2')
  expect(await bot.says('/unfollow whale')).toContain('Stopped following whale')
})

test('its label stands for its address in /follow', async () => {
  await using bot = await aBot()
  await bot.says(`/follow ${ALICE} whale`)
  expect(await bot.says('/follow whale $10k')).toContain('changes from $10k on')
  expect(await bot.says('/wallets')).toContain('whale · 0x')
})

test('a share is no least size and no name: the size is asked for', async () => {
  await using bot = await aBot()
  expect(await bot.says(`/follow ${ALICE} whale 5%`)).toContain('From what size on?')
  expect(await bot.says('10k')).toMatch(/✓ Following whale\n.*changes from \$10k on/)
})

test.each(['/positions', '/orders'])(
  '%s without a wallet of one’s own offers the followed one',
  async (line) => {
    await using bot = await aBot()
    await bot.says(`/follow ${ALICE} whale`)
    expect(await bot.says(line)).toContain(`[whale: ${line} "whale"]`)
  },
)

test.each(['/pnl whale', '/fix whale', '/balances whale'])(
  '%s says that it is not one’s own, with the way to guard it and no odd example',
  async (line) => {
    await using bot = await aBot()
    await bot.says(`/follow ${ALICE} whale`)
    const answer = await bot.says(line)
    expect(answer).toContain(`[Mine: guard it: /watch ${ALICE}]`)
    expect(answer).not.toContain('For example')
  },
)
