import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { call, type Json } from './client.ts'
import { startTelegram } from './telegram.ts'

async function start() {
  const clock = handClock()
  const telegram = await startTelegram({ clock })
  const ann = telegram.user('Ann', { username: 'ann' })
  const send = (chat_id: unknown, text = 'Hear', more: Record<string, unknown> = {}) =>
    call(telegram, 'sendMessage', { chat_id, text, ...more })
  const kinds = () => telegram.pending().map((update) => Object.keys(update)[1])
  const told = (): Json[] => telegram.pending().map((update) => Object.values(update)[1])
  return { clock, telegram, ann, send, kinds, told }
}

describe('the bot cannot write', () => {
  test.each<[string, (world: Awaited<ReturnType<typeof start>>) => unknown, number, string]>([
    ['to nobody', () => '', 400, 'Bad Request: chat_id is empty'],
    ['to a chat that is not', () => 77, 400, 'Bad Request: chat not found'],
    ['to a name that is not', () => '@nobody', 400, 'Bad Request: chat not found'],
    ['to somebody whom it never met', ({ ann }) => ann.id, 400, 'Bad Request: chat not found'],
    [
      'to somebody whom it met in a group, but who never started it',
      ({ telegram, ann }) => {
        ann.says(telegram.group('Desk'), '/help')
        return ann.id
      },
      403,
      "Forbidden: bot can't initiate conversation with a user",
    ],
    [
      'to somebody who blocked it',
      ({ ann }) => {
        ann.says('/start')
        ann.blocks()
        return ann.id
      },
      403,
      'Forbidden: bot was blocked by the user',
    ],
    [
      'to somebody whose account is deleted',
      ({ ann }) => {
        ann.says('/start')
        ann.deactivates()
        return ann.id
      },
      403,
      'Forbidden: user is deactivated',
    ],
    ...(['group', 'supergroup'] as const).flatMap(
      (kind): [string, (w: Json) => unknown, number, string][] => [
        [
          `to a ${kind} that removed it`,
          ({ telegram }) => {
            const group = telegram.group('Desk', { supergroup: kind === 'supergroup' })
            group.kick()
            return group.id
          },
          403,
          `Forbidden: bot was kicked from the ${kind} chat`,
        ],
        [
          `to a ${kind} that it was never in`,
          ({ telegram }) => telegram.group('Desk', { supergroup: kind === 'supergroup', bot: 'absent' }).id,
          403,
          `Forbidden: bot is not a member of the ${kind} chat`,
        ],
      ],
    ),
    [
      'to a channel that removed it',
      ({ telegram }) => {
        const channel = telegram.channel('News')
        channel.kick()
        return channel.id
      },
      403,
      'Forbidden: bot was kicked from the channel chat',
    ],
    [
      'to a channel in which it is no administrator',
      ({ telegram }) => telegram.channel('News', { bot: 'member' }).id,
      400,
      'Bad Request: need administrator rights in the channel chat',
    ],
    [
      'to a group that was deleted',
      ({ telegram }) => {
        const group = telegram.group('Desk')
        group.delete()
        return group.id
      },
      403,
      'Forbidden: the group chat was deleted',
    ],
    [
      'to a group in which it may not speak: what is 403 inside Telegram arrives as 400',
      ({ telegram }) => {
        const group = telegram.group('Desk')
        group.silence()
        return group.id
      },
      400,
      'Bad Request: CHAT_WRITE_FORBIDDEN',
    ],
  ])('%s', async (_when, arrange, status, refused) => {
    const world = await start()
    await using _ = world.telegram
    expect(await world.send(arrange(world))).toMatchObject({ status, refused })
    expect(world.telegram.ledger.sends).toEqual([])
  })
})

describe('a group that becomes a supergroup', () => {
  test('says where it is now: to whoever writes to the old one, and in both', async () => {
    const { telegram, send, told } = await start()
    await using _ = telegram
    const group = telegram.group('Desk')
    const { from, to } = group.migrate()
    expect((await send(from)).body).toEqual({
      ok: false,
      error_code: 400,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: to },
    })
    expect(told().slice(-2)).toMatchObject([
      { chat: { id: from, type: 'group' }, migrate_to_chat_id: to },
      { chat: { id: to, type: 'supergroup' }, migrate_from_chat_id: from },
    ])
    expect((await send(to)).status).toBe(200)
    expect(group.id).toBe(to)
  })
})

