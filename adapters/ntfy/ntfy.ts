import type { ChatAdapter } from '../../src/chat.ts'
import type { Clock } from '../../src/clock.ts'
import type { LinkTo } from '../../src/link.ts'
import { ONLY_TOLD } from '../../src/only-told.ts'
import type { Reach } from '../../src/reach.ts'
import { createRefusals } from '../../src/refusal.ts'
import { namedTopic, naming, shownTopic } from './naming.ts'
import type { Topic } from './naming.ts'
import { outcomeOf } from './outcome.ts'
import { publication } from './publication.ts'

/** 60 at once and one in 5 s for each who asks (https://docs.ntfy.sh/publish/#limitations), and a little below. */
const PLATFORM = { burst: 40, perSecond: 0.2 }
const EACH = { burst: 10, perSecond: 0.2 }

/** Tells topics of ntfy, which phones ring for. */
export function createNtfy(world: {
  /** Where topics are that come without a server. */
  server: string
  /** Sent to that server and to no other. */
  token: string | null
  /** Whom it calls when something is critical; null for nobody. */
  call: string | null
  clock: Clock
  reach: Reach
  linkTo: LinkTo | null
}): ChatAdapter {
  const { server, token, call, clock, linkTo } = world
  // The operator's own server may be in their own network.
  const reach = world.reach.allowing([new URL(server).origin])
  const settled = createRefusals()
  const addressOf = (topic: Topic) => new URL(`${topic.server}/${topic.topic}`)

  const deliver: ChatAdapter['deliver'] = async (send, signal) => {
    const topic = namedTopic(send.to.chat, server)
    if (!topic || 'unfit' in topic) return { is: 'gone', why: topic?.unfit ?? 'that is no topic' }
    const isOurs = topic.server === server
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Perch',
      ...(isOurs && token !== null ? { authorization: `Bearer ${token}` } : {}),
    }
    const about = { topic: topic.topic, now: clock.now(), call: isOurs ? call : null, linkTo }
    const body = publication(send, about)
    const reached = await reach.ask(new URL(`${topic.server}/`), { method: 'POST', headers, body }, signal)
    return settled(addressOf(topic).href, outcomeOf(reached, send.to, isOurs), clock.tick())
  }
  return {
    name: 'ntfy',
    ...ONLY_TOLD,
    naming,
    limits: { platform: PLATFORM, chat: EACH, group: null },
    start: async () => {},
    deliver,
    async inspect(_by, { chat }, signal) {
      const topic = namedTopic(chat, server)
      if (!topic || 'unfit' in topic) return topic
      const unfit = await reach.refusal(addressOf(topic), signal)
      if (unfit !== null) return { unfit }
      const address = { platform: 'ntfy', chat: addressOf(topic).href, thread: null }
      return { address, title: shownTopic(topic), mayConfigure: true, mayPost: true }
    },
    stop: async () => {},
  }
}
