import type { ChatAdapter, Inbound, Unfit } from '../chat.ts'
import { within } from '../clock.ts'
import type { Clock } from '../clock.ts'
import type { Place } from '../context.ts'

const INSPECT_LIMIT_MS = 10_000

/** Asks a platform what somebody may do in a chat, and what we may: here, or where they say. Null when there is none. */
export function createInspection(world: {
  adapters: ReadonlyMap<string, ChatAdapter>
  clock: Clock
  signal: AbortSignal
}): (from: Inbound, named: string | null, platform?: string) => Promise<Place | Unfit | null> {
  const { adapters, clock, signal: stopping } = world
  return (from, named, platform = from.by.platform) => {
    const adapter = adapters.get(platform)
    const address = named === null ? from.chat : { platform, chat: named.trim(), thread: null }
    return within(clock, INSPECT_LIMIT_MS, stopping, async (signal) => {
      const found = (await adapter?.inspect(from.by, address, signal)) ?? null
      return found && ('unfit' in found ? found : { ...found, calls: adapter?.calls === true })
    })
  }
}
