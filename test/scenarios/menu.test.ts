import { describe, expect, test } from 'vitest'

import { GROUP, openDesk, trader } from '../commands/desk.ts'
import { ALICE, type BotUnderTest, startBot } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'

/** A phone shows this many columns. */
const COLUMNS = 36

/** How many lines a phone needs, buttons not counted. */
function phoneLines(answer: string): number {
  const said = answer.split('\n').filter((line) => !/^\s*\[/.test(line))
  return said.reduce((sum, line) => sum + Math.max(Math.ceil([...line.trim()].length / COLUMNS), 1), 0)
}

/** The buttons of an answer: label and line. */
function buttonsOf(answer: string): { label: string; line: string }[] {
  return [...answer.matchAll(/\[([^\]]*?): (\/[^\]]*)\]/g)].map(([, label = '', line = '']) => ({
    label,
    line,
  }))
}

const labels = (answer: string) => buttonsOf(answer).map(({ label }) => label)

async function newcomer(): Promise<BotUnderTest> {
  const bot = await startBot({ platforms: ['red'], settings: { access: 'open' }, clock: handClock() })
  bot.stage.market('BTC', { price: 100, volume: 2_000 })
  await bot.pass(0)
  return bot
}

describe('the welcome', () => {
  test('is short, says what to do first, and has five buttons', async () => {
    await using bot = await newcomer()
    const welcome = await bot.says('/start')
    expect(welcome).toContain('Paste a wallet address (0x…)')
    expect(labels(welcome)).toEqual(['Add a wallet', 'New alert', 'Markets', 'Settings', 'Help'])
    expect(phoneLines(welcome)).toBeLessThanOrEqual(9)
  })

  test('says what is watched, and leads to it, as soon as something is', async () => {
    await using bot = await openDesk()
    const welcome = await bot.says('/start', trader)
    expect(welcome).toContain('I’m watching 2 wallets: main, hedge')
    const places = ['Positions', 'Alerts', 'New alert', 'Wallets', 'Settings']
    expect(labels(welcome)).toEqual(['Ack', 'Snooze ▸', ...places])
    // Once nothing rings, its buttons are gone.
    await bot.says('/ack all', trader)
    expect(labels(await bot.says('/menu', trader))).toEqual(places)
    expect(phoneLines(welcome)).toBeLessThanOrEqual(9)
  })

  test('keeps its word: an address that a newcomer sends is watched by one tap', async () => {
    await using bot = await newcomer()
    for (const said of [await bot.says('hello'), await bot.says('/start'), await bot.says('qwerty')])
      expect(said).toContain('a wallet address (0x…) and I’ll watch it')
    const [tap] = buttonsOf(await bot.says(ALICE))
    expect(tap?.label).toBe('Watch it')
    expect(await bot.says(tap?.line ?? '')).toContain('✓ Watching')
  })

  test('does not claim to watch when the venue cannot be read', async () => {
    await using bot = await newcomer()
    await bot.says(`/watch ${ALICE} main`)
    bot.stage.fails('/markets', 503)
    await bot.pass(60_000)
    const asked = bot.says('/menu')
    await bot.pass(10_000)
    expect(await asked).toContain('I can’t see')
  })
})

