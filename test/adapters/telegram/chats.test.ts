import { describe, expect, test } from 'vitest'

import type { PollPeriods } from '../../../src/engine/outage/sources.ts'
import { ALICE, UNHURRIED } from '../../support/bot.ts'
import { CLAIM, startTelegramBot, type TelegramBot } from '../../support/telegram/bot.ts'
import type { User } from '../../support/telegram/people.ts'

/** Ann runs the bot, and watches a wallet with a BTC long. */
async function claimed(periods: Partial<PollPeriods> = {}): Promise<TelegramBot & { ann: User }> {
  const bot = await startTelegramBot({ periods })
  bot.stage.market('BTC', { price: 130, funding: 0.0002 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(2_000)
  const ann = bot.telegram.user('Ann')
  await bot.says(ann, `/start ${CLAIM}`)
  await bot.says(ann, `/watch ${ALICE} main`)
  await bot.pass(4_000)
  return Object.assign(bot, { ann })
}

describe('a private chat', () => {
  test('answers commands, nonsense and pictures, and tells a warning and what follows it as one thread', async () => {
    await using bot = await claimed()
    const { ann, telegram } = bot
    expect(await bot.says(ann, '/nonsense')).toEqual([
      expect.stringContaining('I didn’t understand “/nonsense”'),
    ])
    expect(await bot.says(ann, 'POSITIONS')).toEqual([expect.stringContaining('BTC long')])
    bot.stage.market('BTC', { price: 99 })
    await bot.pass(20_000)
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(2_000)
    bot.stage.market('BTC', { price: 140 })
    await bot.pass(2_000)
    const told = telegram.ledger.sends.filter(({ method }) => method === 'sendMessage').slice(-3)
    expect(told.map(({ text }) => text.split('\n')[0])).toEqual([
      '⚠️ BTC long: 9.1% to liquidation',
      '🚨 BTC long: 4.3% to liquidation',
      '✅ BTC long is safe again: 35.7% from liquidation',
    ])
    expect(told.map(({ replyTo }) => replyTo)).toEqual([null, told[0]?.message, told[0]?.message])
    expect(telegram.refused()).toEqual([])
    expect(bot.trouble()).toEqual([])
  })

  test('replaces the message of a button that says so, and ends every waiting circle', async () => {
    await using bot = await claimed()
    const { ann, telegram } = bot
    await bot.says(ann, '/positions')
    bot.stage.market('BTC', { price: 131 })
    await bot.pass(2_000)
    const tap = ann.taps('Refresh')
    await bot.pass(0)
    expect(tap.answers).toHaveLength(1)
    expect(telegram.ledger.sends.at(-1)).toMatchObject({
      method: 'editMessageText',
      buttons: [
        ['BTC long', 'Refresh'],
        ['What if -10%', '‹ Menu'],
      ],
    })
    expect(telegram.ledger.sends.at(-1)?.text).toContain('31.3% to liquidation')
    await bot.pass(3_000)
    // Nothing has changed: Telegram calls that a mistake, we do not.
    const again = ann.taps('Refresh')
    await bot.pass(0)
    expect(again.answers).toHaveLength(1)
    await bot.pass(3_000)
    // The message is gone: the answer is a new one.
    telegram.ledger.last(ann).deleted = true
    ann.taps('Refresh')
    await bot.pass(2_000)
    expect(telegram.ledger.sends.at(-1)).toMatchObject({
      method: 'sendMessage',
      buttons: [
        ['BTC long', 'Refresh'],
        ['What if -10%', '‹ Menu'],
      ],
    })
    expect(bot.trouble()).toEqual([])
  })

  test('gets an invitation with the link that says it with a tap', async () => {
    await using bot = await claimed()
    const { ann, telegram } = bot
    const [invitation = ''] = await bot.says(ann, '/invite')
    const code = /\/start (\S+)/.exec(invitation)?.[1]
    expect(invitation).toContain(`https://t.me/${telegram.botName}?start=${code}`)
    await bot.pass(2_000)
    expect((await bot.says(ann, '/wallets'))[0]).not.toContain('t.me')
  })

  test('takes two taps at once for one: its outcome stays', async () => {
    await using bot = await claimed()
    const { ann, telegram } = bot
    await bot.says(ann, '/alert funding-flip BTC')
    const taps = [ann.taps('Remove'), ann.taps('Remove')]
    await bot.pass(1_000)
    expect(taps.map(({ answers }) => answers.length)).toEqual([1, 1])
    expect(telegram.ledger.last(ann).text).toContain('Removed R6')
    expect(telegram.ledger.sends.filter(({ method }) => method === 'editMessageText')).toHaveLength(1)
    // Who means it twice may do so.
    ann.taps('Undo')
    await bot.pass(5_000)
    expect(telegram.ledger.last(ann).text).toContain('✓ I’ll alert you when')
  })

  test('answers a tap that is too late for its circle, and one that it does not understand', async () => {
    await using bot = await claimed()
    const { ann, telegram } = bot
    await bot.says(ann, '/positions')
    telegram.fault({ method: 'answerCallbackQuery', kind: 'delay', afterMs: 151_000, times: 3 })
    await bot.pass(20_000)
    bot.stage.market('BTC', { price: 132 })
    await bot.pass(2_000)
    const late = ann.taps('Refresh')
    await bot.pass(0)
    expect(telegram.ledger.sends.at(-1)).toMatchObject({ method: 'editMessageText' })
    await bot.pass(180_000)
    expect(late.answers).toEqual([])
    expect(telegram.refused().map(({ description }) => description)).toEqual(
      Array(3).fill(expect.stringContaining('too old')),
    )
    expect(bot.trouble()).toEqual([])
    const message = telegram.ledger.last(ann)
    const refresh = message.markup?.rows.flat().find(({ text }) => text === 'Refresh')
    Object.assign(refresh ?? {}, { data: 'from another time' })
    const strange = ann.taps('Refresh')
    await bot.pass(2_000)
    expect(strange.answers).toMatchObject([
      { text: 'This button is too old for me. Please type the command.', alert: true },
    ])
  })

  test('stays private, also where its person names it as a place for alerts', async () => {
    await using bot = await claimed()
    const { ann, telegram } = bot
    expect(await bot.says(ann, `/channel bind ${ann.id}`)).toEqual([
      'That is our private chat: your alerts come here already.',
    ])
    expect(await bot.says(ann, '/wallets')).toEqual([expect.stringContaining('main')])
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    expect(telegram.ledger.texts(ann.id).at(-1)).toContain('🚨 BTC long: 4.3% to liquidation')
  })

  test('that is blocked is left alone, and hears what it missed when it comes back', async () => {
    await using bot = await claimed()
    const { ann, telegram } = bot
    ann.blocks()
    await bot.pass(0)
    const before = telegram.calls('sendMessage')
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(60_000)
    expect(telegram.calls('sendMessage')).toBe(before)
    ann.unblocks()
    await bot.pass(2_000)
    expect(telegram.ledger.texts(ann).at(-1)).toContain('🚨 BTC long: 4.3% to liquidation')
    // Blocked while nobody listened: the refusal tells it as well.
    expect(bot.trouble()).toEqual([])
  })

  test('of an account that was deleted is given up', async () => {
    await using bot = await claimed()
    bot.ann.deactivates()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(60_000)
    expect(bot.events.filter((event) => event.is === 'delivery').map(({ outcome }) => outcome)).toEqual([
      'gone',
    ])
  })
})

describe('a group', () => {
  /** Bound by Ann, with an alert on funding flips. */
  async function bound({
    periods,
    ...options
  }: { forum?: boolean; supergroup?: boolean; periods?: Partial<PollPeriods> } = {}) {
    const bot = await claimed(periods)
    const { telegram, ann } = bot
    const group = telegram.group('Desk', { owner: ann, ...options })
    const place = options.forum ? group.topic('Alerts') : group
    await bot.pass(0)
    const name = telegram.botName
    ann.says(place, `/channel@${name} bind`)
    await bot.pass(2_000)
    ann.says(place, '/alert funding-flip BTC')
    await bot.pass(6_000)
    return Object.assign(bot, { group, place, name })
  }
  const flip = async (bot: TelegramBot, funding: number) => {
    bot.stage.market('BTC', { price: 130, funding })
    await bot.pass(8_000)
  }
  const lines = (bot: TelegramBot, place: { id: number; thread?: number }) =>
    bot.telegram.ledger.texts(place).map((text) => text.split('\n')[0])

  test('is bound by an administrator, and hears of what was asked for there', async () => {
    await using bot = await bound()
    await flip(bot, -0.0002)
    expect(lines(bot, bot.group)).toEqual([
      '🔔 Test: alerts reach this chat',
      'Desk is bound: I have sent a test there',
      expect.stringContaining('✓ I’ll alert you'),
      '🔔 BTC funding flipped: shorts now pay longs',
    ])
    expect(bot.telegram.refused()).toEqual([])
  })

  test('learns nothing personal: the answer is a hint to the private chat', async () => {
    await using bot = await bound()
    const { ann, telegram, group, name } = bot
    const bob = telegram.user('Bob')
    for (const [user, line] of [
      [ann, '/positions'],
      [ann, `/wallets@${name}`],
      [bob, '/alert liq BTC'],
      [bob, '/positions'],
    ] as const) {
      const before = telegram.ledger.texts(group).length
      user.says(group, line)
      await bot.pass(8_000)
      const [answer = ''] = telegram.ledger.texts(group).slice(before)
      expect(answer).toMatch(/between us|private|may configure/)
      expect(answer).not.toContain('main')
    }
    expect(telegram.ledger.texts(bob)).toEqual([])
  })

  test('lets only administrators configure it, and notices soon who is one', async () => {
    await using bot = await bound()
    const { telegram, group } = bot
    const bob = telegram.user('Bob')
    const code = /CODE-\S+/.exec((await bot.says(bot.ann, '/invite'))[0] ?? '')?.[0]
    await bot.says(bob, `/start ${code}`)
    const asks = async () => {
      bob.says(group, '/alert funding-flip BTC 1%/d')
      await bot.pass(8_000)
      return lines(bot, group).at(-1)
    }
    expect(await asks()).toBe('Only an admin of this chat can do that here.')
    group.promote(bob)
    await bot.pass(30_000)
    expect(await asks()).toContain('by more than 1% a day')
  })

  test('is not disturbed: what is said there to others, or to another bot, is not ours', async () => {
    await using bot = await bound()
    const { ann, telegram, group } = bot
    telegram.world.history.length = 0
    const before = telegram.ledger.sends.length
    for (const line of ['hello', '/unknown', '/positions@SomeOtherBot', 'positions /help']) {
      ann.says(group, line)
      await bot.pass(4_000)
    }
    expect(telegram.ledger.sends.length).toBe(before)
  })

  test('that becomes a supergroup is followed, from the update', async () => {
    await using bot = await bound()
    bot.group.migrate()
    await flip(bot, -0.0002)
    expect(lines(bot, bot.group)).toEqual(['🔔 BTC funding flipped: shorts now pay longs'])
    expect(bot.telegram.refused()).toEqual([])
  })

  test('that becomes a supergroup is followed, from the refusal', async () => {
    await using bot = await bound()
    // Telegram does not get through to us just now.
    bot.telegram.fault({ method: 'getUpdates', kind: 'html-502', times: Infinity })
    await bot.pass(60_000)
    bot.group.migrate()
    await flip(bot, -0.0002)
    expect(lines(bot, bot.group)).toEqual(['🔔 BTC funding flipped: shorts now pay longs'])
    expect(bot.telegram.refused().map(({ description }) => description)).toEqual([
      'Bad Request: group chat was upgraded to a supergroup chat',
    ])
  })

  test('that throws us out is left alone, Ann is told, and it goes on when we are back', async () => {
    await using bot = await bound({ supergroup: true })
    const { telegram, group, ann } = bot
    group.kick()
    await bot.pass(2_000)
    expect(telegram.ledger.texts(ann).at(-1)).toContain('I can’t write to Desk any longer')
    const before = telegram.calls('sendMessage')
    await flip(bot, -0.0002)
    const sends = telegram.asked
      .slice()
      .filter(({ method, args }) => method === 'sendMessage' && args['chat_id'] === String(group.id))
    expect(telegram.calls('sendMessage') - before).toBe(1) // Ann's own
    group.add()
    await bot.pass(8_000)
    expect(lines(bot, group).at(-1)).toBe('🔔 BTC funding flipped: shorts now pay longs')
    expect(sends.every(({ outcome }) => outcome === 'answered')).toBe(true)
  })

  test.each([
    'CHAT_WRITE_FORBIDDEN',
    'CHAT_RESTRICTED',
    'not enough rights to send text messages to the chat',
  ])('where we may not write (%s) is given up, and Ann is told', async (why) => {
    await using bot = await bound()
    bot.group.chat.silencedBy = why
    await flip(bot, -0.0002)
    expect(
      bot.telegram.ledger.texts(bot.ann).some((text) => text.includes('I can’t write to Desk any longer')),
    ).toBe(true)
  })

  test('topic hears what was bound there; when it is deleted, General does', async () => {
    await using bot = await bound({ forum: true })
    const { telegram, group, place } = bot
    await flip(bot, -0.0002)
    const topic = place as { id: number; thread: number; delete(): void }
    expect(telegram.ledger.texts({ id: group.id, thread: topic.thread }).at(-1)).toContain(
      'BTC funding flipped',
    )
    expect(telegram.ledger.texts({ id: group.id, thread: null })).toEqual([])
    topic.delete()
    await flip(bot, 0.0002)
    await flip(bot, -0.0002)
    expect(telegram.ledger.texts({ id: group.id, thread: null }).map((text) => text.split('\n')[0])).toEqual([
      expect.stringContaining('BTC funding flipped'),
      expect.stringContaining('BTC funding flipped'),
    ])
    // Once is enough to learn that a topic is gone.
    expect(telegram.refused().map(({ description }) => description)).toEqual([
      'Bad Request: message thread not found',
    ])
  })

  test('topic that was closed hears what it missed as soon as it is reopened', async () => {
    await using bot = await bound({ forum: true })
    const { telegram, group, place, ann } = bot
    const topic = place as { id: number; thread: number; close(): void; open(): void }
    topic.close()
    await flip(bot, -0.0002)
    expect(telegram.ledger.texts(ann).at(-1)).toContain('I can’t write to Desk (topic')
    topic.open()
    await bot.pass(8_000)
    expect(telegram.ledger.texts({ id: group.id, thread: topic.thread }).at(-1)).toContain(
      'BTC funding flipped',
    )
  })

  test('whose administrators Telegram does not name just now refuses nobody for that', async () => {
    await using bot = await bound({ periods: UNHURRIED })
    const { telegram, ann, group } = bot
    await bot.pass(11 * 60_000)
    telegram.fault({ method: 'getChatAdministrators', kind: 'json', status: 500, times: 2 })
    ann.says(group, '/alert funding-flip BTC 1%/d')
    await bot.pass(8_000)
    expect(lines(bot, group).at(-1)).toBe(
      'Telegram didn’t say who is an admin here, so I did nothing. Try again in a minute.',
    )
    // What everybody may ask is answered.
    telegram.user('Bob').says(group, '/market btc')
    await bot.pass(8_000)
    expect(lines(bot, group).at(-1)).toContain('BTC')
    ann.says(group, '/alert funding-flip BTC 1%/d')
    await bot.pass(8_000)
    expect(lines(bot, group).at(-1)).toContain('by more than 1% a day')
  })

  test('does not answer what a channel posts that is linked to it', async () => {
    await using bot = await bound()
    const { telegram, group } = bot
    const before = telegram.ledger.sends.length
    const channel = { id: -1_009_999_999_999, type: 'channel', title: 'Signals' }
    telegram.world.updates.push(
      'message',
      {
        message_id: 901,
        date: 1,
        chat: { id: group.id, type: 'supergroup', title: 'Desk' },
        from: { id: 777_000, is_bot: false, first_name: 'Telegram' },
        sender_chat: channel,
        is_automatic_forward: true,
        text: '/alert funding-flip BTC',
        entities: [],
      },
      60_000,
    )
    await bot.pass(8_000)
    expect(telegram.ledger.sends.length).toBe(before)
  })

  test('tells a tap of what is not for it in a window that only the tapper sees', async () => {
    await using bot = await bound()
    const { ann, telegram, group } = bot
    const bob = telegram.user('Bob')
    ann.says(group, '/market btc')
    await bot.pass(8_000)
    const row = telegram.ledger.last(group).markup?.rows[0]?.[0]
    expect(row?.text).toBe('Refresh')
    Object.assign(row ?? {}, { data: '=positions' })
    const before = telegram.ledger.sends.length
    const tap = bob.taps('Refresh', { in: group })
    await bot.pass(8_000)
    expect(tap.answers).toMatchObject([
      { text: expect.stringContaining('This Perch is private'), alert: true },
    ])
    expect(telegram.ledger.sends.length).toBe(before)
  })

  test('cannot be configured by nobody in particular', async () => {
    await using bot = await bound()
    const { telegram, group } = bot
    const { updates } = telegram.world
    const chat = { id: group.id, type: 'group', title: 'Desk' }
    const from = { id: 1087968824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' }
    const text = '/alert funding-flip BTC'
    updates.push(
      'message',
      { message_id: 900, date: 1, chat, from, sender_chat: chat, text, entities: [] },
      60_000,
    )
    await bot.pass(8_000)
    expect(lines(bot, group).at(-1)).toBe(
      'I can’t see who you are when you write as a chat. Write as yourself, please.',
    )
  })
})

describe('a channel', () => {
  test('is bound by name from the private chat of an administrator, and hears its alerts', async () => {
    await using bot = await claimed()
    const { telegram, ann } = bot
    const channel = telegram.channel('Signals', { owner: ann, username: 'signals' })
    await bot.pass(0)
    expect(await bot.says(ann, '/channel bind @signals')).toEqual([
      expect.stringContaining('Signals is bound'),
    ])
    await bot.pass(2_000)
    expect(telegram.ledger.texts(channel)).toEqual([expect.stringContaining('Test: alerts reach')])
    channel.demote()
    await bot.pass(2_000)
    expect(telegram.ledger.texts(ann).at(-1)).toContain('I can’t write to Signals any longer')
    channel.promote()
    await bot.pass(2_000)
    expect(await bot.says(ann, '/channel test')).toEqual([
      expect.stringContaining('I have sent a test to Signals'),
    ])
    await bot.pass(4_000)
    expect(telegram.ledger.texts(channel)).toHaveLength(2)
  })

  test('gets its alerts from the private chat of whoever has bound it, by name, by number and by button', async () => {
    await using bot = await claimed()
    const { telegram, ann } = bot
    const channel = telegram.channel('Signals', { owner: ann, username: 'signals' })
    const [bound = ''] = await bot.says(ann, '/channel bind @signals')
    expect(bound).toContain('To set an alert for it, name it: /alert @signals funding-flip BTC')
    ann.taps('BTC ±5% in 1 h')
    await bot.pass(3_000)
    expect(telegram.ledger.texts(ann).at(-1)).toContain('in Signals')
    expect(await bot.says(ann, '/alert @signals price btc below 100')).toEqual([
      expect.stringContaining('✓ I’ll alert you when BTC is below $100'),
    ])
    // Posted there, it answers with a line for the private chat.
    channel.post('/alert price BTC above 150')
    await bot.pass(4_000)
    const line = /\/alert.* -\d+/.exec(telegram.ledger.texts(channel).at(-1) ?? '')?.[0] ?? ''
    const [set = ''] = await bot.says(ann, line)
    expect(set).toContain('in Signals')
    const before = [telegram.ledger.texts(channel).length, telegram.ledger.texts(ann).length]
    bot.stage.market('BTC', { price: 99 })
    await bot.pass(20_000)
    const heard = telegram.ledger.texts(channel).slice(before[0]).join('\n')
    expect(heard).toContain('past your 5% within 1h')
    expect(heard).toContain('below your $100.00')
    expect(telegram.ledger.texts(ann).slice(before[1]).join()).not.toContain('below your $100.00')
    expect(telegram.refused()).toEqual([])
  })

  test('that is named in a line has to be bound by its speaker, and its buttons name it', async () => {
    await using bot = await claimed()
    const { telegram, ann } = bot
    telegram.channel('Signals', { owner: ann, username: 'signals' })
    expect(await bot.says(ann, '/alert @signals price BTC below 100')).toEqual([
      expect.stringContaining('@signals isn’t set up for alerts.'),
    ])
    await bot.pass(3_000)
    await bot.says(ann, '/channel bind @signals')
    await bot.pass(3_000)
    await bot.says(ann, '/alert @signals price below 100')
    ann.taps('BTC')
    await bot.pass(3_000)
    expect(telegram.ledger.texts(ann).at(-1)).toContain('in Signals')
    // What is taken away can be set there again.
    const rule = /R\d+/.exec(telegram.ledger.texts(ann).at(-1) ?? '')?.[0]
    await bot.says(ann, `/remove ${rule}`)
    ann.taps('Undo')
    await bot.pass(3_000)
    expect(await bot.says(ann, '/alerts @signals')).toEqual([expect.stringContaining('1 rule')])
    await bot.pass(3_000)
    const exported = (await bot.says(ann, '/export')).join()
    expect(exported).toMatch(
      /in our private chat, for Signals[^]*\/channel bind -\d+[^]*\/alert -\d+ price BTC below 100/,
    )
  })

  test('is not bound by somebody who has no say there, nor when we may not post', async () => {
    await using bot = await claimed()
    const { telegram, ann } = bot
    telegram.channel('Theirs', { username: 'theirs' })
    telegram.channel('Mute', { owner: ann, username: 'mutechannel', bot: 'member' })
    expect(await bot.says(ann, '/channel bind @theirs')).toEqual([
      expect.stringContaining('I can’t find that chat, or you may not configure it.'),
    ])
    await bot.pass(3_000)
    expect(await bot.says(ann, '/channel bind @mutechannel')).toEqual([
      expect.stringMatching(/may not write|may not configure/),
    ])
    await bot.pass(3_000)
    expect(await bot.says(ann, '/channel bind @nowhere')).toEqual([
      expect.stringContaining('I can’t find that chat'),
    ])
  })

  test('says how it is bound when somebody tries it there', async () => {
    await using bot = await claimed()
    const channel = bot.telegram.channel('Signals', { owner: bot.ann })
    channel.post('/channel bind')
    channel.post('Nothing for a bot')
    await bot.pass(2_000)
    const [answer = '', ...more] = bot.telegram.ledger.sends
      .filter(({ chat }) => chat === channel.id)
      .map(({ text }) => text)
    expect(more).toEqual([])
    const line = /\/channel bind -\d+/.exec(answer)?.[0] ?? ''
    expect(await bot.says(bot.ann, line)).toEqual([expect.stringContaining('Signals is bound')])
  })
})
