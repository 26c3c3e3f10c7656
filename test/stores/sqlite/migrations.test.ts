import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, test } from 'vitest'

import { message } from '../../../src/message/message.ts'
import type { Settlement, Store } from '../../../src/store/store.ts'
import { openDatabase, type Sqlite } from '../../../src/stores/sqlite/file/database.ts'
import { openSqlite } from '../../../src/stores/sqlite/index.ts'
import { ALICE } from '../../support/fixtures.ts'
import { aTurn, temporaryFolder } from '../../support/store.ts'

/** Nobody could say anything about it then; what is critical is said again from the next look on. */
const WAITING = { is: 'waiting', since: expect.any(Number) as number, reminders: 0, remindAt: null } as const

const MIGRATIONS = new URL('../../../src/stores/sqlite/migrations/', import.meta.url)
const ETH = `${ALICE}/1/100/long`
const BTC = `${ALICE}/1/200/short`

test('each migration has the number of its place, so that two never take the same one', () => {
  const files = readdirSync(MIGRATIONS).toSorted()
  const numbers = files.map((file) => Number(file.slice(0, 3)))
  expect(numbers).toEqual(files.map((_, place) => place + 1))
})

/** What a database of this schema holds, opened by today's Perch. */
async function upgraded(schema: number, fill: (sqlite: Sqlite) => void): Promise<Store> {
  const folder = temporaryFolder()
  const old = join(folder, 'migrations')
  mkdirSync(old)
  for (const file of readdirSync(MIGRATIONS).toSorted().slice(0, schema))
    copyFileSync(new URL(file, MIGRATIONS), join(old, file))
  const file = join(folder, 'perch.sqlite')
  const { sqlite, close } = openDatabase(file, pathToFileURL(`${old}/`))
  sqlite.exec(`
    INSERT INTO persons (id, operator, zone) VALUES (1, 1, 'UTC');
    INSERT INTO chats (id, platform, chat, person_id, private) VALUES (1, 'terminal', 'a', 1, 1);
    INSERT INTO watches VALUES ('${ALICE}', 1, 'main', 5);
  `)
  fill(sqlite)
  close()
  return openSqlite(file, 'sim')
}

function rule(sqlite: Sqlite, id: number, kind: string, params: unknown, marketId: string | null = null) {
  sqlite
    .prepare('INSERT INTO rules VALUES (?, 1, 1, ?, ?, NULL, ?, ?, 0)')
    .run(id, kind, JSON.stringify(params), marketId, marketId === null ? null : 'ETH')
}

function fires(sqlite: Sqlite, ruleId: number, subject: string, tier: number, alertId: number) {
  const state = { is: 'firing', tier, alertId, since: 7 }
  sqlite.prepare('INSERT INTO states VALUES (?, ?, ?, 0.1)').run(ruleId, subject, JSON.stringify(state))
  sqlite
    .prepare("INSERT INTO alerts VALUES (?, ?, 1, 1, 'liquidation-distance', ?, 'ETH', 'warning', 7, NULL)")
    .run(alertId, ruleId, subject)
}

