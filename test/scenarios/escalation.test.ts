import { describe, expect, test } from 'vitest'

import type { BotUnderTest } from '../support/bot.ts'
import {
  agrees,
  anna,
  annaAndBob,
  blue,
  bob,
  codeIn,
  falls,
  joins,
  links,
  silence,
} from '../support/people.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const carol = { platform: 'red', user: 'carol' }
const eve = { platform: 'red', user: 'eve' }
const firsts = (texts: string[]) => texts.map((text) => text.split('\n')[0] ?? '')
const CRITICAL = 'for anna: BTC long: 4.3% to liquidation (A1)'

describe('somebody who agrees to stand in for another', () => {
  test('reads to what, says yes, and the other one hears of it', async () => {
    await using bot = await annaAndBob()
    const code = codeIn(await bot.says('/agree ask', anna))
    const asked = await bot.says(`/agree ${code}`, bob)
    expect(asked).toContain('anna asks you to be their backup')
    expect(asked).toContain('also in your quiet hours')
    expect(asked).toContain('nothing else of theirs')
    expect(asked).toContain('You can end it any time')
    expect(asked).not.toContain('…')
    expect(await bot.says('/escalate @bob 15m', anna)).toContain('Nobody covers for you yet')
    expect(await bot.says(`/agree ${code} yes`, bob)).toContain('You cover for anna now')
    await bot.pass(1_000)
    expect(bot.hears('anna', 'red')).toEqual([expect.stringContaining('bob is your backup now')])
    expect(await bot.says('/escalate @BOB 15m', anna)).toContain(
      '@bob gets critical alerts if nobody acknowledges for 15 min',
    )
  })

  test('is told of what nobody answers after so many minutes, as somebody else’s, and can answer', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/escalate @bob 3m', anna)
    await falls(bot, 94)
    await bot.pass(2 * MINUTE_MS)
    expect(bot.hears('bob', 'red')).toEqual([])
    expect(await bot.says('/ack A1', bob)).toContain('A1 isn’t active here')
    expect(await bot.says('/why A1', bob)).toContain('You have no alert A1')
    await bot.pass(MINUTE_MS)
    const [told = '', ...more] = bot.hears('bob', 'red')
    expect(more).toEqual([])
    expect(told).toContain(`${CRITICAL}\n  $94.00 → $90.00 · main\n  Reminder 2`)
    expect(told).toContain('/ack A1')
    expect(told).not.toContain('/positions')
    expect(told).not.toContain('/preview')
    expect(await bot.says('/why A1', bob)).not.toContain('also told')
    await bot.platforms.get('red')?.taps('bob', 'Ack')
    await bot.pass(1_000)
    const there = bot.platforms.get('red')?.sees('anna', 'anna').at(-1)
    expect(there?.text).toContain('✓ bob, ')
    expect(await bot.says('/why A1', anna)).toContain('reminder: 5% line, said 3 times, also told to @bob')
    silence(bot)
    await bot.pass(30 * MINUTE_MS)
    expect([bot.hears('anna', 'red'), bot.hears('bob', 'red')]).toEqual([[], []])
    await falls(bot, 130)
    expect(bot.hears('bob', 'red')).toEqual([expect.stringContaining('[RESOLVED] for anna: BTC long')])
    expect(bot.hears('anna', 'red')).toHaveLength(1)
  })
})

