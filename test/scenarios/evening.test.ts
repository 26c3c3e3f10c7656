import Database from 'better-sqlite3'
import { expect, test } from 'vitest'

import { ALICE, BOB, type BotUnderTest, CLAIM_CODE, startBot, UNHURRIED } from '../support/bot.ts'
import { titles } from '../support/watched.ts'

type Who = { platform: string; user: string }

const group = { chat: 'traders', mayConfigure: true }
const member = { chat: 'traders', mayConfigure: false }

/** Olga runs the bot, Fred is invited, Sam is nobody; Fred has a second account on another platform. */
const olga = { platform: 'red', user: 'olga' }
const fred = { platform: 'red', user: 'fred' }
const fredBlue = { platform: 'blue', user: 'freddy' }
const sam = { platform: 'red', user: 'sam' }

async function evening(): Promise<BotUnderTest> {
  const bot = await startBot({
    platforms: ['red', 'blue'],
    settings: { marketPollMs: UNHURRIED.marketPollMs },
  })
  bot.stage.market('BTC', { price: 130, funding: 0.0002 })
  bot.stage.market('ETH', { price: 200, funding: 0.0002 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  bot.stage.positions(BOB, [{ symbol: 'ETH', size: -4, entry: 200, liquidation: 260 }])
  bot.platforms.get('red')?.groups.set('traders', { title: 'Traders', mayPost: true, configurers: ['olga'] })
  await bot.pass(0)
  return bot
}

/** Both sides say that they are the same person. */
async function linked(bot: BotUnderTest, first: Who, second: Who): Promise<void> {
  const code = /\/link (\S+)/.exec(await bot.says('/link', first))?.[1] ?? ''
  expect(await bot.says(`/link ${code}`, second)).toContain(`Are you ${first.platform} user ${first.user}?`)
  expect(await bot.says(`/link ${code} yes`, second)).toContain('Now say yes there as well')
  await bot.pass(0)
  expect(titles(bot.hears(first.user, first.platform))).toEqual([
    `[WARNING] Is ${second.platform} user ${second.user} you?`,
  ])
  expect(await bot.says(`/link ${code} yes`, first)).toContain('You are the same person here and there')
  await bot.pass(0)
  expect(titles(bot.hears(second.user, second.platform))).toHaveLength(1)
}

test('an evening of three people', async () => {
  await using bot = await evening()

  // Strangers get one polite sentence, whatever they try, and then nothing for a while.
  for (const line of ['/start', '/positions', '/nonsense', 'hello', '/invite', `/watch ${ALICE}`]) {
    expect(await bot.says(line, sam)).toMatch(
      /^This Perch is private\. Ask the person who runs it for an invitation/,
    )
    expect(await bot.says(line, sam)).toBe('')
    await bot.pass(600_000)
  }
  // The first who knows the code is the operator, and nobody after.
  expect(await bot.says(`/start ${CLAIM_CODE}`, olga)).toContain('You are the operator of this Perch now')
  expect(await bot.says(`/start ${CLAIM_CODE}`, sam)).toContain('This code is wrong')

  // An invitation lets one person in, once.
  const invitation = /\/start (\S+)/.exec(await bot.says('/invite', olga))?.[1] ?? ''
  expect(await bot.says('/invite', fred)).toContain('This Perch is private')
  expect(await bot.says(`/start ${invitation}`, fred)).toContain('Welcome: you are in.')
  expect(await bot.says(`/start ${invitation}`, sam)).toContain('This code is wrong')
  expect(await bot.says('/invite', fred)).toBe('/invite is for the operator of this Perch.')

  // Two wallets in common, one read each; everybody hears of it in their own chat.
  for (const who of [olga, fred]) {
    expect(await bot.says(`/watch ${ALICE} main`, who)).toContain('✓ Watching main')
    expect(await bot.says(`/watch ${BOB} "my hedge"`, who)).toContain('✓ Watching my hedge')
  }
  bot.stage.asked.length = 0
  await bot.pass(46_000)
  expect(bot.stage.asked.filter((path) => path.startsWith('/positions'))).toHaveLength(2)

  // Fred is the same person on the other platform.
  await linked(bot, fred, fredBlue)
  expect(await bot.says('/wallets', fredBlue)).toContain('my hedge')

  // A group is bound by somebody who may; its rules are its own.
  expect(await bot.says('/alert flip BTC', { ...fred, place: member })).toContain(
    'An admin can start with /channel bind.',
  )
  expect(await bot.says('/channel bind', { ...olga, place: { ...group, whisper: true } })).toContain(
    'Traders is bound',
  )
  await bot.pass(0)
  expect(titles(bot.hears('traders', 'red'))).toEqual(['[INFO] Test: alerts reach this chat'])
  expect(await bot.says('/alert flip BTC', { ...fred, place: member })).toContain(
    'Only an admin of this chat',
  )
  expect(await bot.says('/alert flip BTC', { ...olga, place: group })).toContain('in Traders')
  // A member whom we do not know may look at markets there, and at nothing of anybody's.
  expect(await bot.says('/market btc', { ...sam, place: member })).toContain('BTC $130.00')
  expect(await bot.says('/positions', { ...sam, place: member })).toContain('This Perch is private')
  expect(await bot.says('/positions', { ...olga, place: member })).toContain('Send me /positions there')
  expect(await bot.says('/funding', { ...olga, place: member })).not.toContain('Your positions')

  // A crash and a flip: each hears each event once, in the right chat.
  bot.stage.market('BTC', { price: 94, funding: -0.0002 })
  await bot.pass(5_000)
  for (const chat of ['olga', 'fred']) {
    expect(titles(bot.hears(chat, 'red'))).toEqual([
      expect.stringContaining('[CRITICAL] BTC long: 4.3% to liquidation'),
      expect.stringContaining('[INFO] BTC funding flipped: your long now receives'),
    ])
  }
  expect(titles(bot.hears('traders', 'red'))).toEqual([
    expect.stringContaining('[INFO] BTC funding flipped: shorts now pay longs'),
  ])
  expect(bot.hears('freddy', 'blue')).toEqual([])

  // Fred's first chat is gone: what waits and what comes goes to his other one, and he is told why.
  bot.platforms.get('red')?.delivers('fred', () => ({ is: 'gone', why: 'blocked by the user' }))
  bot.stage.market('BTC', { price: 92 })
  await bot.pass(5_000)
  expect(titles(bot.hears('freddy', 'blue'))).toEqual([
    expect.stringContaining('[CRITICAL] BTC long: 2.2% to liquidation'),
    expect.stringContaining('[BLIND] I can’t write to red chat fred any longer'),
  ])
  bot.stage.market('BTC', { price: 200 })
  await bot.pass(5_000)
  expect(titles(bot.hears('freddy', 'blue'))).toEqual([
    expect.stringContaining('[RESOLVED] BTC long is safe again'),
  ])
  expect(bot.hears('fred', 'red')).toEqual([])

  // Nobody sees what is not theirs.
  expect(await bot.says('/alerts', fredBlue)).not.toContain('Traders')
  expect(await bot.says('/why A1', fredBlue)).not.toContain('(A1)')
  expect(await bot.says('/channel list', fredBlue)).toContain('You have bound no chat')
})

test('somebody who is forgotten leaves no row', async () => {
  await using bot = await evening()
  await bot.says(`/start ${CLAIM_CODE}`, olga)
  const invitation = /\/start (\S+)/.exec(await bot.says('/invite', olga))?.[1] ?? ''
  await bot.says(`/start ${invitation}`, fred)
  await bot.says(`/watch ${ALICE} fredwallet`, fred)
  await bot.says('/alert liq BTC 40%', fred)
  await bot.says('/link', fred)
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(5_000)
  expect(bot.hears('fred', 'red')).not.toHaveLength(0)

  expect(await bot.says('/forget', fred)).toContain('Delete everything of yours?')
  expect(await bot.says('/wallets', fred)).toContain('fredwallet')
  expect(await bot.says('/forget yes', fred)).toContain('All gone. I don’t know you now')
  expect(await bot.says('/wallets', fred)).toContain('This Perch is private')
  bot.stage.market('BTC', { price: 91 })
  await bot.pass(120_000)
  expect(bot.hears('fred', 'red')).toEqual([])

  const sqlite = new Database(bot.database, { readonly: true })
  const tables = sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all() as string[]
  const left = tables.flatMap((table) => {
    const rows = sqlite
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => JSON.stringify(row))
    const his = rows.filter((row) => row.includes('fred') || row.includes(ALICE))
    // Olga alone is left: what else a person owns is counted.
    const most: Record<string, number> = {
      persons: 1,
      identities: 1,
      chats: 1,
      codes: 0,
      watches: 0,
      rules: 0,
      alerts: 0,
    }
    const extra = (most[table] ?? Infinity) < rows.length ? [`${table}: ${rows.length} rows`] : []
    return [...his.map((row) => `${table}: ${row}`), ...extra]
  })
  sqlite.close()
  expect(left).toEqual([])
})

test('a link code admits nobody: who uses it is told whose it is, and joins when that person says so', async () => {
  await using bot = await evening()
  await bot.says(`/start ${CLAIM_CODE}`, olga)
  await bot.says(`/watch ${ALICE} main`, olga)
  const code = /\/link (\S+)/.exec(await bot.says('/link', olga))?.[1] ?? ''

  // Passed on as if it were an invitation, it lets nobody in.
  expect(await bot.says(`/start ${code}`, sam)).toContain('connects two platforms')
  expect(await bot.says(`/watch ${BOB} mine`, sam)).toContain('This Perch is private')
  expect(await bot.says(`/link ${code}`, sam)).toContain('Are you red user olga?')
  expect(await bot.says(`/link ${code} no`, sam)).toContain('Nothing has changed')
  // Whoever is not known hears three answers in a while.
  await bot.pass(601_000)
  expect(await bot.says(`/link ${code} yes`, sam)).toContain('Now say yes there as well')

  // Until she says so he is nobody: he sees nothing, watches nothing and hears nothing.
  expect(await bot.says(`/watch ${BOB} mine`, sam)).toContain('This Perch is private')
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(5_000)
  expect(bot.hears('sam', 'red')).toEqual([])
  expect(bot.hears('olga', 'red').join()).toContain('Is red user sam you?')
  // Nor does it help anybody else, on whatever platform.
  expect(await bot.says(`/link ${code} yes`, fredBlue)).toContain('This code is wrong or has expired')
  expect(await bot.says(`/link ${code} yes`, sam)).toContain('This code is wrong or has expired')

  expect(await bot.says(`/link ${code} no`, olga)).toContain('red user sam stays a stranger')
  expect(await bot.says(`/link ${code} yes`, olga)).toContain('Nobody waits for this answer')
  await bot.pass(601_000)
  expect(await bot.says('/wallets', sam)).toContain('This Perch is private')
})

test('a request to be the same person outlives a restart, and neither code nor request is found in the database', async () => {
  await using bot = await evening()
  await bot.says(`/start ${CLAIM_CODE}`, olga)
  const invitation = /\/start (\S+)/.exec(await bot.says('/invite', olga))?.[1] ?? ''
  const code = /\/link (\S+)/.exec(await bot.says('/link', olga))?.[1] ?? ''
  await bot.says(`/link ${code} yes`, fredBlue)
  await bot.restart()

  const sqlite = new Database(bot.database, { readonly: true })
  const kept = JSON.stringify([
    sqlite.prepare('SELECT * FROM codes').all(),
    sqlite.prepare('SELECT * FROM outbox').all(),
  ])
  sqlite.close()
  expect(invitation).not.toBe('')
  expect(kept).not.toContain(invitation)
  expect(kept).not.toContain(code)

  const yes = bot.platforms
    .get('red')
    ?.sees('olga', 'olga')
    .flatMap(({ buttons }) => buttons)
  const line = yes?.find(({ label }) => label === 'Yes, that’s me')?.line ?? ''
  expect(await bot.says(line, olga)).toContain('You are the same person here and there')
  expect(await bot.says(`/watch ${ALICE} main`, fredBlue)).toContain('✓ Watching main')
  expect(await bot.says('/wallets', olga)).toContain('main')
})

test('the code of the start makes one operator, also when that one is gone', async () => {
  await using bot = await evening()
  await bot.says(`/start ${CLAIM_CODE}`, olga)
  await bot.says('/forget yes', olga)
  expect(await bot.says(`/start ${CLAIM_CODE}`, sam)).toContain('This code is wrong')
})

test('a linked person hears in the chat that they prefer', async () => {
  await using bot = await evening()
  await bot.says(`/start ${CLAIM_CODE}`, olga)
  await bot.says(`/watch ${ALICE} main`, olga)
  await linked(bot, olga, fredBlue)
  expect(await bot.says('/settings', olga)).toContain('Alerts on red')
  expect(await bot.says('/settings chat blue', olga)).toContain('Alerts reach you on blue now')
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(5_000)
  expect(bot.hears('olga', 'red')).toEqual([])
  expect(titles(bot.hears('freddy', 'blue'))).toEqual([
    expect.stringContaining('BTC long: 4.3% to liquidation'),
  ])
})

test('everybody may come in where ACCESS is open, within limits', async () => {
  await using bot = await startBot({
    platforms: ['red'],
    settings: { access: 'open', maxWallets: 1, maxRules: 1, maxCommandsPerMinute: 8 },
  })
  bot.stage.market('BTC', { price: 130 })
  await bot.pass(0)
  expect(await bot.says(`/watch ${ALICE}`, sam)).toContain('✓ Watching')
  expect(await bot.says(`/watch ${BOB}`, sam)).toContain('You watch 1 wallet, the limit')
  expect(await bot.says('/alert liq BTC 10%', sam)).toContain('R6')
  expect(await bot.says('/alert liq 10%', sam)).toContain('You have set 1 rule, the limit')
  expect(await bot.says('/invite', sam)).toContain('is for the operator')
  for (let more = 0; more < 3; more++) await bot.says('/status', sam)
  expect(await bot.says('/status', sam)).toContain('That’s more than 8 commands a minute')
  await bot.pass(60_000)
  expect(await bot.says('/status', sam)).toContain('I see everything')
})

test('where ACCESS is open and enough have come, a newcomer is told so and may still be invited', async () => {
  await using bot = await startBot({ platforms: ['red'], settings: { access: 'open', maxPeople: 2 } })
  bot.stage.market('BTC', { price: 130 })
  await bot.pass(0)
  const [olga, pat, ron] = ['olga', 'pat', 'ron'].map((user) => ({ platform: 'red', user }))
  await bot.says(`/start ${CLAIM_CODE}`, olga)
  expect(await bot.says(`/watch ${ALICE}`, pat)).toContain('✓ Watching')
  expect(await bot.says(`/watch ${ALICE}`, ron)).toContain('This Perch is full')
  // As to any stranger, it is said once in a while.
  expect(await bot.says('/help', ron)).toBe('')
  expect(await bot.says('/wallets', pat)).toContain(ALICE.slice(0, 6))
  const code = /\/start (\S+)/.exec(await bot.says('/invite', olga))?.[1]
  await bot.says(`/start ${code}`, ron)
  expect(await bot.says(`/watch ${ALICE}`, ron)).toContain('✓ Watching')
})

test('play money says so in every message where it could be taken for earnest', async () => {
  await using bot = await startBot({ platforms: ['red'], simulated: true })
  bot.stage.market('BTC', { price: 94 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  expect(await bot.says(`/start ${CLAIM_CODE}`, olga)).toContain('SIMULATED: play money')
  expect(await bot.says(`/watch ${ALICE} main`, olga)).toContain('SIMULATED: play money')
  await bot.pass(5_000)
  expect(bot.hears('olga', 'red')[0]).toContain('SIMULATED: play money')
})
