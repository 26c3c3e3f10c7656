import type { Bot } from '../../../src/chat/bot.ts'
import type { Glance, Holdings } from '../../../src/chat/holdings.ts'
import type { Identity } from '../../../src/message/address.ts'

/** The part of a scripted bot that knows sessions of pages: it lets in who has one of its codes. */
export interface ScriptedSessions extends Pick<
  Bot,
  'glance' | 'follow' | 'course' | 'ask' | 'signIn' | 'sessionName' | 'signOut'
> {
  /** Each is good once. */
  codes: Set<string>
  /** The people of platforms that it knows: `telegram 42`. */
  known: Set<string>
  /** The sessions that are open, by their user. */
  open: Set<string>
  /** Tells every open session of this change. */
  tells(glance: Partial<Glance>): void
  /** How many follow. */
  followers(): number
}

const NOTHING: Glance = {
  at: 0,
  simulated: true,
  reader: { zone: 'UTC', language: 'en', numbers: '1,234.5' },
  prices: { at: null, staleMs: 30_000 },
  wallets: [],
  positions: [],
  firing: [],
  pending: [],
  blind: [],
  failure: null,
}

export function scriptedSessions(): ScriptedSessions {
  const names = new Map<string, string>()
  const following = new Map<Parameters<Holdings['follow']>[1], Identity>()
  let glance = NOTHING
  const sessions: ScriptedSessions = {
    codes: new Set(),
    known: new Set(),
    open: new Set(),
    glance: ({ user }) => (sessions.open.has(user) ? glance : null),
    follow(by, changed) {
      following.set(changed, by)
      return () => following.delete(changed)
    },
    course: async (_by, market, since) =>
      market === '1' ? { market, symbol: 'ETH', since, until: since, times: [], prices: [], gaps: [] } : null,
    ask: async () => ({ is: 'data', data: null }),
    async signIn({ proof, user, name }) {
      const isIn =
        proof.is === 'code'
          ? sessions.codes.delete(proof.code)
          : sessions.known.has(`${proof.by.platform} ${proof.by.user}`)
      if (!isIn) return false
      sessions.open.add(user)
      const whose = proof.is === 'code' ? 'Ann' : (proof.name ?? 'somebody')
      names.set(user, `${whose} (${name})`)
      return true
    },
    sessionName: ({ user }) => (sessions.open.has(user) ? (names.get(user) ?? null) : null),
    async signOut({ user }) {
      sessions.open.delete(user)
      for (const [changed, by] of following) if (by.user === user) changed(null, 'null')
    },
    tells(next) {
      glance = { ...glance, ...next }
      for (const changed of following.keys()) changed(glance, JSON.stringify(glance))
    },
    followers: () => following.size,
  }
  return sessions
}
