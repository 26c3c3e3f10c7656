import { describe, expect, test } from 'vitest'

import type { ReadResult } from '../../../src/command/context.ts'
import { type Message, plainLines } from '../../../src/message/message.ts'
import type { Order } from '../../../src/venue/order.ts'
import type { Unusable } from '../../../src/venue/record/lacking.ts'
import type { Twap, TwapsAnswer } from '../../../src/venue/record/twap.ts'
import { aDialog, anInbound } from '../../dialog/world.ts'
import { NOON } from '../../support/clock.ts'
import { ALICE, anOrder, aTwap, exact } from '../../support/fixtures.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface Shown {
  twaps?: readonly Twap[]
  unusable?: readonly Unusable[]
  orders?: Order[]
  unseen?: string
  /** Of the other wallet. */
  others?: readonly Twap[]
}

async function answerTo(
  line: string,
  { twaps = [], unusable = [], orders = [], unseen, others = [] }: Shown,
): Promise<Message> {
  const value = { twaps, unusable }
  const read: ReadResult<TwapsAnswer> = unseen
    ? { is: 'unseen', why: unseen }
    : { is: 'read', reading: { value, at: NOON, mono: 0 }, late: null }
  const none: ReadResult<TwapsAnswer> = {
    ...{ is: 'read', reading: { value: { twaps: others, unusable: [] }, at: NOON, mono: 0 }, late: null },
  }
  const records = { twaps: (wallet: string) => Promise.resolve(wallet === ALICE ? read : none) }
  const { dialog } = aDialog({ orders, records })
  return dialog.line(anInbound(), line)
}

async function says(line: string, shown: Shown): Promise<string[]> {
  const lines = plainLines(await answerTo(line, shown), { now: NOON, zone: 'UTC' })
  return lines.filter((one) => !one.includes('[') && !one.includes('live')).map((one) => one.trim())
}

const running = aTwap({
  ...{ size: exact('2.5'), marketId: '200', startedAt: NOON - 42 * MINUTE_MS, durationMs: HOUR_MS },
  filled: { size: exact('1.04'), notionalUsd: exact('66778.4') },
})

describe('/orders shows TWAPs', () => {
  test('the running ones first: how far, at what average, how long still', async () => {
    const waiting = anOrder({ id: '7', state: 'open', marketId: '100' })
    const lines = await says('/orders main', { twaps: [running], orders: [waiting] })
    expect(lines.slice(0, 3)).toEqual([
      'BTC TWAP: buy 2.5 BTC',
      '41% done · avg $64,210 · 18 min left',
      'ETH order: open',
    ])
  })

  test('with its price limit, and one that waits with its trigger', async () => {
    const waits = aTwap({
      ...{ id: '8', state: 'waiting', size: exact('-12'), marketId: '100' },
      trigger: { price: exact('3400'), above: true },
    })
    const limited = { ...running, priceLimit: exact('66000') }
    expect(await says('/orders main', { twaps: [limited, waits] })).toEqual([
      ...['BTC TWAP: buy 2.5 BTC', '41% done · avg $64,210 · 18 min left', 'stops at $66,000'],
      ...['ETH TWAP: sell 12 ETH', 'starts at $3,400.00 or above'],
    ])
  })

  test('one that has not filled anything yet has no average, and never counts as done too early', async () => {
    const filled = { size: 0n, notionalUsd: 0n }
    expect((await says('/orders main', { twaps: [{ ...running, filled }] }))[1]).toBe('0% done · 18 min left')
    const nearly = { size: exact('2.4999'), notionalUsd: exact('1') }
    expect((await says('/orders main', { twaps: [{ ...running, filled: nearly }] }))[1]).toMatch(/^99% done/)
  })

  test('those that have ended within a day stand behind a button', async () => {
    const ended = (id: string, state: Twap['state'], hours: number, why: string | null = null) =>
      aTwap({ ...running, id, state, at: NOON - hours * HOUR_MS, why })
    const twaps = [
      ended('1', 'finished', 3),
      ended('2', 'failed', 1, 'Insufficient margin to place order.'),
      ended('3', 'cancelled', 25),
    ]
    const answer = await answerTo('/orders main', { twaps })
    expect(answer.buttons?.map(({ line }) => line)).toContain('/orders 0x52908400 twap')
    expect(plainLines(answer, { now: NOON, zone: 'UTC' }).join()).not.toContain('TWAP:')
    expect(await says('/orders main twap', { twaps: [...twaps, running] })).toEqual([
      ...['BTC TWAP: buy 2.5 BTC', '41% done · avg $64,210 · 18 min left'],
      ...['BTC TWAP: buy 2.5 BTC', 'failed 11:00 UTC · 41% done · avg $64,210'],
      'reason: Insufficient margin to place order.',
      ...['BTC TWAP: buy 2.5 BTC', 'finished 09:00 UTC · 41% done · avg $64,210'],
    ])
  })

  test('of several wallets, each with its name', async () => {
    const lines = await says('/orders', { twaps: [running], others: [{ ...running, filled: null }] })
    expect(lines).toEqual([
      ...['BTC TWAP: buy 2.5 BTC', '41% done · avg $64,210 · 18 min left · main'],
      ...['BTC TWAP: buy 2.5 BTC', '18 min left · my hedge'],
    ])
  })

  test('none is said as none', async () => {
    expect(await says('/orders main twap', {})).toEqual([
      'main: no TWAP runs, and none has ended in the last 24 h',
    ])
  })

  test('a venue that shows none says so, and sets no alert that would stay silent', async () => {
    const { dialog } = aDialog()
    for (const line of ['/orders twap', '/orders main twap', '/alert twap']) {
      const [first] = plainLines(await dialog.line(anInbound(), line), { now: NOON, zone: 'UTC' })
      expect(first).toBe('No venue here shows TWAPs, so I can’t tell you of any')
    }
  })

  test('those that could not be read are said, never left out', async () => {
    const lines = plainLines(await answerTo('/orders main', { unseen: 'The venue did not answer.' }), {
      ...{ now: NOON, zone: 'UTC' },
    })
    expect(lines.join('\n')).toContain('TWAPs of main: The venue did not answer.')
    expect(lines.join('\n')).not.toContain('no order')
    const half = plainLines(
      await answerTo('/orders main', {
        twaps: [{ ...running, filled: null }],
        unusable: [{ what: 'the progress of its TWAPs', why: 'it did not answer', part: null }],
      }),
      { now: NOON, zone: 'UTC' },
    ).join('\n')
    expect(half).toContain('main, the progress of its TWAPs: it did not answer')
    expect(half).toContain('18 min left')
    expect(half).not.toContain('done')
  })

  test('a question about filled orders alone asks for no TWAP', async () => {
    expect((await says('/orders main filled', { unseen: 'The venue did not answer.' })).join()).not.toContain(
      'TWAP',
    )
  })
})
