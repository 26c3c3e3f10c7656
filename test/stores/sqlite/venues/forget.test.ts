import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { monitorKey } from '../../../../src/alert/monitor.ts'
import { type SubjectId, subjectOfPosition } from '../../../../src/alert/subject-id.ts'
import type { Store, Write } from '../../../../src/store/store.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { openDatabase } from '../../../../src/stores/sqlite/file/database.ts'
import openStore, { openSqlite } from '../../../../src/stores/sqlite/index.ts'
import forget from '../../../../src/stores/sqlite/venues/forget.ts'
import {
  accountSource,
  marginSource,
  marketsSource,
  ordersSource,
  walletSource,
} from '../../../../src/venue/source.ts'
import type { ClosedPosition } from '../../../../src/venue/closed-position.ts'
import { positionKey } from '../../../../src/venue/position.ts'
import type { Wallet } from '../../../../src/venue/wallet.ts'
import {
  aChat,
  aFiring,
  aMonitor,
  ALICE,
  anOrder,
  aPerson,
  aPosition,
  aRule,
  aWatch,
  BOB,
} from '../../../support/fixtures.ts'
import { newDatabase } from '../../../support/new-database.ts'
import { anAlert, aStep } from '../../../support/store-everything.ts'
import { aRow, drain, temporaryFolder } from '../../../support/store.ts'

const FIRST = 'hyperliquid https://one.example'
const OTHER = 'lighter https://two.example'

const OWN = aPosition({ accountId: 'main', marketId: 'ETH' })
const THEIRS = aPosition({ accountId: 'lighter/7', marketId: 'lighter/1' })
const DATA = new Uint8Array([1, 2, 3])
const WALLET: SubjectId = { is: 'wallet', wallet: ALICE }

/** Everything that is kept of a position at one venue; numbers begin at `from`. */
function recordsOf(position: typeof OWN, venue: string | undefined, from: number): Write[] {
  const { accountId, marketId } = position
  const at = (wallet: Wallet) => (venue === undefined ? wallet : `${wallet}/${venue}`)
  const monitors = [
    aMonitor({ subject: subjectOfPosition(position) }),
    aMonitor({ subject: { is: 'market', marketId } }),
    aMonitor({ subject: { is: 'account', wallet: ALICE, accountId } }),
  ]
  const sources = [
    marketsSource(venue),
    walletSource(ALICE, venue),
    ordersSource(ALICE, venue),
    `market/${marketId}`,
    accountSource(ALICE, accountId),
    marginSource(ALICE, accountId),
  ]
  return [
    ...monitors.flatMap((monitor, place): Write[] => {
      const id = from + place
      return [
        { is: 'alert', alert: anAlert({ id, ...monitor }) },
        { is: 'step', step: aStep({ alertId: id }) },
        { is: 'state', row: { monitor, state: aFiring({ alertId: id }), value: 1, params: {} } },
        { is: 'memo', row: { monitor: { ...monitor, kind: 'price-move' }, memo: { up: 'calm' } } },
        { is: 'send', row: aRow({ id, alertIds: [id], about: [monitorKey(monitor)] }) },
        {
          is: 'suppressed',
          held: {
            ...{ chatId: 1, alertId: id, about: monitorKey(monitor), at: 7 },
            ...{ severity: 'warning', title: 'held', over: false },
          },
        },
      ]
    }),
    ...sources.flatMap((source): Write[] => [
      { is: 'source', row: { source, chatId: 1, since: 3, why: 'no answer' } },
      { is: 'dark', source, since: 3 },
      { is: 'gap', gap: { chatId: 1, source, since: 3, until: 9e12 } },
    ]),
    { is: 'rule', rule: aRule({ id: from, market: { id: marketId, symbol: marketId } }) },
    { is: 'mute', mute: { chatId: 1, of: { is: 'market', marketId }, until: 9e12 } },
    {
      is: 'past',
      blocks: [
        { of: 'prices', id: marketId, since: 5, data: DATA },
        ...[ALICE, BOB].map((wallet) => ({ of: 'wallet', id: at(wallet), since: 5, data: DATA }) as const),
      ],
      pieces: [{ at: from, id: at(ALICE), data: DATA }],
      inBlocks: null,
    },
  ]
}

