import { type BotUnderTest, PERIODS, startBot } from './bot.ts'
import { handClock, NOON, READ_MS } from './clock.ts'
import { type Hyperliquid, startHyperliquid } from './hyperliquid/server.ts'

export interface OnHyperliquid extends BotUnderTest {
  venue: Hyperliquid
  /** How many requests of this type were made. */
  asked(type: string): number
  /** What the bot answers: requests have to wait for their turn, and only the clock ends that. */
  answers(line: string): Promise<string>
}

/** The bot on a Hyperliquid of our own, which ends with it. */
export async function onHyperliquid(settings: Partial<typeof PERIODS> = PERIODS): Promise<OnHyperliquid> {
  const clock = handClock(NOON, READ_MS)
  const venue = await startHyperliquid({ clock })
  const bot = await startBot({ clock, hyperliquid: venue, settings })
  await bot.pass(3_000)
  return Object.assign(bot, {
    venue,
    asked: (type: string) => venue.asked.filter((one) => one.type === type).length,
    async answers(line: string) {
      let answer: string | null = null
      const said = bot.says(line).then((text) => (answer = text))
      do await bot.pass(6_000)
      while (answer === null)
      return said
    },
  })
}
