import { describe, expect, test } from 'vitest'

import type { Alert } from '../../../src/alert/alert.ts'
import type { Context, Recall } from '../../../src/command/context.ts'
import { broughtText, endsIn, totalText } from '../../../src/commands/money/closings.ts'
import { historyExport, historyFile } from '../../../src/commands/alerts/history-export.ts'
import { inWords, plainText } from '../../../src/message/message.ts'
import type { CloseOutcome } from '../../../src/venue/close-outcome.ts'
import { NOON } from '../../support/clock.ts'
import { aChat, ALICE, aWatch, BOB, exact } from '../../support/fixtures.ts'
import { anAlert } from '../../support/store-everything.ts'

const plain = (text: Parameters<typeof plainText>[0]) => plainText(text, { now: NOON, zone: 'UTC' })

function aClosing(over: Partial<CloseOutcome> = {}): CloseOutcome {
  return {
    ...{ accountId: '1', marketId: '100', symbol: 'ETH', side: 'long', how: 'closed' },
    ...{ size: exact('2'), entryPrice: exact('2500'), exitPrice: exact('2600'), tradeUsd: exact('200') },
    ...{ feesUsd: exact('4'), fundingUsd: null, endedAt: NOON, estimate: false },
    ...over,
  }
}

function told(closing: CloseOutcome | null, over: Partial<Alert> = {}): Alert {
  const subject = { is: 'wallet', wallet: ALICE } as const
  return anAlert({ kind: 'position-closed', subject, openedAt: NOON, closedAt: NOON, closing, ...over })
}

describe('what an end brought', () => {
  test.each([
    ['with its fees', {}, 'made $196, $4.00 fee included'],
    ['a loss', { tradeUsd: exact('-12.5') }, 'lost $16.50, $4.00 fee included'],
    ['with fees paid back', { feesUsd: exact('-1.5') }, 'made $202, $1.50 of fees paid back'],
    ['without a fee', { feesUsd: 0n }, 'made $200'],
    ['where fees are not known', { feesUsd: null }, 'made $200 before fees'],
    ['where it is an estimate', { estimate: true }, 'made about $196, $4.00 fee included'],
    ['where nobody knows', { tradeUsd: null }, 'result unknown'],
  ])('is said %s', (_what, over, words) => expect(plain(broughtText(aClosing(over)))).toBe(words))

  test('is summed up once for each end, wherever it was told, and what is not known is not counted', () => {
    const ends = endsIn([
      told(aClosing()),
      told(aClosing(), { id: 42, chatId: 2 }),
      told(aClosing({ side: 'short', estimate: true, tradeUsd: exact('-50'), feesUsd: null })),
      told(aClosing({ accountId: '2', tradeUsd: null })),
      told(null),
    ])
    expect(plain(totalText(ends))).toBe(
      '3 closes: +$146 in all (1 estimated, 1 unknown, not counted), without funding',
    )
  })

  test('of two wallets that did the same at the same time counts twice', () => {
    const bob = told(aClosing(), { subject: { is: 'wallet', wallet: BOB } })
    expect(plain(totalText(endsIn([told(aClosing()), bob])))).toBe('2 closes: +$392 in all, without funding')
  })
})

describe('history as a file', () => {
  const known = { watches: [aWatch({ wallet: ALICE, label: '=cmd|my "big" one' })], chats: [aChat()] }
  const lines = (alerts: readonly Alert[]) => historyFile(alerts, known).split('\r\n')

  test('has a line for each alert, with amounts to the last digit, in UTC, and nothing that is not known', () => {
    const fundingUsd = -1n
    const [head = '', end = '', level = ''] = lines([
      told(aClosing({ fundingUsd, exitPrice: null })),
      anAlert({ closedAt: null, subject: { is: 'market', marketId: '100' }, openedAt: NOON, chatId: 9 }),
    ])
    expect(head.split(',')).toHaveLength(21)
    expect(end).toContain(',"closed",2026-01-15T12:00:00.000Z,2,2500,,200,4,196,-0.000000000000000001,"no"')
    expect(level.split(',')).toHaveLength(21)
    expect(level).toMatch(/^2026-01-15T12:00:00\.000Z,,"A41",.*,,,,,,,,,,,,,,,$/)
  })

  test('is no place for formulas, however a wallet is called', () => {
    const [, line = ''] = lines([told(aClosing(), { title: '@SUM(1)' })])
    expect(line).toContain(`"'=cmd|my ""big"" one"`)
    expect(line).toContain(`"'@SUM(1)"`)
  })

  test('an amount that is estimated says so, and one that nobody knows is empty', () => {
    const [, line = ''] = lines([
      told(aClosing({ estimate: true, tradeUsd: null, feesUsd: null, exitPrice: null })),
    ])
    expect(line).toMatch(/,2,2500,,,,,,"yes"$/)
  })
})

test('a long history is read little by little, and is whole', async () => {
  const all = Array.from({ length: 1_234 }, (_, index) => anAlert({ id: 5_000 - 2 * index }))
  const asked: number[] = []
  const alerts: Recall['alerts'] = async (_personId, most, { before = Infinity } = {}) => {
    asked.push(most)
    return all.filter(({ id }) => id < before).slice(0, most)
  }
  const context = { person: { id: 1 }, recall: { alerts }, reader: { now: NOON } }
  const view = { named: () => [], chats: () => [] }
  const { file, items } = await historyExport({ ...context, view } as unknown as Context)
  expect(asked).toEqual([500, 500, 500])
  expect(inWords(items[0]?.title ?? '')).toBe('1234 alerts, as CSV')
  expect(file?.name).toBe('perch-history-2026-01-15.csv')
  const ids = (file?.text ?? '').split('\r\n').flatMap((line) => /"A(\d+)"/.exec(line)?.[1] ?? [])
  expect(ids.map(Number)).toEqual(all.map(({ id }) => id))
})