describe('a code to stand in for somebody', () => {
  test.each([
    ['is of no use to whoever made it', anna, 'That’s your own code'],
    ['lets no stranger in, and tells them nothing', eve, 'This Perch is private'],
  ])('%s', async (_what, who, answer) => {
    await using bot = await annaAndBob()
    const code = codeIn(await bot.says('/agree ask', anna))
    expect(await bot.says(`/agree ${code} yes`, who)).toContain(answer)
    expect(await bot.says('/agree', anna)).toContain('Nobody covers for you')
  })

  test('makes nobody a person of this bot', async () => {
    await using bot = await annaAndBob()
    const code = codeIn(await bot.says('/agree ask', anna))
    expect(await bot.says(`/start ${code}`, eve)).toContain('That code makes you somebody’s backup')
    expect(await bot.says('/wallets', eve)).toContain('This Perch is private')
  })

  test('works once', async () => {
    await using bot = await annaAndBob()
    await joins(bot, carol)
    const code = codeIn(await bot.says('/agree ask', anna))
    await bot.says(`/agree ${code} yes`, bob)
    expect(await bot.says(`/agree ${code} yes`, carol)).toContain('This code is wrong or has expired')
    expect(await bot.says('/agree', carol)).toContain('you cover for nobody')
  })

  test('ends after a day', async () => {
    await using bot = await annaAndBob({
      settings: { marketPollMs: 600_000, walletPollMinMs: 600_000, walletPollMaxMs: 3_600_000 },
    })
    const code = codeIn(await bot.says('/agree ask', anna))
    await bot.restart(DAY_MS)
    expect(await bot.says(`/agree ${code} yes`, bob)).toContain('This code is wrong or has expired')
  })

  test('is for a private chat: in a group nobody agrees to anything', async () => {
    await using bot = await annaAndBob()
    const code = codeIn(await bot.says('/agree ask', anna))
    const place = { chat: 'desk' }
    expect(await bot.says(`/agree ${code} yes`, { ...bob, place })).toContain(
      'I only show that in our private chat',
    )
    expect(await bot.says('/agree', anna)).toContain('Nobody covers for you')
  })

  test('may be made for five people at the same time: a sixth takes the place of the first', async () => {
    await using bot = await annaAndBob()
    const codes: string[] = []
    for (let made = 0; made < 6; made++) codes.push(codeIn(await bot.says('/agree ask', anna)))
    expect(await bot.says(`/agree ${codes[0]}`, bob)).toContain('This code is wrong or has expired')
    expect(await bot.says(`/agree ${codes[1]}`, bob)).toContain('anna asks you')
  })

  test('that was refused changes nothing', async () => {
    await using bot = await annaAndBob()
    const code = codeIn(await bot.says('/agree ask', anna))
    expect(await bot.says(`/agree ${code} no`, bob)).toContain('Nothing changed')
    expect(await bot.says('/agree', anna)).toContain('Nobody covers for you')
  })

  test('that was accepted counts, whatever happens before its maker was told', async () => {
    await using bot = await annaAndBob()
    const code = codeIn(await bot.says('/agree ask', anna))
    bot.killed.beforeCommit(1)
    await bot.says(`/agree ${code} yes`, bob)
    await bot.killed.start()
    await bot.pass(1_000)
    expect(firsts(bot.hears('anna', 'red')).join()).toContain('bob is your backup now')
    expect(await bot.says('/escalate @bob 1m', anna)).toContain('@bob gets critical alerts')
  })
})

