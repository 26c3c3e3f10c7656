import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** Published right before a request is written: https://undici.nodejs.org/#/docs/api/DiagnosticsChannel */
const BEFORE_WRITING = 'undici:client:sendHeaders'

/**
 * Breaks each request by HTTP of this process that is about to be written while `mayAsk` says no. A process may be stopped at
 * any moment, also between a check and the request that was checked: microseconds are left. Returns how to end that.
 */
export function fenceRequests(mayAsk: () => boolean): () => void {
  const fence = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    const end = () => void socket.destroy(new Error('another Perch may lead now'))
    if (!mayAsk()) return end()
    // Nothing is written between this check and the next one, right before the system takes all of it.
    socket.cork()
    process.nextTick(() => (mayAsk() ? socket.uncork() : end()))
  }
  subscribe(BEFORE_WRITING, fence)
  return () => void unsubscribe(BEFORE_WRITING, fence)
}
