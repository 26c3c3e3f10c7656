import { hash } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { APP_LIVES_MS, PAGE_CODE_LIVES_MS, PAGE_LIVES_MS } from '../../src/people/session.ts'
import { ALICE, type BotUnderTest, startBot } from '../support/bot.ts'
import { apart, opensOf } from '../support/page-inbound.ts'
import { blue, onTwoPlatforms, red } from '../support/two-platforms.ts'

const site = { url: 'https://perch.example', isPublic: true }
const platformOf = (bot: BotUnderTest, name = bot.platforms.keys().next().value ?? '') => {
  const recorder = bot.platforms.get(name)
  if (!recorder) throw new Error(`no platform ${name}`)
  return recorder
}
const digest = (secret: string) => hash('sha256', secret)
const pageOf = (bot: BotUnderTest, secret: string) => apart(bot, { is: 'page', user: digest(secret) })

/** The code in the link of `/page`. */
async function codeFor(bot: BotUnderTest, who = { platform: 'red', user: 'olga' }): Promise<string> {
  const links = opensOf(await platformOf(bot, who.platform).asks(who.user, '/page'))
  return new URL(links['Open in a browser'] ?? '').hash.slice(1)
}

async function signIn(bot: BotUnderTest, code: string, secret: string, name = 'Firefox'): Promise<boolean> {
  const proof = { is: 'code', code } as const
  const opened = await platformOf(bot)
    .bot()
    .signIn({ proof, user: digest(secret), name })
  await bot.clock.advance(0)
  return opened
}

describe('a page', () => {
  test('is opened by a link of either chat, and is the same person', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    expect(await signIn(bot, await codeFor(bot, red), 'first')).toBe(true)
    expect(await signIn(bot, await codeFor(bot, blue), 'second', 'Safari')).toBe(true)
    for (const secret of ['first', 'second'])
      expect(await pageOf(bot, secret).says('/positions')).toContain('BTC')
    const list = await bot.says('/pages', blue)
    expect(list).toContain('2 pages are open')
    expect(list).toMatch(/S1 olga \(Firefox\)\n.*by a link of \/page[^]*S2 olga-blue \(Safari\)/)
  })

  test('has its rules told in the first chat of its person, and no chat of its own', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    await signIn(bot, await codeFor(bot), 'first')
    expect(await pageOf(bot, 'first').says('/alert price BTC below 120')).toContain('BTC is below $120')
    bot.stage.market('BTC', { price: 110 })
    await bot.pass(30_000)
    expect(bot.hears('olga', 'red').join('\n')).toContain('BTC')
    expect(await bot.says('/settings', red)).not.toContain('web')
  })

  test('in a browser of another language changes nothing for the chats', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    await signIn(bot, await codeFor(bot), 'first')
    const page = apart(bot, { is: 'page', user: digest('first') }, 'de')
    expect(await page.says('/alert price BTC below 120')).toContain('Ich melde mich')
    expect(await bot.says('/alert price BTC below 121', red)).toContain('I’ll alert you')
  })

  test('asks and is answered there', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    await signIn(bot, await codeFor(bot), 'first')
    const page = pageOf(bot, 'first')
    expect((await page.answers('/alert price BTC below')).question?.start).toBe('/alert price BTC below')
    expect(await page.says('121')).toContain('BTC is below $121')
  })

  test('is signed in once by a code, within ten minutes, and only by the newest', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    const code = await codeFor(bot)
    const atOnce = await Promise.all(['a', 'b'].map((secret) => signIn(bot, code, secret)))
    expect(atOnce).toEqual([true, false])
    const old = await codeFor(bot)
    const last = await codeFor(bot)
    expect(await signIn(bot, old, 'c')).toBe(false)
    await bot.pass(PAGE_CODE_LIVES_MS)
    expect(await signIn(bot, last, 'd')).toBe(false)
    expect(await pageOf(bot, 'b').says('/positions')).toContain('signed out')
  })

  test('is signed in by the word of a platform for a day', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    const by = { platform: 'blue', user: 'olga-blue' }
    const signsIn = (proof: { is: 'identity'; by: typeof by; name: string }, user: string) =>
      platformOf(bot)
        .bot()
        .signIn({ proof, user: digest(user), name: 'the app' })
    expect(await signsIn({ is: 'identity', by, name: 'Olga' }, 'app')).toBe(true)
    expect(await signsIn({ is: 'identity', by: { ...by, user: 'mallory' }, name: 'Olga' }, 'other')).toBe(
      false,
    )
    expect(await bot.says('/pages', red)).toMatch(/S1 Olga \(the app\)\n.*by blue/)
    await bot.restart(APP_LIVES_MS - 60_000)
    expect(await pageOf(bot, 'app').says('/wallets')).toContain('main')
    await bot.pass(60_000)
    expect(await pageOf(bot, 'app').says('/positions')).toContain('signed out')
    expect(await bot.says('/pages', red)).toContain('No page is open')
  })

  test('outlives a restart, and not its ninety days', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    await signIn(bot, await codeFor(bot), 'first')
    await bot.restart(60_000)
    expect(await pageOf(bot, 'first').says('/wallets')).toContain('main')
    await bot.restart(PAGE_LIVES_MS)
    expect(await pageOf(bot, 'first').says('/wallets')).toContain('signed out')
  })

  test('is ended in a chat, on another page, by itself, and with its person', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    for (const secret of ['a', 'b', 'c', 'd']) await signIn(bot, await codeFor(bot), secret)
    const is = async (secret: string) =>
      (await pageOf(bot, secret).says('/wallets')).includes('main') ? secret : ''
    const open = async () => (await Promise.all(['a', 'b', 'c', 'd'].map(is))).join('')
    expect(await bot.says('/pages end S1', red)).toContain('1 page signed out')
    expect(await pageOf(bot, 'b').says('/pages end s3')).toContain('(this page)')
    expect(await open()).toBe('bd')
    await platformOf(bot)
      .bot()
      .signOut({ platform: 'web', user: digest('b') })
    expect(await open()).toBe('d')
    expect(await bot.says('/pages end S9', red)).toContain('No page is called S9')
    expect(await bot.says('/pages end', red)).toBe(await bot.says('/pages', red))
    await bot.says('/forget yes', red)
    expect(await open()).toBe('')
  })

  test('that is followed hears of its end, by a word and by itself', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    const by = (secret: string) => ({ platform: 'web', user: digest(secret) })
    const told = new Map<string, boolean>()
    const port = platformOf(bot).bot()
    for (const secret of ['a', 'b']) {
      await signIn(bot, await codeFor(bot), secret)
      port.follow(by(secret), (glance) => told.set(secret, glance === null))
    }
    await port.signOut(by('a'))
    await bot.pass(1_000)
    expect([told.get('a'), told.get('b') ?? false]).toEqual([true, false])
    bot.clock.jump(PAGE_LIVES_MS)
    await bot.pass(10_000)
    expect(told.get('b')).toBe(true)
    expect(port.glance(by('b'))).toBeNull()
  })

  test('that was stolen opens no further way in', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    await signIn(bot, await codeFor(bot), 'first')
    const page = pageOf(bot, 'first')
    const lines = ['/page', '/assistant new x', '/link', '/invite', '/forget yes', '/start ABCD-EFGH-JKLM']
    for (const line of lines)
      expect(await page.says(line), line).toContain('in a chat. A page may not do that')
    expect(await page.says('/wallets')).toContain('main')
    expect(await page.says('/pages end all')).toContain('1 page signed out')
  })

  test('of a stranger does nothing, also where anybody may come', async () => {
    await using bot = await startBot({ platforms: ['red'], settings: { access: 'open' }, site })
    const page = pageOf(bot, 'nobody')
    for (const line of ['/start', '/help', `/watch ${ALICE}`, '/alert price BTC below 1'])
      expect(await page.says(line), line).toMatch(/^$|signed out|invited/)
    expect(await bot.says('/start', { platform: 'red', user: 'ann' })).not.toContain('signed out')
    expect(await page.says('/wallets')).not.toContain('main')
  })
})

