import type { Bot, SignIn } from '../../../src/chat/bot.ts'
import { remember } from '../../../src/lib/data/remember.ts'
import { createPerMinute } from '../../../src/lib/time/per-minute.ts'
import { APP_LIVES_MS, PAGE_LIVES_MS } from '../../../src/people/session.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Key } from '../../../src/words/words.ts'
import { identityOf } from './credential.ts'
import { readInitData } from './init-data.ts'

/** Attempts to sign in, each minute. Behind a proxy everybody has one address. */
const A_PEER = 20
const IN_ALL = 60
/** Mini Apps that one person can have open. Each launch is a new session, and the oldest of them ends. */
const MOST_APPS = 3
const REMEMBERED_PEOPLE = 10_000

/** The secret of a new session and how long it lives, or the sentence why there is none. */
export type Entry =
  | { is: 'in'; secret: string; livesMs: number }
  | { is: 'refused'; why: Key }
  | { is: 'too many' }

/** Where somebody shows who they are. A session's secret is made here: one that a client brings is never adopted. */
export interface Door {
  /** Whether one more attempt is allowed now; it counts. */
  admits(peer: string): boolean
  byCode(bot: Bot, code: string, name: string): Promise<Entry>
  byInitData(bot: Bot, initData: string, name: string): Promise<Entry>
  /** A platform has vouched for its user. */
  byIdentity(bot: Bot, platform: 'telegram' | 'discord', user: string, name: string): Promise<Entry>
}

export function createDoor(world: {
  clock: Clock
  newSecret: () => string
  telegramToken: string | null
}): Door {
  const { clock, telegramToken } = world
  const peers = createPerMinute(A_PEER)
  const all = createPerMinute(IN_ALL)
  /** The open Mini Apps by the user of Telegram, the oldest first. */
  const apps = new Map<string, readonly string[]>()

  const enter = async (
    bot: Bot,
    proof: SignIn['proof'],
    name: string,
    livesMs: number,
    why: Key,
  ): Promise<Entry> => {
    const secret = world.newSecret()
    const isIn = await bot.signIn({ proof, user: identityOf(secret).user, name })
    return isIn ? { is: 'in', secret, livesMs } : { is: 'refused', why }
  }

  const door: Door = {
    admits(peer) {
      const mono = clock.monotonic()
      return peers.allows(peer, mono) && all.allows('everybody', mono)
    },
    byCode: (bot, code, name) => enter(bot, { is: 'code', code }, name, PAGE_LIVES_MS, 'web.code-over'),
    async byInitData(bot, initData, name) {
      if (telegramToken === null) return { is: 'refused', why: 'web.no-proof' }
      const shown = readInitData(initData, telegramToken, clock.now())
      if (shown.is === 'shared') return { is: 'refused', why: 'web.shared' }
      if (shown.is === 'refused') return { is: 'refused', why: 'web.no-proof' }
      const entry = await door.byIdentity(bot, 'telegram', shown.user, name)
      if (entry.is !== 'in') return entry
      const open = [...(apps.get(shown.user) ?? []), identityOf(entry.secret).user]
      remember(apps, shown.user, open.slice(-MOST_APPS), REMEMBERED_PEOPLE)
      for (const user of open.slice(0, -MOST_APPS)) await bot.signOut({ platform: 'web', user })
      return entry
    },
    byIdentity: (bot, platform, user, name) =>
      enter(bot, { is: 'identity', by: { platform, user } }, name, APP_LIVES_MS, 'web.unknown'),
  }
  return door
}

const BROWSERS: readonly [name: string, sign: RegExp][] = [
  ['Telegram', /\bTelegram/],
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]
const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/** `Firefox, Android`: by what a browser says of itself, in words of ours alone. */
export function browserName(userAgent: string): string {
  const found = [BROWSERS, SYSTEMS].flatMap(
    (list) => list.find(([, sign]) => sign.test(userAgent))?.[0] ?? [],
  )
  return found.join(', ') || 'Browser'
}
