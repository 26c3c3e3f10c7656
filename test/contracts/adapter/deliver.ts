import { describe, expect, test } from 'vitest'

import { item, message, say } from '../../../src/message/message.ts'
import { given, has } from './platform.ts'
import { NEVER, type Session, type Suite, type Talk, testWhere } from './session.ts'

/** Sending, editing and replying, where nothing goes wrong; what goes wrong is in faults.ts. */
export function testDeliver({ sample, on }: Suite<Session>): void {
  describe('a message that is sent', () => {
    test(
      'is there when it is said to be sent, and has a name of its own',
      on(async ({ platform, sending, adapter, texts }) => {
        const refs = new Set<string>()
        for (const words of ['first', 'second', 'third']) {
          const delivery = await adapter().deliver(await sending(say(words)), NEVER)
          expect(delivery).toMatchObject({ is: 'sent' })
          expect((await texts(platform.ann, 'home')).at(-1)).toContain(words)
          if (delivery.is === 'sent') refs.add(JSON.stringify(delivery.ref))
        }
        expect(refs.size).toBe(3)
        expect([...refs].map((ref) => JSON.parse(ref) as unknown)).toHaveLength(3)
      }),
    )

    testWhere(
      has(sample.ben),
      'reaches the chat that it is for, and nobody else',
      on(async ({ platform, home, delivered, texts }) => {
        const ben = given(platform.ben)
        const to = await home(ben)
        const ref = await delivered(say('for ben'), { to })
        expect(ref.address).toEqual(to)
        expect((await texts(ben, 'home')).at(-1)).toContain('for ben')
        expect((await texts(platform.ann, 'home')).join('\n')).not.toContain('for ben')
      }),
    )

    testWhere(
      has(sample.silence),
      'comes without a sound when it is silent, and with one when it is not',
      on(async ({ platform, delivered }) => {
        const { ann } = platform
        const danger = message([item('critical', 'BTC long is 2% from liquidation')])
        await delivered(danger)
        expect((await platform.sees(ann, 'home')).at(-1)).toMatchObject({ silent: false })
        await delivered(danger, { silent: true })
        expect((await platform.sees(ann, 'home')).at(-1)).toMatchObject({ silent: true })
      }),
    )

    test(
      'that may be a repeat says so, and no other does',
      on(async ({ platform, delivered, texts }) => {
        const { ann } = platform
        const danger = message([item('critical', 'BTC long is 2% from liquidation (A3)')])
        await delivered(danger)
        expect((await texts(ann, 'home')).at(-1)).not.toMatch(/repeat/i)
        await delivered(danger, { possibleRepeat: true })
        expect((await texts(ann, 'home')).at(-1)).toMatch(/possible repeat/i)
        await delivered(danger, { possibleRepeat: true, plain: true })
        expect((await texts(ann, 'home')).at(-1)).toMatch(/possible repeat/i)
      }),
    )

    testWhere(
      has(sample.idempotent),
      'twice under one key is there once',
      on(async ({ platform, delivered, texts }) => {
        const { ann } = platform
        const first = await delivered(say('only once'), { key: 'perch-77' })
        expect(await delivered(say('only once'), { key: 'perch-77', possibleRepeat: true })).toEqual(first)
        expect((await texts(ann, 'home')).filter((text) => text.includes('only once'))).toHaveLength(1)
      }),
    )

    test(
      'that reads the same as the one before is there as well: its key is another one',
      on(async ({ platform: { ann }, delivered, texts }) => {
        for (const key of ['perch-78', 'perch-79']) await delivered(say('still so'), { key })
        expect((await texts(ann, 'home')).filter((text) => text.includes('still so'))).toHaveLength(2)
      }),
    )

    test(
      'may answer another one',
      on(async ({ platform, delivered, texts }) => {
        const first = await delivered(say('the danger'))
        await delivered(say('it is over'), { replyTo: first })
        expect((await texts(platform.ann, 'home')).at(-1)).toContain('it is over')
      }),
    )

    testWhere(
      has(sample.removes),
      'may answer one that is gone',
      on(async ({ platform, delivered, texts }) => {
        const removes = given(platform.removes)
        const first = await delivered(say('the danger'))
        await removes()
        await delivered(say('it is over'), { replyTo: first })
        expect((await texts(platform.ann, 'home')).at(-1)).toContain('it is over')
      }),
    )

    testWhere(
      has(sample.ben),
      'to many chats at once reaches each of them',
      on(async ({ platform, home, sending, adapter, texts }) => {
        const ben = given(platform.ben)
        const homes = [await home(platform.ann), await home(ben)]
        const sends = await Promise.all(homes.map((to) => sending(say('all at once'), { to })))
        const outcomes = await Promise.all(sends.map((send) => adapter().deliver(send, NEVER)))
        expect(outcomes.map(({ is }) => is)).toEqual(['sent', 'sent'])
        for (const who of [platform.ann, ben])
          expect((await texts(who, 'home')).at(-1)).toContain('all at once')
      }),
    )
  })

  describe('a message that is edited', () => {
    const before = message([item('critical', 'BTC long is near (A3)')], {
      buttons: [{ label: 'Snooze 1h', line: '/show snooze', replace: false }],
    })
    const after = message([item('good', 'BTC long is clear (A3)')])

    test(
      'shows the new words in place of the old ones; where it cannot, it is refused and nothing is shown',
      on(async ({ platform, delivered, adapter, texts }) => {
        const ref = await delivered(before)
        const shown = await texts(platform.ann, 'home')
        const edited = await adapter().edit(ref, after, NEVER)
        const seen = await texts(platform.ann, 'home')
        if (!platform.editsInPlace) {
          expect(edited).toMatchObject({ is: 'rejected' })
          expect(seen).toEqual(shown)
          return
        }
        expect(edited).toMatchObject({ is: 'sent' })
        expect(seen).toHaveLength(shown.length)
        expect(seen.at(-1)).toContain('BTC long is clear (A3)')
        expect(seen.at(-1)).not.toContain('is near')
        expect(seen.at(-1)).not.toContain('Snooze')
      }),
    )

    testWhere(
      sample.editsInPlace,
      'has still the same name',
      on(async ({ platform, delivered, adapter, texts }) => {
        const ref = await delivered(before)
        expect(await adapter().edit(ref, after, NEVER)).toEqual({ is: 'sent', ref })
        expect(await adapter().edit(ref, before, NEVER)).toEqual({ is: 'sent', ref })
        expect((await texts(platform.ann, 'home')).at(-1)).toContain('is near')
      }),
    )

    testWhere(
      sample.editsInPlace,
      'into what it is already is a success',
      on(async ({ delivered, adapter }) => {
        const ref = await delivered(before)
        expect(await adapter().edit(ref, before, NEVER)).toMatchObject({ is: 'sent' })
        expect(await adapter().edit(ref, before, NEVER)).toMatchObject({ is: 'sent' })
      }),
    )

    testWhere(
      has(sample.removes),
      'when it is gone is refused, and its chat is not taken for gone',
      on(async ({ platform, delivered, adapter }) => {
        const removes = given(platform.removes)
        const ref = await delivered(before)
        await removes()
        expect(await adapter().edit(ref, after, NEVER)).toMatchObject({ is: 'rejected' })
        await delivered(after)
      }),
    )
  })
}

/** Groups, and the people in them. */
export function testDeliverToGroup({ sample, on }: Suite<Talk>): void {
  if (!has(sample.group)) return
  describe('a message that is sent', () => {
    test(
      'reaches everybody in a group',
      on(async ({ platform, met, delivered, texts }) => {
        const { admin, member } = given(platform.group)
        const { chat } = await met(admin, 'group')
        await delivered(say('for all'), { to: chat })
        for (const who of [admin, member]) expect((await texts(who, 'group')).at(-1)).toContain('for all')
      }),
    )

    test(
      'reaches the private chat of somebody whom it knows from a group only, or says that it cannot',
      on(async ({ platform, met, deliver }) => {
        const { member } = given(platform.group)
        const { home } = await met(member, 'group')
        expect(['sent', 'gone']).toContain((await deliver(say('hello'), { to: home })).is)
      }),
    )
  })
}
