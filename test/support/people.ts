import { ALICE, type BotUnderTest, CLAIM_CODE, startBot, UNHURRIED } from './bot.ts'

export const anna = { platform: 'red', user: 'anna' }
export const bob = { platform: 'red', user: 'bob' }

/** Anna has a BTC long that is liquidated at 90 and is told on red; Bob may use the bot. Nothing of that is heard. */
export async function annaAndBob(
  options: Parameters<typeof startBot>[0] = {},
  { price, ...position } = { price: 130, symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 },
): Promise<BotUnderTest> {
  const bot = await startBot({ platforms: ['red', 'blue'], settings: UNHURRIED, ...options })
  bot.stage.market('BTC', { price })
  bot.stage.positions(ALICE, [position])
  await bot.pass(0)
  await bot.says(`/start ${CLAIM_CODE}`, anna)
  await joins(bot, bob)
  await bot.says(`/watch ${ALICE} main`, anna)
  await bot.pass(20_000)
  silence(bot)
  return bot
}

/** Anna on her second platform. */
export const blue = { platform: 'blue', user: 'anna' }

/** They are told on blue as well: it is their fallback. */
export async function links(bot: BotUnderTest, who = anna): Promise<void> {
  const code = codeIn(await bot.says('/link', who))
  await bot.says(`/link ${code} yes`, { ...who, platform: 'blue' })
  await bot.says(`/link ${code} yes`, who)
  await bot.pass(1_000)
  silence(bot)
}

/** Somebody is invited by Anna. */
export async function joins(bot: BotUnderTest, who: { platform: string; user: string }): Promise<void> {
  const code = codeIn(await bot.says('/invite', anna))
  await bot.says(`/start ${code}`, who)
}

/** The first one agrees to stand in for the other. */
export async function agrees(
  bot: BotUnderTest,
  helper: { platform: string; user: string },
  person: { platform: string; user: string } = anna,
): Promise<void> {
  const code = codeIn(await bot.says('/agree ask', person))
  await bot.says(`/agree ${code} yes`, helper)
  await bot.pass(1_000)
  silence(bot)
}

/** The one-time code that an answer gives. */
export function codeIn(answer: string): string {
  const [, code = ''] = /\/(?:start|agree|link) (\S+)/.exec(answer) ?? []
  return code
}

/** What everybody has heard so far is heard no more. */
export function silence(bot: BotUnderTest): void {
  for (const platform of ['red', 'blue'])
    for (const user of ['anna', 'bob', 'carol', 'eve']) bot.hears(user, platform)
}

/** The price is this from now on; what is said by the time it was read and said. */
export async function falls(bot: BotUnderTest, price: number): Promise<void> {
  bot.stage.market('BTC', { price })
  await bot.pass(5_000)
}
