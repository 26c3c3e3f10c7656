import type { Update, UserFromGetMe } from 'telegraf/types'

import type { Bot } from '../../src/chat/bot.ts'
import type { Conversation } from '../../src/chat/conversation.ts'
import type { Limits as SendLimits } from '../../src/chat/notifier.ts'
import { errorText } from '../../src/lib/text/error-text.ts'
import { type Clock, endsWithin, keepRunning, waited } from '../../src/runtime/clock.ts'
import type { Emit } from '../../src/runtime/event.ts'
import { createConversation, createRouter } from './intake/conversation.ts'
import { createInbox, createPoll, LIMITS, type Limits } from './intake/poll.ts'
import { inspectChat } from './intake/inspect.ts'
import { createRights } from './intake/rights.ts'
import { createAnswering } from './send/answering.ts'
import { createApi, isObject, type Upload, waitMs, whyOf } from './send/api.ts'
import { withKnownFiles } from './send/known-files.ts'
import { setMenus } from './send/menus.ts'
import { render, renderCaption, renderPlain } from './send/render.ts'
import { createSending } from './send/send.ts'

/**
 * Telegram does not publish exact limits (about 1 a second per chat, 20 a minute per group, 30 a second in all). Over
 * any second or minute, burst + rate × time stays below these.
 */
const SEND_LIMITS: SendLimits = {
  platform: { burst: 2, perSecond: 28 },
  chat: { burst: 3, perSecond: 1 },
  group: { burst: 5, perSecond: 0.25 },
  pictures: true,
}

/** Telegram's own server waits out floods for up to 8 s before it answers; less would repeat slow sends. */
const SEND_LIMIT_MS = 18_000
const GET_ME_LIMIT_MS = 15_000
/** How long commands that are under way may hold up the end. */
const STOP_MS = 3_000
/** The same where another process waits to lead: it takes what is not done then, and answers it sooner. */
const SHARED_STOP_MS = 1_000

/** Telegram, for the bot with this token. */
export function createTelegram(world: {
  root: string
  token: string
  testing?: boolean
  clock: Clock
  emit: Emit
  random: () => number
  limits?: Limits
  mayAct?: () => boolean
}): Conversation {
  const { root, token, clock, emit, random, limits = LIMITS, mayAct = () => true } = world
  const isShared = world.mayAct !== undefined
  const api = withKnownFiles(createApi(world))
  const sending = createSending({ api, clock, emit, limitMs: SEND_LIMIT_MS })
  const stopping = new AbortController()
  const { signal } = stopping
  let unreachable: string | null = 'not yet'
  let running: Promise<void> = Promise.resolve()
  let ended: Promise<void> | null = null
  let finish: () => Promise<void> = async () => {}

  /** Called at every change, with the reason why no updates arrive, or null. */
  function reachable(why: string | null): void {
    if (why === unreachable) return
    unreachable = why
    emit({ is: 'platform', platform: 'telegram', why })
  }

  /** Without our own name and number nothing can be understood; Telegram may take its time. */
  async function meetOurselves(): Promise<UserFromGetMe | null> {
    for (let tries = 1; !signal.aborted; tries++) {
      const answer = await api.call('getMe', {}, GET_ME_LIMIT_MS, signal)
      if (answer.is === 'answered' && answer.body.ok && isBot(answer.body.result)) {
        reachable(null)
        return answer.body.result
      }
      if (tries === 1)
        emit({ is: 'trouble', where: 'telegram', why: `not reached, trying again: ${whyOf(answer)}` })
      reachable(whyOf(answer))
      await waited(clock, waitMs(answer, tries, random()), signal)
    }
    return null
  }

  async function run(bot: Bot): Promise<void> {
    const me = await meetOurselves()
    if (!me) return
    emit({ is: 'remark', where: 'telegram', text: `I am @${me.username}: https://t.me/${me.username}` })
    const menus = setMenus({ api, clock, random }, bot.commands, signal)
      .then((failed) => {
        if (failed.length > 0 && !signal.aborted)
          emit({ is: 'trouble', where: 'telegram', why: `no menu for ${failed.join(', ')}` })
      })
      .catch((error: unknown) => emit({ is: 'trouble', where: 'telegram', why: 'no menus', error }))
    const answers = createAnswering({ sending, bot, botName: me.username, clock })
    const rights = createRights(api, clock)
    const routes = createConversation({
      api,
      bot,
      me,
      answers,
      ourTime: sending.ourTime,
      isLive: () => poll.isLive(),
      rights,
      clock,
      random,
      emit,
      signal,
      later: (updateId) => inbox.leave(updateId),
      isShared,
    })
    const failed = (error: unknown, updateId: number) =>
      emit({ is: 'trouble', where: 'telegram', why: `update ${updateId} was not answered`, error })
    const router = createRouter({ token, root, failed }, routes)
    router.know(me)
    const inbox = createInbox<Update>({
      clock,
      signal,
      handle: (update) => router.handle(update),
      failed,
    })
    const tellOperator: Bot['tellOperator'] = (words, except) => bot.tellOperator(words, except)
    const poll = createPoll({ api, clock, random, emit, inbox, limits, tellOperator, reachable, mayAct })
    finish = async () => {
      await inbox.rest(isShared ? SHARED_STOP_MS : STOP_MS)
      await poll.confirm()
    }
    await keepRunning({ clock, random, signal }, broke, () => poll.run(signal))
    await menus
  }

  /** No updates arrive until the restart. */
  function broke(error: unknown): void {
    const why = `I hear nothing, and begin anew: ${errorText(error)}`
    reachable(why)
    emit({ is: 'trouble', where: 'telegram', why, error })
  }

  async function end(): Promise<void> {
    stopping.abort(new Error('stopping'))
    await endsWithin(clock, STOP_MS, running)
    await finish()
  }

  return {
    name: 'telegram',
    operatorSitsHere: false,
    mentions: false,
    destination: null,
    receipts: null,
    limits: SEND_LIMITS,
    async start(bot) {
      running = keepRunning({ clock, random, signal }, broke, () => run(bot))
    },
    async deliver({ to, message, silent, plain, possibleRepeat, replyTo, picture }, deadline) {
      const look = { now: clock.now(), possibleRepeat }
      const payload = picture
        ? renderCaption(message, look)
        : plain
          ? renderPlain(message, look)
          : render(message, look)
      // Numbers of messages do not move with their chat.
      const same = replyTo !== null && replyTo.address.chat === to.chat
      return sending.send(
        to,
        payload,
        {
          silent,
          replyTo: same ? replyTo.id : null,
          upload: picture ? uploadOf(picture, message.picture?.asFile) : null,
        },
        deadline,
      )
    },
    edit(ref, message, deadline) {
      const payload = render(message, { now: clock.now(), possibleRepeat: false })
      return sending.edit(ref, payload, deadline)
    },
    pin: (ref, isKept, deadline) => sending.pin(ref, isKept, deadline),
    inspect: (by, chat, deadline) =>
      inspectChat({ api, botId: Number(token.split(':')[0]) }, by, chat, deadline),
    stop: () => (ended ??= end()),
  }
}

/** Telegram compresses photos, and leaves documents as they are. */
function uploadOf(png: Uint8Array, asFile = false): Upload {
  const field = asFile ? 'document' : 'photo'
  return { field, name: 'picture.png', type: 'image/png', content: new Uint8Array(png) }
}

/** As much of it as the rest relies on. */
function isBot(value: unknown): value is UserFromGetMe {
  return isObject(value) && typeof value['id'] === 'number' && typeof value['username'] === 'string'
}
