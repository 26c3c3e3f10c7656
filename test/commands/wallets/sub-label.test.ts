import { describe, expect, test } from 'vitest'

import { masterAmong, subLabel } from '../../../src/commands/wallets/watching.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import { ALICE, aWatch, BOB } from '../../support/fixtures.ts'

const named = (name: string | null, taken: readonly string[] = ['main'], master = 'main') =>
  subLabel(master, { wallet: BOB, name }, taken)

describe('the label of a sub-account', () => {
  test.each([
    ['its name at the venue', 'Scalps', ['main'], 'main · Scalps'],
    ['a number where it has none', null, ['main'], 'main · sub 1'],
    ['a number where its name is not legible', '\u200b"', ['main'], 'main · sub 1'],
    ['a number where its name is too long', 'the account for very slow trades', ['main'], 'main · sub 1'],
    ['a number where another wallet has that name', 'Scalps', ['main', 'main · scalps'], 'main · sub 1'],
    ['the next number', null, ['main', 'main · sub 1'], 'main · sub 2'],
  ])('is %s', (_, name, taken, label) => {
    expect(named(name, taken)).toBe(label)
  })

  test('is its address where the label of its master leaves no room', () => {
    expect(named('Scalps', ['main'], 'my very long master nam')).toBe('0x8617…070D')
  })
})

describe('the master of a sub-account', () => {
  const masterOf = (wallet: Wallet) => (wallet === BOB ? ALICE : null)
  const watches = [aWatch({ wallet: ALICE, label: 'main' })]

  test('is the watched wallet that it is known to belong to', () => {
    const read = { masterOf } as Parameters<typeof masterAmong>[0]
    expect(masterAmong(read, watches, BOB)?.label).toBe('main')
    expect(masterAmong(read, watches, ALICE)).toBeNull()
    expect(masterAmong(read, [], BOB)).toBeNull()
  })
})
