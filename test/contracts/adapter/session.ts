import { expect, test } from 'vitest'

import type { Inbound } from '../../../src/chat/bot.ts'
import type { Conversation } from '../../../src/chat/conversation.ts'
import type { Notifier, Send } from '../../../src/chat/notifier.ts'
import type { Address, Identity, SentRef } from '../../../src/message/address.ts'
import type { Delivery } from '../../../src/message/delivery.ts'
import type { Message } from '../../../src/message/message.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import type { ConversationPlatform, NotifierPlatform, Platform, Where } from './platform.ts'
import { createScriptedBot, type Heard, type ScriptedBot } from './scripted-bot.ts'

/** One test on one platform: the adapter is started, and stopped at its end without leaving anything. */
export interface Session {
  platform: Platform
  /** The running instance. */
  adapter(): Notifier
  /** The address at which this person is told something in private. */
  home(who: Identity): Promise<Address>
  /** The texts that this person sees there. */
  texts(who: Identity, where: Where): Promise<string[]>
  /** Waits until one of these texts contains this. */
  shown(who: Identity, where: Where, words: string): Promise<void>
  /** Waits until this is so. */
  until(what: string, so: () => boolean | Promise<boolean>): Promise<void>
  /** A send to ann's private chat, unless said. */
  sending(message: Message, rest?: Partial<Send>): Promise<Send>
  deliver(message: Message, rest?: Partial<Send>): Promise<Delivery>
  /** The same, where it has to be sent. */
  delivered(message: Message, rest?: Partial<Send>): Promise<SentRef>
  /** Ann is still answered, where people speak. */
  goesOn(): Promise<void>
  /** Stops the running instance and starts a new one. */
  restart(): Promise<void>
}

/** The same on a platform where people speak, with the scripted bot behind it. */
export interface Talk extends Session {
  platform: ConversationPlatform
  bot: ScriptedBot
  adapter(): Conversation
  /** Says a line and waits until the bot has heard it. */
  said(who: Identity, where: Where, line: string): Promise<Heard>
  /** Says a line, waits for its answer to be seen, and returns who spoke from where. */
  met(who: Identity, where: Where): Promise<Inbound>
}

/** The tests of one platform: `sample` tells which there are, `on` runs one in a world of its own. */
export interface Suite<S extends Session> {
  sample: S['platform']
  on: (test: (session: S) => Promise<void>) => () => Promise<void>
}

/** A test of something that not every platform can do. */
export function testWhere(can: boolean, title: string, run: () => Promise<void>): void {
  const register: (title: string, run: () => Promise<void>) => void = can ? test : () => {}
  register(title, run)
}

export const NEVER = new AbortController().signal
/** Longer than any adapter may take to stop. */
const STOP_MS = 60_000

export async function notifierSuite(open: () => Promise<NotifierPlatform>): Promise<Suite<Session>> {
  return {
    sample: await sampled(open),
    on: (test) => inItsOwnWorld(open, beginTelling, test),
  }
}

export async function conversationSuite(open: () => Promise<ConversationPlatform>): Promise<Suite<Talk>> {
  return {
    sample: await sampled(open),
    on: (test) => inItsOwnWorld(open, beginTalking, test),
  }
}

/** A platform that no test runs on. */
async function sampled<P extends Platform>(open: () => Promise<P>): Promise<P> {
  const platform = await open()
  await stopping(platform, platform.adapter)
  await platform.close()
  return platform
}

interface Instance<A extends Notifier> {
  adapter(): A
  /** Stops it, and opens a new one. */
  renew(): Promise<void>
}

function inItsOwnWorld<P extends Platform, S extends Session>(
  open: () => Promise<P>,
  begin: (platform: P, instance: Instance<P['adapter']>) => Promise<S>,
  test: (session: S) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const platform = await open()
    let adapter: P['adapter'] = platform.adapter
    try {
      const session = await begin(platform, {
        adapter: () => adapter,
        async renew() {
          await stopped(platform, adapter)
          adapter = await platform.reopen()
        },
      })
      await test(session)
      await stopped(platform, adapter)
    } finally {
      // A failed test has stopped nothing yet.
      await stopping(platform, adapter).catch(() => {})
      await platform.close()
    }
  }
}

/** Stops within bounds, the clock turned on as long as that takes. */
export async function stopping({ clock, settles }: Platform, adapter: Notifier): Promise<void> {
  let over = false
  const stop = adapter.stop().finally(() => (over = true))
  // As a rule it takes no time.
  await settles()
  for (let passed = 0; !over && passed < STOP_MS; passed += 1_000) await clock.advance(1_000)
  await stop
}

