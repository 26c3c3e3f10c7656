import type { Bot, Inbound } from '../../../src/chat/bot.ts'
import { inOrder } from '../../../src/lib/flow/in-order.ts'
import type { Address, Identity } from '../../../src/message/address.ts'
import type { Delivery } from '../../../src/message/delivery.ts'
import { isSilent, type Message, say, spokenIn, words } from '../../../src/message/message.ts'
import { type Clock, endsWithin } from '../../../src/runtime/clock.ts'
import type { Emit } from '../../../src/runtime/event.ts'
import type { Language } from '../../../src/words/words.ts'
import { type View, viewOf } from './view.ts'

/** How long answers that are under way may hold up the end. */
const STOP_MS = 2_000

/** Who asks from a page, and what stands in their request. */
export interface Asking {
  by: Identity
  /** Chosen by the page: the same id again is the same input. */
  id: string
  /** The person can have seen everything until then, by the page's word: wall time. */
  seenUntil: number
  /** `Firefox, Android`. */
  name: string
  language: Language | null
  /** Ends when the page has gone. */
  signal: AbortSignal
}

/** Inputs of people on a page, and the answers. */
export interface Speech {
  /** Null where Perch answers nothing; `'away'` where it does not run yet, or stops. */
  line(asking: Asking, text: string): Promise<View | 'away' | null>
  call(asking: Asking, command: string, args: unknown): Promise<View | 'away' | null>
  /** Begins no more answers, and waits for those under way. */
  stop(): Promise<void>
}

/** The inputs of one session are answered in their order. `try` alone waits for nothing: people type on. */
export function createSpeech(world: { clock: Clock; emit: Emit; bot: () => Bot | null }): Speech {
  const { clock, emit } = world
  const inTurn = inOrder()
  const working = new Set<Promise<unknown>>()
  let stopped = false

  const ask = async (
    bot: Bot,
    from: Inbound,
    language: Language | null,
    how: (bot: Bot, from: Inbound) => Promise<Message>,
  ) => {
    try {
      return await how(bot, from)
    } catch (error) {
      emit({ is: 'trouble', where: 'web', why: 'an input was not answered', error })
      return spokenIn(say(words('platform.failed')), language)
    }
  }

  async function answer(
    asking: Asking,
    how: (bot: Bot, from: Inbound) => Promise<Message>,
  ): Promise<View | 'away' | null> {
    const bot = world.bot()
    if (stopped || bot === null) return 'away'
    const from = inboundOf(asking, clock.now())
    const message = await ask(bot, from, asking.language, how)
    if (isSilent(message)) return null
    let view: View | null = null
    await bot.answer(from.chat, async (to, { plain }): Promise<Delivery> => {
      if (asking.signal.aborted) return { is: 'gone', why: 'the page has gone' }
      // An answer to a request cannot be shown twice.
      view = viewOf(message, clock.now(), { plain, possibleRepeat: false })
      return { is: 'sent', ref: { address: to, id: from.id } }
    })
    return view
  }

  const take = (key: string, asking: Asking, how: (bot: Bot, from: Inbound) => Promise<Message>) => {
    const work = inTurn(key, () => answer(asking, how))
    working.add(work)
    return work.finally(() => working.delete(work))
  }

  return {
    line: (asking, text) => take(asking.by.user, asking, (bot, from) => bot.line(from, text)),
    call: (asking, command, args) =>
      command.startsWith('try ')
        ? take(`${asking.by.user} try`, asking, (bot, from) =>
            bot.call({ ...from, whileTyping: true }, command, args),
          )
        : take(asking.by.user, asking, (bot, from) => bot.call(from, command, args)),
    async stop() {
      stopped = true
      await endsWithin(clock, STOP_MS, Promise.allSettled(working))
    },
  }
}

/** The speaker: a page is private, and nobody can be told anything there. */
function inboundOf({ by, id, seenUntil, name }: Asking, now: number): Inbound {
  const here: Address = { platform: by.platform, chat: by.user, thread: null }
  return {
    id: `page/${by.user.slice(0, 16)}/${id}`,
    by,
    writtenAt: now,
    seenUntil: Math.min(seenUntil, now),
    // People read alerts in the language of their chat: a borrowed browser must not change it.
    ...{ name, language: null, chat: here, home: here },
    tellsNobody: true,
    private: true,
    mayConfigure: true,
    whisper: true,
    answersApart: true,
  }
}
