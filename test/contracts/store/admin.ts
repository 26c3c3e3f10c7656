import { expect, test } from 'vitest'
import type { WithStore } from '../store.ts'
import { aChat } from '../../support/fixtures.ts'
import { aRow, chatsOfAlice, sends } from '../../support/store.ts'

export function testStoreAdmin(withStore: WithStore): void {
  test('a secret, the same for ever, and nobody else’s', () =>
    withStore(async ({ store, reopen }) => {
      const secret = await store.admin.secret()
      expect(secret).toHaveLength(32)
      expect(await store.admin.secret()).toEqual(secret)
      expect(await (await reopen()).admin.secret()).toEqual(secret)
      await withStore(async (other) => expect(await other.store.admin.secret()).not.toEqual(secret))
    }))

  test('for whoever watches over it: how much waits, and how long what could be sent', () =>
    withStore(async ({ store }) => {
      const nowhere = { waiting: [], parked: 0 }
      expect(await store.admin.size(['telegram'])).toMatchObject(nowhere)
      const broken = aChat({ id: 2, address: at('telegram', 'chat-2'), brokenBecause: 'blocked' })
      await store.memory.commit([
        ...chatsOfAlice(2),
        { is: 'chat', chat: broken },
        ...sends(
          aRow({ id: 1, chatId: 2, urgency: 0, detectedAt: 500 }),
          aRow({ id: 2, urgency: 0, detectedAt: 2_000 }),
          // What has waited for long is written anew.
          aRow({ id: 3, urgency: 0, detectedAt: 1_500, queuedAt: 60_000, reason: 'coalesced' }),
          aRow({ id: 4, chatId: 2, urgency: 2, detectedAt: 700 }),
        ),
      ])
      const [critical, info] = [
        { urgency: 0, rows: 3, oldestAt: 1_500 },
        { urgency: 2, rows: 1, oldestAt: null },
      ]
      expect((await store.admin.size(['discord', 'telegram'])).waiting).toEqual([critical, info])
      // A platform that is not open takes nothing: what waits there is late for nobody's fault.
      expect((await store.admin.size(['discord'])).waiting).toEqual([{ ...critical, oldestAt: null }, info])
      const names = (await store.admin.size([])).files.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
    }))
}

function at(platform: string, chat: string): { platform: string; chat: string; thread: null } {
  return { platform, chat, thread: null }
}
