import { describe, expect, test } from 'vitest'

import type { Address, Identity } from '../../../src/message/address.ts'
import type { Delivery } from '../../../src/message/delivery.ts'
import { say } from '../../../src/message/message.ts'
import {
  type ConversationPlatform,
  type Faults,
  given,
  has,
  type HeardAbsence,
  type Maybe,
  type Platform,
  type Where,
} from './platform.ts'
import { NEVER, type Session, type Suite, type Talk, testWhere } from './session.ts'

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

/** How failed sends end, and what a locked private chat leads to. */
export function testFaults({ sample, on }: Suite<Session>): void {
  describe('a send', () => {
    for (const [title, fault, expected] of ENDINGS) {
      testWhere(
        has<unknown>(sample.faults[fault]),
        title,
        on(async ({ platform, home, deliver, texts, delivered, goesOn }) => {
          const cause = given<() => unknown>(platform.faults[fault])
          await home(platform.ann)
          const asked = await cause()
          const outcome = await deliver(say('the danger'))
          expect(outcome).toMatchObject(expected)
          if (outcome.is === 'delayed' && typeof asked === 'number') expect(outcome.retryAfterMs).toBe(asked)
          expectDiscreet(platform, outcome)
          await platform.settles()
          const arrived = (await texts(platform.ann, 'home')).join('\n').includes('the danger')
          expect(arrived).toBe(fault === 'answerLost')
          await delivered(say('here again'))
          expect((await texts(platform.ann, 'home')).at(-1)).toContain('here again')
          await goesOn()
        }),
      )
    }

    testWhere(
      has(sample.faults.hangs),
      'that hangs ends at once when it is given up, and may have been sent',
      on(async ({ platform, sending, adapter }) => {
        const hangs = given(platform.faults.hangs)
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
      on(async ({ platform, sending, adapter, texts }) => {
        const send = await sending(say('the danger'))
        const outcome = await adapter().deliver(send, AbortSignal.abort(new Error('stopping')))
        expect(outcome).toMatchObject({ is: 'delayed', maybeSent: false })
        await platform.settles()
        expect((await texts(platform.ann, 'home')).join('\n')).not.toContain('the danger')
      }),
    )

    testWhere(
      has(sample.faults.hangs) && has(sample.ben),
      'that hangs holds up no other chat',
      on(async ({ platform, home, sending, adapter, delivered }) => {
        const hangs = given(platform.faults.hangs)
        const to = await home(given(platform.ben))
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

  const { blocks } = sample
  if (!has(blocks)) return
  describe('a private chat that locks us out', () => {
    test(
      'is gone, and says why',
      on(async ({ platform, home, deliver }) => {
        const to = await home(platform.ann)
        await given(platform.blocks).begins()
        await expectGone(platform, () => deliver(say('the danger'), { to }))
        await expectGone(platform, () => deliver(say('the danger'), { to, plain: true }))
      }),
    )

    testWhere(
      has(blocks.ends),
      'works again when it lets us in',
      on(async ({ platform, home, deliver, delivered }) => {
        const to = await home(platform.ann)
        const { begins, ends } = given(platform.blocks)
        await begins()
        await deliver(say('the danger'), { to })
        await given(ends)()
        await delivered(say('here again'), { to })
      }),
    )
  })
}

/** What a conversation learns of chats that lock us out or move. */
export function testLockouts({ sample, on }: Suite<Talk>): void {
  describe('a chat that locks us out', () => {
    const all = [
      ['in private', 'home'],
      ['as a group', 'group'],
    ] as const
    const cases = all.filter(([, where]) => has(absenceIn(sample, where)))

    for (const [name, where] of cases) {
      test(
        `${name} is gone, says why, and may not be written to`,
        on(async (session) => {
          const { platform, deliver, adapter } = session
          const { chat, by, absence } = await lockable(session, where)
          await absence.begins()
          await expectGone(platform, () => deliver(say('the danger'), { to: chat }))
          await expectGone(platform, () => deliver(say('the danger'), { to: chat, plain: true }))
          expect(await adapter().inspect(by, chat, NEVER)).not.toMatchObject({ mayPost: true })
        }),
      )

      const { ends: sampleEnds, told: sampleTold } = given(absenceIn(sample, where))
      testWhere(
        where === 'group' && has(sampleEnds),
        `${name} works again when it lets us in`,
        on(async (session) => {
          const { deliver, delivered } = session
          const { chat, absence } = await lockable(session, where)
          await absence.begins()
          await deliver(say('the danger'), { to: chat })
          await given(absence.ends)()
          await delivered(say('here again'), { to: chat })
        }),
      )

      testWhere(
        has(sampleTold),
        `${name} is heard of without a send`,
        on(async (session) => {
          const { until, bot } = session
          const { chat, absence } = await lockable(session, where)
          bot.changes.length = 0
          await absence.begins()
          await until('the bot is told', () => bot.changes.length > 0)
          const ends = has(absence.ends) ? absence.ends : null
          await ends?.()
          if (ends) await until('the bot is told', () => bot.changes.length > 1)
          const gone = { chat, to: 'gone' }
          expect(bot.changes).toEqual(ends ? [gone, { chat, to: 'back' }] : [gone])
        }),
      )
    }
  })

  const { group } = sample
  testWhere(
    has(group) && has(group.moves),
    'a group that moves says where to, and is heard of there',
    on(async ({ platform, met, deliver, delivered, until, bot, texts }) => {
      const { admin, moves } = given(platform.group)
      const { begins, told } = given(moves)
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
}

function absenceIn({ blocks, group }: ConversationPlatform, where: Where): Maybe<HeardAbsence> {
  if (where === 'home') return blocks
  return has(group) ? group.kicks : group
}

async function lockable(
  { platform, met }: Talk,
  where: Where,
): Promise<{ chat: Address; by: Identity; absence: HeardAbsence }> {
  const absence = given(absenceIn(platform, where))
  const by = where === 'home' ? platform.ann : given(platform.group).admin
  const { chat } = await met(by, where)
  return { chat, by, absence }
}

async function expectGone(platform: Platform, deliver: () => Promise<Delivery>): Promise<void> {
  const outcome = await deliver()
  expect(outcome).toMatchObject({ is: 'gone' })
  expectDiscreet(platform, outcome)
}

/** The operator learns why, but no secret. */
function expectDiscreet({ secrets }: Platform, delivery: Delivery): void {
  if ('why' in delivery) expect(delivery.why).not.toBe('')
  for (const secret of secrets) expect(JSON.stringify(delivery)).not.toContain(secret)
}
