import type { ChatAdapter } from '../../src/chat.ts'
import type { Clock } from '../../src/clock.ts'
import { ONLY_TOLD } from '../../src/only-told.ts'
import type { Reach } from '../../src/reach.ts'
import { createRefusals } from '../../src/refusal.ts'
import { bodyOf, idOf, signatureOf } from './body.ts'
import { namedAddress, naming, shownAddress } from './naming.ts'
import { outcomeOf } from './outcome.ts'

/** Ours, not theirs: nobody says what a webhook stands. */
const PLATFORM = { burst: 20, perSecond: 10 }
const EACH = { burst: 5, perSecond: 1 }

/** Tells addresses that people have named. What they answer is never a command. */
export function createWebhook(world: { secret: string; clock: Clock; reach: Reach }): ChatAdapter {
  const { secret, clock, reach } = world
  const settled = createRefusals()
  const deliver: ChatAdapter['deliver'] = async (send, signal) => {
    const url = namedAddress(send.to.chat)
    if (!url) return { is: 'gone', why: 'that is no address' }
    const body = bodyOf(send, clock.now())
    const id = idOf(send)
    const seconds = Math.floor(clock.now() / 1_000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Perch',
      'x-perch-id': id,
      'x-perch-timestamp': String(seconds),
      'x-perch-signature': signatureOf(secret, seconds, body),
    }
    const reached = await reach.ask(url, { method: 'POST', headers, body }, signal)
    return settled(url.href, outcomeOf(reached, send.to, id), clock.tick())
  }
  return {
    name: 'webhook',
    ...ONLY_TOLD,
    naming,
    limits: { platform: PLATFORM, chat: EACH, group: null },
    start: async () => {},
    deliver,
    async inspect(_by, { chat }, signal) {
      const url = namedAddress(chat)
      if (!url) return null
      const unfit = await reach.refusal(url, signal)
      if (unfit !== null) return { unfit }
      const address = { platform: 'webhook', chat: url.href, thread: null }
      return { address, title: shownAddress(url), mayConfigure: true, mayPost: true }
    },
    stop: async () => {},
  }
}
