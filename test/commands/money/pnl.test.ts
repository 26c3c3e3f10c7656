import { describe, expect, test } from 'vitest'

import { plainLines } from '../../../src/message/message.ts'
import type { CloseOutcome } from '../../../src/venue/close-outcome.ts'
import type { LedgerAnswer, LedgerAsked, LedgerEntry } from '../../../src/venue/record/ledger.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import { aDialog, anInbound } from '../../dialog/world.ts'
import { NOON } from '../../support/clock.ts'
import { ALICE, aPerson, aPosition, aWatch, BOB, exact } from '../../support/fixtures.ts'
import { anAlert } from '../../support/store-everything.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
let ids = 0

function fill(at: number, over: Partial<Extract<LedgerEntry, { is: 'fill' }>> = {}): LedgerEntry {
  return {
    ...{ is: 'fill', id: `f${ids++}`, at, accountId: '1', marketId: '100', orderId: null, how: 'traded' },
    ...{ size: exact('1'), price: exact('2000'), before: 0n, realisedUsd: 0n, feeUsd: 0n },
    ...over,
  }
}

function funding(at: number, usd: string, marketId = '100'): LedgerEntry {
  return { is: 'funding', id: `p${ids++}`, at, accountId: '1', marketId, usd: exact(usd), size: exact('1') }
}

function transfer(at: number, what: 'deposit' | 'withdrawal' | 'reward', usd: string | null): LedgerEntry {
  return {
    ...{ is: 'transfer', id: `t${ids++}`, at, what, token: null },
    usd: usd === null ? null : exact(usd),
  }
}

/** A venue with these records by wallet, which answers as far as it is asked. */
function ledgerOf(
  records: Partial<Record<Wallet, readonly LedgerEntry[]>>,
  over: Partial<LedgerAnswer> = {},
) {
  const asked: LedgerAsked[] = []
  const ledger = (wallet: Wallet, about: LedgerAsked) => {
    asked.push(about)
    const entries = (records[wallet] ?? []).filter(
      (one) => one.at >= about.since && one.at <= about.until && about.of.includes(one.is),
    )
    const value = { entries, wholeFrom: about.since, unusable: [], ...over }
    return Promise.resolve({ is: 'read' as const, reading: { value, at: NOON, mono: 0 }, late: null })
  }
  return { asked, ledger }
}

async function says(line: string, over: Parameters<typeof aDialog>[0] = {}, zone = 'UTC'): Promise<string> {
  const speaker = { person: aPerson({ operator: true, zone }), ...over.speaker }
  const { dialog } = aDialog({ answers: () => NOTHING, ...over, speaker })
  const answer = await dialog.line(anInbound(), line)
  return plainLines(answer, { now: NOON, zone }).join('\n')
}

const NOTHING = { positions: [], accounts: [], unusable: [], failedParts: [], totalCount: null }

test('the first line says what you made: results less fees, with funding; deposits are no profit', async () => {
  const { ledger } = ledgerOf({
    [ALICE]: [
      fill(NOON - 2 * HOUR, { realisedUsd: exact('1250'), feeUsd: exact('22') }),
      funding(NOON - HOUR, '-24'),
      transfer(NOON - HOUR, 'deposit', '5000'),
      transfer(NOON - HOUR, 'reward', '3'),
    ],
  })
  const answer = await says('/pnl main', { records: { ledger } })
  expect(answer).toContain('Today: +$1,204 · main')
  expect(answer).toContain('Since 00:00 UTC: trades +$1,250, fees -$22.00, funding -$24.00')
  expect(answer).toContain('Not counted: +$5,000 came in, rewards +$3.00')
})

test('several wallets: all together first, then each', async () => {
  const { ledger } = ledgerOf({
    [ALICE]: [fill(NOON - HOUR, { realisedUsd: exact('900') })],
    [BOB]: [fill(NOON - HOUR, { realisedUsd: exact('-100'), marketId: '200' })],
  })
  const answer = await says('/pnl', { records: { ledger } })
  expect(answer).toContain('Today: +$800 · 2 wallets')
  expect(answer).toContain('main +$900 · my hedge -$100')
  expect(answer).toContain('Best ETH +$900 · worst BTC -$100')
})