test('a link with its code is a button where everybody reaches the page, and else a line to copy', async () => {
  const asked = async (given: typeof site | null) => {
    await using bot = await startBot(given ? { site: given } : {})
    const message = await platformOf(bot).asks('me', '/page')
    return { opens: opensOf(message), text: await bot.says('/page') }
  }
  expect((await asked(site)).opens).toEqual({
    'Open here': 'https://perch.example/page',
    'Open in a browser': 'https://perch.example/page#CODE-0001-CODE',
  })
  expect((await asked({ ...site, url: 'http://perch.example' })).opens).toEqual({
    'Open in a browser': 'http://perch.example/page#CODE-0001-CODE',
  })
  const local = await asked({ url: 'http://127.0.0.1:8080', isPublic: false })
  expect(local.opens).toEqual({})
  expect(local.text).toContain('http://127.0.0.1:8080/page#CODE-0002-CODE')
  expect((await asked(null)).text).toContain('The page is off')
})

test('of somebody at a terminal, who has no name there, is called by its browser alone', async () => {
  await using bot = await startBot({ site })
  const code = await codeFor(bot, { platform: 'recorder', user: 'me' })
  expect(await signIn(bot, code, 'first')).toBe(true)
  expect(await bot.says('/pages')).toMatch(/S1 Firefox\n/)
})

test('guesses are counted, and a right code works all the same', async () => {
  await using bot = await onTwoPlatforms({}, { site })
  const code = await codeFor(bot)
  for (let guess = 0; guess < 40; guess++) expect(await signIn(bot, `WRONG-${guess}`, 'x')).toBe(false)
  const remarks = bot.events.filter((event) => event.is === 'remark' && event.where === 'page')
  expect(remarks).toHaveLength(1)
  expect(await signIn(bot, code, 'first')).toBe(true)
  expect(JSON.stringify(bot.events)).not.toContain(code)
})

