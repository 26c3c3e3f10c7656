import { describe, expect, test } from 'vitest'

import { startTelegramBot } from '../../support/telegram/bot.ts'
import type { Fault } from '../../support/telegram/faults.ts'
import { annWatches } from '../../support/telegram/watched.ts'

const MINUTE_MS = 60_000

/** Ann watches a wallet with two longs. The alert of the first one is critical. */
async function alarmed() {
  const bot = await startTelegramBot()
  const { stage, telegram } = bot
  const ann = await annWatches(bot, ['BTC', 'ETH'])
  stage.market('BTC', { price: 94.5 })
  await bot.pass(4_000)
  const message = telegram.ledger.last(ann)
  const id = /=ack (A\d+)/.exec(JSON.stringify(message.markup))?.[1] ?? ''
  const told = (words: string) => telegram.ledger.texts(ann).some((text) => text.includes(words))
  return Object.assign(bot, { ann, id, told })
}

const FLOOD = { parameters: { retry_after: 300 }, description: 'Too Many Requests: retry after 300' }
const FAULTS: [string, Omit<Fault, 'method'>][] = [
  ['are limited by themselves', { kind: 'json', status: 429, ...FLOOD }],
  ['fail with 500', { kind: 'json', status: 500 }],
  ['hang', { kind: 'hang' }],
  ['break off', { kind: 'reset' }],
]

describe.each(FAULTS)('while edits %s', (_how, fault) => {
  test('a worse critical, that of another position and the answer to /ack go at once', async () => {
    await using bot = await alarmed()
    const { ann, id, stage, telegram, told } = bot
    telegram.fault({ method: 'editMessageText', times: Infinity, ...fault })
    expect((await bot.says(ann, `/ack ${id}`)).join('\n')).toContain('✓ BTC long · main: quiet until')
    await bot.pass(1_000)
    stage.market('BTC', { price: 91.5 })
    await bot.pass(3_000)
    expect(told('BTC long: 1.6%')).toBe(true)
    stage.market('ETH', { price: 94.5 })
    await bot.pass(3_000)
    expect(told('ETH long: 4.8%')).toBe(true)
    await bot.pass(20 * MINUTE_MS)
    stage.market('ETH', { price: 91.5 })
    await bot.pass(3_000)
    expect(told('ETH long: 1.6%')).toBe(true)
  })

  test('a tap on a button is answered all the same, and keeps no critical waiting', async () => {
    await using bot = await alarmed()
    const { ann, stage, telegram, told } = bot
    telegram.fault({ method: 'editMessageText', times: Infinity, ...fault })
    const tap = ann.taps('Ack')
    await bot.pass(0)
    stage.market('BTC', { price: 91.5 })
    await bot.pass(2_500)
    expect(told('BTC long: 1.6%')).toBe(true)
    await bot.pass(4_000)
    expect(tap.answers).toHaveLength(1)
    expect(told('✓ Ann, ')).toBe(true)
  })
})
