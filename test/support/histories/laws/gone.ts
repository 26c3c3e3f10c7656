import type { Wallet } from '../../../../src/venue/wallet.ts'
import type { Heard } from '../heard.ts'
import type { Ledger } from '../ledger.ts'
import type { Subject } from '../subject.ts'

const NAMES: Record<string, RegExp> = {
  '100': /^(ETH|market 100) long /,
  'BTC/USD': /^(BTC|market BTC.USD) short /,
}

/** Whoever was warned of a position that is gone for certain, in two looks, hears how it ended, once and by its name. */
export function createGone(ledger: Ledger) {
  const { blames, monotonic, subjects, held, over, pollMs } = ledger
  /** Those that are gone for certain, and whose end somebody is owed. */
  const ending: { subject: Subject; since: number }[] = []

  const isOf = (heard: Heard, { rule, position }: Subject) => {
    const wallet = walletNamed(heard)
    const named = NAMES[position.marketId]?.test(heard.title) === true
    return rule.chatId === heard.chatId && named && (wallet === null || position.wallet === wallet)
  }
  const walletNamed = ({ lines }: Heard): Wallet | null => {
    const label = lines.map((line) => / · (main|cold)$/.exec(line)?.[1]).find((one) => one !== undefined)
    return label === undefined ? null : (ledger.wallets[label] ?? null)
  }

  return {
    hears(heard: Heard): void {
      const unnamed = /^market (\S+) /.exec(heard.title)?.[1]
      if (unnamed !== undefined && ledger.named.has(unnamed)) blames(`${heard.title}: has a name`)
      // Its end is told at once: there is nothing left to sum up.
      if (heard.alertId !== null) held.delete(heard.alertId)
      const at = ending.findIndex(({ subject }) => isOf(heard, subject))
      const isDoubted = [...subjects.values()].some((one) => one.missing === 1 && isOf(heard, one))
      const isSound = !ledger.refusing && monotonic() - ledger.soundAt > 10 * pollMs
      if (at < 0 && isDoubted && isSound) blames(`${heard.title}: after one look`)
      if (at >= 0) over.add(ending.splice(at, 1)[0]?.subject.alertId ?? 0)
      // A look that could not be kept may have been one of the two.
      const missed = [...subjects.values()].find((one) => one.missing > 0 && isOf(heard, one))
      if (at >= 0 || !missed) return
      missed.isEndTold = true
      over.add(missed.alertId ?? 0)
    },
    /** A wallet was read, and it was not there. */
    misses(subject: Subject): void {
      subject.missing++
      if (subject.missing < 2 || ledger.refusing) return
      subjects.delete(subject.key)
      if (subject.alertId === null) return
      // What was held back is summed up.
      if (!subject.isEndTold && !held.has(subject.alertId)) ending.push({ subject, since: monotonic() })
      over.add(subject.alertId)
    },
    /** Nobody is owed anything of what a removed rule spoke of. */
    forgets(chatId: number): void {
      const left = ending.filter(({ subject }) => subject.rule.chatId !== chatId)
      ending.splice(0, ending.length, ...left)
    },
    checks(): void {
      if (ledger.refusing) return
      for (const { subject, since } of ending)
        if (monotonic() - Math.max(since, ledger.soundAt) > 4 * pollMs)
          blames(`A${subject.alertId}: its end was not told`)
    },
    ends(): void {
      for (const { subject } of ending) blames(`A${subject.alertId} never ended`)
    },
  }
}
