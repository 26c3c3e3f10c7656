import { expect, type TestContext } from 'vitest'

import type { ChatAdapter, Inbound, Send } from '../../../src/chat/chat.ts'
import type { Address, Identity, SentRef } from '../../../src/message/address.ts'
import type { Delivery } from '../../../src/message/delivery.ts'
import type { Message } from '../../../src/message/message.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import type { Maybe, Platform, Where } from './platform.ts'
import { createScriptedBot, type Heard, type ScriptedBot } from './scripted-bot.ts'

/** One test on one platform: the adapter is started, and stopped at its end without leaving anything. */
export interface Session {
  platform: Platform
  bot: ScriptedBot
  /** The running instance. */
  adapter(): ChatAdapter
  /** Says a line and waits until the bot has heard it. */
  said(who: Identity, where: Where, line: string): Promise<Heard>
  /** Says a line, waits for its answer to be seen, and returns who spoke from where. */
  met(who: Identity, where: Where): Promise<Inbound>
  /** The private chat with somebody, whom the bot has met by then, or the place that they have named. */
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
  /** Stops what runs and starts a new instance with a new bot behind it. */
  restart(): Promise<void>
}

export const NEVER = new AbortController().signal
/** Longer than any adapter may take to stop. */
const STOP_MS = 60_000

/** Runs a test in a world of its own. */
export function on(
  open: () => Promise<Platform>,
  test: (session: Session, context: TestContext) => Promise<void>,
): (context: TestContext) => Promise<void> {
  return async (context) => {
    const platform = await open()
    let { adapter } = platform
    try {
      const session = await begin(platform, context, {
        adapter: () => adapter,
        renew: async () => void (adapter = await platform.reopen()),
      })
      await test(session, context)
      await stopped(platform, adapter)
    } finally {
      // A failed test has stopped nothing yet.
      await stopping(platform, adapter).catch(() => {})
      await platform.close()
    }
  }
}

/** What the platform has, or the test ends here, skipped with the reason. */
export function need<T>(context: TestContext, thing: Maybe<T>): T {
  if (typeof thing === 'object' && thing !== null && 'lacks' in thing) return context.skip(thing.lacks)
  return thing
}

/** Stops within bounds, the clock turned on as long as that takes. */
export async function stopping({ clock, settles }: Platform, adapter: ChatAdapter): Promise<void> {
  let over = false
  const stop = adapter.stop().finally(() => (over = true))
  // As a rule it takes no time.
  await settles()
  for (let passed = 0; !over && passed < STOP_MS; passed += 1_000) await clock.advance(1_000)
  await stop
}

async function stopped(platform: Platform, adapter: ChatAdapter): Promise<void> {
  await stopping(platform, adapter)
  await platform.settles()
  expect(platform.leftovers(), 'still runs after stop()').toEqual([])
  const told = JSON.stringify(platform.events, (_key, value: unknown) =>
    value instanceof Error ? `${value.message} ${value.stack}` : value,
  )
  for (const secret of platform.secrets) expect(told).not.toContain(secret)
}

async function begin(
  opened: Platform,
  context: TestContext,
  instance: { adapter(): ChatAdapter; renew(): Promise<void> },
): Promise<Session> {
  const nobodySpeaks = () => context.skip('nobody speaks there: it is a place where people are told')
  const platform = opened.named ? { ...opened, says: nobodySpeaks } : opened
  const bot = createScriptedBot()
  let inputs = 0
  let sends = 0
  let ann: Inbound | null = null
  await instance.adapter().start(bot)
  await platform.settles()

  const texts = async (who: Identity, where: Where) =>
    (await platform.sees(who, where)).map(({ text }) => text)
  const until: Session['until'] = async (what, so) => {
    // Real sockets take real time; nothing else does.
    const patienceEnds = performance.now() + PATIENCE_MS
    while (!(await so())) {
      if (performance.now() > patienceEnds) throw new Error(`waited in vain until ${what}`)
      await platform.settles()
    }
  }
  const said: Session['said'] = async (who, where, line) => {
    const before = bot.heard.length
    const isMine = ({ from, text }: Heard) => from.by.user === who.user && text === line
    const found = () => bot.heard.slice(before).find(isMine)
    await platform.says(who, where, line)
    await until(`the bot has heard ${line}`, () => found() !== undefined)
    const heard = found()
    if (!heard) throw new Error('heard and forgotten')
    return heard
  }
  const shown: Session['shown'] = (who, where, words) =>
    until(`${who.user} sees "${words}"`, async () =>
      (await texts(who, where)).some((text) => text.includes(words)),
    )
  const met: Session['met'] = async (who, where) => {
    const word = `hello${++inputs}`
    const { from } = await said(who, where, `/show ${word}`)
    await shown(who, where, answerTo(word))
    // Known from now on: no further answer goes to them before what the test sends.
    if (where === 'home' && who.user === platform.ann.user) ann ??= from
    return from
  }
  const home: Session['home'] = async (who) => {
    if (platform.named) return platform.named(who)
    if (who.user === platform.ann.user && ann) return ann.home
    return (await met(who, 'home')).home
  }
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
  return {
    platform,
    bot,
    adapter: instance.adapter,
    texts,
    until,
    said,
    shown,
    met,
    home,
    sending,
    deliver,
    async delivered(message, rest) {
      const delivery = await deliver(message, rest)
      if (delivery.is !== 'sent') throw new Error(`not sent: ${JSON.stringify(delivery)}`)
      await platform.settles()
      return delivery.ref
    },
    async restart() {
      await stopped(platform, instance.adapter())
      await instance.renew()
      await instance.adapter().start(bot)
      await platform.settles()
    },
  }
}

/** What the scripted bot answers to `/show word`, unless told otherwise. */
export function answerTo(word: string): string {
  return `about ${word}.`
}