describe('an agreement that ends', () => {
  async function loudCriticals(): Promise<BotUnderTest> {
    const bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/escalate @bob now', anna)
    silence(bot)
    await falls(bot, 94)
    expect(firsts(bot.hears('bob', 'red'))).toEqual([`[CRITICAL] ${CRITICAL}`])
    silence(bot)
    return bot
  }

  test('by whoever has agreed, in the middle of an alert, ends everything; its person reads so, and where', async () => {
    await using bot = await loudCriticals()
    expect(await bot.says('/agree end @anna', bob)).toContain('not even the end of open alerts')
    await bot.pass(1_000)
    expect(firsts(bot.hears('anna', 'red'))).toEqual(['[WARNING] bob isn’t your backup now'])
    const gone = '@bob (at once): no longer your backup'
    for (const line of ['/status', '/settings chat', '/escalate', '/drill'])
      expect(await bot.says(line, anna)).toContain(gone)
    expect(await bot.says('/ack A1', bob)).toContain('A1 isn’t active here')
    expect(await bot.says('/why A1', bob)).toContain('You have no alert A1')
    await bot.pass(2 * MINUTE_MS)
    await falls(bot, 130)
    expect(bot.hears('bob', 'red')).toEqual([])
    expect(await bot.says('/escalate @bob none', anna)).toContain('no longer go to @bob')
    expect(await bot.says('/status', anna)).not.toContain('@bob')
  })

  test('is said in the digest, before the night', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/escalate @bob 15m', anna)
    await bot.says('/agree end @anna', bob)
    await bot.says('/digest 12:10', anna)
    silence(bot)
    await bot.pass(12 * MINUTE_MS)
    expect(bot.hears('anna', 'red').join('\n')).toContain('@bob (after 15 min): no longer your backup')
  })

  test('by whoever asked for it ends it for both, and takes the step with it', async () => {
    await using bot = await loudCriticals()
    expect(await bot.says('/agree end @bob', anna)).toContain('Ended with bob')
    await bot.pass(1_000)
    expect(firsts(bot.hears('bob', 'red'))).toEqual(['[INFO] anna ended it: you aren’t their backup now'])
    await bot.pass(2 * MINUTE_MS)
    expect(bot.hears('bob', 'red')).toEqual([])
    expect(await bot.says('/escalate', anna)).not.toContain('@bob')
  })

  test('because whoever has agreed is gone: nobody is named any more, and the list says that it reaches nobody', async () => {
    await using bot = await loudCriticals()
    expect(await bot.says('/forget', bob)).toContain('You cover for anna. I tell them')
    await bot.says('/forget yes', bob)
    await bot.pass(1_000)
    expect(firsts(bot.hears('anna', 'red'))).toEqual(['[WARNING] bob isn’t your backup now'])
    const status = await bot.says('/status', anna)
    expect(status).toContain('@somebody (at once): no longer your backup')
    expect(status).not.toContain('bob')
    await bot.restart()
    await falls(bot, 92)
    expect(bot.hears('bob', 'red')).toEqual([])
    expect(await bot.says('/escalate @somebody none', anna)).toContain('no longer')
    expect(await bot.says('/status', anna)).not.toContain('@somebody')
  })

  test('because its person is gone: whoever was rung hears that it is over', async () => {
    await using bot = await loudCriticals()
    await bot.says('/forget yes', anna)
    await bot.pass(1_000)
    const heard = firsts(bot.hears('bob', 'red'))
    expect(heard).toContain('[RESOLVED] for anna: BTC long · main: over (A1)')
    expect(heard).toContain('[INFO] anna has left: you aren’t their backup now')
    expect(await bot.says('/agree', bob)).toContain('you cover for nobody')
  })

  test.each([['/remove R1'], ['/unwatch main yes']])(
    'is not needed to hear that %s was the end of it',
    async (line) => {
      await using bot = await loudCriticals()
      await bot.says(line, anna)
      await bot.pass(1_000)
      expect(firsts(bot.hears('bob', 'red'))).toEqual(['[RESOLVED] for anna: BTC long · main: over (A1)'])
    },
  )
})

