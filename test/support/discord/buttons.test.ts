import { type ButtonInteraction, type Interaction, Routes } from 'discord.js'
import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { refusedAs, startBot } from './client.ts'
import { textOf } from './readable.ts'
import { startDiscord } from './server.ts'
import { BUTTONS, traders } from './traders.ts'

const onButton = (work: (asked: ButtonInteraction) => Promise<unknown>) => async (asked: Interaction) => {
  if (asked.isButton()) await work(asked)
}

describe('a button', () => {
  test('works after the bot was started again', async () => {
    await using discord = await startDiscord()
    const { general, ann } = traders(discord)
    {
      await using bot = await startBot(discord)
      await bot.post(general, { content: 'rule A41', components: BUTTONS })
    }
    await using _bot = await startBot(discord, {
      hear: onButton(async (asked) => {
        expect(asked.message.content).toBe('rule A41')
        await asked.update({ content: `${asked.user.username} did ${asked.customId}`, components: [] })
      }),
    })
    const answer = await ann.taps('Remove').answer()
    expect(textOf(answer)).toBe('ann did /remove A41')
    expect(discord.ledger.shows(general)).toBe('Perch (edited):\nann did /remove A41\n\nann: [Remove]')
    expect(() => ann.taps('Remove')).toThrow('ann sees no button [Remove]; the newest messages are:\nann did')
  })

  test('in a direct message and in an answer for one person', async () => {
    await using discord = await startDiscord()
    const { general, ann, bob } = traders(discord)
    await using _bot = await startBot(discord, {
      register: true,
      hear: async (asked) => {
        if (asked.isChatInputCommand()) await asked.reply({ content: 'one', components: BUTTONS, flags: 64 })
        if (!asked.isButton()) return
        await asked.deferUpdate()
        await asked.editReply({ content: 'two' })
        await asked.followUp({ content: 'three', flags: 64 })
      },
    })
    for (const place of [general, ann.dm]) {
      await ann.runs('/positions', {}, place).answer()
      expect(() => bob.taps('Refresh', place)).toThrow('bob sees no button')
      const tapped = ann.taps('Refresh', place)
      expect(textOf(await tapped.answer())).toBe('two\n[Refresh] [Remove]')
      await place.gets('three')
      expect(tapped.followUps()).toHaveLength(1)
    }
  })

  test('that nobody answers fails', async () => {
    const clock = handClock()
    await using discord = await startDiscord({ clock })
    const { general, ann } = traders(discord)
    await using bot = await startBot(discord)
    await bot.post(general, { content: 'x', components: BUTTONS })
    const tapped = ann.taps('Refresh')
    expect(tapped.failure()).toBeNull()
    await clock.advance(3_001)
    expect(tapped.failure()).toBe('This interaction failed')
  })
})

describe('autocomplete', () => {
  const suggesting =
    (count: number, value: string | number = 'main') =>
    async (asked: Interaction) => {
      if (!asked.isAutocomplete()) return
      const { name, value: typed } = asked.options.getFocused(true)
      await asked.respond(Array.from({ length: count }, (_, n) => ({ name: `${name} ${typed} ${n}`, value })))
    }

  test('offers what fits what was typed', async () => {
    await using discord = await startDiscord()
    const { ann, general } = traders(discord)
    await using _bot = await startBot(discord, { register: true, hear: suggesting(2) })
    expect(await ann.types('/positions', 'wallet', 'ma').choices()).toEqual([
      { name: 'wallet ma 0', value: 'main' },
      { name: 'wallet ma 1', value: 'main' },
    ])
    expect(discord.ledger.shows(general)).toBe('')
    expect(() => ann.types('/alert price-above', 'level', '1')).toThrow('"level" is not completed')
  })

  test.each<[what: string, hear: (asked: Interaction) => Promise<unknown>, as: string]>([
    ['more than 25', suggesting(26), 'data.choices[BASE_TYPE_MAX_LENGTH]'],
    ['a number for a text', suggesting(1, 5), 'data.choices[0].value[STRING_TYPE_CONVERT]'],
    ['nothing to choose', suggesting(1, ''), 'data.choices[0].value[BASE_TYPE_REQUIRED]'],
  ])('refuses %s', async (_what, hear, as) => {
    await using discord = await startDiscord()
    const { promise, resolve } = Promise.withResolvers<string>()
    await using _bot = await startBot(discord, {
      register: true,
      hear: async (asked) => resolve(await refusedAs(hear(asked))),
    })
    traders(discord).ann.types('/positions', 'wallet', '')
    expect(await promise).toContain(as)
  })
})

describe('a dialog', () => {
  const input = (more: object = {}) => ({
    type: 18,
    label: 'At what price?',
    component: { type: 4, custom_id: 'answer', style: 1, ...more },
  })
  const modal = (more: object = {}) => ({
    custom_id: '/x',
    title: 'At what price?',
    components: [input()],
    ...more,
  })
  /** What becomes of a dialog that is opened at a tap. */
  async function opened(data: object, first?: (asked: ButtonInteraction) => Promise<unknown>) {
    await using discord = await startDiscord()
    const { general, ann } = traders(discord)
    const { promise, resolve } = Promise.withResolvers<string>()
    const open = (asked: ButtonInteraction) =>
      asked.client.rest.post(Routes.interactionCallback(asked.id, asked.token), {
        body: { type: 9, data },
        auth: false,
      })
    await using bot = await startBot(discord, {
      hear: onButton(async (asked) => {
        await first?.(asked)
        resolve(
          await open(asked).then(
            () => 'open',
            () => 'refused',
          ),
        )
      }),
    })
    await bot.post(general, { content: 'x', components: BUTTONS })
    ann.taps('Refresh')
    return await promise
  }

  test.each([
    ['as Discord takes it', modal(), 'open'],
    ['with a title of 46', modal({ title: 'x'.repeat(46) }), 'refused'],
    ['with a label of 46', modal({ components: [{ ...input(), label: 'x'.repeat(46) }] }), 'refused'],
    [
      'with a placeholder of 101',
      modal({ components: [input({ placeholder: 'x'.repeat(101) })] }),
      'refused',
    ],
    ['with six fields', modal({ components: Array.from({ length: 6 }, () => input()) }), 'refused'],
    ['without a field', modal({ components: [] }), 'refused'],
    ['with a name of 101', modal({ custom_id: `/${'x'.repeat(100)}` }), 'refused'],
  ])('%s', async (_how, data, outcome) => expect(await opened(data)).toBe(outcome))

  test('cannot be opened once the tap was answered', async () => {
    expect(await opened(modal(), (asked) => asked.deferUpdate())).toBe('refused')
  })
})
