import { systemClock } from '../../../src/runtime/clock.ts'
import type { Asking } from '../../../src/venue/venue.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import { type Accounts, createAccounts, type News } from '../../../src/venues/lighter/accounts.ts'
import { createApi } from '../../../src/venues/lighter/api.ts'
import { createMarkets, type Markets } from '../../../src/venues/lighter/markets.ts'
import { createTrades, type Trades } from '../../../src/venues/lighter/trades.ts'
import { readFrame } from '../../../src/venues/lighter/wire/frames.ts'
import { createAsk } from '../../../src/venues/http/ask.ts'
import { openTransport } from '../../../src/venues/http/request.ts'
import { connect } from '../../support/lighter/client.ts'
import { type Lighter, startLighter } from '../../support/lighter/server.ts'

export const asking: Asking = {
  patience: 'poll',
  limitMs: 5_000,
  signal: new AbortController().signal,
  spend: (request) => request(() => {}),
}

/** The memory of the venue, filled by what a stand-in answers and pushes. */
export interface Memory extends AsyncDisposable {
  standIn: Lighter
  markets: Markets
  accounts: Accounts
  trades: Trades
  /** Reads the wallet, as a poll does. `meanwhile`: before the answer arrives. */
  look(wallet: Wallet, meanwhile?: () => void): Promise<ReturnType<Accounts['look']>>
  /** Follows a channel, and hands its first frame to the memory. */
  follow(channel: string): Promise<News | null>
  /** Hands the next frame of a kind to the memory. */
  next(kind: string): Promise<News | null>
  /** Hands any text to the memory, as if it had just come. */
  hear(text: string): News | null
}

export async function startMemory(): Promise<Memory> {
  const standIn = await startLighter()
  const clock = systemClock()
  const transport = openTransport(new URL(standIn.url), clock)
  const ask = createAsk({ transport, clock, emit: () => {}, random: () => 0.5, secret: null })
  const api = createApi(ask, null)
  const markets = createMarkets({ api, clock })
  const accounts = createAccounts({ clock, markets })
  const trades = createTrades({ clock, accounts })
  const socket = await connect(standIn)
  await markets.markets(asking)

  const hear = (text: string): News | null => {
    const frame = readFrame(text)
    if (frame.is === 'markets') markets.tell(frame.read.stats, frame.whole, [])
    if (frame.is === 'figures') return accounts.tellFigures(frame)
    if (frame.is !== 'account') return null
    const told = accounts.tell(frame)
    if (told) trades.take(frame.account, told)
    return told
  }
  const next = async (kind: string) => hear(JSON.stringify(await socket.takes(`update/${kind}`)))
  return {
    ...{ standIn, markets, accounts, trades, hear, next },
    async look(wallet, meanwhile) {
      const askedMono = clock.monotonic()
      const read = await api.accounts(wallet, 'positions', asking)
      meanwhile?.()
      return accounts.look(wallet, read, askedMono)
    },
    async follow(channel) {
      socket.subscribe(channel)
      const [kind = ''] = channel.split('/')
      return hear(JSON.stringify(await socket.takes(`subscribed/${kind}`)))
    },
    async [Symbol.asyncDispose]() {
      await socket[Symbol.asyncDispose]()
      await transport.close()
      await standIn.stop()
    },
  }
}
