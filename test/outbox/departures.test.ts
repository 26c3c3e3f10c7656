import { describe, expect, test } from 'vitest'

import type { SentRef } from '../../src/message/address.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { item, message, say } from '../../src/message/message.ts'
import type { OutboxStore, Write } from '../../src/store/store.ts'
import { aChat } from '../support/fixtures.ts'
import {
  type Edit,
  type OutboxUnderTest,
  sent,
  startOutbox,
  type TryAnswer,
  UNLIMITED,
} from '../support/outbox.ts'
import { aRow, sends } from '../support/store.ts'

const SLOW = { burst: 1, perSecond: 1 }
const said = ({ attempts }: OutboxUnderTest) =>
  attempts.map(({ row, possibleRepeat }) => [row, possibleRepeat])

/** Counts what the store is asked for: rounds that look for rows, and those that only settle. */
function counted() {
  const asked = { taking: 0, settling: 0, looks: 0 }
  const around = (outbox: OutboxStore): Partial<OutboxStore> => ({
    round(turn) {
      if (turn.take.length > 0) asked.taking++
      else asked.settling++
      return outbox.round(turn)
    },
    upcoming(trying) {
      asked.looks++
      return outbox.upcoming(trying)
    },
  })
  return { asked, around }
}

/** A platform that answers when the test says so. */
function byHand() {
  const open = new Map<number, (delivery: Delivery) => void>()
  return {
    answer: (attempt: TryAnswer) =>
      new Promise<Delivery>((resolve) => {
        open.set(attempt.row, resolve)
      }),
    end(row: number) {
      open.get(row)?.({
        is: 'sent',
        ref: { address: { platform: 'telegram', chat: '', thread: null }, id: `${row}` },
      })
    },
  }
}

async function calm(options: Parameters<typeof startOutbox>[0] = {}): Promise<OutboxUnderTest> {
  const bot = await startOutbox(options)
  await bot.clock.advance(0)
  return bot
}