describe('a database of schema 3', () => {
  test('keeps what fires, under the parameters that it was judged by', async () => {
    const store = await upgraded(3, (sqlite) => {
      rule(sqlite, 1, 'liquidation-distance', { tiers: [0.2, 0.1] })
      rule(sqlite, 2, 'liquidation-distance', { tiers: [0.3] }, '100')
      fires(sqlite, 2, ETH, 1, 40)
      fires(sqlite, 1, BTC, 2, 41)
    })
    const { states } = await store.memory.load()
    const position = { is: 'position', wallet: ALICE, accountId: '1' } as const
    expect(states.toSorted((a, b) => a.monitor.subject.is.localeCompare(b.monitor.subject.is))).toEqual(
      expect.arrayContaining([
        {
          monitor: {
            ...{ chatId: 1, kind: 'liquidation-distance', identity: '' },
            subject: { ...position, marketId: '100', side: 'long' },
          },
          state: { is: 'firing', tier: 1, alertId: 40, since: 7, acknowledgement: WAITING },
          value: 0.1,
          params: { tiers: [0.3] },
        },
        {
          monitor: {
            ...{ chatId: 1, kind: 'liquidation-distance', identity: '' },
            subject: { ...position, marketId: '200', side: 'short' },
          },
          state: { is: 'firing', tier: 2, alertId: 41, since: 7, acknowledgement: WAITING },
          value: 0.1,
          params: { tiers: [0.2, 0.1] },
        },
      ]),
    )
    expect(await store.history.alert(40)).toMatchObject({ ruleIds: [2], closedAt: null })
    await store.admin.close()
  })

  test('where two rules fire about one position in one chat, the nearer line goes on and the other alert ends', async () => {
    const store = await upgraded(3, (sqlite) => {
      rule(sqlite, 1, 'liquidation-distance', { tiers: [0.2, 0.1] })
      rule(sqlite, 2, 'liquidation-distance', { tiers: [0.15] })
      fires(sqlite, 1, ETH, 2, 40)
      fires(sqlite, 2, ETH, 1, 41)
    })
    const { states } = await store.memory.load()
    expect(states.map(({ state, params }) => [state, params])).toEqual([
      [{ is: 'firing', tier: 2, alertId: 40, since: 7, acknowledgement: WAITING }, { tiers: [0.2, 0.1] }],
    ])
    expect((await store.history.alert(40))?.closedAt).toBeNull()
    expect((await store.history.alert(41))?.closedAt).toBe(7)
    await store.admin.close()
  })

  test('knows every position that any of its rules knew, so that no old one is told as opened', async () => {
    const store = await upgraded(3, (sqlite) => {
      const memo = sqlite.prepare('INSERT INTO memos VALUES (?, ?, ?)')
      rule(sqlite, 1, 'position-opened', {})
      rule(sqlite, 2, 'position-opened', {}, '100')
      rule(sqlite, 3, 'position-resized', {})
      rule(sqlite, 4, 'position-resized', {}, '100')
      rule(sqlite, 5, 'funding-flip', { band: 0.1 })
      memo.run(1, `owner/${ALICE}`, JSON.stringify([BTC]))
      memo.run(2, `owner/${ALICE}`, JSON.stringify([ETH]))
      memo.run(3, `owner/${ALICE}`, JSON.stringify({ [BTC]: '-1' }))
      memo.run(4, `owner/${ALICE}`, JSON.stringify({ [ETH]: '2' }))
      memo.run(5, 'market/100', JSON.stringify('longs pay'))
    })
    const { memos } = await store.memory.load()
    const of = (kind: string) => memos.filter(({ monitor }) => monitor.kind === kind).map(({ memo }) => memo)
    expect(of('position-opened').map((memo) => (memo as string[]).toSorted())).toEqual([
      [BTC, ETH].toSorted(),
    ])
    expect(of('position-resized')).toEqual([{ [BTC]: '-1', [ETH]: '2' }])
    expect(of('funding-flip')).toEqual(['longs pay'])
    await store.admin.close()
  })

  test('sends what waited, and says nothing of a reason that nobody kept', async () => {
    const store = await upgraded(3, (sqlite) => {
      sqlite.exec(`INSERT INTO outbox (id, chat_id, urgency, silent, message, queued_at, due_at)
        VALUES (9, 1, 0, 0, '{}', 500, 500)`)
    })
    const [row] = await store.outbox.round({
      ...{
        now: 600,
        settled: [],
        busy: [],
        noEdits: [],
        noPictures: [],
        criticalOnly: [],
        criticalOnlyOn: [],
        testsOnly: [],
        trying: [],
        overdue: { before: 0, except: [] },
        jump: null,
        served: [],
      },
      take: [{ platform: 'terminal', most: 9, edits: 9, pictures: 9 }],
    })
    expect(row).toMatchObject({ id: 9, reason: null, detectedAt: 500 })
    await store.admin.close()
  })
})

