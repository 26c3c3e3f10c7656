import { lookup, Resolver } from 'node:dns/promises'

export interface Found {
  address: string
  family: number
}

/** The addresses behind a name; rejects with the resolver's error, also when it is given up. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly Found[]>

/** Each name server is asked twice, the second time with more patience. */
const ASKED = { timeout: 1_000, tries: 2 }

/**
 * By the machine, as every program on it: its hosts file counts. For names of the operator alone, because libuv does
 * only two of these lookups at a time (its limit for slow work): others' names whose server never answers would keep the
 * venue's waiting.
 */
export const byMachine: Resolve = (host) => lookup(host, { all: true })

/** By asking name servers, which keeps nobody else waiting; `servers` are the machine's where they are left out. */
export function byServers(servers?: readonly string[]): Resolve {
  return async (host, signal) => {
    const resolver = new Resolver(ASKED)
    if (servers) resolver.setServers(servers)
    const giveUp = () => resolver.cancel()
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
      return [...foundBy(v4, 4), ...foundBy(v6, 6)]
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }
}

function foundBy(asked: PromiseSettledResult<string[]>, family: number): Found[] {
  return asked.status === 'fulfilled' ? asked.value.map((address) => ({ address, family })) : []
}
