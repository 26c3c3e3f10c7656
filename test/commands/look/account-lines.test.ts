import { describe, expect, test } from 'vitest'

import { accountsItem } from '../../../src/commands/look/account-lines.ts'
import { message, plainLines } from '../../../src/message/message.ts'
import type { Account } from '../../../src/venue/account.ts'
import { NOON } from '../../support/clock.ts'
import { ALICE, aPosition, exact } from '../../support/fixtures.ts'

const anAccount = (accountId: string, over: Partial<Account> = {}): Account => ({
  wallet: ALICE,
  accountId,
  pool: over.mode === undefined || over.mode === 'single' ? accountId : 'main',
  mode: 'single',
  equityUsd: exact('12345'),
  maintenanceUsd: exact('2839'),
  marginRatio: 0.23,
  withdrawableUsd: exact('4000'),
  ...over,
})
const at = (accountId: string) => aPosition({ accountId })

/** What a person reads of one wallet's accounts; nothing where nothing is said. */
function reads(
  accounts: Account[],
  positions = accounts.map(({ accountId }) => at(accountId)),
  how: 'few' | 'many' = 'many',
): string[] {
  const item = accountsItem([{ wallet: 'hedge', accounts, positions }], how)
  return item === null ? [] : plainLines(message([item]), { now: NOON, zone: 'UTC' })
}

describe('what covers the positions is said', () => {
  test('with the ratio, and where that ends', () => {
    expect(reads([anAccount('main')])).toEqual([
      'Margin (liquidated at 100%)',
      '  hedge: margin 23% · equity $12.3k · $4,000 free',
    ])
  })

  test('of several books each by its name, the nearest to its end first', () => {
    const lines = reads([anAccount('main'), anAccount('xyz', { marginRatio: 0.6 })])
    expect(lines[1]).toContain('hedge in xyz: margin 60% · equity $12.3k')
    expect(lines[2]).toContain('hedge: margin 23% · equity $12.3k')
  })

  test('once, where several books share it, and never added', () => {
    const shared = { mode: 'unified' as const, withdrawableUsd: null }
    expect(reads([anAccount('main', shared), anAccount('xyz', shared)])).toEqual([
      'Margin (liquidated at 100%)',
      '  hedge in main + xyz (unified): margin 23% · equity $12.3k',
    ])
  })

  test('and of many that share it, how many they are', () => {
    const shared = ['main', 'a', 'b', 'c', 'd'].map((id) => anAccount(id, { mode: 'unified' }))
    expect(reads(shared)[1]).toContain('hedge, 5 dexes (unified): margin')
  })

  test('of many the two nearest to their end beside other things, and how many more there are', () => {
    const accounts = ['main', 'a', 'b', 'c', 'd', 'e'].map((id) => anAccount(id))
    const lines = reads(accounts, undefined, 'few')
    expect(lines).toHaveLength(4)
    expect(lines.at(-1)).toBe('  and 4 more')
    expect(reads(accounts)).toHaveLength(7)
  })
})

describe('what is not known is not made up', () => {
  test('equity that could not be read is no $0', () => {
    const line = reads([anAccount('main', { mode: 'portfolio', equityUsd: null, withdrawableUsd: null })])[1]
    expect(line).toBe('  hedge (portfolio margin): margin 23%')
  })

  test('an account of which nothing is known is not spoken of', () => {
    const unknown = { equityUsd: null, maintenanceUsd: null, marginRatio: null, withdrawableUsd: null }
    expect(reads([anAccount('main', { mode: 'unified', ...unknown })])).toEqual([])
  })

  test('where only isolated positions are held, no ratio of zero calms anybody', () => {
    expect(reads([anAccount('main', { maintenanceUsd: 0n, marginRatio: 0 })])).toEqual([
      'Accounts',
      '  hedge: equity $12.3k · $4,000 free',
    ])
  })

  test('a book in which there is nothing is left out', () => {
    const flat = anAccount('main', { equityUsd: 0n, maintenanceUsd: 0n, marginRatio: 0, withdrawableUsd: 0n })
    expect(reads([flat], [])).toEqual([])
  })
})