test('a database of schema 10 knows what its messages were about, and how its alerts began', async () => {
  const store = await upgraded(10, (sqlite) => {
    sqlite.exec(`
      INSERT INTO alerts (id, person_id, chat_id, kind, subject, title, severity, opened_at)
        VALUES (40, 1, 1, 'liquidation-distance', '${ETH}', 'ETH', 'warning', 7),
          (41, 1, 1, 'liquidation-distance', '${BTC}', 'BTC', 'warning', 7);
      INSERT INTO outbox (id, chat_id, urgency, silent, message, queued_at, due_at, detected_at)
        VALUES (8, 1, 1, 0, '${JSON.stringify(message([]))}', 500, 500, 500),
          (9, 1, 1, 0, '${JSON.stringify(message([]))}', 500, 500, 500);
      INSERT INTO outbox_alerts (row_id, alert_id) VALUES (8, 40), (9, 40), (9, 41);
      INSERT INTO steps (alert_id, at, what, threshold, data_at, row_id) VALUES (40, 7, 'ok → 10%', '10%', 7, 8);
    `)
  })
  const ref = { address: { platform: 'terminal', chat: 'a', thread: null }, id: 'm8' }
  const turn = (settled: Settlement[]) =>
    store.outbox.round(
      aTurn({ now: 600, settled, take: [{ platform: 'terminal', most: 9, edits: 9, pictures: 9 }] }),
    )
  expect(await turn([])).toMatchObject([{ id: 8, alertIds: [40], replyTo: null }])
  const next = await turn([{ rowId: 8, is: 'sent', at: 600, ref }])
  expect(next).toMatchObject([{ id: 9, alertIds: [40, 41], replyTo: ref }])
  expect(await store.history.timeline(40)).toMatchObject([{ what: 'ok → 10%', outcome: 'sent', sentAt: 600 }])
  await store.admin.close()
})

describe('a database of schema 11', () => {
  test('keeps every position to the last digit, whatever of it was known', async () => {
    const amount = (digits: string) => ({ $bigint: digits })
    const long = {
      ...{ wallet: ALICE, accountId: '340282366920938463463374607431768211455', marketId: '200' },
      ...{ size: amount('123456789012345678901234567890'), entryPrice: amount('1') },
      ...{
        liquidationPrice: amount('92013000000000000000001'),
        margin: 'cross',
        leverage: 3.3333333333333335,
      },
      ...{ fundingUsd: amount('-5'), openedAt: 1_763_000_000_000 },
    }
    // As one was written before it was known how a margin is.
    const short = {
      ...{ wallet: ALICE, accountId: 'main', marketId: '"/', size: amount('-2'), entryPrice: amount('3') },
      ...{ liquidationPrice: null, leverage: null, fundingUsd: null, openedAt: null },
    }
    const store = await upgraded(11, (sqlite) => {
      const insert = sqlite.prepare("INSERT INTO owners VALUES (?, 7, ?, '{}', '[]', '{}')")
      insert.run(ALICE, JSON.stringify([long, short]))
      insert.run(`${ALICE}0`, '[]')
    })
    expect([...(await store.memory.load()).wallets].map(({ positions }) => positions)).toEqual([
      [
        {
          ...long,
          ...{ size: 123456789012345678901234567890n, entryPrice: 1n, fundingUsd: -5n },
          ...{ liquidationPrice: 92013000000000000000001n, breakEvenPrice: null, realisedPnlUsd: null },
        },
        { ...short, size: -2n, entryPrice: 3n, margin: null, breakEvenPrice: null, realisedPnlUsd: null },
      ],
      [],
    ])
    await store.admin.close()
  })
})
