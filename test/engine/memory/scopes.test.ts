import { describe, expect, test } from 'vitest'

import { accountSource } from '../../../src/venue/source.ts'
import { ALICE, aMarket, aPosition, aRule, aWatch, BOB, exact } from '../../support/fixtures.ts'
import { startEngine } from '../../support/running.ts'

const eth = aPosition({ accountId: 'main' })
const nvda = aPosition({ accountId: 'xyz', marketId: 'xyz:NVDA' })
const other = aPosition({ wallet: BOB, accountId: 'xyz', marketId: 'xyz:NVDA' })
const XYZ = { failedParts: [{ part: 'xyz', why: 'status 500' }] }
const FAR_MS = 240_000

const kinds = ['position-opened', 'position-closed', 'position-resized']
// Each change of a size by itself.
const params = (kind: string) => (kind === 'position-resized' ? { within: 1 } : {})
const rules = [
  aRule(),
  ...kinds.map((kind, at) => aRule({ id: 20 + at, kind, identity: '', params: params(kind) })),
]

/** Prices every two seconds and the wallet every ten, for so long. */
async function started(watches = [aWatch()]) {
  const engine = await startEngine({ rules, watches })
  const prices = { ETH: '4000', NVDA: '4000' }
  const seen = { xyz: true, main: true }
  const lists = () =>
    engine.prices(
      ...(seen.main ? [aMarket({ price: exact(prices.ETH) })] : []),
      ...(seen.xyz
        ? [aMarket({ id: 'xyz:NVDA', symbol: 'xyz:NVDA', dex: 'xyz', price: exact(prices.NVDA) })]
        : []),
    )
  await lists()
  return Object.assign(engine, {
    set: prices,
    seen,
    lists,
    async pass(ms: number, look: () => Promise<void> = async () => {}) {
      for (let left = ms; left > 0; left -= 10_000) {
        await look()
        for (let poll = 0; poll < 4; poll++) await lists()
        await engine.clock.advance(5_000)
      }
      return engine.hears().map((title) => title.replace(/ \(A\d+\)$/, ''))
    },
  })
}

