import { describe, expect, test } from 'vitest'

import { formatDecimal } from '../../../../src/venue/amount.ts'
import { VenueError } from '../../../../src/venue/venue.ts'
import {
  readFillPage,
  readFundingPage,
  readSlicePage,
  readTransferPage,
} from '../../../../src/venues/hyperliquid/wire/record.ts'
import { exact } from '../../../support/fixtures.ts'
import liquidated from '../recorded/userFills-liquidated-2026-02.json' with { type: 'json' }
import paid from '../recorded/userFunding-2023.json' with { type: 'json' }
import { aFill, OWNER, STRANGER } from '../records.ts'

const ME = OWNER.toLowerCase()
const OTHER = STRANGER.toLowerCase()
const VAULT = `0x${'c'.repeat(40)}`
const HASH = `0x${'1'.repeat(64)}`

/** A transfer as `what usd`, and its token. */
function moved(delta: Record<string, unknown>): string | null {
  const [element] = readTransferPage([{ time: 5, hash: HASH, delta }], OWNER)
  const entry = element?.entry
  if (element?.unusable) return `unusable: ${element.unusable.why}`
  if (entry?.is !== 'transfer') return null
  const usd = entry.usd === null ? 'unknown' : formatDecimal(entry.usd)
  const token = entry.token && ` ${formatDecimal(entry.token.amount)} ${entry.token.symbol}`
  return `${entry.what} ${usd}${token ?? ''}`
}

describe('a transfer', () => {
  const send = { type: 'send', token: 'USDC', amount: '50.0', usdcValue: '50.0', fee: '0.0', feeToken: '' }
  const token = { type: 'spotTransfer', token: 'HYPE', amount: '2.0', usdcValue: '80.0', fee: '0.0' }
  test.each<[string, Record<string, unknown>, string | null]>([
    ['from the bridge', { type: 'deposit', usdc: '200079.847397' }, 'deposit 200079.847397'],
    [
      'to the bridge takes its fee along',
      { type: 'withdraw', usdc: '99.0', fee: '1.0', nonce: 1 },
      'withdrawal -100',
    ],
    [
      'to another wallet takes its fee along',
      { type: 'internalTransfer', usdc: '5.0', user: ME, destination: OTHER, fee: '1.0' },
      'sent -6',
    ],
    [
      'from another wallet',
      { type: 'internalTransfer', usdc: '5.0', user: OTHER, destination: ME, fee: '1.0' },
      'received 5',
    ],
    [
      'to a sub-account',
      { type: 'subAccountTransfer', usdc: '7.0', user: ME, destination: OTHER },
      'sent -7',
    ],
    [
      'from a sub-account',
      { type: 'subAccountTransfer', usdc: '7.0', user: OTHER, destination: ME },
      'received 7',
    ],
    ['from spot', { type: 'accountClassTransfer', usdc: '12.5', toPerp: true }, 'within 12.5'],
    ['to spot', { type: 'accountClassTransfer', usdc: '12.5', toPerp: false }, 'within -12.5'],
    ['by send', { ...send, user: ME, destination: OTHER, sourceDex: '', destinationDex: '' }, 'sent -50'],
    [
      'by send, with a fee in dollars',
      { ...send, user: ME, destination: OTHER, fee: '1.0', feeToken: 'USDC' },
      'sent -51',
    ],
    [
      'by send, with a fee in a token',
      { ...send, user: ME, destination: OTHER, fee: '0.1', feeToken: 'HYPE' },
      'sent -50',
    ],
    [
      'from spot to a dex of the same wallet',
      { ...send, user: ME, destination: ME, sourceDex: 'spot', destinationDex: 'xyz' },
      'within 50',
    ],
    [
      'from a dex to spot of the same wallet',
      { ...send, user: ME, destination: ME, sourceDex: '', destinationDex: 'spot' },
      'within -50',
    ],
    [
      'between dexes of the same wallet',
      { ...send, user: ME, destination: ME, sourceDex: '', destinationDex: 'xyz' },
      'within 0',
    ],
    [
      'to the HyperEVM leaves the venue',
      { ...send, user: ME, destination: `0x2${'0'.repeat(39)}`, sourceDex: '', destinationDex: 'spot' },
      'withdrawal -50',
    ],
    [
      'from the HyperEVM comes to the venue',
      { ...token, user: `0x${'2'.repeat(40)}`, destination: ME },
      'deposit 80 2 HYPE',
    ],
    ['of a token', { ...token, user: ME, destination: OTHER }, 'sent -80 -2 HYPE'],
    [
      'of a token without a price',
      { ...token, usdcValue: '0.0', user: OTHER, destination: ME },
      'received unknown 2 HYPE',
    ],
    ['into a vault', { type: 'vaultDeposit', vault: VAULT, usdc: '100.0' }, 'vault -100'],
    [
      'out of a vault, less the commission',
      {
        ...{ type: 'vaultWithdraw', vault: VAULT, user: ME, requestedUsd: '100.0', commission: '1.0' },
        ...{ closingCost: '0.5', basis: '98.0', netWithdrawnUsd: '98.5' },
      },
      'vault 98.5',
    ],
    ['that founds a vault', { type: 'vaultCreate', vault: VAULT, usdc: '200.0', fee: '100.0' }, 'vault -300'],
    ['into this wallet, which is a vault', { type: 'vaultDeposit', vault: ME, usdc: '9.0' }, 'received 9'],
    [
      'of stakes',
      { type: 'cStakingTransfer', token: 'HYPE', amount: '5.0', isDeposit: true },
      'staking unknown -5 HYPE',
    ],
    ['of a reward', { type: 'rewardsClaim', amount: '237.09788511', token: 'USDC' }, 'reward 237.09788511'],
    ['of a reward without a token', { type: 'rewardsClaim', amount: '2.5', token: '' }, 'reward 2.5'],
    ['of a new token', { type: 'spotGenesis', token: 'PURR', amount: '100.0' }, 'reward unknown 100 PURR'],
    ['that lends', { type: 'borrowLend', token: 'USDC', operation: 'supply', amount: '500.0' }, 'other -500'],
    ['that pays for gas', { type: 'accountActivationGas', token: 'USDC', amount: '1.0' }, 'other -1'],
    [
      'is no liquidation: its fills say what it took',
      {
        ...{ type: 'liquidation', liquidatedNtlPos: '145.503', accountValue: '0.330377' },
        ...{ leverageType: 'Cross', liquidatedPositions: [{ coin: 'WIF', szi: '-510.0' }] },
      },
      null,
    ],
    ['of an unknown kind is of unknown value', { type: 'airdropV2', usdc: '9.0' }, 'other unknown'],
    [
      'without its amount cannot be used',
      { type: 'deposit', usd: '9.0' },
      'unusable: usdc is missing or of another type',
    ],
  ])('%s', (_name, delta, expected) => {
    expect(moved(delta)).toBe(expected)
  })

  test('is told apart from others of the same transaction', () => {
    const row = { time: 5, hash: HASH, delta: { type: 'deposit', usdc: '1.0' } }
    const ids = readTransferPage([row, row, { ...row, time: 6 }], OWNER).map(({ entry }) => entry?.id)
    expect(new Set(ids).size).toBe(3)
  })
})

