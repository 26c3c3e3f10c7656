import type { Change } from '../../../src/change.ts'
import type { PollPeriods } from '../../../src/engine/feeds.ts'
import type { Owner } from '../../../src/owner.ts'
import type { Muted } from '../../../src/quiet.ts'
import type { Write } from '../../../src/store.ts'
import { ALICE, aChat, aPerson, aRule, aWatch, BOB } from '../fixtures.ts'
import { isOf, startEngine } from '../running.ts'
import { createDice } from '../seed.ts'
import { heardIn } from './heard.ts'
import { createWitness } from './witness.ts'
import { createVenue, WALLETS } from './venue.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
export const HOME = 1
export const GROUP = 2
const ELSEWHERE = 3

export interface Guarded {
  chatId: number
  owner: Owner | null
  tiers: readonly number[]
  holdMs: number
}

/** What happened in one history, and what was wrong with what was said of it. */
export interface Told {
  wrong: string[]
  /** Everything that was said, with the moment at which it was; and what was done. */
  said: string[]
  done: string[]
  figures: Record<string, number>
}

/** With `twin` nothing but that is different: at this poll somebody restarts the bot, or nobody does. */
export async function history(
  seed: number,
  polls: number,
  twin: { at: number; restarts: boolean } | null = null,
): Promise<Told> {
  const dice = createDice(seed)
  const { one, often, below } = dice
  const marketPollMs = one([2, 2, 30, 300]) * SECOND_MS
  const periods: PollPeriods = {
    marketPollMs,
    ownerPollMinMs: marketPollMs,
    ownerPollMaxMs: 30 * marketPollMs,
  }
  const group: Guarded = { chatId: GROUP, owner: ALICE, tiers: [0.1, 0.05], holdMs: one([0, 60_000]) }
  const rules: Guarded[] = [
    { chatId: HOME, owner: null, tiers: [0.2, 0.1, 0.05, 0.025], holdMs: 15_000 },
    group,
  ]
  const running = await startEngine(
    {
      persons: [aPerson({ fallbackChat: ELSEWHERE })],
      chats: [aChat(), aChat({ id: GROUP, private: false }), aChat({ id: ELSEWHERE })],
      watches: [aWatch(), aWatch({ owner: BOB, label: 'cold' })],
      rules: [
        ...rules.map(({ tiers, ...rule }, at) => aRule({ id: 1 + at, params: { tiers }, ...rule })),
        ...['position-opened', 'position-closed'].map((kind, at) => aRule({ id: 10 + at, kind, params: {} })),
      ],
      last: { person: 1, chat: 3, rule: 20, alert: 0, row: 0 },
    },
    { periods },
  )
  const { clock } = running
  const venue = createVenue()
  const witness = createWitness({ rules, periods, clock })
  for (const [label, owner] of Object.entries(WALLETS)) witness.names(label, owner)
  const said: string[] = []
  const done: string[] = []
  const notes = (what: string) => void done.push(`${clock.tick()} * ${what}`)
  const figures = { polls: 0, messages: 0, restarts: 0, outages: 0, failing: 0, jumps: 0, heeds: 0, rests: 0 }
  /** For how many more polls something is so. */
  const left = { markets: 0, [ALICE]: 0, [BOB]: 0, refusing: 0 } as Record<string, number>

  let jumped = false

  function listen(): void {
    const writes = running.kept()
    const heard = heardIn(writes)
    figures.messages += new Set(heard.map(({ rowId }) => rowId)).size
    for (const one of heard)
      said.push(
        `${clock.tick() - clock.now() + one.at} ${one.chatId}: ${[one.title, ...one.lines].join(' / ')}`,
      )
    witness.hears(heard, writes)
  }

  async function poll(whole = false): Promise<void> {
    figures.polls++
    await clock.advance(marketPollMs)
    jumped = false
    listen()
    const sees = (feed: string) => whole || (left[feed] ?? 0) <= 0
    if (sees('markets')) {
      const markets = venue.markets()
      witness.reads(markets)
      running.engine.markets({
        value: { markets, unusable: [], unread: [] },
        at: clock.now(),
        tick: clock.tick(),
      })
      await running.engine.idle()
      listen()
    } else running.engine.failed({ is: 'markets' }, 'no answer')
    for (const owner of [ALICE, BOB]) {
      const [at, tick] = [clock.now(), clock.tick()]
      // Near danger a wallet is read every time: where that is seldom, it is not left out.
      if (!whole && marketPollMs < 30_000 && often(0.3)) continue
      if (sees(owner)) {
        const positions = venue.positions(owner)
        witness.looks(owner, positions)
        const value = { positions, accounts: [], unusable: [], unread: [], totalCount: null }
        running.engine.owner({ owner, value, orders: null, at, tick })
        await running.engine.idle()
        listen()
      } else running.engine.failed({ is: 'owner', owner }, 'no answer')
    }
    for (const what of Object.keys(left)) left[what] = (left[what] ?? 0) - 1
    if ((left['refusing'] ?? 0) === 0) {
      running.refuses(() => false)
      witness.refused(false)
    }
    witness.checks()
  }

  async function asks(change: Change): Promise<boolean> {
    const asked = running.engine.change(change, null).then(
      () => true,
      () => false,
    )
    await running.engine.idle()
    const kept = await asked
    listen()
    notes(`${JSON.stringify(change)}${kept ? '' : ': refused'}`)
    return kept
  }

  async function heeds(): Promise<void> {
    const firing = witness.firing()
    if (firing.length === 0) return
    figures.heeds++
    const alertIds = often(0.5) ? firing : [one(firing)]
    const until = clock.now() + one([30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS, 10 * marketPollMs])
    const as = one(['acknowledged', 'snoozed'] as const)
    if (await asks({ is: 'heed', as, alertIds, by: 'ann', until, readIn: null }))
      witness.heeded(alertIds, until, as)
  }

  async function rests(): Promise<void> {
    figures.rests++
    const chatId = one([HOME, GROUP])
    const chatIds = [chatId]
    if (often(0.4)) {
      const minute = Math.floor((clock.now() % (24 * HOUR_MS)) / MINUTE_MS)
      const at = (over: number) => (minute + over + 24 * 60) % (24 * 60)
      const quiet = often(0.7) ? { from: at(-1 - below(60)), to: at(1 + below(120)) } : null
      if (await asks({ is: 'quiet', chatIds, quiet })) witness.quiet(chatId, quiet)
    } else if (often(0.3)) {
      if (await asks({ is: 'unmute', chatIds })) witness.unmuted(chatId)
    } else {
      const of: Muted = one([
        { is: 'all' },
        { is: 'wallet', owner: one(Object.values(WALLETS)) },
        { is: 'market', marketId: one(['100', 'BTC/USD']) },
        { is: 'kind', kind: one(['liquidation-distance', 'position-opened']) },
      ])
      const until = clock.now() + one([5, 20, 100]) * marketPollMs
      if (await asks({ is: 'mute', chatIds, of, until })) witness.muted(chatId, of, until)
    }
  }

  async function restarts(awayMs: number): Promise<void> {
    figures.restarts++
    notes(`restart after ${awayMs} ms`)
    // A run that ends ends well: what it could not keep is lost, as it would be with a full disk.
    running.refuses(() => false)
    witness.refused(false)
    left['refusing'] = 0
    await running.restart(awayMs)
    witness.restarted(awayMs)
    listen()
  }

  const dark = (feed: string) => {
    figures.outages++
    left[feed] = 1 + below(often(0.5) ? 4 : 60)
    notes(`${feed} is dark for ${left[feed]} polls`)
  }
  const acts: [number, () => unknown][] = [
    [0.25, () => venue.moves(dice)],
    [0.06, () => venue.trades(dice)],
    [0.02, () => dark('markets')],
    [0.03, () => dark(one([ALICE, BOB]))],
    [0.05, heeds],
    [0.03, rests],
    [0.02, () => (twin ? undefined : restarts(one([0, 0, 1_000, 30_000, 10 * MINUTE_MS])))],
    [
      0.01,
      () => {
        // What a clock that jumps moves must be kept, as anything.
        if (twin || (left['refusing'] ?? 0) > 0) return
        figures.jumps++
        jumped = true
        const byMs = one([-HOUR_MS, -10 * MINUTE_MS, -5_000, 5_000, 10 * MINUTE_MS, HOUR_MS])
        notes(`the wall clock jumps by ${byMs} ms`)
        clock.jump(byMs)
      },
    ],
    [
      0.02,
      () => {
        if (twin || jumped) return
        figures.failing++
        left['refusing'] = 1 + below(3)
        const chatId = one([null, HOME, GROUP])
        running.refuses((writes: readonly Write[]) => chatId === null || writes.some((w) => isOf(chatId, w)))
        notes(`commits of ${chatId} fail for ${left['refusing']} polls`)
        witness.refused(true)
      },
    ],
  ]

  venue.trades(dice)
  venue.trades(dice)
  for (let number = 0; number < polls; number++) {
    if (twin?.at === number) {
      for (let whole = 0; whole < 3; whole++) await poll(true)
      if (twin.restarts) await restarts(0)
      for (let whole = 0; whole < 3; whole++) await poll(true)
    }
    for (const [share, act] of acts) if (often(share)) await act()
    await poll()
  }
  // All is well in the end, and whoever was told of anything has heard so.
  venue.calms()
  for (const what of Object.keys(left)) left[what] = 0
  running.refuses(() => false)
  witness.refused(false)
  for (const chatId of [HOME, GROUP]) {
    if (await asks({ is: 'quiet', chatIds: [chatId], quiet: null })) witness.quiet(chatId, null)
    if (await asks({ is: 'unmute', chatIds: [chatId] })) witness.unmuted(chatId)
  }
  for (let whole = 0; whole < 4; whole++) await poll(true)
  witness.ends(running.engine.memory.states.size)
  return { wrong: witness.wrong, said, done, figures }
}
