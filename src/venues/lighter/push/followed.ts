import type { Clock } from '../../../runtime/clock.ts'
import type { FailedPart } from '../../../venue/record/lacking.ts'
import type { PositionsAnswer } from '../../../venue/venue.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import type { Accounts } from '../accounts.ts'
import { type Channel, channelKey } from '../rules/places.ts'
import type { Subscriptions } from './subscriptions.ts'

/**
 * A wallet's figures move with the prices. They are told again after this at the earliest, and all of them in
 * `ROUND_MS`: together they take less time than a push counts as current.
 */
const AGAIN_MS = 4_000
const ROUND_MS = 7_000

/** The wallets that the push keeps current. */
interface Followed {
  follow(wallets: readonly Wallet[]): void
  has(wallet: Wallet): boolean
  /** The channels to subscribe to, those of the most endangered wallet first. */
  channels(): Channel[]
  /** Tells what a wallet holds by a new frame. */
  tell(wallet: Wallet, answer: PositionsAnswer): void
  /** Tells the wallets again whose turn it is. `everyMs`: how often this is called. */
  tellAgain(everyMs: number): void
  /** How many wallets are whole. */
  wholeCount(): number
}

/** Tells what the followed wallets hold: at once when it has changed, and again while it is current. */
export function createFollowed(world: {
  clock: Clock
  accounts: Pick<Accounts, 'accountsOf' | 'answerOf' | 'hasCross'>
  subscriptions: Pick<Subscriptions, 'isLive'>
  tell(wallet: Wallet, answer: PositionsAnswer, whole: boolean): void
}): Followed {
  const { clock, accounts, subscriptions } = world
  /** When each wallet was last told, the longest ago first. */
  let told = new Map<Wallet, number>()
  let order: readonly Wallet[] = []

  const isLive = (account: string) =>
    subscriptions.isLive(channelKey({ purpose: 'account_all', of: account }))

  function isWhole(wallet: Wallet): boolean {
    const all = accounts.accountsOf(wallet)
    return all.length > 0 && all.every(isLive)
  }

  function note(wallet: Wallet): void {
    told.delete(wallet)
    told.set(wallet, clock.monotonic())
  }

  return {
    follow(wallets) {
      order = wallets
      told = new Map(wallets.map((wallet) => [wallet, told.get(wallet) ?? -Infinity]))
      told = new Map([...told].toSorted(([, a], [, b]) => compare(a, b)))
    },
    has: (wallet) => told.has(wallet),
    channels() {
      const all = order.flatMap((wallet) => accounts.accountsOf(wallet))
      return [
        ...all.map((of): Channel => ({ purpose: 'account_all', of })),
        ...all.filter((of) => accounts.hasCross(of)).map((of): Channel => ({ purpose: 'user_stats', of })),
      ]
    },
    tell(wallet, answer) {
      const unseen = accounts.accountsOf(wallet).filter((account) => !isLive(account))
      note(wallet)
      world.tell(wallet, without(answer, unseen), unseen.length === 0)
    },
    tellAgain(everyMs) {
      const mono = clock.monotonic()
      // Those that were told together come apart, so that no turn is long.
      let left = Math.ceil((told.size * everyMs) / ROUND_MS)
      for (const [wallet, toldMono] of told) {
        if (left <= 0 || mono - toldMono < AGAIN_MS) return
        note(wallet)
        if (!isWhole(wallet)) continue
        world.tell(wallet, accounts.answerOf(wallet), true)
        left--
      }
    },
    wholeCount: () => order.filter(isWhole).length,
  }
}

/** An account that is not followed now is as last read. A pushed answer must not tell that as new. */
function without(answer: PositionsAnswer, unseen: readonly string[]): PositionsAnswer {
  if (unseen.length === 0) return answer
  const those = new Set<string | null>(unseen)
  const why = 'its push is not there yet'
  return {
    ...answer,
    positions: answer.positions.filter(({ accountId }) => !those.has(accountId)),
    accounts: answer.accounts.filter(({ accountId }) => !those.has(accountId)),
    unusable: answer.unusable.filter(({ part }) => !those.has(part)),
    failedParts: unseen.map((part): FailedPart => ({ part, why, queued: true })),
  }
}

/** Two infinities are equal; their difference would be NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b
}
