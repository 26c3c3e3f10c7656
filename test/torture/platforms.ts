import { textOf } from '../support/discord/readable.ts'
import { startDiscord } from '../support/discord/server.ts'
import type { Dice } from '../support/seed.ts'
import type { FaultKind } from '../support/telegram/faults.ts'
import type { User } from '../support/telegram/people.ts'
import { startTelegram } from '../support/telegram/telegram.ts'
import { type Heard, readMessage } from './heard.ts'
import { HOLDINGS, type Listener } from './world.ts'

/** Telegram and Discord, the people on them, and all that arrives there. */
export interface Platforms extends AsyncDisposable {
  readonly env: Record<string, string>
  readonly heard: readonly Heard[]
  /** How many messages of alerts have arrived. */
  arrivals(): number
  /** Called with each arrival, before the bot is told that it was one. */
  listen(hear: () => void): void
  /** Everybody watches their wallets, and wants to hear of every line and flip at once. */
  settle(listeners: readonly Listener[]): Promise<void>
  /** So many of the next sends meet a fault. */
  troubles(dice: Dice, counts: { telegram: number; discord: number }): void
  /** Those on Telegram wrote these lines hours ago, and they come only now. */
  stale(lines: readonly string[]): void
  calm(): void
}

const EVERY_LINE = 'liq 20% 10% 5% 2.5% for 0.1s'
const TELEGRAM_FAULTS: FaultKind[] = [
  ...(['json', 'reset', 'html-502', 'half-body', 'deliver-then-reset', 'delay'] as const),
]
const DISCORD_FAULTS = [
  ...(['status', 'reset', 'half-body', 'delay', 'deliver-then-500', 'deliver-then-reset'] as const),
]
const DELAY_MS = 200
const STALE_S = 5 * 3_600

export async function openPlatforms(now: () => number): Promise<Platforms> {
  const telegram = await startTelegram()
  const discord = await startDiscord()
  const heard: Heard[] = []
  const listeners: (() => void)[] = []
  const names = new Map<string, string>()
  const onlyTelegram: User[] = []
  let arrivals = 0
  const arrive = (place: string, text: string) => {
    const items = readMessage(names.get(place) ?? place, text, now())
    if (items.length === 0) return
    arrivals += 1
    heard.push(...items)
    for (const hear of listeners) hear()
  }
  telegram.ledger.listen(({ is, method, message, text }) => {
    if (is === 'shown' && method !== null) arrive(String(message.chat.id), text)
  })
  discord.listen((event) => {
    if (event.is === 'message' && event.message.origin === 'post')
      arrive(event.message.place.id, asRead(textOf(event.message)))
  })
  const walletOf = (label: string) => HOLDINGS.find((one) => one.label === label)?.wallet ?? ''
  return {
    env: {
      ...{ TELEGRAM_API_ROOT: telegram.root, TELEGRAM_BOT_TOKEN: telegram.token },
      ...{ DISCORD_API_URL: discord.apiUrl, DISCORD_BOT_TOKEN: discord.token },
    },
    heard,
    arrivals: () => arrivals,
    listen: (hear) => void listeners.push(hear),
    async settle(people) {
      await discord.ledger.until(() => discord.commands().length > 0, 'the bot is on Discord')
      for (const { chat, platform, labels } of people) {
        const says = platform === 'telegram' ? onTelegram(chat) : onDiscord(chat)
        // The long form names the alert and its line: that is what the judge tells happenings apart by.
        await says('/settings detail full')
        for (const label of labels) await says(`/watch ${walletOf(label)} ${label}`)
        await says(`/alert ${EVERY_LINE}`)
        await says('/alert flip')
      }
    },
    troubles(dice, counts) {
      for (let n = 0; n < counts.telegram; n++)
        telegram.fault({ method: 'sendMessage', kind: dice.one(TELEGRAM_FAULTS), afterMs: DELAY_MS })
      for (let n = 0; n < counts.discord; n++)
        discord.fault({ route: 'POST /channels/:id/messages', kind: dice.one(DISCORD_FAULTS), ms: DELAY_MS })
    },
    stale(lines) {
      for (const user of onlyTelegram) for (const line of lines) user.says(user.id, line, { agoS: STALE_S })
    },
    calm() {
      telegram.calm()
      discord.clearFaults()
      discord.release()
    },
    async [Symbol.asyncDispose]() {
      await telegram.stop()
      await discord.stop()
    },
  }

  function onTelegram(chat: string): (line: string) => Promise<unknown> {
    const user = telegram.user(chat)
    names.set(String(user.id), chat)
    onlyTelegram.push(user)
    return (line) => {
      const before = telegram.ledger.texts(user.id).length
      user.says(line)
      return telegram.until(() => telegram.ledger.texts(user.id).length > before)
    }
  }

  function onDiscord(chat: string): (line: string) => Promise<unknown> {
    const user = discord.user(chat)
    names.set(user.dm.id, chat)
    const typed = (line: string) =>
      line
        .replace(/^\/watch (\S+) (\S+)$/, '/watch address:$1 label:$2')
        .replace(/^\/alert liq (.*) for (.*)$/, '/alert liquidation-distance tiers:$1 for:$2')
        .replace(/^\/alert flip$/, '/alert funding-flip')
        .replace(/^\/settings detail (.*)$/, '/settings detail detail:$1')
    return (line) => user.runs(typed(line), {}, user.dm).answer()
  }
}

/** What a person reads of a message with cards: a headline that a card has as well is read once. */
export function asRead(text: string): string {
  const lines = text.split('\n')
  const cards = lines.flatMap((line) => (line.startsWith('┃') ? [line.replace(/^┃ ?/, '')] : []))
  const [head = '', ...more] = lines.filter((line) => !line.startsWith('┃'))
  const [, mark = '', title = ''] = /^(\(possible repeat\) )?(?:[A-Z]+: )?(.*)$/.exec(head) ?? []
  const isTwice = cards.some((line) => line.includes(title))
  return isTwice ? [mark, ...cards].join('\n') : [head, ...cards, ...more].join('\n')
}