test('today begins at midnight where you are', async () => {
  const atHalfPastEleven = Date.UTC(2026, 0, 14, 23, 30)
  const { ledger, asked } = ledgerOf({ [ALICE]: [fill(atHalfPastEleven, { realisedUsd: exact('10') })] })
  expect(await says('/pnl main', { records: { ledger } }, 'Europe/Berlin')).toContain('Today: +$10.00')
  expect(await says('/pnl main', { records: { ledger } }, 'UTC')).toContain('no trades, no funding')
  expect(asked.map(({ since }) => new Date(since).toISOString())).toEqual([
    '2026-01-14T23:00:00.000Z',
    '2026-01-15T00:00:00.000Z',
  ])
})

test('nothing happened: it says so, and nothing that looks like a result', async () => {
  const { ledger } = ledgerOf({})
  const answer = await says('/pnl week', { records: { ledger } })
  expect(answer).toContain('This week: no trades, no funding · 2 wallets')
  expect(answer).not.toContain('$')
})

test('a record that does not reach back says from when it does', async () => {
  const { ledger } = ledgerOf(
    { [ALICE]: [fill(NOON - HOUR, { realisedUsd: exact('10') })] },
    { wholeFrom: NOON - 2 * HOUR },
  )
  expect(await says('/pnl month main', { records: { ledger } })).toContain(
    'The record of main begins 10:00 UTC: what came before is missing',
  )
})

test('fees in another token and transfers of unknown value are counted as unknown, never as zero', async () => {
  const { ledger } = ledgerOf({
    [ALICE]: [
      fill(NOON - HOUR, { realisedUsd: exact('10'), feeUsd: null }),
      transfer(NOON - HOUR, 'deposit', null),
    ],
  })
  const answer = await says('/pnl main', { records: { ledger } })
  expect(answer).toContain('1 fee not paid in dollars: not counted')
  expect(answer).toContain('1 transfer of unknown value')
})

test('where a wallet could not be read, the first line has no sum: it would be taken for the whole', async () => {
  const { ledger } = ledgerOf({ [ALICE]: [fill(NOON - HOUR, { realisedUsd: exact('10') })] })
  const answer = await says('/pnl', {
    records: {
      ledger: (wallet, about) =>
        wallet === BOB
          ? Promise.resolve({ is: 'unseen', why: 'The venue did not answer.' })
          : ledger(wallet, about),
    },
  })
  expect(answer).toContain('Today: not all read yet · 1 of 2 wallets')
  expect(answer).toContain('Read so far: +$10.00')
  expect(answer).toContain('my hedge: The venue did not answer.')
})

/** A venue that takes so long for each wallet that there is time for one. */
function slowly(records: Partial<Record<Wallet, readonly LedgerEntry[]>>) {
  const { ledger } = ledgerOf(records)
  const readAt = new Map<Wallet, number>()
  const order: Wallet[] = []
  const world: { dialog?: ReturnType<typeof aDialog> } = {}
  const speaker = { person: aPerson({ operator: true, zone: 'UTC' }) }
  const own = aDialog({
    ...{ answers: () => NOTHING, speaker },
    records: {
      async ledger(wallet, asked) {
        order.push(wallet)
        await world.dialog?.clock.advance(11_000)
        readAt.set(wallet, world.dialog?.clock.now() ?? 0)
        return ledger(wallet, asked)
      },
      ledgerAt: (wallet) => readAt.get(wallet) ?? null,
    },
  })
  world.dialog = own
  const asks = async (line: string) => await own.dialog.line(anInbound({ id: `m${ids++}` }), line)
  return { order, asks }
}

test.each([
  ['/pnl', 'Today: not all read yet · 1 of 2 wallets'],
  ['/pnl markets', 'Today by market: not all read yet · 1 of 2 wallets'],
  ['/funding paid', 'Today: funding not all read yet · 1 of 2 wallets'],
])('%s without time for all wallets has a button that reads on, and no sum above', async (line, title) => {
  const { asks } = slowly({
    [ALICE]: [fill(NOON - HOUR, { realisedUsd: exact('10') }), funding(NOON - HOUR, '2')],
    [BOB]: [fill(NOON - HOUR, { realisedUsd: exact('-2644') })],
  })
  const answer = await asks(line)
  const said = plainLines(answer, { now: NOON, zone: 'UTC' })
  expect(said[0]).toContain(title)
  expect(said.join('\n')).toContain('Read so far: +$')
  expect(answer.buttons.map(({ line: to }) => to)).toContain(
    line === '/pnl' ? '/pnl day' : line === '/pnl markets' ? '/pnl markets day 1' : '/funding paid day',
  )
})

