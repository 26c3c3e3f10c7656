import { describe, expect, test } from 'vitest'

import type { Command, LookCommand } from '../../src/command/command.ts'
import { lookCommands } from '../../src/commands/index.ts'
import { inWords } from '../../src/message/message.ts'
import { fromJson, toJson } from '../../src/lib/text/json.ts'
import type { CloseOutcome } from '../../src/venue/close-outcome.ts'
import { aDialog, anInbound } from '../dialog/world.ts'
import { NOON } from '../support/clock.ts'
import { aMarket, aPosition, aTwap, exact } from '../support/fixtures.ts'
import { anAlert, aStep } from '../support/store-everything.ts'

/** Lines for each look command, with and without arguments, and with nothing to find. */
const LINES: Record<keyof typeof lookCommands, readonly string[]> = {
  wallets: ['/wallets', '/wallets 9'],
  positions: ['/positions', '/positions main', '/positions ETH', '/positions "my hedge"', '/positions 2'],
  balances: ['/balances'],
  orders: ['/orders', '/orders main open', '/orders "my hedge"', '/orders twap'],
  markets: ['/markets', '/markets funding', '/markets move 2'],
  market: ['/market BTC'],
  funding: ['/funding', '/funding BTC', '/funding paid', '/funding paid week main'],
  preview: [
    '/preview main ETH -2',
    '/preview main BTC $5k',
    '/preview main Sol -50%',
    '/preview main BTC 1 9',
  ],
  fix: ['/fix', '/fix ETH', '/fix "my hedge"', '/fix A7'],
  why: ['/why A41', '/why A7'],
  history: ['/history', '/history 2', '/history closed', '/history csv'],
  pnl: ['/pnl', '/pnl week main', '/pnl markets month', '/pnl csv', '/pnl since 2020-01-01'],
  shock: ['/shock all -10%', '/shock ETH -60% Sol +90%', '/shock BTC -8% main', '/shock Sol -5%'],
}

const preview = {
  estimate: false,
  fillPrice: exact('2000'),
  liquidationPrice: exact('1500'),
  totalFeesUsd: exact('3'),
  marginUsagePercent: 12,
  marginRatio: null,
  feasible: true,
  refusal: null,
}

/** Of the ETH position: its slopes are infinite there. */
const LIQUIDATION = aPosition().liquidationPrice ?? 0n

/** The same command, which keeps its data, its copy that went through JSON, and the three messages. */
function observed<A, D>(command: LookCommand<A, D>) {
  const seen: { data: unknown; copy: unknown; messages: unknown[] }[] = []
  const run: Command['run'] = async (context, form, args) => {
    const data = await command.ask(context, args as A)
    const copy = fromJson(toJson(data)) as D
    const answer = await command.run(context, form, args)
    const { words } = command
    seen.push({ data, copy, messages: [answer, words(data, context.reader), words(copy, context.reader)] })
    return answer
  }
  return { command: { ...command, run }, seen }
}

const closing: CloseOutcome = {
  ...{ accountId: '1', marketId: '100', symbol: 'ETH', side: 'long', how: 'closed', size: exact('2') },
  ...{ entryPrice: exact('2500'), exitPrice: exact('2600'), tradeUsd: exact('200'), feesUsd: exact('4') },
  ...{ fundingUsd: null, endedAt: NOON, estimate: true },
}
const past = [
  anAlert({ id: 41, closedAt: null }),
  anAlert({ id: 40, kind: 'position-closed', openedAt: NOON, closedAt: NOON, closing }),
  ...Array.from({ length: 12 }, (_, at) => anAlert({ id: 39 - at, kind: at % 2 === 0 ? 'gone' : 'pnl' })),
]
const steps = Array.from({ length: 11 }, (_, at) => ({
  ...aStep({ alertId: 41, at: NOON - at, value: at % 2 === 0 ? null : 0.04 }),
  ...{ queuedAt: NOON, sentAt: at % 3 === 0 ? null : NOON + 20, attempts: at, possibleRepeat: at === 5 },
  outcome: (['sent', 'waiting', 'parked', 'expired', null] as const)[at % 5] ?? null,
}))

const WORLDS: Record<string, Parameters<typeof aDialog>[0]> = {
  'a venue that gives previews': { preview },
  'a venue that gives none': {},
  'a past of alerts': {
    recall: {
      alert: (id) => Promise.resolve(past.find((one) => one.id === id) ?? null),
      alerts: (_personId, _most, which) =>
        Promise.resolve(which?.ends ? past.filter((one) => one.closing !== null) : past),
      timeline: () => Promise.resolve(steps),
    },
  },
  'TWAPs that run and have ended': {
    records: {
      twaps: () => {
        const twaps = [
          aTwap({ trigger: { price: exact('3'), above: true } }),
          aTwap({ state: 'failed', why: 'x' }),
        ]
        return Promise.resolve({
          ...{ is: 'read', late: null },
          reading: { value: { twaps, unusable: [] }, at: NOON, mono: 0 },
        })
      },
    },
  },
  'a price at the liquidation price': {
    view: { markets: () => new Map([['100', aMarket({ id: '100', symbol: 'ETH', price: LIQUIDATION })]]) },
  },
}

describe.each(Object.entries(lookCommands))('/%s', (name, look) => {
  test('is listed under its own name', () => {
    expect(look.name).toBe(name)
  })

  test.each(Object.entries(WORLDS))('is a question and its words, with %s', async (_world, over) => {
    const { command, seen } = observed(look as LookCommand<unknown, unknown>)
    const { dialog } = aDialog({ ...over, commands: [command] })
    const lines = LINES[name as keyof typeof LINES]
    for (const line of lines) await dialog.line(anInbound(), line)
    expect(seen).toHaveLength(lines.length)
    for (const { data, copy, messages } of seen) {
      expect(copy).toStrictEqual(data)
      const [answer, fromData, fromCopy] = messages
      expect(fromData).toStrictEqual(answer)
      expect(fromCopy).toStrictEqual(answer)
    }
  })
})

test.each(['/wallets', '/positions', '/pnl', '/orders', '/fix', '/shock all -5%'])(
  '%s of somebody without a wallet',
  async (line) => {
    const commands = Object.values(lookCommands)
    const { dialog } = aDialog({ view: { watches: () => [] }, commands })
    const { items } = await dialog.line(anInbound(), line)
    expect(items[0] && inWords(items[0].title)).toBe(
      'I don’t watch a wallet for you yet. Paste its address (0x…).',
    )
  },
)
