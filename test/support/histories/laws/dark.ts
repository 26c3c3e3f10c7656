import type { Heard } from '../heard.ts'
import type { Ledger } from '../ledger.ts'

const HOME = 1

/** What cannot be seen for too long is told, once; so is that it is seen again. */
export function createDark(ledger: Ledger) {
  const { blames, monotonic, blind, periods, pollMs, wallets } = ledger
  const sourceOf = (name: string): string => {
    const label = /^wallet (.*)$/.exec(name)?.[1]
    if (label !== undefined) return wallets[label] ?? label
    return name.replace(/^the market ETH$/, '100').replace(/^the market BTC$/, 'BTC/USD')
  }
  return {
    hears(heard: Heard): void {
      if (heard.seeing === null) return
      const what = `${heard.chatId} ${sourceOf(heard.seeing)}`
      if (heard.is === 'outage' && blind.has(what)) blames(`${heard.title}: told twice`)
      if (heard.is === 'outage') blind.set(what, monotonic())
      if (heard.is === 'recovered' && !blind.delete(what)) blames(`${heard.title}: it was not blind`)
      const blindMs = /^I couldn’t see for ([\d.]+) s$/.exec(heard.lines[0] ?? '')?.[1]
      if (heard.is === 'recovered' && blindMs === '0.0') blames(`${heard.title}: after no time at all`)
    },
    checks(): void {
      if (ledger.refusing) return
      const soundAt = Math.max(ledger.startedAt, ledger.soundAt)
      const darkMs = monotonic() - Math.max(ledger.pricesAt ?? 0, soundAt)
      if (darkMs > 3 * pollMs + 10_000 && !blind.has(`${HOME} the venue`))
        blames('nobody was told that the venue is dark')
      for (const wallet of Object.values(wallets)) {
        const patienceMs = ledger.near(wallet) ? 2 * pollMs + 30_000 : periods.walletPollMaxMs + 180_000
        // One that nobody has looked at waits for its turn.
        const failedAt = ledger.failed.get(wallet) ?? Infinity
        const unseenMs = monotonic() - Math.max(failedAt, soundAt, ledger.pricesAt ?? 0)
        const isTold = blind.has(`${HOME} ${wallet}`) || blind.has(`${HOME} the venue`)
        if (unseenMs > patienceMs + 3 * pollMs && !isTold) blames(`nobody was told that ${wallet} is dark`)
      }
    },
    ends(): void {
      for (const what of blind.keys()) blames(`${what} was never seen again`)
    },
  }
}
