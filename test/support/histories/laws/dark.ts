import type { Heard } from '../heard.ts'
import type { Ledger } from '../ledger.ts'

const HOME = 1

/** What cannot be seen for too long is told, once; so is that it is seen again. */
export function createDark(ledger: Ledger) {
  const { blames, tick, blind, periods, pollMs, wallets } = ledger
  const feedOf = (name: string): string => {
    const label = /^wallet (.*)$/.exec(name)?.[1]
    if (label !== undefined) return wallets[label] ?? label
    return name.replace(/^the market ETH$/, '100').replace(/^the market BTC$/, 'BTC/USD')
  }
  return {
    hears(heard: Heard): void {
      if (heard.seeing === null) return
      const what = `${heard.chatId} ${feedOf(heard.seeing)}`
      if (heard.is === 'blind' && blind.has(what)) blames(`${heard.title}: told twice`)
      if (heard.is === 'blind') blind.set(what, tick())
      if (heard.is === 'sighted' && !blind.delete(what)) blames(`${heard.title}: it was not blind`)
      const blindMs = /^I was blind for ([\d.]+) s$/.exec(heard.lines[0] ?? '')?.[1]
      if (heard.is === 'sighted' && blindMs === '0.0') blames(`${heard.title}: after no time at all`)
    },
    checks(): void {
      if (ledger.refusing) return
      const soundAt = Math.max(ledger.startedAt, ledger.soundAt)
      const darkMs = tick() - Math.max(ledger.pricesAt ?? 0, soundAt)
      if (darkMs > 3 * pollMs + 10_000 && !blind.has(`${HOME} the venue`))
        blames('nobody was told that the venue is dark')
      for (const owner of Object.values(wallets)) {
        const patienceMs = ledger.near(owner) ? 2 * pollMs + 30_000 : periods.ownerPollMaxMs + 180_000
        // One that nobody has looked at waits for its turn.
        const failedAt = ledger.failed.get(owner) ?? Infinity
        const unseenMs = tick() - Math.max(failedAt, soundAt, ledger.pricesAt ?? 0)
        const isTold = blind.has(`${HOME} ${owner}`) || blind.has(`${HOME} the venue`)
        if (unseenMs > patienceMs + 3 * pollMs && !isTold) blames(`nobody was told that ${owner} is dark`)
      }
    },
    ends(): void {
      for (const what of blind.keys()) blames(`${what} was never seen again`)
    },
  }
}
