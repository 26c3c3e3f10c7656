import type { Bot } from '../../../src/chat/bot.ts'
import type { Glance } from '../../../src/chat/holdings.ts'
import type { Identity } from '../../../src/message/address.ts'
import { type Clock, createAlarm } from '../../../src/runtime/clock.ts'
import type { View } from '../answer/view.ts'

/** Silence of this length means that Perch is gone: a comment breaks it. */
const BREATH_MS = 10_000
/** How long a browser waits before it connects again. */
const RETRY_MS = 2_000
/** With one more, the oldest stream of a session ends. */
const MOST_A_SESSION = 5
/** Messages that a page which reads nothing may owe us. Then its stream ends, and it asks for everything anew. */
const MOST_UNREAD = 50

/** The open pages: each has a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface Streams {
  /** Begins with a glance. The events: `glance`, `said`, `over` (the session ended), `elsewhere` (too many pages). */
  open(bot: Pick<Bot, 'follow'>, by: Identity, first: Glance, signal: AbortSignal): Response
  /** Shows a message on each open page of this session. Returns how many there are. */
  say(user: string, view: View): number
  isOpen(user: string): boolean
  /** Ends those of one session. */
  end(user: string): void
  stop(): void
}

interface Stream {
  tell(event: 'glance' | 'said', data: string): void
  end(last: 'over' | 'elsewhere' | null): void
}

/** `run`: makes the ids of events different from those of earlier processes. */
export function createStreams({ clock, run }: { clock: Clock; run: string }): Streams {
  const open = new Map<string, Set<Stream>>()
  const encoder = new TextEncoder()
  let events = 0

  const eventOf = (event: string, data: string) =>
    `event: ${event}\nid: ${run}-${++events}\ndata: ${data}\n\n`
  const forget = (user: string, stream: Stream) => {
    const all = open.get(user)
    all?.delete(stream)
    if (all?.size === 0) open.delete(user)
  }

  return {
    open(bot, by, first, signal) {
      let unfollow = () => {}
      let sink: ReadableStreamDefaultController<Uint8Array> | null = null
      /** The newest glance, while the page has not read the one before. */
      let owed: string | null = null
      let unread = 0

      // In one piece: each would be written to the socket by itself, which costs more than all else.
      const write = (text: string) => {
        sink?.enqueue(encoder.encode(text))
        breath.set(BREATH_MS)
      }
      const breath = createAlarm(clock, () => write(': Perch lives\n\n'))
      const close = () => {
        if (sink === null) return false
        breath.off()
        unfollow()
        signal.removeEventListener('abort', left)
        forget(by.user, stream)
        return true
      }
      const left = () => {
        if (close()) sink = null
      }
      const stream: Stream = {
        tell(event, data) {
          if (sink === null) return
          const isBehind = (sink.desiredSize ?? 0) <= 0
          if (event === 'glance' && isBehind) {
            owed = data
            return
          }
          unread = isBehind ? unread + 1 : 0
          if (unread > MOST_UNREAD) return stream.end(null)
          write(eventOf(event, data))
        },
        end(last) {
          if (!close()) return
          if (last !== null) sink?.enqueue(encoder.encode(`event: ${last}\ndata: {}\n\n`))
          sink?.close()
          sink = null
        },
      }
      const body = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            sink = controller
            write(`retry: ${RETRY_MS}\n${eventOf('glance', JSON.stringify(first))}`)
          },
          pull() {
            unread = 0
            if (owed === null) return
            const data = owed
            owed = null
            write(eventOf('glance', data))
          },
          cancel: left,
        },
        new ByteLengthQueuingStrategy({ highWaterMark: 16_384 }),
      )
      signal.addEventListener('abort', left, { once: true })
      const all = open.get(by.user) ?? new Set()
      open.set(by.user, all.add(stream))
      const [oldest] = all
      if (all.size > MOST_A_SESSION) oldest?.end('elsewhere')
      unfollow = bot.follow(by, (glance, json) => {
        if (glance === null) stream.end('over')
        else stream.tell('glance', json)
      })
      // The page has gone while it was answered, or was told its end at once.
      if (signal.aborted) left()
      if (sink === null) unfollow()
      return new Response(body, {
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
      })
    },
    say(user, view) {
      const all = [...(open.get(user) ?? [])]
      const json = JSON.stringify(view)
      for (const stream of all) stream.tell('said', json)
      return all.length
    },
    isOpen: (user) => open.has(user),
    end(user) {
      for (const stream of open.get(user) ?? []) stream.end('over')
    },
    stop() {
      for (const all of open.values()) for (const stream of all) stream.end(null)
    },
  }
}