describe('a message that may go at once', () => {
  test('is sent by the commit that writes it: the store is asked for nothing but to note the outcome', async () => {
    const { asked, around } = counted()
    const bot = await calm({ around })
    Object.assign(asked, { taking: 0, settling: 0, looks: 0 })
    await bot.tell(...sends(aRow({ id: 1, urgency: 0 }), aRow({ id: 2, chatId: 2 })))
    expect(said(bot)).toEqual([
      [1, false],
      [2, false],
    ])
    expect(asked).toEqual({ taking: 0, settling: 1, looks: 0 })
    expect((await bot.store().outbox.backlog()).waiting).toBe(0)
  })

  test('is the first of its chat; the others follow one by one, in their order', async () => {
    const bot = await calm()
    await bot.tell(
      ...sends(aRow({ id: 1, urgency: 0 }), aRow({ id: 2, urgency: 1 }), aRow({ id: 3, chatId: 2 })),
    )
    expect(bot.rows()).toEqual([1, 3, 2])
  })

  test('waits for its turn while its chat is being sent to', async () => {
    const platform = byHand()
    const bot = await calm({ answer: platform.answer })
    await bot.tell(...sends(aRow({ id: 1 })))
    await bot.tell(...sends(aRow({ id: 2, urgency: 0 }), aRow({ id: 3, chatId: 2 })))
    expect(bot.rows()).toEqual([1, 3])
    platform.end(1)
    await bot.clock.advance(5)
    expect(bot.rows()).toEqual([1, 3, 2])
  })

  describe('where its chat is to have an edit as well', () => {
    const alert = (id: number) => {
      const buttons = [{ label: 'Acknowledge', line: '/ack A41', replace: true }]
      return aRow({ id, alertIds: [41], message: message([item('warning', 'BTC long (A41)', [], buttons)]) })
    }
    const note = (id: number) =>
      aRow({ id, alertIds: [41], note: { alertId: 41, line: 'acknowledged by Ann', button: null } })
    const editable = (ref: SentRef): Delivery => ({ is: 'sent', ref })

    test('goes behind that, which follows in the round that notes how it ended', async () => {
      const { asked, around } = counted()
      const platform = byHand()
      const edited: string[] = []
      const edit = ({ ref }: Edit) => {
        edited.push(ref.id)
        return editable(ref)
      }
      const answer: typeof sent = (one, signal) => (one.row === 1 ? sent(one, signal) : platform.answer(one))
      const bot = await calm({ around, answer, edit })
      await bot.tell(...sends(alert(1)))
      Object.assign(asked, { taking: 0, settling: 0, looks: 0 })
      await bot.tell(...sends(note(2), aRow({ id: 3 })))
      expect([bot.rows(), edited, asked.taking]).toEqual([[1, 3], [], 0])
      platform.end(3)
      await bot.clock.advance(5)
      expect([bot.rows(), edited, asked.taking]).toEqual([[1, 3], [expect.any(String)], 2])
      expect((await bot.store().outbox.backlog()).waiting).toBe(0)
    })

    test('and nothing that could be edited, no round comes', async () => {
      const { asked, around } = counted()
      const bot = await calm({ around })
      Object.assign(asked, { taking: 0, settling: 0, looks: 0 })
      const silent = { silent: true, message: message([]) }
      await bot.tell(...sends({ ...note(1), ...silent }, aRow({ id: 2 })))
      expect(bot.rows()).toEqual([2])
      expect(asked).toEqual({ taking: 0, settling: 1, looks: 0 })
      expect((await bot.store().outbox.backlog()).waiting).toBe(0)
    })

    test('and is over when its commit is kept, the edit goes without it', async () => {
      const edited: string[] = []
      let stops = () => {}
      const edit = ({ ref }: Edit) => {
        edited.push(ref.id)
        return editable(ref)
      }
      const bot = await calm({ told: () => stops(), edit })
      await bot.tell(...sends(alert(1)))
      stops = () => {
        stops = () => {}
        bot.clock.stop(5_000)
      }
      await bot.tell(...sends(note(2), aRow({ id: 3, expiresAt: bot.clock.now() + 2_000 })))
      await bot.clock.advance(1_000)
      expect([bot.rows(), edited]).toEqual([[1], [expect.any(String)]])
      expect((await bot.store().outbox.backlog()).waiting).toBe(0)
    })

    test('waits for a round where that comes behind it and may change it', async () => {
      const { asked, around } = counted()
      const bot = await calm({ around, edit: ({ ref }) => editable(ref) })
      Object.assign(asked, { taking: 0, settling: 0, looks: 0 })
      await bot.tell(...sends(alert(1), note(2)))
      expect(bot.rows()).toEqual([1])
      expect(asked.taking).toBeGreaterThan(0)
    })
  })

  test('is the most critical, where a platform has room for one', async () => {
    const bot = await calm({ platforms: { telegram: { ...UNLIMITED, platform: SLOW } } })
    await bot.tell(
      ...sends(aRow({ id: 1 }), aRow({ id: 2, chatId: 2, urgency: 0 }), aRow({ id: 3, chatId: 3 })),
    )
    expect(bot.rows()).toEqual([2])
    // Those that have waited go before those that come.
    await bot.clock.advance(500)
    await bot.tell(...sends(aRow({ id: 4, chatId: 2 })))
    await bot.clock.advance(3_000)
    expect(bot.rows()).toEqual([2, 1, 3, 4])
  })

  test('lets a chat go first that was not sent to lately, where a platform takes little', async () => {
    const few = { burst: 2, perSecond: 0.001 }
    const bot = await calm({ platforms: { telegram: { ...UNLIMITED, platform: few } } })
    await bot.tell(...sends(aRow({ id: 1, urgency: 0 })))
    await bot.tell(...sends(aRow({ id: 2, urgency: 0 }), aRow({ id: 3, chatId: 2, urgency: 0 })))
    expect(bot.rows()).toEqual([1, 3])
  })

  test('keeps to the pace of its chat', async () => {
    const bot = await calm({ platforms: { telegram: { ...UNLIMITED, chat: SLOW } } })
    await bot.tell(...sends(aRow({ id: 1 })))
    await bot.tell(...sends(aRow({ id: 2 })))
    expect(bot.rows()).toEqual([1])
    await bot.clock.advance(1_000)
    expect(bot.rows()).toEqual([1, 2])
  })

  test('goes although another chat waits for a later time', async () => {
    let refused = 0
    const bot = await calm({
      answer: (attempt, signal) =>
        attempt.row === 1 && refused++ === 0
          ? { is: 'delayed', retryAfterMs: 60_000, scope: 'chat', maybeSent: false, why: 'slow down' }
          : sent(attempt, signal),
    })
    await bot.tell(...sends(aRow({ id: 1 })))
    await bot.tell(...sends(aRow({ id: 2, chatId: 2 })))
    expect(bot.rows()).toEqual([1, 2])
    await bot.clock.advance(60_000)
    expect(bot.rows()).toEqual([1, 2, 1])
  })

  test.each<[string, Write[]]>([
    [
      'a broken chat',
      [{ is: 'chat', chat: aChat({ id: 1, brokenBecause: 'blocked' }) }, ...sends(aRow({ id: 1 }))],
    ],
    ['nothing in it', sends(aRow({ id: 1, message: { ...say(''), items: [] } }))],
    ['a message that is out of date', sends(aRow({ id: 1, expiresAt: 1 }))],
  ])('is not %s', async (_what, writes) => {
    const bot = await calm()
    await bot.tell(...writes)
    expect(bot.rows()).toEqual([])
  })

  test('is not sent while another process may send', async () => {
    let mayAct = true
    const bot = await calm({ mayAct: () => mayAct })
    mayAct = false
    await bot.tell(...sends(aRow({ id: 1 })))
    expect(bot.rows()).toEqual([])
    mayAct = true
    await bot.clock.advance(5_000)
    expect(said(bot)).toEqual([[1, false]])
  })

  test('waits for the answer to the command that has led to it', async () => {
    const bot = await calm()
    bot.dispatcher().expectAnswer(1)
    await bot.tell(...sends(aRow({ id: 1 }), aRow({ id: 2, chatId: 2 })))
    expect(bot.rows()).toEqual([2])
    await bot.clock.advance(2_000)
    expect(bot.rows()).toEqual([2, 1])
  })

  test('is the next in its chat after a commit that failed, at the same pace', async () => {
    const bot = await calm({ platforms: { telegram: { ...UNLIMITED, chat: SLOW } } })
    await expect(bot.tell(...sends(aRow({ id: 1 }), aRow({ id: 2, chatId: 99 })))).rejects.toThrow(
      /FOREIGN KEY|no chat/,
    )
    expect(bot.rows()).toEqual([])
    await bot.tell(...sends(aRow({ id: 1 })))
    expect(said(bot)).toEqual([[1, false]])
  })

  test('is out of date, and not sent, if its commit takes until then', async () => {
    const bot = await calm()
    const writes = sends(aRow({ id: 1, expiresAt: bot.clock.now() + 3_000 }))
    const departure = bot.dispatcher().departures.prepare(writes)
    const departed = await bot.store().memory.commit(writes, departure?.sending)
    await bot.clock.advance(4_000)
    departure?.kept(departed)
    await bot.clock.advance(5)
    expect(bot.rows()).toEqual([])
    expect((await bot.store().history.deliveryStatus([1])).map(({ outcome }) => outcome)).toEqual(['expired'])
    await bot.tell(...sends(aRow({ id: 2 })))
    expect(bot.rows()).toEqual([2])
  })

  test('goes in no commit that ends after the stop began, and is no repeat in the next run', async () => {
    let stopped: Promise<void> | undefined
    const bot: OutboxUnderTest = await calm({ told: () => void (stopped ??= bot.dispatcher().stop()) })
    await bot.tell(...sends(aRow({ id: 1 })))
    await stopped
    expect(bot.rows()).toEqual([])
    await bot.revive()
    expect(said(bot)).toEqual([[1, false]])
  })
})