describe('the list of who is told', () => {
  test('shows each place and person, the soonest first, and what is not in it yet', async () => {
    await using bot = await annaAndBob()
    await joins(bot, carol)
    await links(bot)
    await agrees(bot, bob)
    await agrees(bot, carol)
    await bot.says('/escalate @bob 1m', anna)
    const list = await bot.says('/escalate', anna)
    expect(list).toMatch(/red: at once\n\s*@bob on red: after 1 min\n\s*blue \(backup chat\): after 7 min/)
    expect(list).toContain('@carol covers for you, but isn’t in this list')
    const settings = await bot.says('/settings chat', anna)
    expect(settings).toContain('Backup: blue')
    expect(settings).toContain('and to @bob after 1 min: /escalate')
  })

  test('and the settings of the fallback are the same thing', async () => {
    await using bot = await annaAndBob()
    await links(bot)
    expect(await bot.says('/escalate blue 1m', anna)).toContain('blue gets critical alerts')
    expect(await bot.says('/settings chat', anna)).toContain('go to the backup after 1 min')
    await bot.says('/settings escalate 15m', anna)
    expect(await bot.says('/escalate', anna)).toContain('blue (backup chat): after 15 min')
    expect(await bot.says('/escalate blue none', anna)).toContain('/settings fallback none')
    await bot.says('/settings fallback none', anna)
    expect(await bot.says('/escalate', anna)).not.toMatch(/^ *blue/m)
    expect(await bot.says('/escalate blue 3m', anna)).toContain('blue gets critical alerts')
    // It is the fallback again, and is told as soon as it was by either.
    await bot.says('/settings fallback blue', anna)
    expect(await bot.says('/settings chat', anna)).toContain('go to the backup after 3 min')
    expect(await bot.says('/escalate', anna)).toContain('blue (backup chat): after 3 min')
  })

  test('tells a place of its own beside the fallback, and its end', async () => {
    await using bot = await annaAndBob()
    await links(bot)
    await bot.says('/settings fallback none', anna)
    await bot.says('/escalate blue 1m', anna)
    silence(bot)
    await falls(bot, 94)
    expect(bot.hears(blue.user, 'blue')).toEqual([])
    await bot.pass(MINUTE_MS)
    expect(firsts(bot.hears(blue.user, 'blue'))).toEqual(['[CRITICAL] BTC long: 4.3% to liquidation (A1)'])
    await falls(bot, 130)
    expect(firsts(bot.hears(blue.user, 'blue'))).toEqual([expect.stringContaining('[RESOLVED] BTC long')])
  })

  test('tells whoever was rung that it eases, without ringing, and that it is over', async () => {
    await using bot = await annaAndBob()
    await links(bot)
    await agrees(bot, bob)
    await bot.says('/settings fallback none', anna)
    await bot.says('/escalate blue 1m', anna)
    await bot.says('/escalate @bob 3m', anna)
    await falls(bot, 94)
    await bot.pass(MINUTE_MS)
    silence(bot)
    await falls(bot, 97)
    // Nobody has rung Bob: he has nothing to hear.
    expect(bot.hears('bob', 'red')).toEqual([])
    expect(firsts(bot.hears(blue.user, 'blue'))).toEqual([expect.stringContaining('BTC long recovered to')])
    expect(bot.platforms.get('blue')?.sees('anna', 'anna').at(-1)?.silent).toBe(true)
    await falls(bot, 94)
    await bot.pass(3 * MINUTE_MS)
    silence(bot)
    await falls(bot, 97)
    expect(firsts(bot.hears('bob', 'red'))).toEqual([
      expect.stringContaining('for anna: BTC long recovered to'),
    ])
    expect(bot.platforms.get('red')?.sees('bob', 'bob').at(-1)?.silent).toBe(true)
    await falls(bot, 130)
    expect(firsts(bot.hears('bob', 'red'))).toEqual([
      expect.stringContaining('[RESOLVED] for anna: BTC long'),
    ])
  })

  test.each([
    ['/escalate @bob 10m', 'When should @bob join?'],
    ['/escalate @bob 2h', '[15 min: /escalate P2 15m] [31 min: /escalate P2 31m]'],
    ['/escalate @bob', 'When should @bob get critical alerts?'],
    ['/escalate @nobody 3m', 'No backup of yours is called “@nobody”'],
    ['/escalate red 3m', 'You already get alerts on red first'],
    ['/escalate @bob none', '@bob is not in your list'],
  ])('%s is answered with what to say', async (line, answer) => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    expect(await bot.says(line, anna)).toContain(answer)
  })

  test('names by a number whom it cannot tell apart', async () => {
    await using bot = await annaAndBob()
    await joins(bot, { platform: 'blue', user: 'bob' })
    await agrees(bot, bob)
    await agrees(bot, { platform: 'blue', user: 'bob' })
    expect(await bot.says('/escalate @bob 1m', anna)).toMatch(
      /Several backups are called “@bob”.*\n\[bob, P2: .*\] \[bob, P3: /,
    )
    expect(await bot.says('/escalate P3 1m', anna)).toContain('@bob gets critical alerts')
    silence(bot)
    await falls(bot, 94)
    await bot.pass(MINUTE_MS)
    expect([bot.hears('bob', 'red').length, bot.hears('bob', 'blue').length]).toEqual([0, 1])
  })

  test('has five steps at most', async () => {
    await using bot = await annaAndBob()
    const others = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6'].map((user) => ({ platform: 'red', user }))
    for (const other of others) {
      await joins(bot, other)
      await agrees(bot, other)
    }
    const answers: string[] = []
    for (const { user } of others) answers.push(await bot.says(`/escalate @${user} 1m`, anna))
    expect(answers.map((answer) => answer.includes('5 entries'))).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ])
    // One that is there already may be changed.
    expect(await bot.says('/escalate @b1 3m', anna)).toContain('for 3 min')
  })

  test('that all goes over one platform, or ends with the first chat, says so', async () => {
    await using bot = await annaAndBob()
    expect(await bot.says('/status', anna)).toContain('No backup: if red is down')
    await agrees(bot, bob)
    await bot.says('/escalate @bob 15m', anna)
    const status = await bot.says('/status', anna)
    expect(status).toContain('If red is down, critical alerts go to @bob after 15 min')
    expect(status).toContain('Everything goes through red. If it’s down, nobody is alerted')
  })

  test('says that somebody cannot be written to, until they can', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/escalate @bob 3m', anna)
    bot.platforms.get('red')?.blocks('bob')
    await bot.pass(1_000)
    expect(await bot.says('/status', anna)).toContain('@bob (after 3 min): I can’t write there')
    bot.platforms.get('red')?.blocks('bob', false)
    await bot.pass(1_000)
    expect(await bot.says('/status', anna)).not.toContain('I can’t write there')
  })

  test('stays over a restart, and what fires goes on along it', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/escalate @bob 1m', anna)
    await falls(bot, 94)
    await bot.pass(MINUTE_MS)
    expect(firsts(bot.hears('bob', 'red'))).toEqual([`[CRITICAL] ${CRITICAL}`])
    await bot.restart()
    await falls(bot, 130)
    expect(firsts(bot.hears('bob', 'red'))).toEqual([
      expect.stringContaining('[RESOLVED] for anna: BTC long'),
    ])
  })

  test('rings its later steps although the price flaps between two critical lines all the time', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/escalate @bob 7m', anna)
    await falls(bot, 94)
    for (const price of [92, 94, 92]) {
      await bot.pass(3 * MINUTE_MS - 5_000)
      await falls(bot, price)
    }
    expect(bot.hears('anna', 'red').filter((text) => text.includes('[CRITICAL]')).length).toBeGreaterThan(3)
    expect(firsts(bot.hears('bob', 'red'))[0]).toMatch(/\[CRITICAL\] for anna: BTC long: (4\.3|2\.2)% to/)
  })

  test('does not begin anew for whoever is rung already when it gets worse', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/escalate @bob 1m', anna)
    await falls(bot, 94)
    await bot.pass(MINUTE_MS)
    silence(bot)
    await falls(bot, 92)
    expect(firsts(bot.hears('bob', 'red'))).toEqual([expect.stringContaining('for anna: BTC long: 2.2%')])
  })

  test('is in what is exported', async () => {
    await using bot = await annaAndBob()
    await links(bot)
    await agrees(bot, bob)
    await bot.says('/escalate @bob 15m', anna)
    const exported = await bot.says('/export', anna)
    expect(exported).toContain('/escalate blue 7m, /escalate @bob 15m')
    expect(exported).toContain('with /agree ask: bob')
    expect(await bot.says('/export', bob)).toContain('You cover for anna')
  })
})