function closed(position: typeof OWN): ClosedPosition {
  return {
    ...{ key: positionKey(position), position, symbol: 'ETH', lastSeenAt: 4, awaySince: null },
    ...{ cause: 'unknown', lastPrice: 1, lastDistance: null, worstPrice: null, orders: null, ending: null },
    takerFee: null,
  }
}

/** A person who watches a wallet that holds these positions. */
function world(...positions: (typeof OWN)[]): Write[] {
  const isBoth = positions.includes(THEIRS)
  const keys = positions.map(positionKey)
  const byKey = <T>(value: T) => Object.fromEntries(keys.map((key) => [key, value]))
  const byMarket = <T>(value: T) => Object.fromEntries(positions.map(({ marketId }) => [marketId, value]))
  const memo = (kind: string, subject: SubjectId, said: unknown): Write => ({
    is: 'memo',
    row: { monitor: aMonitor({ kind, subject }), memo: said },
  })
  return [
    { is: 'person', person: aPerson() },
    {
      is: 'chat',
      chat: aChat({
        digest: { minute: 480, after: 7, told: { at: 7, open: byKey({ size: 2n ** 70n, pnlUsd: 1 / 3 }) } },
      }),
    },
    { is: 'watch', watch: aWatch() },
    { is: 'rule', rule: aRule({ id: 1 }) },
    memo('opened', WALLET, keys),
    memo('resized', WALLET, { sizes: byKey('2'), told: {} }),
    memo(
      'tpsl',
      WALLET,
      positions.map((one) => ({
        order: anOrder({ id: one.marketId, accountId: one.accountId, marketId: one.marketId }),
        ...{ position: positionKey(one), lacked: null, closed: null },
      })),
    ),
    memo(
      'market-listed',
      { is: 'venue' },
      positions.map(({ marketId }) => [marketId.includes('/') ? 'lighter' : 'main', [[marketId, 'ETH']]]),
    ),
    {
      is: 'wallet',
      memory: {
        ...{ wallet: ALICE, at: 5, positions, prices: byMarket(1 / 7), symbols: byMarket('ETH') },
        ...{ gone: positions.map(closed), touchedLiquidation: byKey(1 / 3) },
        ...(isBoth && { looks: { lighter: { at: 6 } } }),
      },
    },
    {
      ...{ is: 'alive', at: 1_000, pricesAt: 1_000 },
      holes: [{ since: 1, until: 2 }, ...(isBoth ? [{ venue: 'lighter', since: 1, until: 1_000 }] : [])],
    },
  ]
}

/** What is kept, as far as a start and people see it. */
async function kept(store: Store) {
  const { wallets, ...known } = await store.memory.load()
  const last = { ...known.last, alert: 0, row: 0, rule: 0 }
  return {
    ...{ ...known, last, wallets: [...wallets] },
    alerts: await store.history.alerts(1, 100),
    summary: await store.history.dailySummary([1], 0),
    prices: await store.recording.blocks('prices', 'ETH', 0),
    recorded: await store.recording.blocks('wallet', ALICE, 0),
    pieces: await store.recording.pieces(),
    sent: await drain(store),
  }
}

/** What nobody reads would stay unnoticed, so these tables are compared row by row. */
const TABLES = ['past', 'past_pieces', 'past_left', 'feeds', 'dark', 'gaps', 'owners', 'states', 'memos']

function rowsOf(file: string, table: string): unknown[] {
  const { sqlite, close } = openDatabase(file)
  const rows = sqlite.prepare(`SELECT * FROM ${table}`).all()
  close()
  return rows
}

function newFile(): string {
  return newDatabase(join(temporaryFolder(), 'perch.sqlite'))
}

async function started(
  venues: readonly string[],
  writes: readonly Write[],
  file = newFile(),
): Promise<string> {
  const store = openSqlite(file, venues)
  await store.memory.commit(writes)
  await store.admin.close()
  return file
}

