import type { PollPeriods } from '../../../src/engine/outage/sources.ts'
import type { Change } from '../../../src/store/change.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import { aChat, ALICE, aPerson, aRule, aWatch, BOB } from '../fixtures.ts'
import { startEngine } from '../running.ts'
import type { Dice } from '../seed.ts'
import { heardIn } from './heard.ts'
import type { Guarded } from './subject.ts'
import { createVenue, WALLETS } from './venue.ts'
import { createWitness } from './witness.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
export const HOME = 1
export const GROUP = 2
const ELSEWHERE = 3
/** What `/alert` asks for at home, one after the other; the group has one rule or none. */
export const LINES = {
  home: [
    [0.2, 0.1, 0.05, 0.025],
    [0.3, 0.1, 0.05],
    [0.15, 0.07, 0.025],
  ],
  group: [0.1, 0.05],
}

/** Where and when it happens: in an ordinary night, or in one in which the clocks are changed. */
const NIGHTS = [
  ['UTC', Date.UTC(2026, 0, 15, 12)],
  ['Europe/Berlin', Date.UTC(2026, 2, 29, 1)],
  ['Europe/Berlin', Date.UTC(2026, 9, 25, 1)],
  ['America/New_York', Date.UTC(2026, 10, 1, 6)],
  // Half an hour is enough for them.
  ['Australia/Lord_Howe', Date.UTC(2026, 9, 3, 15, 30)],
  ['Asia/Kathmandu', Date.UTC(2026, 5, 1, 18, 15)],
] as const

/** The real engine, what is so at the venue, and a witness of both, through a number of polls. */
export type Life = Awaited<ReturnType<typeof startLife>>

export async function startLife(dice: Dice, polls: number) {
  const { one, often, below } = dice
  // What takes hours is a tenth of them, for it costs a hundred times as many wake-ups.
  const marketPollMs = one([2, 2, 2, 2, 2, 30, 30, 30, 30, 300]) * SECOND_MS
  const periods: PollPeriods = {
    marketPollMs,
    walletPollMinMs: marketPollMs,
    walletPollMaxMs: 30 * marketPollMs,
  }
  const [zone, night] = one(NIGHTS)
  const begun = night - below(polls * marketPollMs + HOUR_MS)
  const rules: Guarded[] = [
    { chatId: HOME, wallet: null, lines: LINES.home[0] ?? [], holdMs: 15_000 },
    { chatId: GROUP, wallet: ALICE, lines: LINES.group, holdMs: one([0, 60_000]) },
  ]
  const running = await startEngine(
    {
      persons: [aPerson({ fallbackChat: ELSEWHERE, zone })],
      chats: [aChat(), aChat({ id: GROUP, private: false }), aChat({ id: ELSEWHERE })],
      watches: [aWatch(), aWatch({ wallet: BOB, label: 'cold' })],
      rules: [
        ...rules.map(({ lines, ...rule }, at) => aRule({ id: 1 + at, params: { tiers: lines }, ...rule })),
        ...['position-opened', 'position-closed'].map((kind, at) => aRule({ id: 10 + at, kind, params: {} })),
      ],
      last: { person: 1, chat: 3, rule: 20, alert: 0, row: 0, session: 0 },
      aliveAt: begun,
    },
    // The witness compares times to the last digit.
    { periods, begun, readMs: 0 },
  )
  const { clock } = running
  const venue = createVenue()
  const witness = createWitness({ rules, periods, clock, zone, wallets: WALLETS })
  const said: string[] = []
  const done: string[] = []
  const figures: Record<string, number> = { polls: 0, messages: 0 }
  /** For how many more polls something is so. */
  const left: Record<string, number> = { markets: 0, [ALICE]: 0, [BOB]: 0, refusing: 0, turns: 0 }

  const notes = (what: string) => void done.push(`${clock.monotonic()} * ${what}`)
  const counts = (what: string, many = 1) => void (figures[what] = (figures[what] ?? 0) + many)

  function listen(): void {
    const writes = running.kept()
    const heard = heardIn(writes)
    counts('messages', new Set(heard.map(({ rowId }) => rowId)).size)
    for (const { at, chatId, title, lines } of heard)
      said.push(`${clock.monotonic() - clock.now() + at} ${chatId}: ${[title, ...lines].join(' / ')}`)
    witness.hears(heard, writes)
  }

  function sound(): void {
    left['refusing'] = 0
    running.refuses(() => false)
    witness.refused(false)
  }

  /** Everything that can be seen is read. */
  async function look(whole: boolean): Promise<void> {
    const sees = (source: string) => whole || (left[source] ?? 0) <= 0
    const taken = async () => {
      await running.engine.idle()
      listen()
    }
    if (sees('markets')) {
      const markets = venue.markets()
      witness.reads(markets)
      running.engine.markets({
        value: { markets, unusable: [], failedParts: [] },
        at: clock.now(),
        mono: clock.monotonic(),
      })
      await taken()
      witness.priced()
    } else running.engine.failed({ is: 'markets' }, 'no answer')
    for (const wallet of [ALICE, BOB] as Wallet[]) {
      const [at, mono] = [clock.now(), clock.monotonic()]
      if (!whole && (left['turns'] ?? 0) > 0) continue
      // Near danger a wallet is read every time: where that is seldom, it is not left out.
      if (!whole && marketPollMs < 30_000 && often(0.3)) continue
      if (sees(wallet)) {
        const positions = venue.positions(wallet)
        witness.looks(wallet, positions)
        const value = { positions, accounts: [], unusable: [], failedParts: [], totalCount: null }
        running.engine.wallet({
          wallet,
          value,
          orders: null,
          closeRecords: null,
          unsolicited: false,
          at,
          mono,
        })
        await taken()
      } else {
        witness.fails(wallet)
        running.engine.failed({ is: 'wallet', wallet }, 'no answer')
      }
    }
  }

  return {
    ...{ dice, rules, running, clock, venue, witness, said, done, figures, left, marketPollMs, zone },
    ...{ notes, counts, sound, look },

    async poll(whole = false): Promise<void> {
      counts('polls')
      await clock.advance(marketPollMs)
      listen()
      await look(whole)
      for (const what of Object.keys(left)) left[what] = (left[what] ?? 0) - 1
      if (left['refusing'] === 0) sound()
      witness.checks()
    },
    async asks(change: Change): Promise<boolean> {
      const asked = running.engine.change(change, null).then(
        () => true,
        () => false,
      )
      await running.engine.idle()
      const kept = await asked
      notes(`${JSON.stringify(change)}${kept ? '' : ': refused'}`)
      return kept
    },
    listen,
    async restarts(awayMs: number, jumpMs: number): Promise<void> {
      notes(`restart after ${awayMs} ms, in which the wall clock jumps by ${jumpMs} ms`)
      // A run that ends ends well: what it could not keep is lost, as it would be with a full disk.
      sound()
      await running.restart(awayMs, jumpMs)
      witness.restarted(awayMs, Math.max(jumpMs, 0))
      listen()
    },
  }
}
