import { describe, expect, test } from 'vitest'

import type { Change } from '../../../src/store/change.ts'
import { NOON } from '../../support/clock.ts'
import { made } from '../../support/engine.ts'
import { aChat, aDraft, aPerson, aRule, aWatch, BOB } from '../../support/fixtures.ts'

type Import = Extract<Change, { is: 'import' }>

const armed = aDraft({ wallet: BOB, armedByWatch: true })

/** Of the person whom `remembered` has, with one wallet already. */
function anImport(over: Partial<Import> = {}): Import {
  return {
    ...{ is: 'import', personId: 1, chatId: 1, settings: { zone: 'Asia/Tokyo' } },
    preset: { name: 'calm', except: {} },
    watches: [{ wallet: BOB, label: 'hedge', as: 'own' }],
    rules: [{ chatId: 1, draft: armed }],
    chats: [{ chatId: 1, quiet: { from: 0, to: 60 }, digest: 480, weekly: null }],
    mutes: [{ chatId: 1, of: { is: 'all' }, until: NOON + 1 }],
    most: { wallets: 20, followed: 50, rules: 100 },
    ...over,
  }
}

test('all that somebody takes over is decided at once', () => {
  const { memory, kinds, rules, refused } = made(anImport())
  expect(refused).toBeNull()
  expect(kinds).toEqual(['person', 'watch', 'chat', 'mute', 'rule'])
  expect(memory.people.persons.get(1)).toMatchObject({
    zone: 'Asia/Tokyo',
    preset: { name: 'calm', except: {}, before: null },
  })
  expect(memory.people.chats.get(1)).toMatchObject({
    quiet: { from: 0, to: 60 },
    digest: { minute: 480, after: NOON, told: null },
  })
  expect(memory.rules.watches.get(BOB, 1)).toMatchObject({ label: 'hedge', since: NOON, as: 'own' })
  expect(rules).toMatchObject([{ id: 8, wallet: BOB, armedByWatch: true }])
})

describe('what no longer fits refuses all of it', () => {
  const others = { persons: [aPerson(), aPerson({ id: 2 })], chats: [aChat(), aChat({ id: 2, personId: 2 })] }
  const own = { chatId: 1, draft: aDraft() }
  test.each([
    ['a wallet that is watched by now', { watches: [aWatch({ wallet: BOB })] }, {}],
    ['a rule that is there by now', { rules: [aRule({ wallet: BOB })] }, {}],
    ['one wallet too many', {}, { most: { wallets: 1, followed: 50, rules: 100 } }],
    [
      'one followed wallet too many',
      {},
      {
        watches: [{ wallet: BOB, label: 'hedge', as: 'followed' }],
        most: { wallets: 20, followed: 0, rules: 100 },
      },
    ],
    ['one rule too many', {}, { rules: [own], most: { wallets: 20, followed: 50, rules: 0 } }],
    ['a rule in a chat of somebody else', others, { rules: [{ chatId: 2, draft: armed }] }],
    ['a mute there', others, { mutes: [{ chatId: 2, of: { is: 'all' }, until: NOON + 1 }] }],
    [
      'quiet hours there',
      others,
      { chats: [{ chatId: 2, quiet: { from: 0, to: 1 }, digest: null, weekly: null }] },
    ],
    ['a chat that is gone', {}, { rules: [{ chatId: 9, draft: armed }] }],
    ['a person who is gone', {}, { personId: 7 }],
  ] as [string, Parameters<typeof made>[1], Partial<Import>][])('%s', (_what, before, change) => {
    const { writes, refused } = made(anImport(change), before)
    expect(refused).toContain('Something changed here meanwhile')
    expect(writes).toEqual([])
  })
})

test('settings of a chat that were made meanwhile stay', () => {
  const quiet = { from: 100, to: 200 }
  const digest = { minute: 1, after: 5, told: null }
  const { memory, refused } = made(anImport(), { chats: [aChat({ quiet, digest })] })
  expect(refused).toBeNull()
  expect(memory.people.chats.get(1)).toMatchObject({ quiet, digest })
})

test('rules of /watch count for no limit, as they do without an import', () => {
  const most = { wallets: 20, followed: 50, rules: 0 }
  expect(made(anImport({ most })).refused).toBeNull()
})
