import { describe, expect, test } from 'vitest'

import { say } from '../../../src/message/message.ts'
import { given, has } from './platform.ts'
import { type Suite, type Talk, testWhere } from './session.ts'

const start = { tell: '/tell price below', show: '/show price below' }
const asking = (line: string) => ({
  ...say('At what price?'),
  question: { start: line, prompt: 'price', placeholder: '2300' },
})
/** Where people type into a field of their own, the whole line comes. */
const ANSWER = /^(\/(tell|show) price below )?2300$/

/** How a question is shown, and how its answer comes back. */
export function testQuestions({ sample, on }: Suite<Talk>): void {
  describe('a question', () => {
    test(
      'is answered in private by what the person sends next',
      on(async ({ platform, bot, said, shown, until }) => {
        const { ann } = platform
        bot.answers('which', () => asking(start.tell))
        await said(ann, 'home', '/tell which')
        await shown(ann, 'home', 'At what price?')
        await platform.replies(ann, 'home', '2300')
        await until('the answer is heard', () => ANSWER.test(bot.heard.at(-1)?.text ?? ''))
        expect(bot.heard.at(-1)?.from).toMatchObject({ by: ann, private: true })
      }),
    )

    testWhere(
      has(sample.group),
      'in a group is answered by the person who was asked, there',
      on(async ({ platform, bot, said, shown, until }) => {
        const { admin } = given(platform.group)
        bot.answers('which', () => asking(start.show))
        const { from } = await said(admin, 'group', '/show which')
        await shown(admin, 'group', 'At what price?')
        await platform.replies(admin, 'group', '2300')
        await until('the answer is heard', () => ANSWER.test(bot.heard.at(-1)?.text ?? ''))
        expect(bot.heard.at(-1)?.from).toMatchObject({ by: admin, chat: from.chat, private: false })
      }),
    )
  })
}