test('the wallet that was not read comes first when somebody asks again', async () => {
  const { asks, order } = slowly({})
  await asks('/pnl')
  await asks('/pnl')
  expect(order).toEqual([ALICE, BOB])
})

test('after a liquidation it says that margin may be gone that the record does not show', async () => {
  const gone = fill(NOON - HOUR, {
    ...{ how: 'liquidated', size: exact('-3'), before: exact('3'), realisedUsd: exact('-2690') },
  })
  const inPart: LedgerEntry = { ...gone, id: 'part', before: exact('5') } as LedgerEntry
  const said = async (entry: LedgerEntry) =>
    says('/pnl', { records: { ledger: ledgerOf({ [BOB]: [entry] }).ledger } })
  expect(await said(gone)).toContain(
    'A position of my hedge was liquidated: the venue may have kept margin that its record doesn’t show',
  )
  expect(await said(inPart)).not.toContain('may have kept')
})

test('yesterday ends before midnight, and a day of another year has its year', async () => {
  const { ledger } = ledgerOf({ [ALICE]: [fill(NOON - DAY, { realisedUsd: exact('10') })] })
  expect(await says('/pnl yesterday main', { records: { ledger } })).toContain(
    '14 Jan 00:00 UTC to 14 Jan 23:59 UTC: trades',
  )
  expect(await says('/pnl since 1 Nov main', { records: { ledger } })).toContain(
    'Since 1 Nov 00:00 UTC (2025)',
  )
})

test('the open PnL then and now, by fills and the recorded price', async () => {
  // Three ETH at 1,900 in the morning; one sold at 2,000 since then, two are left.
  const sold = fill(NOON - HOUR, {
    ...{ size: exact('-1'), before: exact('3'), price: exact('2000'), realisedUsd: exact('100') },
  })
  const { ledger } = ledgerOf({ [ALICE]: [sold] })
  const two = { accountId: '1', marketId: '100', size: exact('2'), entryPrice: exact('1900') }
  const positions = [aPosition(two)]
  const over = { records: { ledger }, answers: () => ({ ...NOTHING, positions }) }
  const at = (price: number) => ({ ...over, priceAt: () => Promise.resolve(price) })
  // 3 × (1,950 - 1,900) = 150 at midnight; 2 × (2,500 - 1,900) = 1,200 now.
  expect(await says('/pnl main', at(1_950))).toContain(
    'Open PnL now +$1,200 (+$1,050 today), not counted above',
  )
  expect(await says('/pnl main', over)).toContain(
    'Open PnL now +$1,200, not counted above; I don’t know it at 00:00 UTC',
  )
})

test('a venue without a record: the closes that Perch saw, marked as such', async () => {
  const closing: CloseOutcome = {
    ...{ accountId: '1', marketId: '100', symbol: 'ETH', side: 'long', how: 'closed', size: exact('2') },
    ...{ entryPrice: null, exitPrice: null, tradeUsd: exact('200'), feesUsd: exact('4') },
    ...{ fundingUsd: null, endedAt: NOON - HOUR, estimate: true },
  }
  const subject = { is: 'wallet', wallet: ALICE } as const
  const alert = anAlert({ kind: 'position-closed', subject, openedAt: NOON, closedAt: NOON, closing })
  const old = anAlert({ subject, openedAt: 0, closedAt: 0, closing: { ...closing, endedAt: NOON - 9 * DAY } })
  const answer = await says('/pnl', { recall: { alerts: () => Promise.resolve([alert, old]) } })
  expect(answer).toContain('Today: about +$196 · 2 wallets')
  expect(answer).toContain('No record here: I count the 1 close that I saw, without funding')
  expect(answer).toContain('1 estimated, 0 unknown')
  expect(await says('/pnl')).toContain('I saw no position close')
})

