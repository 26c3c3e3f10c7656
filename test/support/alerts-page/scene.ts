import type { Send } from '../../../src/chat/notifier.ts'
import type { Delivery } from '../../../src/message/delivery.ts'
import { ALICE, type BotUnderTest, CLAIM_CODE, startBot, UNHURRIED } from '../bot.ts'
import { handClock } from '../clock.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

/** A message as somebody reads it, or words of ours between two of them. */
export type Shown = string | { note: string }

/** What docs/alerts.md shows of one thing that happens. */
export interface Section {
  title: string
  words: string
  /** How the bot is started for it; on one local platform when this is left out. */
  options?: Parameters<typeof startBot>[0]
  /** Where it takes other people than me. */
  begin?(): Promise<BotUnderTest>
  play(bot: BotUnderTest): Promise<Shown[]>
}

/** A chapter of the page. */
export interface Chapter {
  title: string
  sections: Section[]
}

export const LONG = { symbol: 'BTC', size: 1.5, entry: 95_000, liquidation: 90_000 }
export const SHORT = { symbol: 'ETH', size: -20, entry: 2_600, liquidation: 3_400 }
/** A night of it is not tens of thousands of readings. */
export const SLOW = { settings: { marketPollMs: 30_000, walletPollMinMs: 60_000, walletPollMaxMs: 600_000 } }
/** Nor are many minutes of it. */
export const CALM = { settings: UNHURRIED }
/** I am told on red; blue is my fallback. */
export const TWO = { platforms: ['red', 'blue'] }
export const blue = { platform: 'blue' }

/** A BTC long far from its liquidation, watched since a minute ago; nothing of that is heard any more. */
export async function trading(options: Section['options'] = {}): Promise<BotUnderTest> {
  const bot = await startBot({ clock: handClock(), ...options })
  bot.stage.market('BTC', { price: 120_000, funding: 0.0001 })
  bot.stage.positions(ALICE, [LONG])
  await bot.pass(0)
  if (options.platforms) await linked(bot)
  await bot.says(`/watch ${ALICE} main`)
  await bot.says('/settings zone UTC')
  await bot.pass(MINUTE_MS)
  forget(bot)
  return bot
}

async function linked(bot: BotUnderTest): Promise<void> {
  await bot.says(`/start ${CLAIM_CODE}`)
  const code = /\/link (\S+)/.exec(await bot.says('/link'))?.[1] ?? ''
  await bot.says(`/link ${code} yes`, blue)
  await bot.says(`/link ${code} yes`)
}

/** What was said until now is not shown. */
export function forget(bot: BotUnderTest): void {
  for (const platform of bot.platforms.values()) platform.hears('me')
}

/** The price is this from now on; what was said by the time it has been read and has held. */
export async function goes(bot: BotUnderTest, price: number, ms = 20_000): Promise<string[]> {
  bot.stage.market('BTC', { price })
  return passes(bot, ms)
}

export async function passes(bot: BotUnderTest, ms: number): Promise<string[]> {
  await bot.pass(ms)
  return bot.hears()
}

/** The wallet holds this from now on. */
export async function holds(
  bot: BotUnderTest,
  ...positions: Parameters<BotUnderTest['stage']['positions']>[1]
): Promise<string[]> {
  bot.stage.positions(ALICE, positions)
  return passes(bot, 2 * MINUTE_MS)
}

/** Most of it is a jump of the wall clock: what ends by the clock ends all the same. */
export async function later(bot: BotUnderTest, ms: number): Promise<string[]> {
  bot.clock.jump(ms - 30 * MINUTE_MS)
  return passes(bot, 30 * MINUTE_MS)
}

/** A platform takes nothing until this is called. */
export function goesDown(bot: BotUnderTest, platform = 'recorder'): () => void {
  let isDown = true
  const ending = (_send: Send): Delivery => {
    if (!isDown) return undefined as unknown as Delivery
    bot.platforms.get(platform)?.delivers('me', ending)
    return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: false, why: 'connection refused' }
  }
  bot.platforms.get(platform)?.delivers('me', ending)
  return () => void (isDown = false)
}

/** The last message there, as it stands now. */
export function stands(bot: BotUnderTest, platform: string, who = 'me'): string {
  return bot.platforms.get(platform)?.sees(who, who).at(-1)?.text ?? ''
}