describe('outcomes', () => {
  test('are noted by the commit that comes next; if it fails, soon after', async () => {
    const { asked, around } = counted()
    const platform = byHand()
    const bot = await calm({ around, answer: platform.answer })
    const outcomes = async () => (await bot.store().history.deliveryStatus([1, 2])).map((one) => one.outcome)
    await bot.tell(...sends(aRow({ id: 1 }), aRow({ id: 2, chatId: 2 })))
    Object.assign(asked, { taking: 0, settling: 0 })
    platform.end(1)
    await bot.clock.advance(0)
    await bot.tell(...sends(aRow({ id: 3, chatId: 3 })))
    expect(await outcomes()).toEqual(['sent', 'waiting'])
    expect(asked).toMatchObject({ taking: 0, settling: 0 })
    platform.end(2)
    await bot.clock.advance(0)
    await expect(bot.tell(...sends(aRow({ id: 9, chatId: 99 })))).rejects.toThrow(/FOREIGN KEY|no chat/)
    await bot.clock.advance(5)
    expect(await outcomes()).toEqual(['sent', 'sent'])
  })

  test('let the next message of their chat go, also where their commit waits while a round looks', async () => {
    const platform = byHand()
    const bot = await calm({ answer: platform.answer })
    await bot.tell(...sends(aRow({ id: 1 }), aRow({ id: 3, chatId: 2 })))
    await bot.tell(...sends(aRow({ id: 2 })))
    platform.end(1)
    await bot.clock.advance(0)
    const writes: Write[] = [{ is: 'alive', at: 1, pricesAt: null, holes: [] }]
    const departure = bot.dispatcher().departures.prepare(writes)
    // Another program keeps the file locked meanwhile.
    await bot.clock.advance(1_000)
    expect(bot.rows()).toEqual([1, 3])
    departure?.kept(await bot.store().memory.commit(writes, departure.sending))
    await bot.clock.advance(0)
    expect(bot.rows()).toEqual([1, 3, 2])
  })
})
