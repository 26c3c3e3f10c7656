import { describe, expect, test } from 'vitest'

import type { ReadResult } from '../../../src/command/context.ts'
import { plainLines } from '../../../src/message/message.ts'
import type { Account } from '../../../src/venue/account.ts'
import type { BalancesAnswer } from '../../../src/venue/record/balances.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import { aDialog, anInbound, aView } from '../../dialog/world.ts'
import { NOON } from '../../support/clock.ts'
import { ALICE, anAccount, aWatch, BOB, exact, someBalances } from '../../support/fixtures.ts'

const CAROL: Wallet = '0xde709f2102306220921060314715629080e2fb77'
const HOUR_MS = 3_600_000

const rich: Partial<BalancesAnswer> = {
  perps: [{ accountId: 'main', equityUsd: exact('31000') }],
  spot: [
    { token: 'USDC', amount: exact('8100'), usd: exact('8100'), pool: null },
    { token: 'HYPE', amount: exact('100'), usd: exact('4000'), pool: null },
    { token: 'PURR', amount: exact('700'), usd: null, pool: null },
  ],
  vaults: [{ vault: CAROL, name: 'HLP', equityUsd: exact('5100'), lockedUntil: NOON + 50 * HOUR_MS }],
  staking: { token: 'HYPE', staked: exact('105.5'), leaving: exact('24'), usd: exact('5180') },
  subAccounts: [{ wallet: CAROL, name: 'Scalps', equityUsd: exact('5380'), unpriced: [], positions: 2 }],
}

const LIVE = anAccount({ accountId: 'main', equityUsd: exact('30500') })
const WAITS = 'not read in time'

interface Asked {
  /** By wallet; else there are none. */
  balances?: (wallet: Wallet) => Partial<BalancesAnswer> | string
  labels?: readonly string[]
  ageMs?: number
  /** Those of ALICE, as they came with her positions. */
  accounts?: Account[]
}

/** The answer of somebody who watches these wallets, without its buttons; the footnote is its last line. */
async function asks(
  line: string,
  { balances, labels = ['main'], ageMs = 0, accounts = [LIVE] }: Asked = {},
): Promise<string[]> {
  const wallets = [ALICE, BOB]
  const watches = labels.map((label, at) => aWatch({ label, wallet: wallets[at] ?? ALICE }))
  const found = (wallet: Wallet): ReadResult<BalancesAnswer> => {
    const value = balances?.(wallet) ?? {}
    if (value === WAITS) return { is: 'unseen', why: value, waits: true }
    if (typeof value === 'string') return { is: 'unseen', why: value }
    const reading = { value: someBalances(value), at: NOON - ageMs, mono: -ageMs }
    return { is: 'read', reading, late: null }
  }
  const { dialog } = aDialog({
    view: { ...aView(), watches: () => watches },
    answers: (wallet) => ({
      ...{ positions: [], unusable: [], failedParts: [], totalCount: null },
      accounts: wallet === ALICE ? accounts : [],
    }),
    ...(balances && { records: { balances: (wallet) => Promise.resolve(found(wallet)) } }),
  })
  const answer = await dialog.line(anInbound(), line)
  return plainLines(answer, { now: NOON, zone: 'UTC' })
}