describe('a forum', () => {
  test('has topics; General is addressed by leaving the thread out', async () => {
    const { telegram, ann, send, told } = await start()
    await using _ = telegram
    const forum = telegram.group('Desk', { forum: true })
    const topic = forum.topic('Alerts')
    const in_ = (message_thread_id: unknown) => send(forum.id, 'Hear', { message_thread_id })
    expect((await in_(topic.thread)).result).toMatchObject({
      message_thread_id: topic.thread,
      is_topic_message: true,
    })
    expect((await in_(undefined)).result).not.toHaveProperty('message_thread_id')
    expect((await in_(1)).refused).toBe('Bad Request: message thread not found')
    topic.close()
    expect((await in_(topic.thread)).refused).toBe('Bad Request: TOPIC_CLOSED')
    topic.delete()
    expect((await in_(topic.thread)).refused).toBe('Bad Request: message thread not found')
    ann.says(topic, '/help')
    // The trap of topics: what answers nothing seems to answer the message that opened the topic.
    expect(told().at(-1)).toMatchObject({
      message_thread_id: topic.thread,
      reply_to_message: { forum_topic_created: { name: 'Alerts' } },
    })
  })

  test('is not what other groups are: there a thread means nothing', async () => {
    const { telegram, send } = await start()
    await using _ = telegram
    const group = telegram.group('Desk', { supergroup: true })
    expect((await send(group.id, 'Hear', { message_thread_id: 99 })).status).toBe(200)
  })
})

describe('the bot hears', () => {
  test('of blocks, unblocks, promotions and removals', async () => {
    const { telegram, ann, told, kinds } = await start()
    await using _ = telegram
    ann.says('/start')
    ann.blocks()
    ann.says('back')
    const group = telegram.group('Desk', { supergroup: true })
    group.promote()
    group.kick()
    const changes = told().flatMap(({ old_chat_member: old, new_chat_member: now }) =>
      old ? [`${old.status} > ${now.status}`] : [],
    )
    expect(changes).toEqual([
      'member > kicked',
      'kicked > member',
      'left > member',
      'member > administrator',
      'administrator > kicked',
    ])
    expect(kinds().slice(0, 4)).toEqual(['message', 'my_chat_member', 'my_chat_member', 'message'])
  })

  test('in a group only commands to it, answers to it and service messages', async () => {
    const { telegram, ann, send, told } = await start()
    await using _ = telegram
    const group = telegram.group('Desk', { supergroup: true })
    const { result } = await send(group.id)
    ann.says(group, 'nice weather')
    ann.says(group, '/help')
    ann.says(group, `/help@${telegram.botName}`)
    ann.says(group, '/help@OtherBot')
    ann.says(group, 'thanks', { replyTo: result.message_id })
    expect(told().flatMap(({ text }) => text ?? [])).toEqual(['/help', '/help@PerchTestBot', 'thanks'])
    expect(told().at(-1).message_thread_id).toBe(result.message_id)
    group.promote()
    ann.says(group, 'nice weather')
    expect(told().at(-1).text).toBe('nice weather')
  })

  test('who administers a chat', async () => {
    const { telegram, ann } = await start()
    await using _ = telegram
    const group = telegram.group('Desk')
    ann.says(group, '/help')
    const status = async (user_id: number, chat_id = group.id) =>
      (await call(telegram, 'getChatMember', { chat_id, user_id })).result?.status
    expect([await status(ann.id), await status(group.owner.id)]).toEqual(['member', 'creator'])
    group.promote(ann)
    expect(await status(ann.id)).toBe('administrator')
    const { result } = await call(telegram, 'getChatAdministrators', { chat_id: group.id })
    expect(result.map((member: Json) => member.user.first_name)).toEqual(['Owner', 'Ann'])
    const news = telegram.channel('News', { bot: 'member', owner: ann })
    expect(await call(telegram, 'getChatMember', { chat_id: news.id, user_id: ann.id })).toMatchObject({
      refused: 'Bad Request: member list is inaccessible',
    })
    expect((await call(telegram, 'getChat', { chat_id: group.id })).result).toMatchObject({ title: 'Desk' })
    expect((await call(telegram, 'leaveChat', { chat_id: group.id })).result).toBe(true)
    expect(await status(telegram.botId)).toBe('left')
  })
})
