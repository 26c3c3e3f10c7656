import type { Bot, Inbound } from '../../src/chat/bot.ts'
import type { Conversation } from '../../src/chat/conversation.ts'
import type { CriticalAlerts, Notifier, Send } from '../../src/chat/notifier.ts'
import { inOrder } from '../../src/lib/flow/in-order.ts'
import type { Address, Identity, SentRef } from '../../src/message/address.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { type Button, type Message, plainLines, say, words } from '../../src/message/message.ts'
import { type Clock, endsWithin } from '../../src/runtime/clock.ts'
import type { Emit } from '../../src/runtime/event.ts'

/** Where something is said: privately, or in a group whose rights the test gives. */
export interface Place {
  chat: string
  mayConfigure?: boolean
  /** The platform can show an answer to one person alone there. */
  whisper?: boolean
}

/** How a send ends that does not simply arrive. */
export type CloseRecord = (send: Send, signal: AbortSignal) => Delivery | Promise<Delivery>

export type AnswerEnding = (signal: AbortSignal) => Delivery | Promise<Delivery>

/** What stands in a chat. */
export interface Posted {
  id: string
  chat: string
  text: string
  silent: boolean
  plain: boolean
  buttons: Button[]
  /** When it was last written: wall time. */
  at: number
  /** Null for everybody. */
  onlyFor: string | null
  pinned: boolean
}

/** A platform that keeps what everybody would read. */
export interface Recorder {
  /** May be started again after it was stopped: what was said meanwhile, or not finished, comes then. */
  adapter: Notifier
  /** Somebody says a line, privately or in a group; what comes back, whoever sees it. */
  says(user: string, line: string, place?: Place, writtenAt?: number): Promise<string>
  /** The same with the message as it is. */
  asks(user: string, line: string, place?: Place): Promise<Message>
  /** Taps the newest button of that label that this person sees. */
  taps(user: string, label: string, place?: Place): Promise<Message>
  /** Everything that this person sees in a chat, alerts and answers, as it stands now. */
  sees(user: string, chat: string): Posted[]
  /** The newest message there is deleted. */
  removes(chat: string): void
  /** What was sent to a chat since the last look. */
  hears(chat: string): string[]
  /** How the next sends to a chat end, in order; they follow it when it moves. */
  delivers(chat: string, ...endings: CloseRecord[]): void
  /** How the next answers to a chat end, in order. */
  answersEnd(chat: string, ...endings: AnswerEnding[]): void
  /** Locks the bot out, or lets it in again; the bot is told. */
  blocks(chat: string, blocked?: boolean): void
  /** The group gets another id; the bot is told. */
  moves(chat: string, to: string): void
  /** The bot that it was started with. */
  bot(): Bot
  /** The same for a place where people are only told. */
  criticalAlerts(): CriticalAlerts
  /** Groups that exist, with their titles and our right to post. */
  groups: Map<string, { title: string; mayPost: boolean; configurers: string[]; mayPin?: boolean }>
}

interface Input {
  from: Inbound
  line: string
  /** The message whose place the answer takes. */
  replaces: Posted | null
  resolve(message: Message): void
  reject(error: unknown): void
}

/** The circumstances of an input. */
interface Told {
  replaces: Posted | null
  writtenAt: number
  seenUntil: number
}

/** From a start to its stop. */
interface Run {
  bot: Bot
  answering: ReturnType<typeof inOrder>
  showing: ReturnType<typeof inOrder>
  underWay: Set<Promise<void>>
  /** What it still had to say is not shown. */
  over: boolean
}

const FREELY = { burst: 1_000, perSecond: 1_000 }
/** How long an answer that is under way may hold up the end. */
const STOP_MS = 2_000

/** A platform on which people speak. */
export function createRecorder(
  name: string,
  clock: Clock,
  operatorSitsHere = false,
  emit: Emit = () => {},
): Recorder & { adapter: Conversation } {
  const { recorder, shared, start, inspect } = record(name, clock, emit)
  const only = { operatorSitsHere, mentions: false, destination: null, receipts: null }
  return { ...recorder, adapter: { ...shared, ...only, start, inspect } }
}

/** A platform on which people name a place and are only told. */
export function createRecordingNotifier(name: string, clock: Clock): Recorder {
  const { recorder, shared } = record(name, clock, () => {})
  let alerts: CriticalAlerts | null = null
  return {
    ...recorder,
    criticalAlerts() {
      if (!alerts) throw new Error(`${name} is not started`)
      return alerts
    },
    adapter: {
      ...shared,
      destination: {
        what: 'a name without spaces',
        example: 'my-phone',
        async check(typed) {
          if (typed.startsWith('inner-')) return { invalid: `${typed} is in a private network` }
          if (/\s/.test(typed)) return null
          return { address: { platform: name, chat: typed, thread: null }, title: `…${typed.slice(-2)}` }
        },
      },
      receipts: { start: async (given) => void (alerts = given) },
    },
  }
}