describe('a place of somebody who stands in', () => {
  async function withPager(): Promise<BotUnderTest> {
    const bot = await annaAndBob({ places: ['pager'] })
    await agrees(bot, bob)
    await bot.says('/settings pager bobs-phone', bob)
    await bot.says('/escalate pager now', bob)
    await bot.says('/handover @bob 8h', anna)
    bot.hears('bobs-phone', 'pager')
    return bot
  }

  test('that is rung at once by what is critical for them is rung for the other one, and can acknowledge', async () => {
    await using bot = await withPager()
    await falls(bot, 94)
    expect(firsts(bot.hears('bobs-phone', 'pager'))).toEqual([`[CRITICAL] ${CRITICAL}`])
    const pager = bot.platforms.get('pager')?.criticalAlerts()
    const there = { platform: 'pager', chat: 'bobs-phone', thread: null }
    expect(pager?.rings(there, [1])).toBe(true)
    await pager?.acknowledged(there, [1], bot.clock.now())
    expect(pager?.rings(there, [1])).toBe(false)
    expect(await bot.says('/alerts', anna)).toContain('acknowledged by bob (pager)')
  })

  test('that is not named any more is in no list', async () => {
    await using bot = await withPager()
    await bot.says('/settings fallback none', bob)
    await bot.says('/escalate pager 3m', bob)
    expect(await bot.says('/escalate', bob)).toContain('pager: after 3 min')
    await bot.says('/settings pager none', bob)
    expect(await bot.says('/escalate', bob)).not.toContain('pager: after')
  })
})

