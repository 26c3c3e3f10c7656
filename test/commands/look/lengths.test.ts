import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { inWords, type Message, plainText, spoken } from '../../../src/message/message.ts'
import type { Language } from '../../../src/words/words.ts'
import type { BotUnderTest } from '../../support/bot.ts'
import { NOON } from '../../support/clock.ts'
import { ALICE } from '../../support/fixtures.ts'
import { openDesk, trader } from '../desk.ts'

// The budgets of an answer on a phone of 36 columns, buttons not counted.

const COLUMNS = 36
/** Two lines an entry and six entries, after a head of two, before an end of two and small print of two. */
const LIST = 18
const ONE = 12
/** Every figure of a market, behind a button. */
const EVERYTHING = 22
/** A list of markets is a table: one line a market. */
const TABLE = 14

const BUDGETS: readonly (readonly [line: string, lines: number])[] = [
  ['/status', 9],
  ['/wallets', ONE],
  ['/positions', LIST],
  ['/positions main', LIST],
  ['/positions hedge Sol', ONE],
  ['/orders', LIST],
  ['/markets', TABLE],
  ['/market BTC', ONE],
  ['/market BTC full', EVERYTHING],
  ['/funding', ONE],
  ['/preview main BTC -50%', ONE],
  ['/shock all -10%', LIST],
]

let bot: BotUnderTest

beforeAll(async () => {
  bot = await openDesk()
  const coins = Array.from({ length: 12 }, (_, at) => `COIN${at}`)
  for (const symbol of coins) bot.stage.market(symbol, { price: 100, funding: 0.0001, volume: 1_000 })
  bot.stage.positions(
    ALICE,
    coins.map((symbol, at) => ({ symbol, size: 10, entry: 112, liquidation: 60 + at })),
  )
  await bot.pass(6_000)
})
afterAll(() => bot[Symbol.asyncDispose]())

/** How many lines of a phone an answer takes. */
function linesOf({ items, table, footnote }: Message, language: Language): number {
  const reader = { now: NOON, zone: 'UTC', language }
  const texts = items.flatMap(({ title, lines }) => [title, ...lines])
  const all = [...texts, ...(footnote === null ? [] : [footnote])].map((text) =>
    plainText(spoken(text, language), reader),
  )
  const wrapped = all.reduce((sum, text) => sum + Math.max(1, Math.ceil([...text].length / COLUMNS)), 0)
  return wrapped + (table === null ? 0 : table.rows.length + 1)
}

describe.each(['en', 'de'] as const)('in %s', (language) => {
  test.each(BUDGETS)('%s takes at most %i lines', async (line, most) => {
    await bot.says(`/settings language ${language}`, trader)
    const answer = await bot.platforms.get(trader.platform)?.asks(trader.user, line)
    if (!answer) throw new Error('no answer')
    expect(
      linesOf(answer, language),
      answer.items.map(({ title }) => inWords(title)).join('\n'),
    ).toBeLessThanOrEqual(most)
  })
})
