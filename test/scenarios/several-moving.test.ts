import { expect, test } from 'vitest'

import { ALICE } from '../support/fixtures.ts'
import { startSeveralBot } from '../support/several-bot.ts'

type Bot = Awaited<ReturnType<typeof startSeveralBot>>

async function withHedge(which: 'both' | 'alone'): Promise<Bot> {
  const bot = await startSeveralBot(which)
  bot.first.account(ALICE, { usd: 10_000 }).trades('ETH', 2, { leverage: 2 })
  bot.second.account(ALICE, { usd: 10_000 }).trades('ETH', -1, { leverage: 2 })
  await bot.pass(4)
  return bot
}

async function fileOf(bot: Bot): Promise<string> {
  const { text } = await bot.says('/export file')
  return text.split('\n').find((line) => line.startsWith('{"perch"')) ?? text
}

/** The symbol of each alert of a price, as the person sees it. */
async function pricesOf(bot: Bot): Promise<string[]> {
  const { text } = await bot.says('/export')
  return [...text.matchAll(/\/alert price (\S+)/g)].map(([, symbol = '']) => symbol)
}

test('markets move by venue and symbol: a Perch with one venue takes those of that one', async () => {
  await using old = await withHedge('both')
  await old.says(`/watch ${ALICE} main`)
  for (const line of ['/alert price ETH below 100 yes', '/alert price second:ETH below 90 yes'])
    await old.says(line)
  const file = await fileOf(old)
  expect(await pricesOf(old)).toEqual(['ETH', 'second:ETH'])

  await using alone = await withHedge('alone')
  const { text: asked } = await alone.says(file)
  expect(asked).toContain('Left out: 1 alert whose market I don’t see here (ETH (second))')
  const [, line = ''] = /\[Take it over: (.*?)\]/.exec(asked) ?? []
  await alone.says(line)
  expect(await pricesOf(alone)).toEqual(['ETH'])

  await using both = await withHedge('both')
  const { text: again } = await both.says(file)
  await both.says(/\[Take it over: (.*?)\]/.exec(again)?.[1] ?? '')
  expect(await pricesOf(both)).toEqual(['ETH', 'second:ETH'])
})