describe('an assistant', () => {
  async function introduced(bot: BotUnderTest) {
    const said = await bot.says('/assistant new claude', red)
    const token = /perch_\S+/.exec(said)?.[0] ?? ''
    return { said, token, assistant: apart(bot, { is: 'assistant', user: digest(token) }) }
  }

  test('has a token that is shown once, and no log has it', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    const { said, token } = await introduced(bot)
    expect(token).toMatch(/^perch_.{43}$/)
    expect(said).toContain('https://perch.example/mcp')
    expect(await bot.says('/assistant', red)).toMatch(/1 assistant asks for you[^]*S1 claude/)
    expect(await bot.says('/assistant', red)).not.toContain(token)
    for (const again of ['claude', 'Claude'])
      expect(await bot.says(`/assistant new ${again}`, red)).toContain(`called ${again} already`)
    expect(JSON.stringify(bot.events)).not.toContain(token)
  })

  test('looks and adds alerts, and nothing else', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    const { assistant } = await introduced(bot)
    expect(await assistant.says('/positions')).toContain('BTC')
    expect(await assistant.says('/alert price BTC below 90')).toContain('BTC is below $90')
    const others = ['/remove R1', '/ack', '/mute all 1h', '/snooze A1 1h', '/unwatch main', '/pages', '/page']
    const more = [
      '/settings zone Berlin',
      '/forget yes',
      '/quiet 22:00 07:00',
      '/drill',
      '/status pin',
      'stop',
    ]
    for (const line of [...others, ...more])
      expect(await assistant.says(line), line).not.toMatch(/removed|acknowledged|muted|✓|All gone/i)
    expect(await bot.says('/alerts', red)).toContain('Set by your assistant “claude”')
  })

  test('tells its person of each rule without a sound, with the way back', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    const { assistant } = await introduced(bot)
    await assistant.says('/alert price BTC below 90')
    await bot.pass(1_000)
    const [told] = platformOf(bot, 'red').sees('olga', 'olga').slice(-1)
    expect(told?.text).toContain('Your assistant “claude” set R')
    expect(told?.silent).toBe(true)
    await platformOf(bot, 'red').taps('olga', 'Remove')
    await bot.clock.advance(0)
    expect(await bot.says('/alerts', red)).not.toContain('claude')
  })

  test('only adds to a rule that is there', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    await bot.says('/alert liquidation-distance main 12% 6% for 10s', red)
    const { assistant } = await introduced(bot)
    await assistant.says('/alert liquidation-distance main 30% for 1h')
    await bot.pass(1_000)
    const told = platformOf(bot, 'red').sees('olga', 'olga').at(-1)?.text ?? ''
    expect(told).toContain('added to R')
    expect(told).toContain('Before: at 12 / 6%')
    const export_ = await bot.says('/export', red)
    expect(export_).toMatch(/liquidation-distance \S+ 30% 12% 6% for 10s/)
    expect(export_).toMatch(/Set by assistants: R\d+ \(claude\)/)
  })

  test('adds to no group: it tells its person alone', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    const group = { title: 'Desk', mayPost: true, configurers: ['olga'] }
    platformOf(bot, 'red').groups.set('-10012345', group)
    await bot.says('/channel bind', { ...red, place: { chat: '-10012345', mayConfigure: true } })
    expect(await bot.says('/alert -10012345 price BTC below 91', red)).toContain('Desk')
    const { assistant } = await introduced(bot)
    expect(await assistant.says('/alert -10012345 price BTC below 90')).not.toContain('✓')
    expect(await bot.says('/alerts', red)).not.toContain('$90')
  })

  test('is named where an alert of its rule is explained', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    const { assistant } = await introduced(bot)
    await assistant.says('/alert price BTC below 120')
    bot.stage.market('BTC', { price: 110 })
    await bot.pass(30_000)
    const alert = /A\d+/.exec(bot.hears('olga', 'red').join('\n'))?.[0]
    expect(await bot.says(`/why ${alert}`, red)).toContain('Set by your assistant “claude”')
  })

  test('ends by its name, and asks no more', async () => {
    await using bot = await onTwoPlatforms({}, { site })
    const { assistant } = await introduced(bot)
    expect(await bot.says('/assistant end', red)).toBe(await bot.says('/assistant', red))
    expect(await bot.says('/assistant end claude', red)).toContain('claude may not ask any more')
    expect(await assistant.says('/positions')).toContain('signed out')
    expect(await bot.says('/assistant end claude', red)).toContain('No assistant is called that')
    expect(await bot.says('/assistant new <b>', red)).toContain('A name has up to 30')
  })
})
