import type { Muted } from '../../../src/people/mute.ts'
import type { Write } from '../../../src/store/store.ts'
import { aDraft, ALICE, BOB } from '../fixtures.ts'
import { isOf } from '../running.ts'
import { GROUP, HOME, type Life, LINES } from './life.ts'
import { minuteIn } from './rest.ts'
import { WALLETS } from './venue.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MINUTES = 24 * 60
const JUMPS_MS = [-HOUR_MS, -10 * MINUTE_MS, -5_000, 5_000, 10 * MINUTE_MS, HOUR_MS]

/** What fate and people do between two polls, each with its share of them; a twin lives without what takes time away. */
export function actsOf(life: Life, isTwin: boolean): [share: number, act: () => unknown][] {
  const { dice, venue, witness, clock, running, left, marketPollMs, notes, counts } = life
  const { one, often, below } = dice
  const minute = () => minuteIn(life.zone)(clock.now())
  const nearly = (over: number) => (minute() + over + DAY_MINUTES) % DAY_MINUTES

  const dark = (source: string) => {
    counts('outages')
    left[source] = 1 + below(often(0.5) ? 4 : 60)
    notes(`${source} is dark for ${left[source]} polls`)
  }

  async function acknowledgements(): Promise<void> {
    const firing = witness.firing()
    if (firing.length === 0) return
    counts('heeds')
    const alertIds = often(0.5) ? firing : [one(firing)]
    const until = clock.now() + one([30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS, 10 * marketPollMs])
    const as = one(['acknowledged', 'snoozed'] as const)
    if (
      await life.asks({
        is: 'acknowledgement',
        as,
        alertIds,
        by: 'ann',
        until,
        readIn: null,
        seenUntil: Infinity,
      })
    )
      witness.acked(alertIds, until, as)
    life.listen()
  }

  async function rests(): Promise<void> {
    counts('rests')
    const chatId = one([HOME, GROUP])
    const chatIds = [chatId]
    if (often(0.4)) {
      const hours = { from: nearly(-1 - below(60)), to: nearly(1 + below(120)) }
      const quiet = often(0.7) ? hours : null
      if (await life.asks({ is: 'quiet', chatIds, quiet })) witness.quiet(chatId, quiet)
    } else if (often(0.3)) {
      if (await life.asks({ is: 'unmute', chatIds })) witness.unmuted(chatId)
    } else {
      const of: Muted = one([
        { is: 'all' },
        { is: 'wallet', wallet: one(Object.values(WALLETS)) },
        { is: 'market', marketId: one(['100', 'BTC/USD']) },
        { is: 'kind', kind: one(['liquidation-distance', 'position-opened']) },
      ])
      const until = clock.now() + one([5, 20, 100]) * marketPollMs
      if (await life.asks({ is: 'mute', chatIds, of, until })) witness.muted(chatId, of, until)
    }
    life.listen()
  }

  async function digests(): Promise<void> {
    const chatId = one([HOME, GROUP])
    const minute = often(0.8) ? nearly(1 + below(90)) : null
    if (!(await life.asks({ is: 'digest', chatId, minute }))) return
    counts('digests')
    witness.digest(chatId, minute)
    life.listen()
  }

  /** `/alert` with other lines at home; `/remove` of the one rule that the group has, and `/alert` there again. */
  async function rules(): Promise<void> {
    if (!witness.seesAll()) return
    counts('rules')
    const where = one([HOME, GROUP])
    const at = life.rules.find(({ chatId }) => chatId === where)
    if (!at) return
    const lines = at.chatId === HOME ? one(LINES.home) : at.lines.length > 0 ? [] : LINES.group
    const rule = [...running.engine.memory.rules.rulesIn.of(at.chatId).values()].find(
      ({ kind }) => kind === 'liquidation-distance',
    )
    const draft = aDraft({ params: { tiers: lines }, wallet: at.wallet, holdMs: at.holdMs })
    if (lines.length > 0) await life.asks({ is: 'rule', personId: 1, chatId: at.chatId, draft })
    else if (rule) await life.asks({ is: 'remove', personId: 1, ruleId: rule.id })
    witness.ruled(at.chatId, lines)
    life.listen()
  }

  return [
    [0.25, () => venue.moves(dice)],
    [0.06, () => venue.trades(dice)],
    [0.02, () => dark('markets')],
    [0.03, () => dark(one([ALICE, BOB]))],
    [0.05, acknowledgements],
    [0.03, rests],
    [0.01, digests],
    [0.01, rules],
    [
      0.02,
      () => {
        if (isTwin) return undefined
        counts('restarts')
        // So long wallets wait for their turn: prices are read, and they are not.
        left['turns'] = often(0.4) ? 1 + below(15) : 0
        return life.restarts(one([0, 0, 1_000, 30_000, 10 * MINUTE_MS]), often(0.2) ? one(JUMPS_MS) : 0)
      },
    ],
    [
      0.01,
      () => {
        if (isTwin) return
        counts('jumps')
        const byMs = one(JUMPS_MS)
        notes(`the wall clock jumps by ${byMs} ms`)
        clock.jump(byMs)
      },
    ],
    [
      0.02,
      () => {
        if (isTwin) return
        counts('failing')
        left['refusing'] = 1 + below(3)
        const chatId = one([null, HOME, GROUP])
        running.refuses((writes: readonly Write[]) => chatId === null || writes.some((w) => isOf(chatId, w)))
        notes(`commits of ${chatId} fail for ${left['refusing']} polls`)
        witness.refused(true)
      },
    ],
  ]
}