async function stopped(platform: Platform, adapter: Notifier): Promise<void> {
  await stopping(platform, adapter)
  await platform.settles()
  expect(platform.leftovers(), 'still runs after stop()').toEqual([])
  const told = JSON.stringify(platform.events, (_key, value: unknown) =>
    value instanceof Error ? `${value.message} ${value.stack}` : value,
  )
  for (const secret of platform.secrets) expect(told).not.toContain(secret)
}

async function beginTelling(platform: NotifierPlatform, instance: Instance<Notifier>): Promise<Session> {
  const start = async () => {
    const alerts = { rings: () => false, acknowledged: async () => {}, loudCriticals: async () => [] }
    await instance.adapter().receipts?.start(alerts)
    await platform.settles()
  }
  await start()
  return {
    platform,
    adapter: instance.adapter,
    ...telling(platform, instance, async (who) => platform.named(who)),
    goesOn: async () => {},
    async restart() {
      await instance.renew()
      await start()
    },
  }
}

async function beginTalking(platform: ConversationPlatform, instance: Instance<Conversation>): Promise<Talk> {
  const bot = createScriptedBot()
  let inputs = 0
  let ann: Inbound | null = null
  const start = async () => {
    await instance.adapter().start(bot)
    await platform.settles()
  }
  await start()

  const home: Session['home'] = async (who) => {
    if (who.user === platform.ann.user && ann) return ann.home
    return (await met(who, 'home')).home
  }
  const session = telling(platform, instance, home)
  const said: Talk['said'] = async (who, where, line) => {
    const before = bot.heard.length
    const isMine = ({ from, text }: Heard) => from.by.user === who.user && text === line
    const found = () => bot.heard.slice(before).find(isMine)
    await platform.says(who, where, line)
    await session.until(`the bot has heard ${line}`, () => found() !== undefined)
    const heard = found()
    if (!heard) throw new Error('heard and forgotten')
    return heard
  }
  const met: Talk['met'] = async (who, where) => {
    const word = `hello${++inputs}`
    const { from } = await said(who, where, `/show ${word}`)
    await session.shown(who, where, answerTo(word))
    // Known from now on: no further answer goes to them before what the test sends.
    if (where === 'home' && who.user === platform.ann.user) ann ??= from
    return from
  }
  return {
    ...session,
    ...{ platform, bot, said, met },
    adapter: instance.adapter,
    goesOn: async () => void (await met(platform.ann, 'home')),
    async restart() {
      await instance.renew()
      await start()
    },
  }
}

/** The part of a session that every platform has. */
function telling(platform: Platform, instance: Instance<Notifier>, home: Session['home']) {
  let sends = 0
  const texts: Session['texts'] = async (who, where) =>
    (await platform.sees(who, where)).map(({ text }) => text)
  const until: Session['until'] = async (what, so) => {
    // Real sockets take real time; nothing else does.
    const patienceEnds = performance.now() + PATIENCE_MS
    while (!(await so())) {
      if (performance.now() > patienceEnds) throw new Error(`waited in vain until ${what}`)
      await platform.settles()
    }
  }
  const shown: Session['shown'] = (who, where, words) =>
    until(`${who.user} sees "${words}"`, async () =>
      (await texts(who, where)).some((text) => text.includes(words)),
    )
  const sending: Session['sending'] = async (message, rest = {}) => {
    const to = rest.to ?? (await home(platform.ann))
    const flags = {
      silent: false,
      plain: false,
      possibleRepeat: false,
      alertIds: [],
      replyTo: null,
      mention: null,
    }
    return { to, key: `perch-${++sends}`, message, ...flags, ...rest }
  }
  const deliver: Session['deliver'] = async (message, rest) =>
    instance.adapter().deliver(await sending(message, rest), NEVER)
  const delivered: Session['delivered'] = async (message, rest) => {
    const delivery = await deliver(message, rest)
    if (delivery.is !== 'sent') throw new Error(`not sent: ${JSON.stringify(delivery)}`)
    await platform.settles()
    return delivery.ref
  }
  return { home, texts, until, shown, sending, deliver, delivered }
}

/** The scripted bot's answer to `/show word`, unless told otherwise. */
export function answerTo(word: string): string {
  return `about ${word}.`
}
