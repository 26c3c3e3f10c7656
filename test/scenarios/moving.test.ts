import { describe, expect, test } from 'vitest'

import { ALICE, BOB, type BotUnderTest, startBot } from '../support/bot.ts'

const ann = { user: 'ann' }
const ben = { user: 'ben' }

/** A Perch where anybody may come, with two markets. */
async function perch(settings: Parameters<typeof startBot>[0] = {}): Promise<BotUnderTest> {
  const { settings: own, ...rest } = settings
  const bot = await startBot({ platforms: ['red'], ...rest, settings: { access: 'open', ...own } })
  bot.stage.market('BTC', { price: 130 })
  bot.stage.market('ETH', { price: 200 })
  await bot.pass(2_000)
  return bot
}

async function fileOf(bot: BotUnderTest, who = ann): Promise<string> {
  const said = await bot.says('/export file', who)
  const json = said.split('\n').find((line) => line.startsWith('{"perch"'))
  if (json === undefined) throw new Error(said)
  return json
}

/** As a person does it: they paste the file, read the question, and tap. */
async function takes(bot: BotUnderTest, file: string, who = ben): Promise<string> {
  const asked = await bot.says(file, who)
  const [, line] = /\[Take it over: (.*?)\]/.exec(asked) ?? []
  if (line === undefined) throw new Error(asked)
  return bot.says(line, who)
}

const timeless = (file: string) => ({ ...(JSON.parse(file) as object), made: null })

const LIVES = [
  '/settings zone asia/kolkata',
  '/settings numbers "1 234,5"',
  '/settings language de',
  '/settings detail full',
  '/preset calm',
  `/watch ${ALICE} main`,
  `/watch ${BOB} my 👩‍👩‍👧‍👦 hedge`,
  '/alert liq ETH 12.5% 7%',
  '/alert price BTC below 100.5',
  '/alert flip BTC 0.0000001%/d',
  '/follow 0xde709f2102306220921060314715629080e2fb77 whale $10k',
  '/quiet 23:00-07:00',
  '/digest 08:00',
  '/mute ETH 2h',
]

describe('somebody moves to another Perch', () => {
  test('and has there what they had here', async () => {
    await using old = await perch()
    for (const line of LIVES) await old.says(line, ann)
    const file = await fileOf(old)
    await using next = await perch()
    console.log(await next.says(file, ben))
    console.log(await takes(next, file))
    expect(timeless(await fileOf(next, ben))).toEqual(timeless(file))
    console.log(file)
    console.log(await next.says(file, ben))
  })
})