function record(name: string, clock: Clock, emit: Emit) {
  const heard = new Map<string, string[]>()
  const scripted = new Map<string, CloseRecord[]>()
  const answerEndings = new Map<string, AnswerEnding[]>()
  const groups: Recorder['groups'] = new Map()
  const blocked = new Set<string>()
  const moved = new Map<string, Address>()
  const posts: Posted[] = []
  /** In order; an input stays until its answer is there. */
  const inbox = new Set<Input>()
  let run: Run | null = null
  let ids = 0

  const text = (message: Message) => plainLines(message, { now: clock.now(), zone: 'UTC' }).join('\n')
  const worded = (message: Message, possibleRepeat: boolean) =>
    `${possibleRepeat ? '(possible repeat) ' : ''}${text(message)}`
  const at = (chat: string): Address => ({ platform: name, chat, thread: null })
  const visible = (user: string, chat: string) =>
    posts.filter((post) => post.chat === chat && (post.onlyFor ?? user) === user)
  const content = (message: Message) => ({
    text: text(message),
    buttons: [...message.items.flatMap((item) => item.buttons), ...message.buttons],
  })
  const post = (chat: string, message: Message, rest: Partial<Posted> = {}): string => {
    const id = String(++ids)
    posts.push({
      id,
      chat,
      ...content(message),
      at: clock.now(),
      silent: false,
      plain: false,
      onlyFor: null,
      pinned: false,
      ...rest,
    })
    return id
  }

  const enter = async (
    user: string,
    line: string,
    place?: Place,
    { replaces = null, writtenAt = clock.now(), seenUntil = writtenAt }: Partial<Told> = {},
  ) => {
    const {
      chat,
      mayConfigure = false,
      whisper = false,
    } = place ?? { chat: user, mayConfigure: true, whisper: true }
    const who = {
      id: String(++ids),
      by: { platform: name, user },
      name: user,
      home: at(user),
      private: !place,
    }
    const times = { writtenAt, seenUntil }
    const from: Inbound = {
      ...who,
      ...times,
      ...(replaces === null ? {} : { inPlace: true as const }),
      chat: at(chat),
      mayConfigure,
      whisper,
      answersApart: false,
      language: null,
    }
    return new Promise<Message>((resolve, reject) => {
      const input = { from, line, replaces, resolve, reject }
      inbox.add(input)
      if (run) handle(run, input)
    })
  }

  /** One person's lines one after the other; what they lead to is shown in that order as well. */
  const handle = (mine: Run, input: Input): void => {
    const { from, line } = input
    const person = from.by.user
    const work = mine.answering(person, async () => {
      if (run !== mine) return
      const answer = mine.bot.line(from, line)
      answer.then(input.resolve, input.reject)
      const message = await answer.catch((error: unknown) => {
        emit({ is: 'trouble', where: name, why: 'a line was not answered', error })
        return say('That did not work, and the fault is mine.')
      })
      const shown = mine.showing(person, () => show(mine, input, message))
      keep(mine, shown)
    })
    keep(mine, work)
  }
  const keep = ({ underWay }: Run, work: Promise<void>) => {
    const kept = work
      .catch((error: unknown) => emit({ is: 'trouble', where: name, why: 'an answer was not shown', error }))
      .finally(() => underWay.delete(kept))
    underWay.add(kept)
  }
  const show = async (mine: Run, input: Input, message: Message): Promise<void> => {
    const { from, line, replaces } = input
    const personal =
      !from.private && mine.bot.audience(from, line.replace(/^\//, '').split(' ')[0] ?? '') === 'person'
    const { items, table, footnote } = message
    if (items.length > 0 || table !== null || footnote !== null) {
      await mine.bot.answer(from.chat, async (to, { plain, possibleRepeat }, signal) => {
        const ref = { address: to, id: replaces?.id ?? '' }
        if (mine.over) return { is: 'sent', ref }
        const ending = await answerEndings.get(to.chat)?.shift()?.(signal)
        if (ending) return ending
        if (replaces && !personal) {
          Object.assign(replaces, content(message), { at: clock.now() })
          return { is: 'sent', ref }
        }
        const text = worded(message, possibleRepeat)
        const id = post(to.chat, message, {
          text,
          plain,
          onlyFor: personal && from.whisper ? from.by.user : null,
        })
        return { is: 'sent', ref: { address: to, id } }
      })
    }
    if (!mine.over) inbox.delete(input)
  }

  const delivers = (chat: string, ...endings: CloseRecord[]) =>
    void scripted.set(chat, [...(scripted.get(chat) ?? []), ...endings])

  async function deliver(send: Send, signal: AbortSignal): Promise<Delivery> {
    const { chat } = send.to
    if (signal.aborted) return late(false)
    const outcome = await scripted.get(chat)?.shift()?.(send, signal)
    if (outcome) {
      if (outcome.is === 'moved') delivers(outcome.to.chat, ...(scripted.get(chat)?.splice(0) ?? []))
      return outcome
    }
    const to = moved.get(chat)
    if (to) return { is: 'moved', to }
    if (blocked.has(chat)) return { is: 'gone', why: 'we are locked out' }
    const { message, silent, plain, possibleRepeat } = send
    const words = worded(message, possibleRepeat)
    const id = post(chat, message, { text: words, silent, plain })
    heard.set(chat, [...(heard.get(chat) ?? []), words])
    return { is: 'sent', ref: { address: send.to, id } }
  }

  const recorder: Omit<Recorder, 'adapter'> = {
    asks: (user, line, place) => enter(user, line, place),
    groups,
    says: async (user, line, place, writtenAt) =>
      text(await enter(user, line, place, writtenAt === undefined ? {} : { writtenAt })),
    async taps(user, label, place) {
      const there = visible(user, place?.chat ?? user)
      const all = there.flatMap((target) => target.buttons.map((button) => ({ target, button })))
      const { target, button } = all.findLast((one) => one.button.label === label) ?? {}
      if (!target || !button) throw new Error(`${user} sees no button ${label}`)
      const replaces = button.replace ? target : null
      return enter(user, button.line, place, { replaces, seenUntil: target.at })
    },
    sees: visible,
    bot() {
      if (!run) throw new Error(`${name} is not started`)
      return run.bot
    },
    criticalAlerts() {
      throw new Error(`${name} is a conversation`)
    },
    removes: (chat) => void posts.splice(posts.lastIndexOf(visible(chat, chat).at(-1) as Posted), 1),
    hears: (chat) => heard.get(chat)?.splice(0) ?? [],
    delivers,
    answersEnd: (chat, ...endings) =>
      void answerEndings.set(chat, [...(answerEndings.get(chat) ?? []), ...endings]),
    blocks(chat, now = true) {
      blocked[now ? 'add' : 'delete'](chat)
      run?.bot.chatChanged(at(chat), now ? 'gone' : 'back')
    },
    moves(chat, to) {
      const group = groups.get(chat)
      if (group) groups.set(to, group)
      groups.delete(chat)
      moved.set(chat, at(to))
      run?.bot.chatChanged(at(chat), { moved: at(to) })
    },
  }
  return {
    recorder,
    async start(given: Bot) {
      run = { bot: given, answering: inOrder(), showing: inOrder(), underWay: new Set(), over: false }
      for (const input of inbox) handle(run, input)
    },
    async inspect(by: Identity, address: Address) {
      const { chat } = address
      const open = !blocked.has(chat)
      if (chat === by.user) return { address, title: chat, mayConfigure: true, mayPost: open }
      const group = groups.get(chat)
      if (!group) return null
      const mayConfigure = group.configurers.includes(by.user)
      return { address, title: group.title, mayConfigure, mayPost: group.mayPost && open }
    },
    shared: {
      name,
      limits: { platform: FREELY, chat: FREELY, group: null },
      deliver,
      async edit(ref: SentRef, message: Message): Promise<Delivery> {
        const old = posts.find(({ id, chat }) => id === ref.id && chat === ref.address.chat)
        if (!old) return { is: 'rejected', why: 'there is no such message' }
        Object.assign(old, content(message), { at: clock.now() })
        return { is: 'sent', ref }
      },
      async pin({ id, address: { chat } }: SentRef, isKept: boolean) {
        const posted = posts.find((one) => one.id === id && one.chat === chat)
        if (groups.get(chat)?.mayPin === false) return words('card.pin.rights')
        if (posted) posted.pinned = isKept
        return posted ? null : 'there is no such message'
      },
      async stop() {
        const mine = run
        if (!mine) return
        run = null
        await endsWithin(clock, STOP_MS, finished(mine))
        mine.over = true
      },
    },
  }
}

async function finished({ underWay }: Run): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay)
}

function late(maybeSent: boolean): Delivery {
  return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent, why: 'it was given up' }
}
