import { describe, expect, test } from 'vitest'

import { item, type Message, message, say } from '../../../src/message/message.ts'
import { given, has } from './platform.ts'
import { held, REFUSAL } from './scripted-bot.ts'
import { answerTo, stopping, type Suite, type Talk, testWhere } from './session.ts'

/** Where answers appear, who sees them, in which order, and what becomes of those that fail. */
export function testAnswers({ sample, on }: Suite<Talk>): void {
  describe('an answer', () => {
    test(
      'appears where it was asked for, once, and nowhere else',
      on(async ({ platform, said, shown, texts, met }) => {
        const { ann, ben, group } = platform
        await said(ann, 'home', '/tell word')
        await shown(ann, 'home', answerTo('word'))
        await platform.settles()
        const count = (seen: string[]) => seen.filter((text) => text.includes(answerTo('word'))).length
        expect(count(await texts(ann, 'home'))).toBe(1)
        if ('user' in ben) expect(count(await texts(ben, 'home'))).toBe(0)
        if (!('admin' in group)) return
        await met(group.member, 'group')
        expect(count(await texts(group.member, 'group'))).toBe(0)
      }),
    )

    test(
      'with a file is that file under its words, or its text where there are no files',
      on(async ({ platform, bot, said, until, texts }) => {
        const { ann } = platform
        const file = { name: 'perch-1.csv', text: '"wallet","usd"\r\n"my <b>& hedge",-12.5\r\n' }
        bot.answers('file', () => message([item('plain', 'two alerts', ['as CSV'])], { file }))
        await said(ann, 'home', '/tell file')
        const seen = async () => (await texts(ann, 'home')).filter((text) => text.includes('two alerts'))
        await until('it is there', async () => (await seen()).length > 0)
        await platform.settles()
        const [text = '', ...others] = await seen()
        expect(others).toEqual([])
        expect(text).toMatch(/as CSV[^]*perch-1\.csv(, 39 bytes|:\n"wallet","usd"\n"my <b>& hedge",-12\.5)/)
      }),
    )

    testWhere(
      has(sample.group),
      'in a group that is for everybody is seen by everybody',
      on(async ({ platform, said, shown }) => {
        const { admin, member } = given(platform.group)
        await said(member, 'group', '/show market')
        for (const who of [admin, member]) await shown(who, 'group', answerTo('market'))
      }),
    )

    testWhere(
      has(sample.group),
      'in a group that is personal is seen by that person alone, or refused',
      on(async ({ platform, bot, said, shown, until, texts }) => {
        const { admin, member, whispers } = given(platform.group)
        await said(member, 'group', '/tell secret')
        await until('it is answered', () => bot.answered.includes('/tell secret'))
        await shown(member, 'group', whispers ? answerTo('secret') : REFUSAL)
        expect((await texts(admin, 'group')).join('\n')).not.toContain(answerTo('secret'))
        if (whispers) expect((await texts(admin, 'group')).join('\n')).not.toContain(REFUSAL)
      }),
    )

    test(
      'waits for its turn in the pace of what is sent',
      on(async ({ platform, bot, said, shown, until, texts }) => {
        const { ann } = platform
        bot.gate.close()
        const { from } = await said(ann, 'home', '/tell pace')
        await until('it is answered', () => bot.answered.includes('/tell pace'))
        await platform.settles()
        expect((await texts(ann, 'home')).join('\n')).not.toContain(answerTo('pace'))
        expect(bot.turns.at(-1)).toEqual(from.chat)
        bot.gate.open()
        await shown(ann, 'home', answerTo('pace'))
      }),
    )

    test(
      'comes in the order of the questions, however slow the first one is',
      on(async ({ platform, bot, until, texts }) => {
        const { ann } = platform
        const first = held<Message>()
        bot.answers('slow', () => first.promise)
        await platform.says(ann, 'home', '/tell slow')
        await platform.says(ann, 'home', '/tell quick')
        await platform.says(ann, 'home', '/tell last')
        await until('the first is heard', () => bot.heard.length > 0)
        await platform.settles()
        expect((await texts(ann, 'home')).join('\n')).not.toContain(answerTo('quick'))
        first.release(say(answerTo('slow')))
        const all = async () => (await texts(ann, 'home')).join('\n')
        await until('all are answered', async () => (await all()).includes(answerTo('last')))
        const places = await Promise.all(
          ['slow', 'quick', 'last'].map(async (word) => (await all()).indexOf(answerTo(word))),
        )
        expect(places).toEqual(places.toSorted((a, b) => a - b))
        expect(places[0]).toBeGreaterThanOrEqual(0)
        expect(bot.heard.map(({ text }) => text)).toEqual(['/tell slow', '/tell quick', '/tell last'])
      }),
    )

    testWhere(
      has(sample.ben),
      'to one person does not wait for the answer to another',
      on(async ({ platform, bot, said, shown }) => {
        const ben = given(platform.ben)
        const first = held<Message>()
        bot.answers('slow', () => first.promise)
        await said(platform.ann, 'home', '/tell slow')
        await said(ben, 'home', '/tell quick')
        await shown(ben, 'home', answerTo('quick'))
        first.release(say(answerTo('slow')))
        await shown(platform.ann, 'home', answerTo('slow'))
      }),
    )

    testWhere(
      has(sample.group),
      'to one person in a group does not wait for the answer to another',
      on(async ({ platform, bot, said, shown }) => {
        const { admin, member } = given(platform.group)
        const first = held<Message>()
        bot.answers('slow', () => first.promise)
        await said(admin, 'group', '/show slow')
        await said(member, 'group', '/show quick')
        await shown(admin, 'group', answerTo('quick'))
        first.release(say(answerTo('slow')))
        await shown(member, 'group', answerTo('slow'))
      }),
    )

    test(
      'that takes 20 seconds still comes',
      on(async ({ platform, bot, said, shown }) => {
        const answer = held<Message>()
        bot.answers('slow', () => answer.promise)
        await said(platform.ann, 'home', '/tell slow')
        for (let second = 0; second < 20; second++) await platform.clock.advance(1_000)
        answer.release(say(answerTo('slow')))
        await shown(platform.ann, 'home', answerTo('slow'))
      }),
    )

    test(
      'that is empty shows nothing and holds nothing up',
      on(async ({ platform, bot, said, until, met, texts }) => {
        const { ann } = platform
        bot.answers('nothing', () => message([]))
        await said(ann, 'home', '/tell nothing')
        await until('it is answered', () => bot.answered.includes('/tell nothing'))
        await platform.settles()
        expect(await texts(ann, 'home')).toEqual([])
        await met(ann, 'home')
      }),
    )

    test(
      'that fails is one polite sentence, and the next one is as ever',
      on(async ({ platform, bot, said, met, until, texts }) => {
        const { ann } = platform
        bot.answers('fails', () => Promise.reject(new Error('SQLITE_FULL at engine.ts:41')))
        await said(ann, 'home', '/tell fails')
        await until('something is said', async () => (await texts(ann, 'home')).length > 0)
        await platform.settles()
        const seen = await texts(ann, 'home')
        expect(seen).toHaveLength(1)
        expect(seen[0]).toMatch(/^[A-Z][^{}<>]*[.!]$/)
        expect(seen[0]).not.toMatch(/SQLITE|engine\.ts/)
        expect(platform.events).toContainEqual(expect.objectContaining({ is: 'trouble' }))
        await met(ann, 'home')
      }),
    )
  })

  describe('stopping', () => {
    test(
      'lets an answer that is under way finish, and begins no other',
      on(async ({ platform, bot, adapter, said, texts, shown }) => {
        const { ann } = platform
        const answer = held<Message>()
        bot.answers('slow', () => answer.promise)
        await said(ann, 'home', '/tell slow')
        await platform.says(ann, 'home', '/tell next')
        await platform.settles()
        const begun = bot.heard.map(({ text }) => text)
        const stop = adapter().stop()
        await platform.settles()
        answer.release(say(answerTo('slow')))
        await stop
        await shown(ann, 'home', answerTo('slow'))
        await platform.says(ann, 'home', '/tell late')
        await platform.settles()
        expect(bot.heard.map(({ text }) => text)).toEqual(begun)
        expect(await texts(ann, 'home')).toHaveLength(begun.length)
      }),
    )

    test(
      'does not wait for ever, and may be asked for twice',
      on(async ({ platform, bot, adapter, said }) => {
        bot.answers('never', () => new Promise(() => {}))
        await said(platform.ann, 'home', '/tell never')
        await Promise.all([stopping(platform, adapter()), stopping(platform, adapter())])
      }),
    )
  })
}
