import type { Bot } from '../../src/chat/bot.ts'
import { rejectsEdits } from '../../src/chat/notify-only.ts'
import type { Conversation } from '../../src/chat/conversation.ts'
import type { Rate } from '../../src/lib/time/token-bucket.ts'
import { PAGE_PLATFORM } from '../../src/people/session.ts'
import type { FetchHandler } from '../../src/runtime/http.ts'
import { viewOf } from './answer/view.ts'
import { createSpeech } from './answer/speech.ts'
import { createStreams } from './serve/streams.ts'
import type { WebWorld } from './site.ts'

/** Browsers set the pace. */
const UNLIMITED: Rate = { burst: 1_000, perSecond: 1_000 }

/**
 * The page: a person's positions and alerts in a browser, live. A page that is open shows what its session is told, and
 * nobody relies on that: no chat of ours is here.
 */
export function createWeb(world: WebWorld): Conversation {
  const { clock, http } = world
  const run = `${clock.now().toString(36)}-${Math.floor(world.random() * 2 ** 32).toString(36)}`
  const streams = createStreams({ clock, run })
  let bot: Bot | null = null
  let shown = 0
  const speech = createSpeech({ ...world, bot: () => bot })

  // Most starts are never asked for the page, so its packages and files wait for the first request.
  let site: Promise<FetchHandler> | null = null
  const opened = () =>
    (site ??= import('./site.ts').then(({ default: createSite }) =>
      createSite({ ...world, streams, speech, bot: () => bot }),
    ))
  http.mount('/page', async (request, peer) => (await opened())(request, peer))

  return {
    name: PAGE_PLATFORM,
    operatorSitsHere: false,
    mentions: false,
    destination: null,
    receipts: null,
    limits: { platform: UNLIMITED, chat: UNLIMITED, group: null },
    async start(started) {
      bot = started
      world.emit({ is: 'platform', platform: PAGE_PLATFORM, why: null })
    },
    async deliver({ to, message, ...look }, signal) {
      if (signal.aborted)
        return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: false, why: 'given up' }
      const pages = to.thread === null ? streams.say(to.chat, viewOf(message, clock.now(), look)) : 0
      if (pages === 0) return { is: 'gone', why: 'no page of this session is open' }
      return { is: 'sent', ref: { address: to, id: `${run}-${++shown}` } }
    },
    edit: rejectsEdits,
    async inspect(by, { platform, chat, thread }) {
      const isTheirs = by.platform === PAGE_PLATFORM && platform === PAGE_PLATFORM && chat === by.user
      if (!isTheirs || thread !== null || !bot?.glance(by)) return null
      return {
        address: { platform, chat, thread },
        title: 'page',
        mayConfigure: true,
        mayPost: streams.isOpen(chat),
      }
    },
    async stop() {
      await speech.stop()
      bot = null
      streams.stop()
    },
  }
}