test.each([
  ['how much did I make this week', 'This week'],
  ['what have I earned today', 'Today'],
  ['wie viel habe ich diese woche verdient', 'This week'],
  ['what I made yesterday', 'Yesterday'],
  ['/profit last month', 'Last month'],
  ['/pnl seit 1. märz', 'Since 1 Mar 00:00'],
  ['/pnl since Monday', 'Since 12 Jan 00:00'],
])('“%s” is understood', async (line, expected) => {
  const { ledger } = ledgerOf({})
  expect(await says(line, { records: { ledger } })).toContain(expected)
})

test.each([
  ['/pnl year', 'year'],
  ['/pnl ETH', 'ETH'],
  ['/pnl q4', 'q4'],
  ['/pnl since 30 Feb', 'since 30 Feb'],
  ['/pnl since 30 Feb main', 'since 30 Feb'],
  ['/pnl since tomorrow', 'since'],
  ['/pnl csv quatsch', 'quatsch'],
])('%s: where no time is understood, times are offered', async (line, odd) => {
  const { ledger } = ledgerOf({})
  const answer = await says(line, { records: { ledger } })
  expect(answer).toContain(`I don’t understand “${odd}” here`)
  const [, ...said] = line.split(' ')
  const kept = said.filter((word) => ['csv', 'main'].includes(word)).map((word) => ` ${word}`)
  expect(answer).toContain(`[month: /pnl${kept.join('')} month]`)
  expect(answer).not.toMatch(/\/pnl (?:30|markets)/)
})

test.each([
  ['what did I make this month', 'This month: no trades'],
  ['wie viel habe ich diese Woche verdient', 'This week: no trades'],
])('“%s” is no answer to an open question', async (line, expected) => {
  const { ledger } = ledgerOf({})
  const speaker = { person: aPerson({ operator: true, zone: 'UTC' }) }
  const { dialog } = aDialog({ answers: () => NOTHING, records: { ledger }, speaker })
  const asked = await dialog.line(anInbound({ id: 'q1' }), '/funding paid blah')
  expect(plainLines(asked, { now: NOON, zone: 'UTC' }).join('\n')).toContain('Which market?')
  const answer = await dialog.line(anInbound({ id: 'q2' }), line)
  expect(plainLines(answer, { now: NOON, zone: 'UTC' })[0]).toContain(expected)
})

test('a time to come is asked about', async () => {
  const { ledger } = ledgerOf({})
  expect(await says('/pnl since 2027-01-01', { records: { ledger } })).toContain('That time is yet to come')
})

test('whose wallet it is not hears nothing of it', async () => {
  const { ledger } = ledgerOf({ [ALICE]: [fill(NOON - HOUR, { realisedUsd: exact('900') })] })
  const answer = await says('/pnl', { records: { ledger }, view: { watches: () => [] } })
  expect(answer).toContain('I don’t watch a wallet for you yet')
})