describe('a drill', () => {
  test('rings whoever stands in, as somebody else’s, and they can answer it', async () => {
    await using bot = await annaAndBob()
    await links(bot)
    await agrees(bot, bob)
    await bot.says('/escalate @bob 15m', anna)
    const played = await bot.says('/drill', anna)
    expect(played).toMatch(/blue \(backup chat\): sent/)
    expect(played).toContain('@bob on red, after 15 min: sent')
    const [told = ''] = bot.hears('bob', 'red')
    expect(firsts([told])).toEqual(['[CRITICAL] for anna: DRILL: would this wake you?'])
    expect(told).toContain('/drill ack P1')
    const thanks = await bot.says('/drill ack P1', bob)
    expect(thanks).toContain('anna sees that the drill reached you')
    expect(thanks).not.toContain('blue')
    expect(await bot.says('/drill report', anna)).toContain('Drill acknowledged by bob')
    for (const platform of ['red', 'blue'])
      expect(bot.hears('anna', platform).at(-1)).toContain('Drill acknowledged by bob after')
    expect(bot.hears('bob', 'red')).toEqual([])
  })

  test('that its person has acknowledged is over for whoever stands in', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/escalate @bob 15m', anna)
    await bot.says('/drill', anna)
    silence(bot)
    await bot.says('/drill ack', anna)
    await bot.pass(1_000)
    expect(bot.hears('bob', 'red')).toEqual([
      expect.stringContaining('for anna: Drill acknowledged by anna after'),
    ])
  })

  test('rings whoever stands in once in ten minutes, however often it is played', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/escalate @bob 15m', anna)
    await bot.says('/drill', anna)
    bot.hears('bob', 'red')
    expect(await bot.says('/drill', anna)).toContain('@bob on red, after 15 min (rang just before')
    expect(bot.hears('bob', 'red')).toEqual([])
    await bot.pass(11 * MINUTE_MS)
    await bot.says('/drill', anna)
    expect(bot.hears('bob', 'red')).toHaveLength(1)
  })

  test('of somebody else is not answered by whoever was not rung', async () => {
    await using bot = await annaAndBob()
    await joins(bot, carol)
    await bot.says('/drill', anna)
    expect(await bot.says('/drill ack @anna', carol)).toContain('You cover for nobody called “@anna”')
    expect(await bot.says('/drill report', anna)).toContain('not acknowledged yet')
  })
})