describe('an account of a wallet that cannot be read', () => {
  const fails = (bot: Awaited<ReturnType<typeof started>>, positions = [eth]) =>
    bot.pass(FAR_MS + 20_000, () => bot.reads(positions, XYZ))

  test('is told once, by the wallet and the account, and so is its return', async () => {
    const bot = await started()
    await bot.reads([eth, nvda])
    expect(await fails(bot)).toEqual(['1: I can’t see wallet main in xyz'])
    expect(await fails(bot)).toEqual([])
    await bot.reads([eth, nvda])
    expect(bot.hears()).toEqual(['1: I can see wallet main in xyz again'])
    expect(bot.engine.memory.sources.lastSuccess.has(accountSource(ALICE, 'xyz'))).toBe(false)
  })

  test('is slow and not dark while our own requests have no turn for it: nothing of it has vanished', async () => {
    const bot = await started()
    await bot.reads([eth, nvda])
    const waits = { failedParts: [{ part: 'xyz', why: 'others went first', queued: true as const }] }
    expect(await bot.pass(2 * FAR_MS, () => bot.reads([eth], waits))).toEqual([])
    expect(await bot.pass(20_000, () => bot.reads([eth, nvda]))).toEqual([])
  })

  test('in which nothing is known to be disturbs nobody', async () => {
    const bot = await started()
    await bot.reads([eth])
    expect(await fails(bot)).toEqual([])
    expect([...bot.engine.memory.sources.lastFailure.keys()]).toEqual([])
  })

  test('in which something is that cannot be used is told', async () => {
    const bot = await started()
    await bot.reads([eth])
    const unusable = [{ what: 'position 1 of 1', why: 'no size', part: 'xyz' }]
    const heard = await bot.pass(FAR_MS + 20_000, () => bot.reads([eth], { unusable }))
    expect(heard).toEqual(['1: I can’t see wallet main in xyz'])
  })

  test('closes, opens and resizes nothing, and hides nothing of that elsewhere', async () => {
    const bot = await started()
    await bot.reads([eth, nvda])
    expect(await bot.pass(60_000, () => bot.reads([], XYZ))).toEqual(['1: ETH long was closed'])
    expect(await bot.pass(30_000, () => bot.reads([eth], XYZ))).toEqual(['1: ETH long opened'])
    const grown = { ...eth, size: exact('3') }
    expect(await bot.pass(30_000, () => bot.reads([grown], XYZ))).toEqual(['1: ETH long grew by 50%'])
    await bot.reads([grown])
    await bot.reads([grown])
    expect(await bot.pass(0)).toEqual(['1: xyz:NVDA long was closed'])
  })

  test('has not opened what was in it before anybody could look, also over a restart', async () => {
    const bot = await started()
    await bot.pass(20_000, () => bot.reads([eth], XYZ))
    await bot.restart(5_000)
    await bot.lists()
    await bot.pass(20_000, () => bot.reads([eth], XYZ))
    await bot.reads([eth, nvda])
    expect(bot.hears()).toEqual([])
    await bot.lists()
    await bot.reads([eth])
    await bot.reads([eth])
    expect(await bot.pass(0)).toEqual(['1: xyz:NVDA long was closed'])
  })

  test('goes on to be judged by the price: worse is told, nothing gets better', async () => {
    const bot = await started()
    await bot.reads([eth, nvda])
    await fails(bot)
    bot.set.NVDA = '2080'
    expect(await bot.pass(10_000, () => bot.reads([eth], XYZ))).toEqual([
      '1: xyz:NVDA long: 3.8% to liquidation',
    ])
    bot.set.NVDA = '4000'
    expect(await bot.pass(30_000, () => bot.reads([eth], XYZ))).toEqual([])
    await bot.reads([eth, nvda])
    expect(bot.hears()).toContain('1: I can see wallet main in xyz again')
  })

  test('is silent while its whole wallet is dark, and each is said once', async () => {
    const bot = await started()
    await bot.reads([eth, nvda])
    await bot.pass(10_000, () => bot.reads([eth], XYZ))
    const dark = async () => bot.engine.failed({ is: 'wallet', wallet: ALICE }, 'status 500')
    expect(await bot.pass(600_000, dark)).toEqual(['1: I can’t see wallet main'])
    await bot.reads([eth, nvda])
    expect(bot.hears()).toEqual(['1: I can see wallet main again'])
  })

  test('that was told before the wallet went dark comes back with it, in one report', async () => {
    const bot = await started()
    await bot.reads([eth, nvda])
    await fails(bot)
    const dark = async () => bot.engine.failed({ is: 'wallet', wallet: ALICE }, 'status 500')
    expect(await bot.pass(600_000, dark)).toEqual(['1: I can’t see wallet main'])
    await bot.reads([eth, nvda])
    expect(bot.hears()).toEqual(['1: I can see wallet main again'])
    expect([...bot.engine.memory.sources.outageNoticesByChat.of(1)]).toEqual([])
  })

  test('is silent while the venue is dark', async () => {
    const bot = await started()
    await bot.reads([eth, nvda])
    await bot.reads([eth], XYZ)
    await bot.clock.advance(FAR_MS + 20_000)
    expect(bot.hears()).toEqual(['1: I can’t see the venue'])
  })

  test('is one message where several wallets are in it', async () => {
    const bot = await started([aWatch(), aWatch({ wallet: BOB, label: 'cold' })])
    await bot.reads([eth, nvda])
    await bot.pass(20_000)
    await bot.reads([other], { wallet: BOB })
    const look = async () => {
      await bot.reads([eth], XYZ)
      await bot.reads([], { wallet: BOB, ...XYZ })
    }
    bot.kept()
    expect(await bot.pass(FAR_MS + 60_000, look)).toEqual([
      '1: I can’t see wallet main in xyz',
      '1: I can’t see wallet cold in xyz',
    ])
    expect(bot.kept().filter((write) => write.is === 'send' && write.row.note === null)).toHaveLength(1)
  })

  test('is still blind after a restart, and its return is told, with the gap', async () => {
    const bot = await started()
    await bot.reads([eth, nvda])
    await fails(bot)
    await bot.restart(10_000)
    await bot.lists()
    expect(await fails(bot)).toEqual([])
    bot.kept()
    await bot.reads([eth, nvda])
    expect(bot.hears()).toEqual(['1: I can see wallet main in xyz again'])
    const gap = bot.kept().find(({ is }) => is === 'gap')
    expect(gap).toMatchObject({ gap: { source: accountSource(ALICE, 'xyz'), chatId: 1 } })
    await bot.restart(10_000)
    expect(bot.engine.memory.sources.blind.size).toBe(0)
  })

  test('is told however often the bot is restarted', async () => {
    const bot = await started()
    await bot.reads([eth, nvda])
    const heard: string[] = []
    for (let life = 0; life < 5; life++) {
      await bot.restart(5_000)
      await bot.lists()
      heard.push(...(await bot.pass(90_000, () => bot.reads([eth], XYZ))))
    }
    expect(heard).toEqual(['1: I can’t see wallet main in xyz'])
  })

  test('is nobody’s business any more when the wallet is not watched', async () => {
    const bot = await started()
    await bot.reads([eth, nvda])
    await fails(bot)
    await bot.change({ is: 'unwatch', personId: 1, wallet: ALICE })
    await bot.pass(10_000)
    expect([...bot.engine.memory.sources.outageNoticesByChat.of(1)]).toEqual([])
    await bot.restart(10_000)
    expect(bot.engine.memory.sources.blind.size).toBe(0)
  })
})

describe('a market of a book that cannot be read', () => {
  test('speaks for nothing: how a position there ended is not known', async () => {
    const bot = await started()
    await bot.reads([eth, nvda])
    bot.seen.xyz = false
    await bot.pass(60_000, () => bot.reads([eth, nvda]))
    bot.seen.xyz = true
    await bot.reads([eth])
    await bot.pass(10_000, () => bot.reads([eth]))
    expect(
      bot
        .hears()
        .concat(await bot.pass(10_000))
        .join(),
    ).not.toContain('was closed')
  })

  test('tells what it holds as missing, and nothing of the others', async () => {
    const bot = await started()
    await bot.reads([eth, nvda])
    bot.seen.xyz = false
    expect(await bot.pass(60_000)).toEqual(['1: I can’t see the market xyz:NVDA'])
    bot.seen.xyz = true
    expect(await bot.pass(10_000)).toEqual(['1: I can see the market xyz:NVDA again'])
  })
})

test('the markets that are needed are those that somebody is in or has a rule on', async () => {
  const bot = await started()
  expect(bot.engine.needed()).toEqual([])
  await bot.reads([eth, nvda])
  expect(bot.engine.needed()).toEqual(['100', 'xyz:NVDA'])
})
