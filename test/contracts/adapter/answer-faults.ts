import { describe, expect } from 'vitest'

import { item, type Message, message, say } from '../../../src/message/message.ts'
import { behindOutbox } from './outbox.ts'
import { given, has } from './platform.ts'
import { held } from './scripted-bot.ts'
import { answerTo, type Suite, type Talk, testWhere } from './session.ts'

/** What becomes of an answer that does not simply arrive, with the real outbox behind the platform. */
export function testAnswerFaults({ sample, on }: Suite<Talk>): void {
  describe('an answer behind the outbox', () => {
    testWhere(
      has(sample.answerFaults.passing),
      'that meets a passing fault is tried again later, and seen once',
      on(async (session) => {
        const { platform, said, until, shown, texts } = session
        const cause = given(platform.answerFaults.passing)
        await behindOutbox(session, async ({ endings, passes }) => {
          await cause()
          await said(platform.ann, 'home', '/tell word')
          await until('it has met the fault', () => endings.length > 0)
          expect(endings[0]).toMatchObject({ is: 'delayed', retryAfterMs: null })
          await passes(2_000)
          await shown(platform.ann, 'home', answerTo('word'))
          await passes(60_000)
          expect(endings.map(({ is }) => is)).toEqual(['delayed', 'sent'])
          const seen = await texts(platform.ann, 'home')
          expect(seen.filter((text) => text.includes(answerTo('word')))).toHaveLength(1)
        })
      }),
    )

    testWhere(
      has(sample.answerFaults.rejected),
      'that is refused for its markup goes out plain',
      on(async (session) => {
        const { platform, bot, said, until, shown } = session
        const cause = given(platform.answerFaults.rejected)
        bot.answers('word', () => say('the word', ['is ', { strong: 'strong' }]))
        await behindOutbox(session, async ({ endings }) => {
          await cause()
          await said(platform.ann, 'home', '/tell word')
          await until('it has met the fault twice', () => endings.length > 1)
          expect(endings.map(({ is }) => is)).toEqual(['rejected', 'sent'])
          await shown(platform.ann, 'home', 'is strong')
          expect((await platform.sees(platform.ann, 'home')).at(-1)?.styled).toBe(false)
        })
      }),
    )

    testWhere(
      has(sample.answerFaults.rejected),
      'that is refused as a file is shown as text',
      on(async (session) => {
        const { platform, bot, said, until, shown, texts } = session
        const cause = given(platform.answerFaults.rejected)
        const file = { name: 'perch-1.csv', text: '"wallet"\r\n"my hedge"\r\n' }
        bot.answers('word', () => message([item('plain', 'two alerts')], { file }))
        await behindOutbox(session, async ({ endings }) => {
          await cause()
          await said(platform.ann, 'home', '/tell word')
          await until('it has met the fault twice', () => endings.length > 1)
          expect(endings.map(({ is }) => is)).toEqual(['rejected', 'sent'])
          await shown(platform.ann, 'home', '"my hedge"')
          const seen = (await texts(platform.ann, 'home')).filter((text) => text.includes('two alerts'))
          expect(seen.join('\n')).toContain('perch-1.csv:\n"wallet"\n"my hedge"')
          expect(seen).toHaveLength(1)
        })
      }),
    )

    testWhere(
      has(sample.answerFaults.limited),
      'that has to wait waits as long as the platform asks, and holds messages that take the same path',
      on(async (session) => {
        const { platform, said, until, shown, texts } = session
        const cause = given(platform.answerFaults.limited)
        await behindOutbox(session, async ({ endings, warns, passes }) => {
          const asked = cause()
          await said(platform.ann, 'home', '/tell word')
          await until('it has met the fault', () => endings.length > 0)
          expect(endings[0]).toMatchObject({ is: 'delayed', retryAfterMs: asked })
          await warns(say('the danger'))
          const isShown = (await texts(platform.ann, 'home')).join('\n').includes('the danger')
          expect(isShown).toBe(platform.answerFaults.areApart ?? false)
          await passes(asked + 2_000)
          for (const words of [answerTo('word'), 'the danger']) await shown(platform.ann, 'home', words)
          expect(endings.map(({ is }) => is)).toEqual(['delayed', 'sent'])
        })
      }),
    )

    testWhere(
      has(sample.answerFaults.gone),
      'to a chat that is gone marks it broken, and is not tried again',
      on(async (session) => {
        const { platform, bot, said, until, texts } = session
        const cause = given(platform.answerFaults.gone)
        const answer = held<Message>()
        bot.answers('word', () => answer.promise)
        await behindOutbox(session, async ({ endings, changes, warns, passes }) => {
          await said(platform.ann, 'home', '/tell word')
          await cause()
          const before = await texts(platform.ann, 'home')
          answer.release(say(answerTo('word')))
          await until('it is tried', () => endings.length > 0)
          await warns(say('the danger'))
          await passes(60_000)
          expect(endings).toEqual([expect.objectContaining({ is: 'gone' })])
          expect(changes).toEqual([expect.objectContaining({ is: 'chat-broken', chatId: 1 })])
          expect(await texts(platform.ann, 'home')).toEqual(before)
        })
      }),
    )
  })
}
