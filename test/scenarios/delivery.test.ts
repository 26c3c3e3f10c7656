import { describe, expect, test } from 'vitest'

import type { Send } from '../../src/chat/notifier.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { startBot } from '../support/bot.ts'
import { watched } from '../support/watched.ts'

const down = (maybeSent: boolean) => (): Delivery => ({
  is: 'delayed',
  retryAfterMs: null,
  scope: 'chat',
  maybeSent,
  why: 'out of order',
})

describe('a warning', () => {
  test('survives a messenger that is down, and says how late it is', async () => {
    await using bot = await startBot()
    await watched(bot)
    bot.delivers(...Array.from({ length: 8 }, () => down(false)))
    bot.stage.market('BTC', { price: 98 })
    await bot.pass(300_000)
    const heard = bot.hears()
    expect(heard).toHaveLength(1)
    expect(heard[0]).toContain('BTC long: 8.2% to liquidation')
    expect(heard[0]).toMatch(/seen at 12:00 UTC, sent \d min late/)
  })

  test('that may have arrived is repeated, and marked as a possible repeat', async () => {
    await using bot = await startBot()
    await watched(bot)
    bot.delivers(down(true))
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(10_000)
    const heard = bot.hears()
    expect(heard).toHaveLength(1)
    expect(heard[0]).toMatch(/^\(possible repeat\) \[CRITICAL\]/)
    expect(await bot.says('/why A1')).toMatch(/after detection, 2 attempts, marked as a possible repeat$/m)
  })

  test('whose markup is refused goes out as plain text', async () => {
    await using bot = await startBot()
    await watched(bot)
    const tried: Send[] = []
    bot.delivers((send) => {
      tried.push(send)
      return { is: 'rejected', why: 'bad markup' }
    })
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    expect(tried[0]?.plain).toBe(false)
    expect(bot.hears()).toHaveLength(1)
  })

  test('that is refused twice is parked and shown in /status and /why', async () => {
    await using bot = await startBot()
    await watched(bot)
    const refuse = (): Delivery => ({ is: 'rejected', why: 'bad markup' })
    bot.delivers(refuse, refuse)
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    expect(bot.hears()).toEqual([])
    expect(await bot.says('/status')).toContain('1 message given up')
    expect(await bot.says('/why A1')).toContain('could not be sent')
  })

  test('waits for a chat that is gone until somebody writes from there', async () => {
    await using bot = await startBot()
    await watched(bot)
    let tries = 0
    bot.delivers(() => {
      tries++
      return { is: 'gone', why: 'blocked by the user' }
    })
    bot.stage.market('BTC', { price: 98 })
    await bot.pass(600_000)
    expect(tries).toBe(1)
    expect(bot.hears()).toEqual([])
    await bot.says('/status')
    await bot.pass(1_000)
    expect(bot.hears()).toHaveLength(1)
  })

  test('follows a chat that moved', async () => {
    await using bot = await startBot()
    await watched(bot)
    bot.delivers(() => ({ is: 'moved', to: { platform: 'recorder', chat: 'there', thread: null } }))
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    expect(bot.hears()).toEqual([])
    expect(bot.hears('there')).toHaveLength(1)
  })

  test('and its "cleared" go out in that order, however long both had to wait', async () => {
    await using bot = await startBot()
    await watched(bot)
    bot.delivers(...Array.from({ length: 6 }, () => down(false)))
    bot.stage.market('BTC', { price: 99 })
    await bot.pass(20_000)
    bot.stage.market('BTC', { price: 92 })
    await bot.pass(2_000)
    bot.stage.market('BTC', { price: 200 })
    await bot.pass(200_000)
    const first = bot.hears().map((text) => text.split('\n')[0])
    expect(first).toEqual([
      '[WARNING] BTC long: 9.1% to liquidation (A1)',
      '[CRITICAL] BTC long: 2.2% to liquidation (A1)',
      '[RESOLVED] BTC long is safe again: 55.0% from liquidation (A1)',
    ])
  })
})
