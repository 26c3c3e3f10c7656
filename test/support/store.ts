import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import { say } from '../../src/message/message.ts'
import type { NewRow, OutboxRow, DispatchRound, Settlement, Store, Write } from '../../src/store/store.ts'
import { aChat, aPerson } from './fixtures.ts'

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perch-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A message that waits; each test says what matters to it. */
export function aRow(over: Partial<NewRow> & { id: number }): NewRow {
  return {
    chatId: 1,
    urgency: 2,
    silent: false,
    message: say(`message ${over.id}`),
    alertIds: [],
    // As for a monitor with one alert.
    about: (over.alertIds ?? []).map((id) => `A${id}`),
    reason: 'fired',
    detectedAt: 1_000,
    queuedAt: 1_000,
    dueAt: over.queuedAt ?? 1_000,
    expiresAt: null,
    note: null,
    ...over,
  }
}

/** Alice, and chats 1 to `count` of hers on one platform. */
export function chatsOfAlice(count: number, platform = 'telegram'): Write[] {
  const address = (id: number) => ({ platform, chat: `chat-${id}`, thread: null })
  return [
    { is: 'person', person: aPerson() },
    ...Array.from({ length: count }, (_, index): Write => {
      const id = index + 1
      return { is: 'chat', chat: aChat({ id, address: address(id) }) }
    }),
  ]
}

export function sends(...rows: NewRow[]): Write[] {
  return rows.map((row) => ({ is: 'send', row }))
}

/** A turn of the dispatcher that takes up to a hundred rows of Telegram at noon. */
export function aTurn(over: Partial<DispatchRound> = {}): DispatchRound {
  const take = [{ platform: 'telegram', most: 100, edits: 100, pictures: 100 }]
  return {
    now: 1_000_000,
    settled: [],
    take,
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
    ...over,
  }
}

export function sentAt(rowId: number, at = 2_000): Settlement {
  const address = { platform: 'telegram', chat: 'chat-1', thread: null }
  return { rowId, is: 'sent', at, ref: { address, id: `platform-${rowId}` } }
}

/** Takes rows turn by turn, each settled as sent by the next turn, until nothing is left; their numbers in order. */
export async function drain(store: Store, over: Partial<DispatchRound> = {}): Promise<number[]> {
  const order: number[] = []
  let taken: OutboxRow[] = []
  do {
    const settled = taken.map(({ id }) => sentAt(id))
    taken = await store.outbox.round(aTurn({ ...over, settled }))
    order.push(...taken.map(({ id }) => id))
  } while (taken.length > 0)
  return order
}