describe('from the menu', () => {
  test('every screen leads on, and back to the menu', async () => {
    await using bot = await openDesk()
    const seen = new Map<string, string>()
    // Of lines that change something, or ask.
    const leads = /^\/(?:menu|positions|alerts|wallets|settings(?: chat| more)?$|help)(?: |$)/
    const next = ['/menu']
    for (let line = next.shift(); line !== undefined; line = next.shift()) {
      if (seen.has(line)) continue
      const answer = await bot.says(line, trader)
      expect(answer, line).not.toMatch(/That didn’t work|n’t understand/)
      seen.set(line, answer)
      for (const button of buttonsOf(answer)) if (leads.test(button.line)) next.push(button.line)
      expect(labels(answer).some((label) => label.startsWith('‹')) || line === '/menu', line).toBe(true)
    }
    for (const line of ['/positions', '/alerts', '/wallets', '/settings', '/settings chat', '/settings more'])
      expect([...seen.keys()]).toContain(line)
    expect([...seen.keys()].some((line) => /^\/positions \S+ BTC$/.test(line))).toBe(true)
  })

  test('a position shows its ways out, and alerts about its market', async () => {
    await using bot = await openDesk()
    const [place] = buttonsOf(await bot.says('/positions', trader))
    expect(place?.label).toBe('BTC long · main')
    const shown = await bot.says(place?.line ?? '', trader)
    expect(labels(shown)).toEqual(expect.arrayContaining(['Ways out', 'Alert…', '‹ Positions']))
    const alerts = buttonsOf(shown).find(({ label }) => label === 'Alert…')?.line ?? ''
    expect(labels(await bot.says(alerts, trader))).toEqual(
      expect.arrayContaining(['Liquidation', 'PnL', 'Price', 'Funding', '‹ Back']),
    )
  })

  test('a rule goes by two taps, page by page', async () => {
    await using bot = await openDesk()
    for (const level of [10, 20, 30, 40, 50, 60, 70])
      await bot.says(`/alert price BTC below ${level}`, trader)
    const first = await bot.says('/alerts remove', trader)
    expect(labels(first).filter((label) => /^R\d/.test(label))).toHaveLength(6)
    expect(labels(first)).toEqual(expect.arrayContaining(['More ›', '‹ Alerts']))
    const [rule] = buttonsOf(await bot.says('/alerts 2 remove', trader))
    await bot.says(rule?.line ?? '', trader)
    const number = rule?.line.slice('/remove '.length) ?? ''
    const left = `${await bot.says('/alerts', trader)}\n${await bot.says('/alerts 2', trader)}`
    expect(left).not.toContain(`${number} `)
  })

  test('eight alerts that are on are all shown, page by page', async () => {
    await using bot = await openDesk()
    for (const level of [120_000, 121_000, 122_000, 123_000, 124_000, 125_000, 126_000])
      await bot.says(`/alert price BTC below ${level} yes`, trader)
    await bot.pass(60_000)
    const head = await bot.says('/alerts', trader)
    expect(head).toContain('and 2 more')
    const all = buttonsOf(head).find(({ label }) => label === 'All that are on')?.line ?? ''
    const first = await bot.says(all, trader)
    const more = buttonsOf(first).find(({ label }) => label === 'More ›')?.line ?? ''
    const second = await bot.says(more, trader)
    const named = (said: string) => [...said.matchAll(/\(A(\d+)\)/g)].map(([, id]) => id)
    expect([named(first).length, named(second).length]).toEqual([6, 2])
    expect(new Set([...named(first), ...named(second)]).size).toBe(8)
    expect(labels(second)).toEqual(expect.arrayContaining(['‹ Alerts']))
  })

  test('a wallet is removed only after a question', async () => {
    await using bot = await openDesk()
    const wallet = buttonsOf(await bot.says('/wallets', trader)).find(({ label }) => label === 'hedge')
    const remove = buttonsOf(await bot.says(wallet?.line ?? '', trader)).find(
      ({ label }) => label === 'Remove',
    )
    const question = await bot.says(remove?.line ?? '', trader)
    expect(question).toContain('Stop watching hedge?')
    expect(await bot.says('/wallets', trader)).toContain('hedge')
    await bot.says(buttonsOf(question)[0]?.line ?? '', trader)
    expect(await bot.says('/wallets', trader)).not.toContain('hedge')
  })
})

