import { once } from 'node:events'
import { createServer } from 'node:net'

/** How old what the program has judged by is, in milliseconds, and how often it has judged all markets. */
interface Taken {
  walletsMs: number
  pricesMs: number
  turns: number
}

/** Below those that a system gives to whoever asks for any. */
const PORTS = { from: 12_000, many: 16_000 }
const ANSWER_LIMIT_MS = 5_000

export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.many)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}

/** By the program's own metrics; null while it cannot be asked or has not read all. */
export async function takenIn(port: number): Promise<Taken | null> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`, {
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  }).then(
    (response) => response.text(),
    () => '',
  )
  const figure = (name: string) => Number(new RegExp(`^${name}\\S* (\\S+)$`, 'm').exec(text)?.[1] ?? NaN)
  const walletsMs = figure('perch_oldest_wallet_age_seconds') * 1_000
  const pricesMs = figure('perch_prices_age_seconds') * 1_000
  const turns = figure('perch_turn_seconds_count\\{of="markets"')
  return Number.isNaN(walletsMs + pricesMs + turns) ? null : { walletsMs, pricesMs, turns }
}
