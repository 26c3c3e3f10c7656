import { describe, expect, test } from 'vitest'

import { item, message, say } from '../../../src/message/message.ts'
import { given, has, timeless } from './platform.ts'
import { NEVER, type Session, stopping, type Suite, type Talk, testWhere } from './session.ts'

/** Names and messages that outlive the process. */
export function testRestart({ sample, on }: Suite<Session>): void {
  describe('after a restart', () => {
    test(
      'no message has the name of an earlier one',
      on(async ({ delivered, goesOn, restart }) => {
        const refs: string[] = []
        for (let run = 0; run < 3; run++) {
          for (let more = 0; more < 3; more++) {
            await goesOn()
            refs.push(JSON.stringify(await delivered(say(`run ${run}, ${more}`))))
          }
          await restart()
        }
        expect(new Set(refs).size).toBe(9)
      }),
    )

    test(
      'it may be stopped twice',
      on(async ({ platform, adapter, delivered, restart }) => {
        await delivered(say('before'))
        await Promise.all([stopping(platform, adapter()), stopping(platform, adapter())])
        await restart()
        await delivered(say('after'))
      }),
    )

    testWhere(
      sample.editsInPlace,
      'an old message can be edited and answered',
      on(async ({ platform, delivered, restart, adapter, texts }) => {
        const ref = await delivered(say('BTC long is near (A41)'))
        await restart()
        expect(await adapter().edit(ref, say('BTC long is clear'), NEVER)).toMatchObject({ is: 'sent' })
        expect((await texts(platform.ann, 'home')).at(-1)).toContain('BTC long is clear')
        await delivered(say('and stays so'), { replyTo: ref })
      }),
    )
  })
}

/** Buttons, names, and inputs that were not finished, where people speak. */
export function testRestartedTalk({ sample, on }: Suite<Talk>): void {
  describe('after a restart', () => {
    test(
      'people speak from where they spoke before',
      on(async ({ platform, met, restart }) => {
        const { ann, group } = platform
        const people =
          'admin' in group
            ? ([
                [ann, 'home'],
                [group.admin, 'group'],
              ] as const)
            : ([[ann, 'home']] as const)
        for (const [who, where] of people) {
          const before = await met(who, where)
          await restart()
          const after = await met(who, where)
          expect({ ...timeless(after), id: before.id }).toEqual(timeless(before))
        }
      }),
    )

    test(
      'no input has the name of an earlier one',
      on(async ({ platform, met, restart }) => {
        const inputs: string[] = []
        for (let run = 0; run < 3; run++) {
          for (let more = 0; more < 3; more++) inputs.push((await met(platform.ann, 'home')).id)
          await restart()
        }
        expect(new Set(inputs).size).toBe(9)
      }),
    )

    test(
      'what was handled does not come again',
      on(async ({ platform, bot, met, restart }) => {
        await met(platform.ann, 'home')
        await met(platform.ann, 'home')
        await restart()
        expect(bot.heard).toHaveLength(2)
        await met(platform.ann, 'home')
        expect(bot.heard).toHaveLength(3)
      }),
    )

    testWhere(
      has(sample.comesAgain),
      'what was not finished comes again, as the same input',
      on(async ({ platform, bot, said, restart, until, adapter }) => {
        bot.answers('held', () => new Promise(() => {}))
        const { from } = await said(platform.ann, 'home', '/tell held')
        await stopping(platform, adapter())
        bot.answers('held', () => say('better late'))
        await restart()
        await until('it is heard again', () => bot.heard.length > 1)
        expect(bot.heard.map(({ text }) => text)).toEqual(['/tell held', '/tell held'])
        expect(timeless(bot.heard[1]?.from)).toEqual(timeless(from))
      }),
    )

    testWhere(
      has(sample.waits),
      'what was said meanwhile is heard',
      on(async ({ platform, bot, met, restart, until, adapter }) => {
        await met(platform.ann, 'home')
        await stopping(platform, adapter())
        await platform.says(platform.ann, 'home', '/tell meanwhile')
        await restart()
        await until('it is heard', () => bot.heard.at(-1)?.text === '/tell meanwhile')
        expect(bot.heard).toHaveLength(2)
      }),
    )

    testWhere(
      has(sample.taps),
      'an old button still does what it says',
      on(async ({ platform, bot, delivered, restart, until, shown }) => {
        const taps = given(platform.taps)
        const buttons = [{ label: 'Snooze 1h', line: '/show snooze A41 1h', replace: false }]
        await delivered(message([item('warning', 'BTC long is near (A41)')], { buttons }))
        await restart()
        bot.answers('snooze', () => say('asleep'))
        await taps(platform.ann, 'home', 'Snooze 1h')
        await until('it is heard', () => bot.heard.at(-1)?.text === '/show snooze A41 1h')
        expect(bot.heard.at(-1)?.from.by).toEqual(platform.ann)
        await shown(platform.ann, 'home', 'asleep')
      }),
    )
  })
}