describe('a fill', () => {
  const fillOf = (more: Record<string, unknown>) => readFillPage([aFill(more)], OWNER)[0]
  const base = { coin: 'BTC', px: '50000.0', sz: '0.2', side: 'A', startPosition: '0.5', closedPnl: '12.5' }

  test('as recorded', () => {
    const [element] = readFillPage(liquidated.body, OWNER)
    expect(element?.entry).toMatchObject({
      ...{ is: 'fill', at: 1771816452802, accountId: 'main', marketId: 'HYPE', orderId: '327271591087' },
      ...{ size: exact('-7.27'), price: exact('27.283'), before: exact('7.27') },
      // It is somebody else who was liquidated.
      ...{ realisedUsd: exact('-101.585891'), feeUsd: exact('0.085686'), how: 'traded' },
    })
  })

  test.each<[string, Record<string, unknown>, object]>([
    ['of another dex', { coin: 'xyz:NVDA' }, { accountId: 'xyz', marketId: 'xyz:NVDA' }],
    ['with a rebate', { fee: '-0.1', feeToken: 'USDC' }, { feeUsd: exact('-0.1') }],
    ['with a fee in the dollars of its dex', { fee: '0.1', feeToken: 'USDH' }, { feeUsd: exact('0.1') }],
    ['with a fee in another token', { fee: '0.1', feeToken: 'HYPE' }, { feeUsd: null }],
    ['whose fee nobody can read', { fee: 'free', feeToken: 'USDC' }, { feeUsd: null }],
    [
      'that liquidated this wallet',
      { liquidation: { liquidatedUser: ME, method: 'market' } },
      { how: 'liquidated' },
    ],
    [
      'that liquidated another wallet',
      { liquidation: { liquidatedUser: OTHER, method: 'market' } },
      { how: 'traded' },
    ],
    ['that deleveraged', { dir: 'Auto-Deleveraging' }, { how: 'deleveraged' }],
    ['that settled', { dir: 'Settlement' }, { how: 'settled' }],
  ])('%s', (_name, more, expected) => {
    expect(fillOf({ ...base, ...more })?.entry).toMatchObject(expected)
  })

  test('in spot is left out', () => {
    expect(fillOf({ ...base, coin: '@142' })).toMatchObject({ entry: null, unusable: null })
  })

  test('without a figure is named, with its dex', () => {
    const element = fillOf({ ...base, coin: 'xyz:NVDA', closedPnl: null })
    expect(element).toMatchObject({ entry: null, unusable: { what: 'a fill', part: 'xyz' } })
  })

  test('without a time spoils the page, as it has no place in it', () => {
    expect(() => readFillPage([{ ...aFill({}), time: null }], OWNER)).toThrow(VenueError)
  })

  test('of a TWAP is read as any other', () => {
    const [slice] = readSlicePage([{ fill: aFill(base), twapId: 7 }], OWNER)
    expect(slice?.entry).toEqual(fillOf(base)?.entry)
  })

  test('of one order and one millisecond is told apart by its trade', () => {
    const ids = [1, 2].map((tid) => fillOf({ ...base, oid: 9, tid })?.entry?.id)
    expect(new Set(ids).size).toBe(2)
  })
})

test('a payment of funding, as recorded', () => {
  const elements = readFundingPage(paid.body)
  expect(elements[0]?.entry).toMatchObject({
    ...{ is: 'funding', accountId: 'main', marketId: 'APE', usd: exact('0.145796') },
    size: exact('40.13333333'),
  })
  expect(new Set(elements.map(({ entry }) => entry?.id)).size).toBe(elements.length)
  expect(elements.every(({ unusable }) => unusable === null)).toBe(true)
})