describe('/pnl csv', () => {
  async function file(records: readonly LedgerEntry[], label = 'main', zone = 'UTC') {
    const { ledger } = ledgerOf({ [ALICE]: records })
    const { dialog } = aDialog({
      ...{ records: { ledger }, answers: () => NOTHING },
      view: { watches: () => [aWatch({ label })] },
      speaker: { person: aPerson({ operator: true, zone }) },
    })
    const answer = await dialog.line(anInbound(), '/pnl csv day')
    const [head = [], ...rows] = (answer.file?.text ?? '')
      .split('\r\n')
      .filter((line) => line !== '')
      .map((line) => line.split(',').map((cell) => cell.replace(/^"|"$/g, '')))
    const column = (name: string) => rows.map((row) => row[head.indexOf(name)] ?? '')
    return { answer: plainLines(answer, { now: NOON, zone }).join('\n'), column, file: answer.file }
  }

  test('has a row for each fill, payment and transfer, and adds up to the same cents', async () => {
    const entries = [
      fill(NOON - 3 * HOUR, { realisedUsd: exact('0.1'), feeUsd: exact('0.2') }),
      funding(NOON - 2 * HOUR, '-0.3'),
      transfer(NOON - HOUR, 'deposit', '5000'),
      fill(NOON - HOUR, { size: exact('-2'), realisedUsd: exact('7.77'), feeUsd: exact('-0.01') }),
    ]
    const { column, answer } = await file(entries)
    expect(column('type')).toEqual(['fill', 'funding', 'transfer', 'fill'])
    expect(column('what')).toEqual(['traded', 'paid', 'deposit', 'traded'])
    expect(column('side')).toEqual(['buy', 'long', '', 'sell'])
    expect(column('profit_usd')).toEqual(['-0.1', '-0.3', '', '7.78'])
    expect(column('transfer_usd')).toEqual(['', '', '5000', ''])
    expect(answer).toContain('4 rows: Today')
    expect(answer).toContain('profit_usd adds up to +$7.38')
  })

  test('has the time in UTC and where you are', async () => {
    const { column } = await file([fill(NOON - HOUR)], 'main', 'America/New_York')
    expect(column('time')).toEqual(['2026-01-15T11:00:00.000Z'])
    expect(column('local_time')).toEqual(['2026-01-15T06:00:00'])
  })

  test('leaves an unknown fee empty, and no name of a wallet becomes a formula', async () => {
    const { column } = await file([fill(NOON - HOUR, { feeUsd: null })], '=HYPERLINK("x")')
    expect(column('fee_usd')).toEqual([''])
    expect(column('wallet')[0]).toMatch(/^'=/)
  })

  test('is no file where nothing happened', async () => {
    const { answer, file: sent } = await file([])
    expect(answer).toContain('Today: there is nothing to put into a file')
    expect(sent).toBeUndefined()
  })
})

describe('/funding paid', () => {
  test('says what was really paid and received, by market, and in all', async () => {
    const { ledger, asked } = ledgerOf({
      [ALICE]: [funding(NOON - HOUR, '-24'), funding(NOON - HOUR, '4', '200')],
      [BOB]: [funding(NOON - 30 * HOUR, '-1')],
    })
    const answer = await says('/funding paid week', { records: { ledger } })
    expect(answer).toContain('This week: funding -$21.00 · 2 wallets')
    expect(answer).toContain('paid -$25.00, received +$4.00')
    expect(answer).toContain('ETH -$25.00')
    expect(answer).toContain('BTC +$4.00')
    expect(asked[0]?.of).toEqual(['funding'])
  })

  test('is of today where no time is named, and of one wallet where one is', async () => {
    const { ledger } = ledgerOf({ [ALICE]: [funding(NOON - HOUR, '-2'), funding(NOON - 30 * HOUR, '-1')] })
    expect(await says('/funding paid main', { records: { ledger } })).toContain(
      'Today: funding -$2.00 · main',
    )
    expect(await says('/funding BTC', { records: { ledger } })).not.toContain('Today')
  })

  test.each(['/funding paid BTC', '/funding BTC paid', '/funding bezahlt btc'])(
    'is of one market where one is named: %s',
    async (line) => {
      const { ledger } = ledgerOf({
        [ALICE]: [funding(NOON - HOUR, '-2'), funding(NOON - HOUR, '-3', '200')],
        [BOB]: [funding(NOON - HOUR, '1', '200')],
      })
      const answer = await says(line, { records: { ledger } })
      expect(answer).toContain('Today: BTC funding -$2.00 · 2 wallets')
      expect(answer).toContain('paid -$3.00, received +$1.00')
      expect(answer).not.toContain('ETH')
      expect(answer).toContain('[Week: /funding paid week BTC]')
    },
  )

  test('is not said in front of others', async () => {
    const { ledger } = ledgerOf({ [ALICE]: [funding(NOON - HOUR, '-24')] })
    const { dialog } = aDialog({ records: { ledger } })
    const place = { private: false, whisper: false, chat: { platform: 'red', chat: '@group', thread: null } }
    const answer = await dialog.line(anInbound(place), '/funding paid')
    expect(plainLines(answer, { now: NOON, zone: 'UTC' }).join()).not.toContain('24')
  })

  test('a venue without a record says so', async () => {
    expect(await says('/funding paid')).toContain('This venue shows no record of payments.')
  })
})