describe('/help', () => {
  test('leads to every command by topics, each in at most twelve lines', async () => {
    await using bot = await openDesk()
    const help = await bot.says('/help', trader)
    expect(phoneLines(help)).toBeLessThanOrEqual(12)
    const named = new Set<string>()
    for (const { line } of buttonsOf(help)) {
      if (line === '/menu') continue
      const topic = await bot.says(line, trader)
      expect(phoneLines(topic), topic).toBeLessThanOrEqual(12)
      for (const [, name = ''] of topic.matchAll(/^\s*\/(\w+) /gm)) named.add(name)
    }
    for (const name of ['watch', 'positions', 'alert', 'quiet', 'settings', 'forget', 'channel'])
      expect([...named]).toContain(name)
  })

  test('explains a kind of alert, and offers to set it', async () => {
    await using bot = await openDesk()
    const flip = await bot.says('/help funding-flip', trader)
    expect(flip).toContain('funding-flip is a kind of alert')
    expect(buttonsOf(flip)).toContainEqual({ label: 'Set it', line: '/alert funding-flip' })
    expect(await bot.says('/help flip', trader)).toContain('funding-flip is a kind of alert')
    expect(await bot.says('/help alert flip', trader)).toContain('funding-flip is a kind of alert')
  })

  test('of one command is at most twelve lines, and its forms are turned page by page', async () => {
    await using bot = await openDesk()
    for (const name of ['alert', 'settings', 'try', 'watch', 'agree'])
      expect(phoneLines(await bot.says(`/help ${name}`, trader)), name).toBeLessThanOrEqual(12)
    expect(labels(await bot.says('/help alert', trader))).toContain('More ›')
  })

  test('of something that does not exist says what is near', async () => {
    await using bot = await openDesk()
    expect(await bot.says('/help fundin-flip', trader)).toContain('Did you mean funding-flip?')
    expect(await bot.says('/help xyzzy', trader)).toContain('Choose a topic')
  })
})

describe('in a group', () => {
  const openly = { ...trader, place: { chat: '@open', mayConfigure: true, whisper: false } }
  const member = { ...trader, place: { ...GROUP, whisper: false, mayConfigure: false } }
  const admin = { ...trader, place: { ...GROUP, whisper: false } }

  test('that is not bound, the menu and /alert say how to begin', async () => {
    await using bot = await openDesk()
    expect(await bot.says('/menu', openly)).toContain('An admin can start with /channel bind.')
    expect(await bot.says('/alert price BTC below 90', openly)).toContain(
      'An admin can start with /channel bind.',
    )
  })

  test('the menu shows only what works there, and nothing private', async () => {
    await using bot = await openDesk()
    const menu = await bot.says('/menu', admin)
    expect(menu).toContain('Traders')
    expect(menu).not.toContain('main')
    expect(labels(menu)).toEqual(['Alerts', 'New alert', 'Markets', 'Funding', 'Help'])
    expect(labels(await bot.says('/menu', member))).toEqual(['Markets', 'Funding', 'Help'])
  })

  test('help shows only what works there, and is short', async () => {
    await using bot = await openDesk()
    const help = await bot.says('/help', member)
    expect(phoneLines(help)).toBeLessThanOrEqual(12)
    for (const { line } of buttonsOf(help)) {
      const topic = await bot.says(line, member)
      expect(topic, line).not.toMatch(/\/(positions|watch|settings|forget|alert) /)
    }
  })

  test('a member who would remove a rule of the group reads whose it is, and who can', async () => {
    await using bot = await openDesk()
    const shown = await bot.says('/alerts', admin)
    const rule = /R\d+/.exec(shown)?.[0] ?? ''
    const whispered = { ...trader, place: { ...GROUP, mayConfigure: false }, user: 'fred' }
    await bot.says(`/start ${/\/start (\S+)/.exec(await bot.says('/invite', trader))?.[1] ?? ''}`, {
      ...trader,
      user: 'fred',
    })
    expect(await bot.says(`/remove ${rule}`, whispered)).toContain(
      `${rule} belongs to Traders: only its administrators can remove it.`,
    )
  })
})

test('somebody who chose German reads the menu, help and settings in German', async () => {
  await using bot = await openDesk()
  await bot.says('/settings language de', trader)
  expect(await bot.says('/menu', trader)).toContain('Ich beobachte 2 Wallets: main, hedge')
  expect(labels(await bot.says('/menu', trader))).toContain('Neuer Alarm')
  expect(await bot.says('/help', trader)).toContain('Wobei brauchst du Hilfe?')
  expect(await bot.says('/help alerts', trader)).toContain('/alert Alarm setzen')
})

test('with the simulated venue the welcome is as short, and a demo wallet is one tap away', async () => {
  await using bot = await startBot({
    ...{ platforms: ['red'], settings: { access: 'open' }, clock: handClock() },
    introduction: ['This is the simulated venue.', `Try: /watch ${ALICE} demo`],
  })
  await bot.pass(0)
  const welcome = await bot.says('/start')
  expect(phoneLines(welcome)).toBeLessThanOrEqual(9)
  expect(buttonsOf(welcome)[0]).toEqual({ label: 'Try a demo wallet', line: `/watch ${ALICE} demo` })
})
