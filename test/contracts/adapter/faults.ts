import { describe, expect, test, type TestContext } from 'vitest'

import type { Address, Identity } from '../../../src/message/address.ts'
import type { Delivery } from '../../../src/message/delivery.ts'
import { say } from '../../../src/message/message.ts'
import type { Absence, Faults, Platform, Where } from './platform.ts'
import { need, NEVER, on, type Session } from './session.ts'

const ENDINGS: [title: string, fault: keyof Faults, expected: Partial<Delivery>][] = [
  [
    'that is too much for a chat waits as long as the platform asks',
    'limited',
    { is: 'delayed', scope: 'chat', maybeSent: false },
  ],
  [
    'that is too much for the platform keeps them all waiting',
    'limitedEverywhere',
    { is: 'delayed', scope: 'platform', maybeSent: false },
  ],
  ['that meets a fault of the platform is tried again', 'serverError', { is: 'delayed' }],
  ['to nobody cannot have been sent', 'unreachable', { is: 'delayed', maybeSent: false }],
  ['whose answer is lost may have been sent', 'answerLost', { is: 'delayed', maybeSent: true }],
  ['that is refused for its words says why', 'rejected', { is: 'rejected' }],
]

/** How sends end that do not arrive, and what becomes of chats. */
export function testFaults(open: () => Promise<Platform>): void {
  describe('a send', () => {
    test.for(ENDINGS)('%s', ([, fault, expected], context) =>
      on(open, async (session) => {
        const { platform, home, deliver, texts } = session
        const cause = need<() => unknown>(context, platform.faults[fault])
        await home(platform.ann)
        const asked = await cause()
        const outcome = await deliver(say('the danger'))
        expect(outcome).toMatchObject(expected)
        if (outcome.is === 'delayed' && typeof asked === 'number') expect(outcome.retryAfterMs).toBe(asked)
        expectDiscreet(platform, outcome)
        await platform.settles()
        const arrived = (await texts(platform.ann, 'home')).join('\n').includes('the danger')
        expect(arrived).toBe(fault === 'answerLost')
        await goesOn(session)
      })(context),
    )

    test(
      'that hangs ends at once when it is given up, and may have been sent',
      on(open, async ({ platform, sending, adapter }, context) => {
        const hangs = need(context, platform.faults.hangs)
        const send = await sending(say('the danger'))
        await hangs()
        const limit = new AbortController()
        const delivery = adapter().deliver(send, limit.signal)
        await platform.settles()
        limit.abort(new Error('no answer within 20000 ms'))
        const outcome = await delivery
        expect(outcome).toMatchObject({ is: 'delayed', maybeSent: true })
        expectDiscreet(platform, outcome)
      }),
    )

    test(
      'that is given up before it began is not sent',
      on(open, async ({ platform, sending, adapter, texts }) => {
        const send = await sending(say('the danger'))
        const outcome = await adapter().deliver(send, AbortSignal.abort(new Error('stopping')))
        expect(outcome).toMatchObject({ is: 'delayed', maybeSent: false })
        await platform.settles()
        expect((await texts(platform.ann, 'home')).join('\n')).not.toContain('the danger')
      }),
    )

    test(
      'that hangs holds up no other chat',
      on(open, async ({ platform, home, sending, adapter, delivered }, context) => {
        const hangs = need(context, platform.faults.hangs)
        const ben = need(context, platform.ben)
        const to = await home(ben)
        const send = await sending(say('the danger'))
        await hangs()
        const limit = new AbortController()
        const stuck = adapter().deliver(send, limit.signal)
        await platform.settles()
        await delivered(say('for ben'), { to })
        limit.abort(new Error('no answer within 20000 ms'))
        expect(await stuck).toMatchObject({ is: 'delayed' })
      }),
    )
  })

  describe('a chat that locks us out', () => {
    const cases = [
      ['in private', 'home'],
      ['as a group', 'group'],
    ] as const

    test.for(cases)('%s is gone, and says why', ([, where], context) =>
      on(open, async (session) => {
        const { platform, deliver, adapter } = session
        const { chat, by, absence } = await lockable(session, context, where)
        await absence.begins()
        const outcome = await deliver(say('the danger'), { to: chat })
        expect(outcome).toMatchObject({ is: 'gone' })
        expectDiscreet(platform, outcome)
        expect(await deliver(say('the danger'), { to: chat, plain: true })).toMatchObject({ is: 'gone' })
        // A place that was named says so when it is told, and not before.
        if (platform.named) return
        expect(await adapter().inspect(by, chat, NEVER)).not.toMatchObject({ mayPost: true })
      })(context),
    )

    test.for(cases)('%s works again when it lets us in', ([, where], context) =>
      on(open, async (session) => {
        const { deliver, delivered } = session
        const { chat, absence } = await lockable(session, context, where)
        const ends = need(context, absence.ends)
        await absence.begins()
        await deliver(say('the danger'), { to: chat })
        await ends()
        await delivered(say('here again'), { to: chat })
      })(context),
    )

    test.for(cases)('%s is heard of without a send', ([, where], context) =>
      on(open, async (session) => {
        const { until, bot } = session
        const { chat, absence } = await lockable(session, context, where)
        need(context, absence.told)
        bot.changes.length = 0
        await absence.begins()
        await until('the bot is told', () => bot.changes.length > 0)
        const ends = 'lacks' in absence.ends ? null : absence.ends
        await ends?.()
        if (ends) await until('the bot is told', () => bot.changes.length > 1)
        const gone = { chat, to: 'gone' }
        expect(bot.changes).toEqual(ends ? [gone, { chat, to: 'back' }] : [gone])
      })(context),
    )
  })

  describe('a group that moves', () => {
    test(
      'says where to, and is heard of there',
      on(open, async ({ platform, met, deliver, delivered, until, bot, texts }, context) => {
        const { admin, moves } = need(context, platform.group)
        const { begins, told } = need(context, moves)
        const { chat } = await met(admin, 'group')
        await begins()
        const outcome = await deliver(say('the danger'), { to: chat })
        expect(outcome).toMatchObject({ is: 'moved' })
        const to = outcome.is === 'moved' ? outcome.to : chat
        expect(to).not.toEqual(chat)
        if (told === true) {
          const isIt = (change: (typeof bot.changes)[number]) =>
            JSON.stringify(change) === JSON.stringify({ chat, to: { moved: to } })
          await until('the bot is told', () => bot.changes.some(isIt))
        }
        await delivered(say('the danger'), { to })
        expect((await texts(admin, 'group')).filter((text) => text.includes('the danger'))).toHaveLength(1)
        expect((await met(admin, 'group')).chat).toEqual(to)
      }),
    )
  })
}

async function goesOn({ platform, delivered, met, texts }: Session): Promise<void> {
  await delivered(say('here again'))
  expect((await texts(platform.ann, 'home')).at(-1)).toContain('here again')
  if (!platform.named) await met(platform.ann, 'home')
}

async function lockable(
  { platform, home, met }: Session,
  context: TestContext,
  where: Where,
): Promise<{ chat: Address; by: Identity; absence: Absence }> {
  if (where === 'home') {
    const absence = need(context, platform.blocks)
    return { chat: await home(platform.ann), by: platform.ann, absence }
  }
  const { admin, kicks } = need(context, platform.group)
  const absence = need(context, kicks)
  return { chat: (await met(admin, 'group')).chat, by: admin, absence }
}

/** The operator learns why, but no secret. */
function expectDiscreet({ secrets }: Platform, delivery: Delivery): void {
  if ('why' in delivery) expect(delivery.why).not.toBe('')
  for (const secret of secrets) expect(JSON.stringify(delivery)).not.toContain(secret)
}
