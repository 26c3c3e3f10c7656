import type { Inbound } from '../../src/chat/bot.ts'
import { inWords, type Message, plainLines } from '../../src/message/message.ts'
import { identityOf, type Session } from '../../src/people/session.ts'
import type { Language } from '../../src/words/words.ts'
import type { BotUnderTest } from './bot.ts'

/** No line is a repeat of another one, whoever says it. */
let lines = 0

/** A page, or an assistant, that speaks by this secret to the bot under test. */
export interface Apart {
  says(line: string): Promise<string>
  answers(line: string): Promise<Message>
}

export function apart(
  bot: BotUnderTest,
  session: Pick<Session, 'is' | 'user'>,
  language: Language | null = null,
): Apart {
  const by = identityOf(session)
  const there = { platform: by.platform, chat: by.user, thread: null }
  const from = (): Inbound => ({
    ...{ id: `${session.user}/${++lines}`, by, name: 'a page', language, chat: there, home: there },
    ...{ writtenAt: bot.clock.now(), seenUntil: bot.clock.now(), tellsNobody: true },
    ...{ private: true, mayConfigure: session.is === 'page', whisper: true, answersApart: true },
  })
  const [first] = bot.platforms.values()
  const answers = async (line: string) => {
    if (!first) throw new Error('there is no platform')
    const answer = await first.bot().line(from(), line)
    await bot.clock.advance(0)
    return answer
  }
  return {
    answers,
    says: async (line) => plainLines(await answers(line), { now: bot.clock.now(), zone: 'UTC' }).join('\n'),
  }
}

/** Where each button of a message leads. */
export function opensOf({ buttons }: Message): Record<string, string> {
  return Object.fromEntries(
    buttons.flatMap(({ label, opens }) => (opens ? [[inWords(label), opens.url] as const] : [])),
  )
}