describe('/balances', () => {
  test('is the total, and then all that a wallet holds, the dearest first', async () => {
    expect(await asks('/balances', { balances: () => rich })).toEqual([
      'Total $58.3k',
      '  perps $30.5k, spot $12.1k, vaults $5,100, staking $5,180, sub-accounts $5,380',
      '  without PURR: no price',
      'Perps: $30.5k',
      'USDC: $8,100',
      '  8,100 USDC · in spot',
      'Scalps: $5,380',
      '  sub-account · 2 positions · not watched',
      'Staked HYPE: $5,180',
      '  105.5 HYPE · 24 being unstaked',
      'HLP: $5,100',
      '  vault · locked until 17 Jan 14:00 UTC',
      'HYPE: $4,000',
      '  100 HYPE · in spot',
      '[Refresh: /balances] [More ›: /balances 2] [Watch sub-accounts: /subs 0x52908400] [‹ Positions: /positions]',
      'page 1 of 2 · live',
    ])
    expect(await asks('/balances 2', { balances: () => rich })).toContain('PURR: no price')
  })

  test('says what collateral is, and its age', async () => {
    const spot = [{ token: 'USDC', amount: exact('500'), usd: exact('500'), pool: 'main' }]
    const accounts = [
      anAccount({ accountId: 'main', pool: 'main', mode: 'unified', equityUsd: exact('510') }),
    ]
    const answer = await asks('/balances main', { balances: () => ({ spot }), ageMs: 240_000, accounts })
    expect(answer).toEqual([
      'Total $510 (4 min old): perps $510',
      'USDC: $500',
      '  500 USDC · collateral of your positions',
      '[Refresh: /balances 0x52908400] [‹ Positions: /positions]',
    ])
  })

  test('shows the perps of this moment beside balances of some seconds ago: money that is gone is gone', async () => {
    const accounts = [{ ...LIVE, equityUsd: exact('0') }]
    const answer = await asks('/balances', {
      ...{ accounts, ageMs: 19_000 },
      balances: () => ({ ...rich, spot: rich.spot?.slice(0, 1) ?? [], staking: null, subAccounts: [] }),
    })
    expect(answer[0]).toBe('Total $13.2k (19 s old): spot $8,100, vaults $5,100')
    expect(answer.join('\n')).not.toContain('Perps')
  })

  test('shows a sub-account that is watched once, as a wallet', async () => {
    const sub = { wallet: BOB, name: 'Scalps', equityUsd: exact('2996'), unpriced: [], positions: 1 }
    const answer = await asks('/balances', {
      labels: ['main', 'sub1'],
      balances: (wallet) =>
        wallet === ALICE
          ? { subAccounts: [sub] }
          : { perps: [{ accountId: 'main', equityUsd: exact('2996') }] },
    })
    expect(answer.filter((line) => line.includes('2,996'))).toEqual(['  sub1 $2,996', 'Perps: $2,996'])
  })

  test('a wallet that waits for its turn is named once, and is no blindness', async () => {
    const answer = await asks('/balances', {
      ...{ labels: ['main', 'hedge'] },
      balances: (wallet) => (wallet === ALICE ? rich : WAITS),
    })
    expect(answer.filter((line) => line.includes('not read in time'))).toEqual([
      '  without spot, vaults, staking on hedge: not read in time',
    ])
    expect(answer.join('\n')).not.toMatch(/BLIND|can’t see/)
    const queued = [{ part: 'staking', why: 'no turn within 15 s', queued: true as const }]
    const partly = (await asks('/balances', { balances: () => ({ failedParts: queued }) })).join('\n')
    expect(partly).toContain('without staking: not read in time, Refresh shows it')
    expect(partly).not.toMatch(/BLIND|can’t see|Nothing here/)
  })

  test('names a part that failed, with its reason, and never as nothing', async () => {
    const failedParts = [{ part: 'staking', why: 'The venue refused with status 500.' }]
    const answer = (await asks('/balances', { balances: () => ({ failedParts }) })).join('\n')
    expect(answer).toContain('without staking: not read')
    expect(answer).toContain('main, staking: The venue refused with status 500.')
    expect(answer).not.toContain('Nothing here')
  })

  test('reads two wallets at once, and others as far as there is room: nobody else waits for them', async () => {
    const beside: boolean[] = []
    const wallets = [ALICE, BOB, CAROL]
    const { dialog } = aDialog({
      view: { ...aView(), watches: () => wallets.map((wallet, at) => aWatch({ wallet, label: `w${at}` })) },
      records: {
        balances: (_, waits) => {
          beside.push(waits !== undefined)
          return Promise.resolve({ is: 'unseen', why: 'not read in time' })
        },
      },
    })
    await dialog.line(anInbound(), '/balances')
    expect(beside).toEqual([false, false, true])
  })

  test('is one sentence where there is nothing, and where the venue shows none', async () => {
    expect((await asks('/balances', { balances: () => ({}), accounts: [] }))[0]).toBe(
      'Nothing here: no tokens, vaults, staking or sub-accounts',
    )
    expect((await asks('/balances'))[0]).toBe('This venue shows no balances beside its accounts.')
  })
})

describe('/positions ends with one total', () => {
  const ending = async (asked: Asked) => {
    const answer = await asks('/positions', asked)
    return answer.slice(answer.findIndex((line) => line.startsWith('Total')))
  }

  test('of the live equity and the balances, with their age', async () => {
    const balances = () => ({ ...rich, staking: null, subAccounts: [], spot: rich.spot?.slice(0, 2) ?? [] })
    const answer = await ending({ balances, ageMs: 240_000 })
    expect(answer[0]).toBe('Total $47.7k: perps $30.5k, spot $12.1k, vaults $5,100')
    expect(answer.at(-1)).toContain('balances 4 min old')
  })

  test('of all wallets and of each, and what is not known of one is said of that one', async () => {
    const balances = (wallet: Wallet) =>
      wallet === ALICE ? { vaults: rich.vaults ?? [] } : 'not read in time'
    const answer = await ending({ balances, labels: ['main', 'hedge'] })
    expect(answer.slice(0, 4)).toEqual([
      'Total $35.6k: perps $30.5k, vaults $5,100',
      '  main $35.6k',
      '  hedge not known',
      '  without spot, vaults, staking on hedge: not read in time',
    ])
  })

  test('of what was read, and says what was not', async () => {
    expect(await ending({ balances: () => 'not read in time', labels: ['other'] })).toContain(
      '  without spot, vaults, staking: not read in time',
    )
  })

  test('names venues that show no balances', async () => {
    expect(await ending({ balances: () => ({ absent: ['lighter'] }) })).toContain(
      '  lighter shows no balances',
    )
  })

  test('names sub-accounts with positions that are not watched, with a button', async () => {
    const answer = (await asks('/positions', { balances: () => rich })).join('\n')
    expect(answer).toContain('1 sub-account of main with open positions isn’t watched')
    expect(answer).toContain('[Watch sub-accounts: /subs 0x52908400]')
  })

  test('says nothing of balances where the venue shows none, and of one market', async () => {
    expect((await asks('/positions')).join('\n')).not.toMatch(/Total|balances/)
    expect((await asks('/positions ETH', { balances: () => rich })).join('\n')).not.toContain('Total')
  })
})