describe('whoever stands in and cannot be written to for a while', () => {
  test('reads in what waited whose it is', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/escalate @bob now', anna)
    silence(bot)
    const late = () =>
      ({ is: 'delayed', retryAfterMs: 120_000, scope: 'chat', maybeSent: false, why: 'slow down' }) as const
    bot.platforms.get('red')?.delivers('bob', late, late)
    await falls(bot, 94)
    await bot.pass(5 * MINUTE_MS)
    const heard = bot.hears('bob', 'red')
    expect(heard.length).toBeGreaterThan(0)
    for (const title of heard.flatMap((text) => text.match(/.*to liquidation \(A1\).*/g) ?? []))
      expect(title).toContain('for anna: ')
    expect(heard.join('\n')).not.toMatch(/\/positions|\/preview/)
  })

  test('is told on their other platform after a minute, once, with the end of it; its person reads so', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await links(bot, bob)
    await bot.says('/escalate @bob now', anna)
    silence(bot)
    const late = () =>
      ({ is: 'delayed', retryAfterMs: 150_000, scope: 'chat', maybeSent: false, why: 'slow down' }) as const
    bot.platforms.get('red')?.delivers('bob', late)
    await falls(bot, 94)
    await bot.pass(58_000)
    const there = firsts(bot.hears('bob', 'blue'))
    expect(there).toEqual([`[CRITICAL] ${CRITICAL}`])
    const why = await bot.says('/why A1', anna)
    expect(why).toContain('copied to another chat of @bob: the first one had not taken it')
    expect(why).not.toContain('blue')
    await bot.restart()
    await falls(bot, 130)
    expect(firsts(bot.hears('bob', 'blue'))).toEqual([
      expect.stringContaining('[RESOLVED] for anna: BTC long'),
    ])
  })

  test('is told on their other platform, also of the end, and over a restart', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await links(bot, bob)
    await bot.says('/escalate @bob now', anna)
    silence(bot)
    await falls(bot, 94)
    expect(firsts(bot.hears('bob', 'red'))).toEqual([`[CRITICAL] ${CRITICAL}`])
    bot.platforms.get('red')?.blocks('bob')
    await bot.restart()
    bot.platforms.get('red')?.blocks('bob')
    await bot.pass(MINUTE_MS)
    const there = firsts(bot.hears('bob', 'blue'))
    expect(there).toContain(`[CRITICAL] ${CRITICAL}`)
    expect(await bot.says('/ack A1', { platform: 'blue', user: 'bob' })).toContain(
      '✓ for anna: BTC long · main',
    )
    await falls(bot, 130)
    expect(firsts(bot.hears('bob', 'blue')).filter((line) => line.includes('RESOLVED'))).toEqual([
      expect.stringContaining('[RESOLVED] for anna: BTC long'),
    ])
  })

  test('does not keep what is critical from the fallback of its person', async () => {
    await using bot = await annaAndBob()
    await links(bot)
    await agrees(bot, bob)
    await bot.says('/handover @bob 8h', anna)
    silence(bot)
    const late = () =>
      ({ is: 'delayed', retryAfterMs: 600_000, scope: 'chat', maybeSent: false, why: 'slow down' }) as const
    bot.platforms.get('red')?.delivers('anna', late, late, late)
    await falls(bot, 94)
    await bot.pass(80_000)
    expect(bot.hears(blue.user, 'blue').join('\n')).toContain('BTC long: 4.3% to liquidation')
    // Where she is told is hers.
    expect(await bot.says('/why A1', blue)).toContain('copied to blue chat anna')
    expect(await bot.says('/why A1', bob)).not.toContain('copied to')
  })

  test('is told in the group as everybody there, and of what is Anna’s alone in private', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    bot.platforms.get('red')?.groups.set('desk', { title: 'Desk', mayPost: true, configurers: ['anna'] })
    await bot.says('/channel bind', { ...anna, place: { chat: 'desk', mayConfigure: true, whisper: true } })
    await bot.says('/alert liq main 5%', {
      ...anna,
      place: { chat: 'desk', mayConfigure: true, whisper: true },
    })
    await bot.says('/escalate @bob now', anna)
    bot.hears('desk', 'red')
    silence(bot)
    await falls(bot, 94)
    expect(firsts(bot.hears('bob', 'red'))).toHaveLength(1)
    expect(firsts(bot.hears('desk', 'red'))).toHaveLength(1)
  })
})