describe('a venue that is forgotten', () => {
  test('leaves what would be there without it', async () => {
    const gone: Write = { is: 'wallet-gone', wallet: BOB }
    const own = recordsOf(OWN, undefined, 10)
    const without = await started([FIRST], [...world(OWN), ...own, gone])
    const both = [...world(OWN, THEIRS), ...own, ...recordsOf(THEIRS, 'lighter', 20), gone]
    const file = await started([FIRST, OTHER], both)
    expect(await forget({ url: file, name: 'lighter', venues: [FIRST] })).toEqual({
      ...{ identity: OTHER, alerts: 3, rules: 1, positions: 1 },
    })
    expect(TABLES.map((table) => rowsOf(file, table))).toEqual(TABLES.map((table) => rowsOf(without, table)))
    const [left, alone] = [openSqlite(file, FIRST), openSqlite(without, FIRST)]
    expect(await kept(left)).toEqual(await kept(alone))
    await Promise.all([left, alone].map((store) => store.admin.close()))
  })

  test('goes whole or not at all, and its database opens again with it as with a new one', async () => {
    const file = await started([FIRST, OTHER], world(OWN, THEIRS))
    await forget({ url: file, name: 'lighter', venues: [FIRST] })
    const store = openSqlite(file, [FIRST, OTHER])
    expect([...(await store.memory.load()).wallets].map(({ positions }) => positions)).toEqual([[OWN]])
    await store.admin.close()
    expect(() => openSqlite(file, [FIRST])).toThrow('npm start -- --forget lighter')
  })

  test.each([
    ['hyperliquid', [OTHER], /belongs to hyperliquid, the first venue/],
    ['lighter', [FIRST, OTHER], /^VENUE names lighter: leave it out there/],
    ['light', [FIRST], /has no records of light, of lighter\.$/],
    ['lighter https', [FIRST], /has no records of lighter https/],
    [
      'lighter',
      ['hyperliquid https://three.example'],
      /belongs to another venue \(hyperliquid https:\/\/one/,
    ],
  ])('%s is refused with a sentence while VENUE has %j', async (name, venues, sentence) => {
    const file = await started([FIRST, OTHER], world(OWN, THEIRS))
    await expect(forget({ url: `file:${file}`, name, venues })).rejects.toThrow(sentence)
    const store = openSqlite(file, [FIRST, OTHER])
    expect([...(await store.memory.load()).wallets].map(({ positions }) => positions)).toEqual([
      [OWN, THEIRS],
    ])
    await store.admin.close()
  })

  test('is not looked for where there is no database', async () => {
    const url = join(temporaryFolder(), 'perch.sqlite')
    await expect(forget({ url, name: 'lighter', venues: [FIRST] })).rejects.toThrow(/There is no database at/)
  })
})

describe('the venues of a database', () => {
  const open = async (file: string, ...venues: string[]) => {
    const store = await openStore({ url: file, venues, clock: systemClock() })
    await store.admin.close()
  }

  test('are the one that it was made with and those that came later, whatever their order', async () => {
    const file = await started([FIRST], world(OWN))
    await open(file, FIRST, OTHER)
    await open(file, FIRST, 'third x', OTHER)
    await open(file, FIRST, OTHER, 'third x')
    await expect(open(file, FIRST, OTHER)).rejects.toThrow(
      /has records of third x too, and VENUE does not name it\. Name third there, or take its records away: npm start -- --forget third\.$/,
    )
  })

  test.each([
    [
      ['lighter https://two.example', FIRST],
      /belongs to hyperliquid https:\/\/one.example\. Name hyperliquid first in VENUE\.$/,
    ],
    [['lighter https://two.example'], /belongs to another venue .* Set DATABASE_URL to another file\.$/],
    [[FIRST], /has records of lighter https:\/\/two.example too/],
    [
      [FIRST, 'lighter https://three.example'],
      /has records of lighter https:\/\/two.example, and this is lighter https:\/\/three.example\. Set the address/,
    ],
  ])('are missed with a sentence where they are %j', async (venues, sentence) => {
    const file = await started([FIRST, OTHER], world(OWN, THEIRS))
    await expect(open(file, ...venues)).rejects.toThrow(sentence)
  })
})
