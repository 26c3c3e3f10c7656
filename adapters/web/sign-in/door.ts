import type { Bot, SignIn } from '../../../src/chat/bot.ts'
import { createPerMinute } from '../../../src/lib/time/per-minute.ts'
import { APP_LIVES_MS, PAGE_LIVES_MS } from '../../../src/people/session.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Key } from '../../../src/words/words.ts'
import { identityOf } from './credential.ts'
import { readInitData } from './init-data.ts'

/** Failures to sign in each minute, by one address and by all, before the answer is to wait. */
const A_PEER = 20
const IN_ALL = 60

/** The secret of a new session and how long it lives, or the sentence why there is none. */
export type Entry = { is: 'in'; secret: string; livesMs: number } | { is: 'refused'; why: Key }

/** A user of a platform, and the name there. */
interface Known {
  platform: 'telegram' | 'discord'
  user: string
  name: string | null
}

/** Where somebody shows who they are. A session's secret is made here: one that a client brings is never adopted. */
export interface Door {
  /**
   * Whether one more failure is a slip; it counts. A right proof opens also while others guess: behind a proxy everybody
   * has one address, and anybody could lock the others out.
   */
  isSlip(peer: string): boolean
  byCode(bot: Bot, code: string, name: string): Promise<Entry>
  byInitData(bot: Bot, initData: string, name: string): Promise<Entry>
  /** A platform has vouched for its user, whom it knows by this name. */
  byIdentity(bot: Bot, known: Known, name: string): Promise<Entry>
}

export function createDoor(world: {
  clock: Clock
  newSecret: () => string
  telegramToken: string | null
}): Door {
  const { clock, telegramToken } = world
  const peers = createPerMinute(A_PEER)
  const all = createPerMinute(IN_ALL)

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
    isSlip(peer) {
      const mono = clock.monotonic()
      return peers.allows(peer, mono) && all.allows('everybody', mono)
    },
    byCode: (bot, code, name) => enter(bot, { is: 'code', code }, name, PAGE_LIVES_MS, 'web.code-over'),
    async byInitData(bot, initData, name) {
      if (telegramToken === null) return { is: 'refused', why: 'web.no-proof' }
      const shown = readInitData(initData, telegramToken, clock.now())
      if (shown.is === 'shared') return { is: 'refused', why: 'web.shared' }
      if (shown.is === 'refused') return { is: 'refused', why: 'web.no-proof' }
      return door.byIdentity(bot, { ...shown, platform: 'telegram' }, name)
    },
    byIdentity: (bot, { platform, user, name: own }, name) =>
      enter(bot, { is: 'identity', by: { platform, user }, name: own }, name, APP_LIVES_MS, 'web.unknown'),
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
