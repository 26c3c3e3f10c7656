import { expect, test } from 'vitest'

import { inWords } from '../../src/message/message.ts'
import { reasonText } from '../../src/people/chat.ts'
import { agrees, anna, annaAndBob, bob, links } from '../support/people.ts'

/** What people say on an evening, in this order. Add the lines of a command here once its answers are in two languages. */
const EVENING: readonly (readonly [who: typeof anna, line: string])[] = [
  [anna, '/quiet'],
  [anna, '/quiet 23:00-07:00'],
  [anna, '/quiet later'],
  [anna, '/quiet'],
  [anna, '/quiet off'],
  [anna, '/digest'],
  [anna, '/digest 08:00'],
  [anna, '/digest'],
  [anna, '/digest soon'],
  [anna, '/digest off'],
  [anna, '/drill report'],
  [anna, '/drill'],
  [anna, '/drill'],
  [anna, '/drill report'],
  [bob, '/drill ack @anna'],
  [anna, '/drill report'],
  [bob, '/drill ack @eve'],
  [anna, '/escalate'],
  [anna, '/escalate @bob'],
  [anna, '/escalate @bob 15m'],
  [anna, '/escalate @bob 10m'],
  [anna, '/escalate @bob now'],
  [anna, '/escalate @nobody 3m'],
  [anna, '/escalate red 3m'],
  [anna, '/escalate blue 3m'],
  [anna, '/escalate blue none'],
  [anna, '/escalate'],
  [anna, '/escalate @bob none'],
  [anna, '/escalate @bob none'],
  [anna, '/handover'],
  [bob, '/handover'],
  [anna, '/handover @bob'],
  [anna, '/handover @bob until noonish'],
  [anna, '/handover @bob 8d'],
  [anna, '/handover @bob 8h'],
  [anna, '/handover'],
  [bob, '/handover'],
  [anna, '/handover end'],
  [anna, '/handover end'],
  [anna, '/agree'],
  [bob, '/agree'],
  [anna, '/agree end @eve'],
  [bob, '/agree ask'],
  [bob, '/agree ABCD-EFGH-JKLM'],
  [bob, '/agree end @anna'],
  [anna, '/escalate'],
  [anna, '/agree end @bob'],
  [anna, '/wallets'],
  [anna, '/wallets main'],
  [anna, '/wallets main remove'],
  [anna, '/unwatch main'],
]

const PLACES = [
  ['anna', 'red'],
  ['anna', 'blue'],
  ['bob', 'red'],
] as const

/** Words that a German sentence does not have. */
const ENGLISH = /\b(?:the|your|you|is|are|not|when|until|nobody|with|and|of|for)\b/i

/** What is to be read in an answer: no lines that a button or a person would say. */
function sentences(answer: string): string {
  return answer
    .split('\n')
    .slice(1)
    .join('\n')
    .replace(/: \/[^\]\n]*\]/g, ']')
    .replace(/\/[a-z]+[^\n]*|@\w+/g, '')
}

test('an evening in German has no English sentence', async () => {
  await using bot = await annaAndBob()
  await agrees(bot, bob)
  await links(bot)
  for (const who of [anna, bob])
    expect(await bot.says('/settings language de', who)).toContain('Ich spreche jetzt Deutsch')
  const answers: string[] = []
  for (const [who, line] of EVENING) {
    const answer = await bot.says(line, who)
    expect(answer, line).not.toBe('')
    answers.push(`${line}\n${answer}`)
    await bot.pass(1_000)
    for (const [user, platform] of PLACES)
      answers.push(...bot.hears(user, platform).map((heard) => `heard after ${line}\n${heard}`))
  }
  const english = answers.filter((one) => ENGLISH.test(sentences(one)))
  expect(english.join('\n\n')).toBe('')
})

test('a reason that is stored in English is read in German, as far as there are words for it', () => {
  expect(inWords(reasonText('the thread is locked'), 'de')).toBe('der Thread ist gesperrt')
  expect(inWords(reasonText('Forbidden: bot was blocked'), 'de')).toBe('Forbidden: bot was blocked')
})
