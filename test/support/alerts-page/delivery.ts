import { rmSync } from 'node:fs'

import { publication } from '../../../adapters/ntfy/ntfy.ts'
import { bodyOf } from '../../../adapters/webhook/webhook.ts'
import type { Send } from '../../../src/chat/notifier.ts'
import type { Delivery } from '../../../src/message/delivery.ts'
import { pushTitle } from '../../../src/message/push-title.ts'
import type { BotUnderTest } from '../bot.ts'
import { blue, CALM, type Chapter, forget, goes, goesDown, MINUTE_MS, passes, TWO } from './scene.ts'

/** What the next message there is made of, in the adapter's hands. */
function caught(bot: BotUnderTest, chat: string, platform: string): Send[] {
  const sends: Send[] = []
  bot.platforms.get(platform)?.delivers(chat, (send) => {
    sends.push(send)
    return undefined as unknown as Delivery
  })
  return sends
}

const PAGER = { platforms: ['red', 'blue'], places: ['pager'] }

/** What a pager is told when something is critical. */
async function paged(bot: BotUnderTest): Promise<Send[]> {
  await bot.says('/settings pager my-phone')
  await bot.says('/settings fallback pager')
  await bot.says('/settings escalate now')
  forget(bot)
  const sends = caught(bot, 'my-phone', 'pager')
  await goes(bot, 94_000)
  return sends
}

export const delivery: Chapter = {
  title: 'Late, repeated, refused',
  sections: [
    {
      title: 'A message is late',
      words: 'The message says how late it is, and what is newer.',
      async play(bot) {
        const up = goesDown(bot)
        await goes(bot, 98_000)
        await bot.pass(3 * MINUTE_MS)
        up()
        return passes(bot, MINUTE_MS)
      },
    },
    {
      title: 'A message may have arrived already',
      words: 'It is sent again, marked as a possible repeat.',
      async play(bot) {
        const lost = {
          is: 'delayed',
          retryAfterMs: null,
          scope: 'chat',
          maybeSent: true,
          why: 'cut',
        } as const
        bot.delivers(() => lost)
        return goes(bot, 94_000)
      },
    },
    {
      title: 'Several waited while the platform was down',
      words: 'One message: what is on now, with its figures, then what happened, the worst first.',
      options: CALM,
      async play(bot) {
        const up = goesDown(bot)
        await goes(bot, 98_000, MINUTE_MS)
        await goes(bot, 94_000, MINUTE_MS)
        await goes(bot, 130_000, MINUTE_MS)
        await goes(bot, 92_000, 2 * MINUTE_MS)
        up()
        return passes(bot, MINUTE_MS)
      },
    },
    {
      title: 'The alert is over by then',
      words: 'It rings for nobody.',
      options: CALM,
      async play(bot) {
        const up = goesDown(bot)
        await goes(bot, 94_000, MINUTE_MS)
        await goes(bot, 130_000, 2 * MINUTE_MS)
        up()
        return passes(bot, MINUTE_MS)
      },
    },
    {
      title: 'A chat is gone, and back',
      words: '',
      options: TWO,
      async play(bot) {
        bot.platforms.get('red')?.blocks('me')
        await goes(bot, 94_000)
        const away = bot.hears('me', 'blue').slice(0, 2)
        bot.platforms.get('red')?.blocks('me', false)
        await bot.pass(5_000)
        return [{ note: 'On the fallback:' }, ...away, { note: 'Back in the first chat:' }, ...bot.hears()]
      },
    },
    {
      title: 'A platform refuses a message',
      words: 'Also as plain text. Somebody is notified elsewhere.',
      options: TWO,
      async play(bot) {
        const refuse = (): Delivery => ({ is: 'rejected', why: 'bad markup' })
        bot.platforms.get('red')?.delivers('me', refuse, refuse)
        await goes(bot, 94_000)
        return bot.hears('me', 'blue')
      },
    },
    {
      title: 'Nothing can be saved',
      words: 'The operator is notified past the outbox, which can’t be written.',
      async play(bot) {
        const { database } = bot
        rmSync(database)
        return (await passes(bot, 15_000)).map((text) => text.replaceAll(database, 'data/perch.sqlite'))
      },
    },
    {
      title: 'A test, and a drill',
      words: '`/drill` sends a critical alert through the whole chain.',
      options: { ...TWO, places: ['pager'] },
      async play(bot) {
        await bot.says('/settings pager my-phone')
        const test = bot.hears('my-phone', 'pager')
        const answer = await bot.says('/drill')
        const drills = [...bot.hears(), ...bot.hears('me', 'blue')]
        await bot.pass(MINUTE_MS)
        return [...test, answer, ...drills, await bot.says('/drill ack', blue)]
      },
    },
    {
      title: 'On ntfy, with buttons',
      words: 'With `PUBLIC_URL`, an alert can be acknowledged in its notification.',
      options: PAGER,
      async play(bot) {
        return (await paged(bot)).map((send) => {
          const at = { topic: 'my-phone', now: bot.clock.now(), call: null, linkFor: () => '' }
          const { title, message, actions } = JSON.parse(publication(send, at)) as {
            title: string
            message: string
            actions: { label: string }[]
          }
          return `${title}\n\n${message}\n\n${actions.map(({ label }) => `[${label}]`).join(' ')}`
        })
      },
    },
    {
      title: 'Where there are no buttons',
      words:
        'ntfy without `PUBLIC_URL`, and Pushover, show a title and a text; docs/away.md says how they ring.',
      options: PAGER,
      async play(bot) {
        return (await paged(bot)).flatMap((send) => {
          const reader = { now: bot.clock.now(), zone: 'UTC' }
          const { title, text } = pushTitle(send.message, { ...send, reader }, () => true)
          const body = JSON.parse(bodyOf({ ...send, key: 'perch-7' }, bot.clock.now())) as object
          const hook = JSON.stringify({ ...body, id: '…' }, null, 2)
          return [`${title}\n\n${text}`, { note: 'What a webhook is sent:' }, hook]
        })
      },
    },
  ],
}
