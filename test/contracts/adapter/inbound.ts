import { describe, expect, test } from 'vitest'

import type { Inbound } from '../../../src/chat/bot.ts'
import { item, message } from '../../../src/message/message.ts'
import { given, has, timeless } from './platform.ts'
import { NEVER, type Suite, type Talk, testWhere } from './session.ts'

/** What the bot learns of who speaks, where and with what right; and what they said. */
export function testInbound({ sample, on }: Suite<Talk>): void {
  describe('who speaks', () => {
    test(
      'in private speaks from home, where everything may be said and configured',
      on(async ({ platform: { ann, adapter }, met }) => {
        const from = await met(ann, 'home')
        expect(from).toMatchObject({ by: ann, private: true, mayConfigure: true, whisper: true })
        expect(from.chat).toEqual(from.home)
        expect(from.home.platform).toBe(adapter.name)
        expect(JSON.parse(JSON.stringify(from))).toEqual(from)
      }),
    )

    test(
      'is the same person in the same chat every time, and every input has an id of its own',
      on(async ({ platform: { ann }, met }) => {
        const inputs = [await met(ann, 'home'), await met(ann, 'home'), await met(ann, 'home')]
        expect(new Set(inputs.map(({ id }) => id)).size).toBe(3)
        const [first, ...rest] = inputs.map((from) => ({ ...timeless(from), id: null }))
        for (const from of rest) expect(from).toEqual(first)
      }),
    )

    testWhere(
      has(sample.ben),
      'is told apart from everybody else',
      on(async ({ platform, met }) => {
        const { ann } = platform
        const ben = given(platform.ben)
        const [one, other] = [await met(ann, 'home'), await met(ben, 'home')]
        expect(other.by).toEqual(ben)
        expect(other.home).not.toEqual(one.home)
        expect(other.id).not.toBe(one.id)
      }),
    )

    testWhere(
      has(sample.group),
      'in a group may configure it or not, and has a home elsewhere',
      on(async ({ platform, met }) => {
        const { admin, member, whispers } = given(platform.group)
        const [may, mayNot] = [await met(admin, 'group'), await met(member, 'group')]
        expect(may).toMatchObject({ by: admin, private: false, mayConfigure: true, whisper: whispers })
        expect(mayNot).toMatchObject({ by: member, private: false, mayConfigure: false, whisper: whispers })
        expect(may.chat).toEqual(mayNot.chat)
        expect(may.home).not.toEqual(may.chat)
        expect(may.home).toEqual((await met(admin, 'home')).home)
      }),
    )
  })

  describe('a chat, looked into', () => {
    test(
      'that is private belongs to one person',
      on(async ({ platform, adapter, met }) => {
        const { ann, ben, group } = platform
        const { home } = await met(ann, 'home')
        const found = await adapter().inspect(ann, home, NEVER)
        expect(found).toMatchObject({ address: home, mayConfigure: true, mayPost: true })
        expect(found).not.toHaveProperty('title', '')
        const others = ['user' in ben ? [ben] : [], 'member' in group ? [group.member] : []].flat()
        for (const other of others) {
          expect(await adapter().inspect(other, home, NEVER)).not.toMatchObject({ mayConfigure: true })
        }
      }),
    )

    testWhere(
      has(sample.group),
      'that is a group belongs to those who may configure it',
      on(async ({ platform, adapter, met }) => {
        const { title, admin, member } = given(platform.group)
        const { chat } = await met(admin, 'group')
        const right = { address: chat, title, mayConfigure: true, mayPost: true }
        expect(await adapter().inspect(admin, chat, NEVER)).toEqual(right)
        expect(await adapter().inspect(member, chat, NEVER)).toEqual({ ...right, mayConfigure: false })
        if ('lacks' in platform.ben) return
        const others = await adapter().inspect(platform.ben, chat, NEVER)
        expect(others).not.toMatchObject({ mayConfigure: true })
      }),
    )

    test(
      'that is not there is null',
      on(async ({ platform: { ann }, adapter }) => {
        for (const chat of ['999999999999', '-100999999999999', 'no such chat', '@nobody/../..', '']) {
          const address = { platform: adapter().name, chat, thread: null }
          expect(await adapter().inspect(ann, address, NEVER)).toBeNull()
        }
      }),
    )
  })

  describe('what is said', () => {
    test(
      'reaches the bot as it was said, in private and in a group',
      on(async ({ platform, said }) => {
        const { ann, group } = platform
        for (const words of ['me', 'A41 1h', '"my  hedge" 5%', 'größe 😀 مرحبا', '<b>&amp;*_`~']) {
          expect((await said(ann, 'home', `/tell ${words}`)).text).toBe(`/tell ${words}`)
        }
        if ('lacks' in group) return
        expect((await said(group.member, 'group', '/show us')).from.by).toEqual(group.member)
      }),
    )

    testWhere(
      has(sample.writes),
      'need not be a command',
      on(async ({ platform, bot, until }) => {
        const writes = given(platform.writes)
        const lines = ['hello there', 'what?', '12', '/nonsense', '/', '👍', '- x', `0x${'ab'.repeat(20)}`]
        for (const text of lines) {
          await writes(platform.ann, text)
          await until(`"${text}" is heard`, () => bot.heard.at(-1)?.text === text)
        }
      }),
    )

    testWhere(
      has(sample.follows),
      'may come with a link',
      on(async ({ platform, bot, until }) => {
        const follows = given(platform.follows)
        await follows(platform.ann, 'CODE-0001')
        await until('the word is heard', () => bot.heard.at(-1)?.text === '/start CODE-0001')
        expect(bot.heard.at(-1)?.from).toMatchObject({ by: platform.ann, private: true })
      }),
    )
  })

  describe('a button', () => {
    const offer = (replace = false) =>
      message([item('warning', 'BTC long is near (A41)')], {
        buttons: [
          { label: 'Snooze 1h', line: '/show snooze A41 1h', replace },
          { label: 'Why?', line: '/tell why A41', replace: false },
        ],
      })
    const origin = ({ by, chat, home, private: alone, mayConfigure }: Inbound) =>
      ({ by, chat, home, private: alone, mayConfigure }) as const

    testWhere(
      has(sample.taps),
      'says its line for whoever taps it, every time',
      on(async ({ platform, bot, delivered, met, until }) => {
        const taps = given(platform.taps)
        const { ann } = platform
        const from = await met(ann, 'home')
        await delivered(offer())
        for (const [label, line] of [
          ['Snooze 1h', '/show snooze A41 1h'],
          ['Why?', '/tell why A41'],
        ] as const) {
          await taps(ann, 'home', label)
          await until(`${line} is heard`, () => bot.heard.at(-1)?.text === line)
          expect(origin(bot.heard.at(-1)?.from as Inbound)).toEqual(origin(from))
        }
        const before = bot.heard.length
        // A platform may take two taps at once for one that was meant.
        for (let round = 0; round < 8; round++) await platform.settles()
        await taps(ann, 'home', 'Snooze 1h')
        await until('it is heard again', () => bot.heard.length > before)
        expect(new Set(bot.heard.map(({ from: { id } }) => id)).size).toBe(bot.heard.length)
      }),
    )

    testWhere(
      has(sample.taps),
      'on an item does so too',
      on(async ({ platform, bot, delivered, until }) => {
        const taps = given(platform.taps)
        const buttons = [{ label: 'Ack', line: '/show ack A7', replace: false }]
        await delivered(message([item('info', 'one'), item('critical', 'two', [], buttons)]))
        await taps(platform.ann, 'home', 'Ack')
        await until('it is heard', () => bot.heard.at(-1)?.text === '/show ack A7')
      }),
    )

    testWhere(
      has(sample.group) && has(sample.taps),
      'in a group is tapped with the rights of whoever taps',
      on(async ({ platform, bot, met, delivered, until }) => {
        const { admin, member } = given(platform.group)
        const taps = given(platform.taps)
        const { chat } = await met(admin, 'group')
        await delivered(offer(), { to: chat })
        for (const [who, mayConfigure] of [
          [admin, true],
          [member, false],
        ] as const) {
          await taps(who, 'group', 'Snooze 1h')
          await until(
            'it is heard',
            () =>
              bot.heard.at(-1)?.from.by.user === who.user && bot.heard.at(-1)?.text === '/show snooze A41 1h',
          )
          expect(bot.heard.at(-1)?.from).toMatchObject({ by: who, chat, private: false, mayConfigure })
        }
      }),
    )

    testWhere(
      has(sample.taps) && sample.editsInPlace,
      'that replaces has its answer where its message was',
      on(async ({ platform, bot, delivered, shown, texts }) => {
        const taps = given(platform.taps)
        const { ann } = platform
        await delivered(offer(true))
        const before = (await texts(ann, 'home')).length
        bot.answers('snooze', () => message([item('good', 'Snoozed for 1 h (A41)')]))
        await taps(ann, 'home', 'Snooze 1h')
        await shown(ann, 'home', 'Snoozed for 1 h (A41)')
        const after = await texts(ann, 'home')
        expect(after).toHaveLength(before)
        expect(after.join('\n')).not.toContain('is near')
      }),
    )

    testWhere(
      has(sample.group) && has(sample.taps),
      'never puts what is personal in the place of what everybody reads',
      on(async ({ platform, bot, met, delivered, until, texts }) => {
        const { admin, member } = given(platform.group)
        const taps = given(platform.taps)
        const { chat } = await met(admin, 'group')
        const mine = { label: 'Mine', line: '/tell mine', replace: true }
        await delivered(message([item('warning', 'BTC long is near (A41)')], { buttons: [mine] }), {
          to: chat,
        })
        bot.answers('mine', () => message([item('plain', 'your secret')]))
        await taps(member, 'group', 'Mine')
        await until('it is answered', () => bot.answered.includes('/tell mine'))
        await platform.settles()
        const seen = (await texts(admin, 'group')).join('\n')
        expect(seen).toContain('is near')
        expect(seen).not.toContain('your secret')
      }),
    )
  })
}
